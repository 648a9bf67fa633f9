// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Strided layouts as attributes.
// CHECK: {a = strided<[1]>, b = strided<[?, 1], offset: ?>, c = strided<[], offset: 3>, d = strided<[]>, e = strided<[-1, 0], offset: -4>, f = strided<[2]>}
"d.op"() {a = strided<[1]>, b = strided<[?, 1], offset: ?>, c = strided<[], offset: 3>, d = strided<[]>, e = strided<[-1, 0], offset: -4>, f = strided<[2], offset: 0>} : () -> ()
