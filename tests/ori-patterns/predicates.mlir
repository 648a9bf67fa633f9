// Predicates that pass through registers: each rule has an example, and one that it leaves alone.
//
// RUN: orison-opt --ori-peephole %s | FileCheck %s

// CHECK-LABEL: @r2p_p2r(
// CHECK-SAME: %[[A:[a-z0-9]*]]: !ori.r, %[[P:[a-z0-9]*]]: !ori.p, %[[Q:[a-z0-9]*]]: !ori.p)
// CHECK-NEXT: ori.ret %[[P]], %[[Q]]
ori.func @r2p_p2r(%a: !ori.r, %p: !ori.p, %q: !ori.p) -> (!ori.p, !ori.p) target "sm_80" {
  %packed = ori.p2r <mask = 7> %a predicates(%p, %p, %q) : (!ori.r, !ori.p, !ori.p, !ori.p) -> !ori.r
  %x:2 = ori.r2p <mask = 6> %packed : (!ori.r) -> (!ori.p, !ori.p)
  ori.ret %x#0, %x#1 : !ori.p, !ori.p
}

// Bit 3 comes from the background; an inverted predicate is a different value.
// CHECK-LABEL: @r2p_p2r_not(
// CHECK: ori.r2p <mask = 10>
// CHECK: ori.r2p <mask = 1>
ori.func @r2p_p2r_not(%a: !ori.r, %p: !ori.p, %q: !ori.p) -> (!ori.p, !ori.p, !ori.p) target "sm_80" {
  %packed = ori.p2r <mask = 3> %a predicates(not %p, %q) : (!ori.r, !ori.p, !ori.p) -> !ori.r
  %x:2 = ori.r2p <mask = 10> %packed : (!ori.r) -> (!ori.p, !ori.p)
  %y = ori.r2p <mask = 1> %packed : (!ori.r) -> !ori.p
  ori.ret %x#0, %x#1, %y : !ori.p, !ori.p, !ori.p
}

// CHECK-LABEL: @p2r_r2p(
// CHECK-SAME: %[[A:[a-z0-9]*]]: !ori.r)
// CHECK-NOT: ori.p2r
// CHECK: ori.ret %[[A]]
ori.func @p2r_r2p(%a: !ori.r) -> !ori.r target "sm_80" {
  %x:2 = ori.r2p <mask = 5> %a : (!ori.r) -> (!ori.p, !ori.p)
  %b = ori.p2r <mask = 5> %a predicates(%x#0, %x#1) : (!ori.r, !ori.p, !ori.p) -> !ori.r
  ori.ret %b : !ori.r
}

// The bits change places.
// CHECK-LABEL: @p2r_r2p_not(
// CHECK: ori.p2r
ori.func @p2r_r2p_not(%a: !ori.r) -> !ori.r target "sm_80" {
  %x:2 = ori.r2p <mask = 5> %a : (!ori.r) -> (!ori.p, !ori.p)
  %b = ori.p2r <mask = 5> %a predicates(%x#1, %x#0) : (!ori.r, !ori.p, !ori.p) -> !ori.r
  ori.ret %b : !ori.r
}

// The second one wins where both write a bit.
// CHECK-LABEL: @p2r_p2r(
// CHECK-SAME: %[[A:[a-z0-9]*]]: !ori.r, %[[P:[a-z0-9]*]]: !ori.p, %[[Q:[a-z0-9]*]]: !ori.p)
// CHECK-NEXT: %[[ALL:.*]] = ori.p2r <mask = 7> %[[A]] predicates(not %[[Q]], %[[Q]], %[[P]])
// CHECK-NEXT: ori.ret %[[ALL]]
ori.func @p2r_p2r(%a: !ori.r, %p: !ori.p, %q: !ori.p) -> !ori.r target "sm_80" {
  %first = ori.p2r <mask = 6> %a predicates(%p, %p) : (!ori.r, !ori.p, !ori.p) -> !ori.r
  %second = ori.p2r <mask = 3> %first predicates(not %q, %q) : (!ori.r, !ori.p, !ori.p) -> !ori.r
  ori.ret %second : !ori.r
}

// CHECK-LABEL: @p2r_p2r_not(
// CHECK-COUNT-2: ori.p2r
ori.func @p2r_p2r_not(%a: !ori.r, %p: !ori.p) -> (!ori.r, !ori.r) target "sm_80" {
  %first = ori.p2r <mask = 2> %a predicates(%p) : (!ori.r, !ori.p) -> !ori.r
  %second = ori.p2r <mask = 1> %first predicates(%p) : (!ori.r, !ori.p) -> !ori.r
  ori.ret %first, %second : !ori.r, !ori.r
}

// CHECK-LABEL: @p2r_nothing(
// CHECK-SAME: %[[A:[a-z0-9]*]]: !ori.r)
// CHECK-NEXT: ori.ret %[[A]]
ori.func @p2r_nothing(%a: !ori.r) -> !ori.r target "sm_80" {
  %b = ori.p2r <mask = 0> %a : (!ori.r) -> !ori.r
  ori.ret %b : !ori.r
}

// CHECK-LABEL: @p2r_nothing_not(
// CHECK: ori.p2r
ori.func @p2r_nothing_not(%a: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %b = ori.p2r <mask = 1> %a predicates(%p) : (!ori.r, !ori.p) -> !ori.r
  ori.ret %b : !ori.r
}

// CHECK-LABEL: @isetp_p2r(
// CHECK-SAME: %[[A:[a-z0-9]*]]: !ori.r, %[[P:[a-z0-9]*]]: !ori.p, %[[Q:[a-z0-9]*]]: !ori.p)
// CHECK: ori.ret %[[Q]]
ori.func @isetp_p2r(%a: !ori.r, %p: !ori.p, %q: !ori.p) -> !ori.p target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %four = ori.imm 4 : !ori.r
  %packed = ori.p2r <mask = 6> %a predicates(%p, %q) : (!ori.r, !ori.p, !ori.p) -> !ori.r
  %bit = ori.lop3 <lut = 192> %packed, %four, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %set = ori.isetp <ne, u32, and> %bit, %zero : (!ori.r, !ori.r) -> !ori.p
  ori.ret %set : !ori.p
}

// Two bits, one of which is the background's.
// CHECK-LABEL: @isetp_p2r_not(
// CHECK: ori.isetp
ori.func @isetp_p2r_not(%a: !ori.r, %p: !ori.p) -> !ori.p target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %three = ori.imm 3 : !ori.r
  %packed = ori.p2r <mask = 1> %a predicates(%p) : (!ori.r, !ori.p) -> !ori.r
  %bits = ori.lop3 <lut = 192> %packed, %three, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %set = ori.isetp <ne, u32, and> %bits, %zero : (!ori.r, !ori.r) -> !ori.p
  ori.ret %set : !ori.p
}
