// RUN: orison-opt --allow-unregistered-dialect --canonicalize --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --canonicalize='disable-patterns=cf-cond-br-truth,cf-cond-br-same-target' --split-input-file %s | FileCheck --check-prefix=FEWER %s

// cf-br-merge: a block with one predecessor is merged into it.
// CHECK-LABEL: func.func @cf_br_merge
// CHECK-NEXT: %[[R:.*]] = "t.op"(%arg0)
// CHECK-NEXT: return %[[R]]
func.func @cf_br_merge(%x: i32) -> i32 {
  cf.br ^a(%x : i32)
^a(%y: i32):
  %0 = "t.op"(%y) : (i32) -> i32
  return %0 : i32
}

// -----

// The block has two predecessors, one of them itself.
// CHECK-LABEL: func.func @cf_br_merge_declines
// CHECK-NEXT: cf.br ^bb1
// CHECK: ^bb1:
func.func @cf_br_merge_declines(%c: i1) {
  cf.br ^a
^a:
  "t.use"() : () -> ()
  cf.cond_br %c, ^a, ^b
^b:
  return
}

// -----

// cf-br-pass-through: a branch to an empty block is redirected; its arguments are replaced by the
// passed values.
// CHECK-LABEL: func.func @cf_br_pass_through
// CHECK-NEXT: "t.first"
// CHECK-NEXT: cf.cond_br %arg1, ^bb1, ^bb2
// CHECK: "t.a"
// CHECK-NEXT: cf.br ^bb3(%arg0, %arg0 : i32, i32)
// CHECK: "t.b"
// CHECK-NEXT: cf.br ^bb3(%arg0, %arg0 : i32, i32)
func.func @cf_br_pass_through(%x: i32, %c: i1) -> i32 {
  "t.first"() : () -> ()
  cf.cond_br %c, ^a, ^b
^a:
  "t.a"() : () -> ()
  cf.br ^p(%x : i32)
^b:
  "t.b"() : () -> ()
  cf.br ^p(%x : i32)
^p(%y: i32):
  cf.br ^e(%y, %x : i32, i32)
^e(%z: i32, %w: i32):
  "t.e"(%z, %w) : (i32, i32) -> ()
  cf.cond_br %c, ^a, ^q
^q:
  return %z : i32
}

// -----

// A block that branches back to itself through others is not bypassed.
// CHECK-LABEL: func.func @cf_br_pass_through_declines
// CHECK-NEXT: cf.cond_br
// CHECK: cf.br ^[[SELF:bb[0-9]+]]
// CHECK: return
func.func @cf_br_pass_through_declines(%c: i1) {
  cf.cond_br %c, ^a, ^d
^a:
  cf.br ^b
^b:
  cf.cond_br %c, ^a, ^b2
^b2:
  cf.br ^b3
^b3:
  cf.br ^b2
^d:
  return
}

// -----

// cf-cond-br-constant: only one side can be taken.
// CHECK-LABEL: func.func @cf_cond_br_constant
// CHECK-NEXT: return %arg0
func.func @cf_cond_br_constant(%x: i32) -> i32 {
  %t = arith.constant false
  cf.cond_br %t, ^a, ^b(%x : i32)
^a:
  %0 = "t.op"() : () -> i32
  return %0 : i32
^b(%y: i32):
  return %y : i32
}

// -----

// cf-cond-br-pass-through: a side that only branches is left out.
// CHECK-LABEL: func.func @cf_cond_br_pass_through
// CHECK-NEXT: cf.cond_br %arg0, ^bb2(%arg1 : i32), ^bb1
func.func @cf_cond_br_pass_through(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a(%x : i32), ^b
^a(%y: i32):
  cf.br ^e(%y : i32)
^b:
  %0 = "t.b"() : () -> i32
  cf.br ^e(%0 : i32)
^e(%z: i32):
  return %z : i32
}

// -----

// Its argument is used elsewhere.
// CHECK-LABEL: func.func @cf_cond_br_pass_through_declines
// CHECK: "t.b"
func.func @cf_cond_br_pass_through_declines(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a(%x : i32), ^b
^a(%y: i32):
  cf.br ^e
^b:
  "t.b"() : () -> ()
  cf.cond_br %c, ^a(%x : i32), ^f
^f:
  return %x : i32
^e:
  "t.e"() : () -> ()
  return %y : i32
}

