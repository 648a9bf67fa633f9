// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// The data of a resource are in the file's metadata.
// CHECK: "d.op"() {a = dense_resource<weights> : tensor<4xi32>} : () -> ()
"d.op"() {a = dense_resource<weights> : tensor<4xi32>} : () -> ()
// CHECK:      {-#
// CHECK-NEXT:   dialect_resources: {
// CHECK-NEXT:     builtin: {
// CHECK-NEXT:       weights: "0x0400000001000000020000000300000004000000"
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: #-}
{-#
  dialect_resources: {
    builtin: {
      weights: "0x0400000001000000020000000300000004000000"
    }
  }
#-}
