// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-debuginfo %s | FileCheck %s --check-prefix=DEBUG

// Everything nested in a location used as an attribute is defined before the operations.
// CHECK:      #loc = loc("f.c":1:2)
// CHECK-NEXT: #loc1 = loc("g.c":3:4)
// CHECK-NEXT: #loc2 = loc("x"(#loc))
// CHECK-NEXT: #loc3 = loc(callsite(#loc2 at #loc1))
// CHECK-NEXT: module {
// CHECK-NEXT: {a = #loc3}
// DEBUG:      #loc2 = loc("f.c":1:2)
// DEBUG-NEXT: #loc3 = loc("g.c":3:4)
// DEBUG-NEXT: #loc4 = loc("x"(#loc2))
// DEBUG-NEXT: #loc5 = loc(callsite(#loc4 at #loc3))
// DEBUG-NEXT: module {
// DEBUG-NEXT: {a = #loc5} : () -> () loc(#loc1)
// DEBUG:      #loc = loc(
// DEBUG-NEXT: #loc1 = loc(
"d.op"() {a = loc(callsite("x"("f.c":1:2) at "g.c":3:4))} : () -> ()

// -----

// CHECK:      #loc = loc("x")
// CHECK-NEXT: #loc1 = loc("y")
// CHECK-NEXT: #loc2 = loc(fused[#loc, #loc1])
// CHECK-NEXT: module {
"d.op"() {a = loc(fused["x","y"])} : () -> ()

// -----

// A part that also occurs in the location of an operation is defined before the operations, the rest
// of that location after them.
// DEBUG:      #loc2 = loc("part")
// DEBUG-NEXT: #loc4 = loc("attribute"(#loc2))
// DEBUG-NEXT: module {
// DEBUG-NEXT: {a = #loc4} : () -> () loc(#loc3)
// DEBUG:      #loc = loc(
// DEBUG-NEXT: #loc1 = loc("other")
// DEBUG-NEXT: #loc3 = loc(fused[#loc1, #loc2])
"d.op"() {a = loc("attribute"("part"))} : () -> () loc(fused["other", "part"])

// -----

// In metadata, in an array, and as the location of a block argument.
// CHECK:      #loc = loc("c")
// CHECK-NEXT: #loc1 = loc("a")
// CHECK-NEXT: #loc2 = loc(fused<#loc>[#loc1])
// CHECK-NEXT: module {
// CHECK: }) {a = [#loc2]}
// DEBUG:      #loc2 = loc("x")
// DEBUG-NEXT: #loc3 = loc("c")
// DEBUG-NEXT: #loc4 = loc("a")
// DEBUG-NEXT: #loc5 = loc("in"(#loc2))
// DEBUG-NEXT: #loc6 = loc(fused<#loc3>[#loc4])
// DEBUG-NEXT: module {
// DEBUG: ^bb0(%arg0: i32 loc("in"(#loc2))):
// DEBUG-NEXT: }) {a = [#loc6]} : () -> () loc(#loc1)
"d.op"() ({
^bb0(%a: i32 loc("in"("x"))):
}) {a = [loc(fused<loc("c")>["a"])]} : () -> ()