// -----

// cf-cond-br-same-target: identical targets: the passed values are selected.
// CHECK-LABEL: func.func @cf_cond_br_same_target
// CHECK-NEXT: %[[S:.*]] = arith.select %arg0, %arg1, %arg2 : i32
// CHECK-NEXT: return %[[S]], %arg2
func.func @cf_cond_br_same_target(%c: i1, %x: i32, %y: i32) -> (i32, i32) {
  cf.cond_br %c, ^a(%x, %y : i32, i32), ^a(%y, %y : i32, i32)
^a(%z: i32, %w: i32):
  return %z, %w : i32, i32
}

// -----

// Others lead to the target, so that a choice is made where it may not be needed.
// CHECK-LABEL: func.func @cf_cond_br_same_target_declines
// CHECK: cf.cond_br %arg0, ^bb2(%arg2 : i32), ^bb2(%arg3 : i32)
func.func @cf_cond_br_same_target_declines(%c: i1, %d: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %d, ^b, ^a(%x : i32)
^b:
  "t.b"() : () -> ()
  cf.cond_br %c, ^a(%x : i32), ^a(%y : i32)
^a(%z: i32):
  return %z : i32
}

// -----

// cf-cond-br-same-condition: the condition is known from the branch before, also where cf-cond-br-truth does not make it a constant.
// CHECK-LABEL: func.func @cf_cond_br_same_condition
// CHECK-NEXT: cf.cond_br %arg0, ^bb1, ^bb2
// CHECK: "t.a"
// CHECK-NEXT: "t.x"
// CHECK-NEXT: return
// CHECK: "t.b"
// CHECK-NEXT: "t.y"
// CHECK-NEXT: return
// FEWER-LABEL: func.func @cf_cond_br_same_condition
// FEWER: "t.a"
// FEWER-NEXT: "t.x"
// FEWER: "t.b"
// FEWER-NEXT: "t.y"
func.func @cf_cond_br_same_condition(%c: i1, %x: i32) {
  cf.cond_br %c, ^a, ^b
^a:
  "t.a"() : () -> ()
  cf.cond_br %c, ^x, ^y
^b:
  "t.b"() : () -> ()
  cf.cond_br %c, ^x, ^y
^x:
  "t.x"() : () -> ()
  return
^y:
  "t.y"() : () -> ()
  return
}

// -----

// A block that both edges enter: the condition is not known in it.
// FEWER-LABEL: func.func @cf_cond_br_two_edges
// FEWER-NEXT: cf.cond_br %arg0, ^bb1, ^bb1
// FEWER: "t.m"()
// FEWER-NEXT: cf.cond_br %arg0, ^{{.*}}, ^
func.func @cf_cond_br_two_edges(%c: i1) {
  cf.cond_br %c, ^m, ^m
^m:
  "t.m"() : () -> ()
  cf.cond_br %c, ^x, ^y
^x:
  "t.x"() : () -> ()
  return
^y:
  "t.y"() : () -> ()
  return
}

// -----

// cf-cond-br-truth: where the branch leads, its condition is known.
// CHECK-LABEL: func.func @cf_cond_br_truth
// CHECK-DAG: %[[T:.*]] = arith.constant true
// CHECK-DAG: %[[F:.*]] = arith.constant false
// CHECK: "t.a"(%[[T]])
// CHECK: "t.b"(%[[F]])
func.func @cf_cond_br_truth(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  "t.a"(%c) : (i1) -> ()
  return
^b:
  "t.b"(%c) : (i1) -> ()
  return
}

// -----

// The block has two predecessors.
// CHECK-LABEL: func.func @cf_cond_br_truth_declines
// CHECK: "t.a"(%arg0)
func.func @cf_cond_br_truth_declines(%c: i1, %d: i1) {
  cf.cond_br %d, ^p, ^a
^p:
  "t.p"() : () -> ()
  cf.cond_br %c, ^a, ^b
^a:
  "t.a"(%c) : (i1) -> ()
  return
^b:
  return
}

