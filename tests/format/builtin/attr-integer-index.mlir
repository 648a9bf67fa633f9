// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// index holds 64 bits.
// CHECK: {a = 0 : index, b = -1 : index, c = 9223372036854775807 : index}
"d.op"() {a = 0 : index, b = -1 : index, c = 9223372036854775807 : index} : () -> ()
