// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A file of aliases is an empty module.
#a = 1
!t = i32
// CHECK:      module {
// CHECK-NEXT: }