// -----

// cf-assert-true: what holds need not be asserted; what does not hold has to.
// CHECK-LABEL: func.func @cf_assert_true
// CHECK-NEXT: %[[F:.*]] = arith.constant false
// CHECK-NEXT: cf.assert %[[F]], "b"
// CHECK-NEXT: cf.assert %arg0, "c"
func.func @cf_assert_true(%c: i1) {
  %t = arith.constant true
  %f = arith.constant false
  cf.assert %t, "a"
  cf.assert %f, "b"
  cf.assert %c, "c"
  return
}

// -----

// cf-switch-only-default: a switch without cases is a branch.
// CHECK-LABEL: func.func @cf_switch_only_default
// CHECK-NEXT: "t.d"
func.func @cf_switch_only_default(%f: i32) {
  cf.switch %f : i32, [default: ^d]
^d:
  "t.d"() : () -> ()
  return
}

// -----

// cf-switch-like-default: a case equal to the default is removed.
// CHECK-LABEL: func.func @cf_switch_like_default
// CHECK-NEXT: cf.switch %arg0 : i32, [
// CHECK-NEXT: default: ^bb1(%arg1 : i32),
// CHECK-NEXT: 2: ^bb1(%arg0 : i32)
// CHECK-NEXT: ]
func.func @cf_switch_like_default(%f: i32, %x: i32) {
  cf.switch %f : i32, [default: ^d(%x : i32), 1: ^d(%x : i32), 2: ^d(%f : i32)]
^d(%y: i32):
  "t.d"(%y) : (i32) -> ()
  return
}

// -----

// Of two equal cases the first one is taken: without it, the second one would be.
// CHECK-LABEL: func.func @cf_switch_like_default_declines
// CHECK-NEXT: cf.switch %arg0 : i32, [
// CHECK-NEXT: default: ^bb1,
// CHECK-NEXT: 1: ^bb1,
// CHECK-NEXT: 2: ^bb2,
// CHECK-NEXT: 1: ^bb3
// CHECK-NEXT: ]
func.func @cf_switch_like_default_declines(%f: i32) {
  cf.switch %f : i32, [default: ^d, 1: ^d, 2: ^e, 1: ^g]
^d:
  "t.d"() : () -> ()
  return
^e:
  "t.e"() : () -> ()
  return
^g:
  "t.g"() : () -> ()
  return
}

// -----

// cf-switch-constant: the case of a constant is known, also if it is the default.
// CHECK-LABEL: func.func @cf_switch_constant
// CHECK-NEXT: "t.e"
// CHECK-NEXT: return
func.func @cf_switch_constant(%x: i32) {
  %c = arith.constant 2 : i32
  cf.switch %c : i32, [default: ^d, 2: ^e]
^d:
  "t.d"() : () -> ()
  return
^e:
  "t.e"() : () -> ()
  return
}

// -----

// The flag is not constant.
// CHECK-LABEL: func.func @cf_switch_constant_declines
// CHECK-NEXT: cf.switch
func.func @cf_switch_constant_declines(%f: i32) {
  cf.switch %f : i32, [default: ^d, 2: ^e]
^d:
  "t.d"() : () -> ()
  return
^e:
  "t.e"() : () -> ()
  return
}

// -----

// cf-switch-pass-through: cases that only branch are left out.
// CHECK-LABEL: func.func @cf_switch_pass_through
// CHECK-NEXT: cf.switch
// CHECK-NEXT: default: ^bb1(%arg0 : i32),
// CHECK-NEXT: 2: ^bb1(%arg1 : i32)
func.func @cf_switch_pass_through(%f: i32, %x: i32) {
  cf.switch %f : i32, [default: ^d(%f : i32), 2: ^p(%x : i32)]
^p(%y: i32):
  cf.br ^d(%y : i32)
^d(%z: i32):
  "t.d"(%z) : (i32) -> ()
  return
}

// -----

