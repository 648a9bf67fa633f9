// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-local-scope --mlir-print-debuginfo %s | FileCheck %s --check-prefix=LOCAL

// File ranges: an end line equal to the start line is dropped.
// LOCAL: loc("f.c":1:2 to :5)
"d.op"() : () -> () loc("f.c":1:2 to :5)
// LOCAL: loc("f.c":1:2 to 3:4)
"d.op"() : () -> () loc("f.c":1:2 to 3:4)
// LOCAL: loc("f.c":1:2 to :7)
"d.op"() : () -> () loc("f.c":1:2 to 1:7)
// LOCAL: loc("f.c":7:0)
"d.op"() : () -> () loc("f.c":7)
