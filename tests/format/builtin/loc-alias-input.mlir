// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-local-scope --mlir-print-debuginfo %s | FileCheck %s --check-prefix=LOCAL

// A location alias may be used before it is defined.
// LOCAL: "d.op"() : () -> () loc("f.c":1:1)
"d.op"() : () -> () loc(#later)
// LOCAL: "d.op"() : () -> () loc("f.c":1:1)
"d.op"() : () -> () loc(#later)
#later = loc("f.c":1:1)
