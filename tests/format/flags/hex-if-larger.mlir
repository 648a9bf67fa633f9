// RUN: orison-opt --allow-unregistered-dialect --mlir-print-elementsattrs-with-hex-if-larger=2 %s | FileCheck %s

// Elements beyond the limit are printed in hexadecimal; splats are not.
// CHECK: s = dense<1> : tensor<9xi32>, t = dense<[1, 2]> : tensor<2xi32>, v = dense<"0x01000000020000000300000004000000"> : tensor<4xi32>
"d.op"() {r = dense_resource<k> : tensor<4xi8>, s = dense<1> : tensor<9xi32>, t = dense<[1, 2]> : tensor<2xi32>, v = dense<[1, 2, 3, 4]> : tensor<4xi32>} : () -> ()
{-# dialect_resources: { builtin: { k: "0x0400000001020304" } } #-}
