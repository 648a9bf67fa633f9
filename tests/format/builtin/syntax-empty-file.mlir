// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Nothing but comments is an empty module.
// CHECK:      module {
// CHECK-NEXT: }
