// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A distinct unit has an empty body and no alias.
// CHECK: {a = distinct[0]<>, b = distinct[1]<>, c = distinct[0]<>}
"d.op"() {a = distinct[6]<>, b = distinct[1]<>, c = distinct[6]<>} : () -> ()
