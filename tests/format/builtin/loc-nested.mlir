// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-local-scope --mlir-print-debuginfo %s | FileCheck %s --check-prefix=LOCAL

// Call chains and names of names.
// LOCAL: loc(callsite(callsite("a" at "b.c":1:1) at "c.c":2:2))
"d.op"() : () -> () loc(callsite(callsite("a" at "b.c":1:1) at "c.c":2:2))
// LOCAL: loc("outer"("inner"("f.c":3:3)))
"d.op"() : () -> () loc("outer"("inner"("f.c":3:3)))
// LOCAL: loc("n")
"d.op"() : () -> () loc("n"(unknown))
