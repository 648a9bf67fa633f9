// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A key without data is kept as a name; one that is not an identifier is quoted.
// CHECK: {a = dense_resource<x> : tensor<4xi32>, b = dense_resource<"a b"> : vector<1xi8>, c = dense_resource<x> : tensor<2xf32>}
// CHECK-NOT: dialect_resources
"d.op"() {a = dense_resource<x> : tensor<4xi32>, b = dense_resource<"a b"> : vector<1xi8>, c = dense_resource<x> : tensor<2xf32>} : () -> ()
