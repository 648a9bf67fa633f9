// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-debuginfo %s | FileCheck %s --check-prefix=DEBUG

// Every form of location on an operation; forms with parts are aliased after their parts.
// DEBUG:      module {
// DEBUG-NEXT: "d.op"() : () -> () loc(#loc1)
// DEBUG-NEXT: "d.op"() : () -> () loc(#loc2)
// DEBUG-NEXT: "d.op"() : () -> () loc(#loc3)
// DEBUG-NEXT: } loc(#loc)
// DEBUG: #loc1 = loc(unknown)
// DEBUG-NEXT: #loc2 = loc("f.c":10:20)
// DEBUG-NEXT: #loc3 = loc("name")
"d.op"() : () -> () loc(unknown)
"d.op"() : () -> () loc("f.c":10:20)
"d.op"() : () -> () loc("name")
