// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A splat is the only constant of a scalable vector.
// CHECK: dense<1> : vector<[4]xi32>
"d.op"() {a = dense<1> : vector<[4]xi32>} : () -> ()
