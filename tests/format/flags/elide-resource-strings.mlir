// RUN: orison-opt --allow-unregistered-dialect --mlir-elide-resource-strings-if-larger=4 %s | FileCheck %s

// A resource beyond the limit is omitted; its section is printed even if empty.
// CHECK: dense_resource<k> : tensor<4xi8>
// CHECK:      {-#
// CHECK-EMPTY:
// CHECK-NEXT: #-}
"d.op"() {r = dense_resource<k> : tensor<4xi8>, s = dense<1> : tensor<9xi32>, t = dense<[1, 2]> : tensor<2xi32>, v = dense<[1, 2, 3, 4]> : tensor<4xi32>} : () -> ()
{-# dialect_resources: { builtin: { k: "0x0400000001020304" } } #-}
