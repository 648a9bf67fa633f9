// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-local-scope --mlir-print-debuginfo %s | FileCheck %s --check-prefix=LOCAL

// A fused location drops duplicates and unknowns, flattens fused parts, and is replaced by a single remaining part.
// LOCAL: loc("a")
"d.op"() : () -> () loc(fused["a"])
// LOCAL: loc("a")
"d.op"() : () -> () loc(fused["a", "a", unknown])
// LOCAL: loc(fused["a", "b", "c"])
"d.op"() : () -> () loc(fused[fused["a", "b"], "c"])
// LOCAL: loc(unknown)
"d.op"() : () -> () loc(fused[unknown])
// LOCAL: loc(unknown)
"d.op"() : () -> () loc(fused[])
// LOCAL: loc(fused<"m">["a"])
"d.op"() : () -> () loc(fused<"m">["a"])
