// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-debuginfo %s | FileCheck %s --check-prefix=DEBUG

// Aliases of composed locations come after those of their parts.
// DEBUG: "d.op"() : () -> () loc(#loc3)
// DEBUG:      #loc1 = loc("x")
// DEBUG-NEXT: #loc2 = loc("y.c":1:1)
// DEBUG-NEXT: #loc3 = loc(callsite(#loc1 at #loc2))
"d.op"() : () -> () loc(callsite("x" at "y.c":1:1))
