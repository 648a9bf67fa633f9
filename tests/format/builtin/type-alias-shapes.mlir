// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Aliases as element types, encodings and layouts.
!e = f16
#enc = {order = [1, 0]}
#transpose = affine_map<(i, j) -> (j, i)>
!t = tensor<2x2x!e, #enc>
!m = memref<2x2x!e, #transpose>
// CHECK: #map = affine_map<(d0, d1) -> (d1, d0)>
// CHECK: -> (tensor<2x2xf16, {order = [1, 0]}>, memref<2x2xf16, #map>)
%0:2 = "d.op"() : () -> (!t, !m)
