// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A file of comments is an empty module.
// CHECK:      module {
// CHECK-NEXT: }
