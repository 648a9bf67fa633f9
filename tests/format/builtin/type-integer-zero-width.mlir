// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A width of zero is a separate type.
// CHECK: {t = i0, v = vector<2xi0>}
"d.op"() {t = i0, v = vector<2xi0>} : () -> ()
