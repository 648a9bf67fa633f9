// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Only `true` and `false` are accepted for bits here.
// CHECK: {a = array<i1: true, false>, b = array<i1>}
"d.op"() {a = array<i1: true, false>, b = array<i1>} : () -> ()
