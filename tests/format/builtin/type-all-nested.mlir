// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Types within types.
// CHECK: -> tuple<memref<?xvector<4xf32>, 1>, tensor<2xcomplex<f64>>, (none) -> !d.t<tuple<i1>>>
%0 = "d.op"() : () -> tuple<memref<?xvector<4xf32>, 1>, tensor<2xcomplex<f64>>, (none) -> !d.t<tuple<i1>>>