// cf-switch-same-flag: inside a case its value is the flag.
// CHECK-LABEL: func.func @cf_switch_same_flag
// CHECK-NEXT: cf.switch
// CHECK: "t.p"
// CHECK-NEXT: "t.e"
func.func @cf_switch_same_flag(%f: i32) {
  cf.switch %f : i32, [default: ^d, 2: ^p]
^p:
  "t.p"() : () -> ()
  cf.switch %f : i32, [default: ^d, 2: ^e]
^d:
  "t.d"() : () -> ()
  return
^e:
  "t.e"() : () -> ()
  return
}

// -----

// Two cases lead to the block.
// CHECK-LABEL: func.func @cf_switch_same_flag_declines
// CHECK: "t.p"
// CHECK-NEXT: cf.switch
func.func @cf_switch_same_flag_declines(%f: i32) {
  cf.switch %f : i32, [default: ^d, 2: ^p, 3: ^p]
^p:
  "t.p"() : () -> ()
  cf.switch %f : i32, [default: ^d, 2: ^e]
^d:
  "t.d"() : () -> ()
  return
^e:
  "t.e"() : () -> ()
  return
}

// -----

// cf-switch-same-flag-default: in the default block the flag differs from all cases.
// CHECK-LABEL: func.func @cf_switch_same_flag_default
// CHECK: "t.p"
// CHECK-NEXT: cf.switch
// CHECK-NEXT: default: ^bb
// CHECK-NEXT: 3: ^bb
// CHECK-NEXT: ]
func.func @cf_switch_same_flag_default(%f: i32) {
  cf.switch %f : i32, [default: ^p, 2: ^d]
^p:
  "t.p"() : () -> ()
  cf.switch %f : i32, [default: ^d, 2: ^e, 3: ^e]
^d:
  "t.d"() : () -> ()
  return
^e:
  "t.e"() : () -> ()
  return
}

// -----

// Branches that lead into a cycle stay as they are.
// CHECK-LABEL: func.func @cf_br_into_cycle
// CHECK-NEXT: cf.cond_br %arg0, ^bb1, ^bb2
// CHECK: ^bb1:
// CHECK-NEXT: cf.br ^bb2
// CHECK: ^bb2:
// CHECK-NEXT: cf.br ^bb3
// CHECK: ^bb3:
// CHECK-NEXT: cf.br ^bb3
func.func @cf_br_into_cycle(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  cf.br ^b
^b:
  cf.br ^c
^c:
  cf.br ^d
^d:
  cf.br ^c
}

// -----

// A loop loses its only entry during rewriting: its remaining values use themselves.
// CHECK-LABEL: func.func @cf_dead_loop
// CHECK-NEXT: return
func.func @cf_dead_loop(%c: i1, %init: i32) {
  %true = arith.constant true
  %one = arith.constant 1 : i32
  cf.cond_br %true, ^exit, ^header(%init : i32)
^header(%i: i32):
  cf.cond_br %c, ^exit, ^latch
^latch:
  %next = arith.addi %i, %one : i32
  cf.br ^header(%next : i32)
^exit:
  return
}

// -----

// CHECK-LABEL: func.func @unreachable_self_use
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @unreachable_self_use() {
  return
^unreachable:
  %one = arith.constant 1 : i64
  %sum = arith.addi %sum, %one : i64
  cf.br ^unreachable
}

// -----

// A block that two edges of a switch enter is entered by default and in a case: neither is known in it.
// CHECK-LABEL: func.func @cf_switch_same_flag_two_edges
// CHECK: cf.switch %arg0 : i32, [
// CHECK-NEXT: default: ^bb1(%arg1 : i32),
// CHECK-NEXT: 1: ^bb1(%arg2 : i32)
// CHECK: ^bb1(%{{.*}}: i32):
// CHECK: cf.switch %arg0 : i32, [
// CHECK-NEXT: default: ^[[B:bb[0-9]+]],
// CHECK-NEXT: 1: ^[[C:bb[0-9]+]]
func.func @cf_switch_same_flag_two_edges(%f: i32, %x: i32, %y: i32) {
  cf.switch %f : i32, [default: ^a(%x : i32), 1: ^a(%y : i32)]
^a(%v: i32):
  "t.op"(%v) : (i32) -> ()
  cf.switch %f : i32, [default: ^b, 1: ^c]
^b:
  "t.b"() : () -> ()
  return
^c:
  "t.c"() : () -> ()
  return
}
