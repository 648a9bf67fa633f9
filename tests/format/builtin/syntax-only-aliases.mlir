// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Aliases alone are an empty module too.
#a = 1
!t = i32
// CHECK:      module {
// CHECK-NEXT: }
