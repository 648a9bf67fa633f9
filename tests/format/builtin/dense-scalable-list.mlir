// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A list for a scalable vector is accepted and kept; so is a memref as the type.
// CHECK: {a = dense<[1, 2]> : vector<[2]xi32>, b = dense<1> : memref<2xi32>}
"d.op"() {a = dense<[1, 2]> : vector<[2]xi32>, b = dense<1> : memref<2xi32>} : () -> ()
