// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// An encoding that is left out after its comma is none.
// CHECK: {t = tensor<4xi32>}
"d.op"() {t = tensor<4xi32, >} : () -> ()
