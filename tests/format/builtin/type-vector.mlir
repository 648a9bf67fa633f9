// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Vectors, including rank zero.
// CHECK: [vector<4xi32>, vector<2x3x4xf16>, vector<f32>, vector<1xindex>]
"d.op"() {t = [vector<4xi32>, vector<2x3x4xf16>, vector<f32>, vector<1xindex>]} : () -> ()
