// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A foreign name directly before its body is the verbose form without quotes; it prints in pretty form where possible.
// CHECK: {a = #d.x, b = !d.x, c = !d<[a]>, e = !d<>}
"d.op"() {a = #d<x>, b = !d<x>, c = !d<[a]>, e = !d<>} : () -> ()
