// RUN: orison-opt --allow-unregistered-dialect --mlir-elide-elementsattrs-if-larger=2 %s | FileCheck %s

// Elements beyond the limit become the resource __elided__; splats and resources stay.
// CHECK: r = dense_resource<k> : tensor<4xi8>, s = dense<1> : tensor<9xi32>, t = dense<[1, 2]> : tensor<2xi32>, v = dense_resource<__elided__> : tensor<4xi32>
// CHECK: k: "0x0400000001020304"
"d.op"() {r = dense_resource<k> : tensor<4xi8>, s = dense<1> : tensor<9xi32>, t = dense<[1, 2]> : tensor<2xi32>, v = dense<[1, 2, 3, 4]> : tensor<4xi32>} : () -> ()
{-# dialect_resources: { builtin: { k: "0x0400000001020304" } } #-}
