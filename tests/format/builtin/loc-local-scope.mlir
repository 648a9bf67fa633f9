// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-local-scope --mlir-print-debuginfo %s | FileCheck %s --check-prefix=LOCAL

// Without aliases, locations are printed at their uses.
// LOCAL: "d.op"() : () -> () loc(unknown)
"d.op"() : () -> () loc(unknown)
// LOCAL: "d.op"() : () -> () loc("f.c":10:20)
"d.op"() : () -> () loc("f.c":10:20)
// LOCAL: "d.op"() : () -> () loc("name"("f.c":1:2))
"d.op"() : () -> () loc("name"("f.c":1:2))
// LOCAL: "d.op"() : () -> () loc(callsite("callee" at "f.c":1:2))
"d.op"() : () -> () loc(callsite("callee" at "f.c":1:2))
// LOCAL: "d.op"() : () -> () loc(fused["a", "b"])
"d.op"() : () -> () loc(fused["a", "b"])
// LOCAL: "d.op"() : () -> () loc(fused<"pass">["a", "b"])
"d.op"() : () -> () loc(fused<"pass">["a", "b"])
