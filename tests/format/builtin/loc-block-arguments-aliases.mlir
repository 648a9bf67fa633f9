// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-debuginfo %s | FileCheck %s --check-prefix=DEBUG

// Locations of block arguments get aliases at the top although they are printed in full; all others are at the bottom.
// DEBUG:      #loc2 = loc("first")
// DEBUG-NEXT: module {
// DEBUG: ^bb0(%arg0: i32 loc("first")):
// DEBUG: } loc(#loc)
// DEBUG-NEXT: #loc = loc({{.*}}:0:0)
// DEBUG-NEXT: #loc1 = loc("op")
"d.op"() ({
^bb0(%a: i32 loc("first")):
}) : () -> () loc("op")
