// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A missing encoding after the comma means no encoding.
// CHECK: {t = tensor<4xi32>}
"d.op"() {t = tensor<4xi32, >} : () -> ()
