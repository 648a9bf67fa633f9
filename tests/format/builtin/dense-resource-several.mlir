// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Resources are printed in order of use, and only where used.
"d.op"() {a = dense_resource<second> : tensor<1xi8>, b = dense_resource<first> : tensor<1xi8>} : () -> ()
// CHECK:      builtin: {
// CHECK-NOT:        unused
// CHECK:        second: "0x0100000002"
// CHECK-NEXT: first: "0x0100000001"
// CHECK-NEXT: }
{-#
  dialect_resources: { builtin: {
    first: "0x0100000001", unused: "0x0100000003", second: "0x0100000002"
  } }
#-}
