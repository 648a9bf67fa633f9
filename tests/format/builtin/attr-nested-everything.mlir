// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-local-scope %s | FileCheck %s --check-prefix=SCOPE

// Attributes within attributes.
// CHECK: {a = {x = {y = [1, {z}]}}, b = [dense<1> : tensor<2xi8>, array<i8: 1>, @f::@g, #d.x, #map]}
// SCOPE: {a = {x = {y = [1, {z}]}}, b = [dense<1> : tensor<2xi8>, array<i8: 1>, @f::@g, #d.x, affine_map<(d0) -> (d0)>]}
"d.op"() {a = {x = {y = [1, {z}]}}, b = [dense<1> : tensor<2xi8>, array<i8: 1>, @f::@g, #d.x, affine_map<(i) -> (i)>]} : () -> ()
