// Functions of three bits as truth tables. Functions are named like the rules; `_not` is what a rule leaves alone.
//
// RUN: orison-opt --ori-peephole %s | FileCheck %s

// ori-lop3-copy-a: the table is the first operand
// CHECK-LABEL: @lop3_copy_a(
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @lop3_copy_a(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 240> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-copy-a: no match: a different table
// CHECK-LABEL: @lop3_copy_a_not(
// CHECK-NEXT: %0 = ori.lop3 <lut = 241> %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @lop3_copy_a_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 241> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-copy-b: the table is the second operand
// CHECK-LABEL: @lop3_copy_b(
// CHECK-NEXT: ori.ret %arg1 : !ori.r
ori.func @lop3_copy_b(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 204> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-copy-b: no match: a different table
// CHECK-LABEL: @lop3_copy_b_not(
// CHECK-NEXT: %0 = ori.lop3 <lut = 205> %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @lop3_copy_b_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 205> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-copy-c: the table is the third operand
// CHECK-LABEL: @lop3_copy_c(
// CHECK-NEXT: ori.ret %arg2 : !ori.r
ori.func @lop3_copy_c(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 170> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-copy-c: no match: a different table
// CHECK-LABEL: @lop3_copy_c_not(
// CHECK-NEXT: %0 = ori.lop3 <lut = 171> %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @lop3_copy_c_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 171> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-zeros: no bit is set
// CHECK-LABEL: @lop3_zeros(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @lop3_zeros(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 0> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-zeros: no match: a bit may be set
// CHECK-LABEL: @lop3_zeros_not(
// CHECK-NEXT: %0 = ori.lop3 <lut = 1> %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @lop3_zeros_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 1> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-ones: all bits are set
// CHECK-LABEL: @lop3_ones(
// CHECK-NEXT: %0 = ori.imm -1 : !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @lop3_ones(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 255> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-ones: no match: a bit may be clear
// CHECK-LABEL: @lop3_ones_not(
// CHECK-NEXT: %0 = ori.lop3 <lut = 254> %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @lop3_ones_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 254> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-constant-a: the conjunction with ones is the identity
// CHECK-LABEL: @lop3_constant_a(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.lop3 <lut = 136> %0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @lop3_constant_a(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -1 : !ori.r
  %r = ori.lop3 <lut = 128> %k, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-constant-a: no match: the constant is neither 0 nor -1
// CHECK-LABEL: @lop3_constant_a_not(
// CHECK-NEXT: %0 = ori.imm 5 : !ori.r
// CHECK-NEXT: %1 = ori.lop3 <lut = 128> %0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @lop3_constant_a_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 5 : !ori.r
  %r = ori.lop3 <lut = 128> %k, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-constant-b: the conjunction with ones is the identity
// CHECK-LABEL: @lop3_constant_b(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.lop3 <lut = 160> %arg0, %0, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @lop3_constant_b(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -1 : !ori.r
  %r = ori.lop3 <lut = 128> %a, %k, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-constant-b: no match: the constant is neither 0 nor -1
// CHECK-LABEL: @lop3_constant_b_not(
// CHECK-NEXT: %0 = ori.imm 5 : !ori.r
// CHECK-NEXT: %1 = ori.lop3 <lut = 128> %arg0, %0, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @lop3_constant_b_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 5 : !ori.r
  %r = ori.lop3 <lut = 128> %a, %k, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-constant-c: the conjunction with ones is the identity
// CHECK-LABEL: @lop3_constant_c(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.lop3 <lut = 192> %arg0, %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @lop3_constant_c(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -1 : !ori.r
  %r = ori.lop3 <lut = 128> %a, %b, %k : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-constant-c: no match: the constant is neither 0 nor -1
// CHECK-LABEL: @lop3_constant_c_not(
// CHECK-NEXT: %0 = ori.imm 5 : !ori.r
// CHECK-NEXT: %1 = ori.lop3 <lut = 128> %arg0, %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @lop3_constant_c_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 5 : !ori.r
  %r = ori.lop3 <lut = 128> %a, %b, %k : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-unused-a: the operand is unused
// CHECK-LABEL: @lop3_unused_a(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.lop3 <lut = 102> %0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @lop3_unused_a(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 102> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-unused-a: no match: the operand is used
// CHECK-LABEL: @lop3_unused_a_not(
// CHECK-NEXT: %0 = ori.lop3 <lut = 150> %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @lop3_unused_a_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 150> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-unused-b: the operand is unused
// CHECK-LABEL: @lop3_unused_b(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.lop3 <lut = 90> %arg0, %0, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @lop3_unused_b(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 90> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-unused-b: no match: the operand is used
// CHECK-LABEL: @lop3_unused_b_not(
// CHECK-NEXT: %0 = ori.lop3 <lut = 150> %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @lop3_unused_b_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 150> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-unused-c: the operand is unused
// CHECK-LABEL: @lop3_unused_c(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.lop3 <lut = 60> %arg0, %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @lop3_unused_c(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 60> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-unused-c: no match: the operand is used
// CHECK-LABEL: @lop3_unused_c_not(
// CHECK-NEXT: %0 = ori.lop3 <lut = 150> %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @lop3_unused_c_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 150> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-equal-ab: two equal operands
// CHECK-LABEL: @lop3_equal_ab(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.lop3 <lut = 160> %arg0, %0, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @lop3_equal_ab(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 128> %a, %a, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-equal-ab: no match: all operands differ
// CHECK-LABEL: @lop3_equal_ab_not(
// CHECK-NEXT: %0 = ori.lop3 <lut = 128> %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @lop3_equal_ab_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 128> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-equal-ac: two equal operands
// CHECK-LABEL: @lop3_equal_ac(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.lop3 <lut = 192> %arg0, %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @lop3_equal_ac(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 128> %a, %b, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-equal-ac: no match: all operands differ
// CHECK-LABEL: @lop3_equal_ac_not(
// CHECK-NEXT: %0 = ori.lop3 <lut = 128> %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @lop3_equal_ac_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 128> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-equal-bc: two equal operands
// CHECK-LABEL: @lop3_equal_bc(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.lop3 <lut = 192> %arg0, %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @lop3_equal_bc(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 128> %a, %b, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-equal-bc: no match: all operands differ
// CHECK-LABEL: @lop3_equal_bc_not(
// CHECK-NEXT: %0 = ori.lop3 <lut = 128> %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @lop3_equal_bc_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.lop3 <lut = 128> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-lop3-a: two tables are combined
// CHECK-LABEL: @lop3_lop3_a(
// CHECK-NEXT: %0 = ori.lop3 <lut = 128> %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @lop3_lop3_a(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.lop3 <lut = 150> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.lop3 <lut = 128> %x, %b, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-lop3-a: no match: the first has another use
// CHECK-LABEL: @lop3_lop3_a_not(
// CHECK-NEXT: %0 = ori.lop3 <lut = 150> %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %1 = ori.lop3 <lut = 128> %0, %arg1, %arg0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %2 = ori.lop3 <lut = 23> %0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1, %2 : !ori.r, !ori.r
ori.func @lop3_lop3_a_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r, !ori.r) target "sm_100a" {
  %x = ori.lop3 <lut = 150> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.lop3 <lut = 128> %x, %b, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %s = ori.lop3 <lut = 23> %x, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r, %s : !ori.r, !ori.r
}

// ori-lop3-lop3-b: two tables are combined
// CHECK-LABEL: @lop3_lop3_b(
// CHECK-NEXT: %0 = ori.lop3 <lut = 144> %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @lop3_lop3_b(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.lop3 <lut = 150> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.lop3 <lut = 128> %a, %x, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-lop3-b: no match: the first has another use
// CHECK-LABEL: @lop3_lop3_b_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.lop3 <lut = 150> %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %2 = ori.lop3 <lut = 192> %arg0, %1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %3 = ori.lop3 <lut = 23> %1, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %2, %3 : !ori.r, !ori.r
ori.func @lop3_lop3_b_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r, !ori.r) target "sm_100a" {
  %x = ori.lop3 <lut = 150> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.lop3 <lut = 128> %a, %x, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %s = ori.lop3 <lut = 23> %x, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r, %s : !ori.r, !ori.r
}

// ori-lop3-lop3-c: two tables are combined
// CHECK-LABEL: @lop3_lop3_c(
// CHECK-NEXT: %0 = ori.lop3 <lut = 128> %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @lop3_lop3_c(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.lop3 <lut = 150> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.lop3 <lut = 128> %a, %b, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lop3-lop3-c: no match: the first has another use
// CHECK-LABEL: @lop3_lop3_c_not(
// CHECK-NEXT: %0 = ori.lop3 <lut = 150> %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %1 = ori.lop3 <lut = 128> %arg0, %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %2 = ori.lop3 <lut = 23> %0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1, %2 : !ori.r, !ori.r
ori.func @lop3_lop3_c_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r, !ori.r) target "sm_100a" {
  %x = ori.lop3 <lut = 150> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.lop3 <lut = 128> %a, %b, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %s = ori.lop3 <lut = 23> %x, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r, %s : !ori.r, !ori.r
}

// ori-plop3-copy-a: the table is the first operand
// CHECK-LABEL: @plop3_copy_a(
// CHECK-NEXT: ori.ret %arg7 : !ori.p
ori.func @plop3_copy_a(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 240> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-copy-a: no match: a different table
// CHECK-LABEL: @plop3_copy_a_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 241> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_copy_a_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 241> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-copy-b: the table is the second operand
// CHECK-LABEL: @plop3_copy_b(
// CHECK-NEXT: ori.ret %arg8 : !ori.p
ori.func @plop3_copy_b(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 204> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-copy-b: no match: a different table
// CHECK-LABEL: @plop3_copy_b_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 205> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_copy_b_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 205> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-copy-c: the table is the third operand
// CHECK-LABEL: @plop3_copy_c(
// CHECK-NEXT: ori.ret %arg9 : !ori.p
ori.func @plop3_copy_c(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 170> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-copy-c: no match: a different table
// CHECK-LABEL: @plop3_copy_c_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 171> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_copy_c_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 171> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-false: no bit is set
// CHECK-LABEL: @plop3_false(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_false(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 0> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-false: no match: a bit may be set
// CHECK-LABEL: @plop3_false_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 1> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_false_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 1> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-true: all bits are set
// CHECK-LABEL: @plop3_true(
// CHECK-NEXT: %0 = ori.imm 1 : !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_true(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 255> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-true: no match: a bit may be clear
// CHECK-LABEL: @plop3_true_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 254> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_true_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 254> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-constant-a: the conjunction with ones is the identity
// CHECK-LABEL: @plop3_constant_a(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: %1 = ori.plop3 <lut = 136> %0, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %1 : !ori.p
ori.func @plop3_constant_a(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %k = ori.imm 1 : !ori.p
  %r = ori.plop3 <lut = 128> %k, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-constant-a: no match: no operand is known
// CHECK-LABEL: @plop3_constant_a_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_constant_a_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 128> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-constant-b: the conjunction with ones is the identity
// CHECK-LABEL: @plop3_constant_b(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: %1 = ori.plop3 <lut = 160> %arg7, %0, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %1 : !ori.p
ori.func @plop3_constant_b(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %k = ori.imm 1 : !ori.p
  %r = ori.plop3 <lut = 128> %p, %k, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-constant-b: no match: no operand is known
// CHECK-LABEL: @plop3_constant_b_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_constant_b_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 128> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-constant-c: the conjunction with ones is the identity
// CHECK-LABEL: @plop3_constant_c(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: %1 = ori.plop3 <lut = 192> %arg7, %arg8, %0 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %1 : !ori.p
ori.func @plop3_constant_c(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %k = ori.imm 1 : !ori.p
  %r = ori.plop3 <lut = 128> %p, %q, %k : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-constant-c: no match: no operand is known
// CHECK-LABEL: @plop3_constant_c_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_constant_c_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 128> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-unused-a: the operand is unused
// CHECK-LABEL: @plop3_unused_a(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: %1 = ori.plop3 <lut = 102> %0, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %1 : !ori.p
ori.func @plop3_unused_a(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 102> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-unused-a: no match: the operand is used
// CHECK-LABEL: @plop3_unused_a_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 150> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_unused_a_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 150> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-unused-b: the operand is unused
// CHECK-LABEL: @plop3_unused_b(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: %1 = ori.plop3 <lut = 90> %arg7, %0, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %1 : !ori.p
ori.func @plop3_unused_b(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 90> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-unused-b: no match: the operand is used
// CHECK-LABEL: @plop3_unused_b_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 150> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_unused_b_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 150> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-unused-c: the operand is unused
// CHECK-LABEL: @plop3_unused_c(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: %1 = ori.plop3 <lut = 60> %arg7, %arg8, %0 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %1 : !ori.p
ori.func @plop3_unused_c(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 60> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-unused-c: no match: the operand is used
// CHECK-LABEL: @plop3_unused_c_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 150> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_unused_c_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 150> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-not-a: the table absorbs the inversion
// CHECK-LABEL: @plop3_not_a(
// CHECK-NEXT: %0 = ori.plop3 <lut = 8> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_not_a(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 128> not %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-not-a: no match: it is not inverted
// CHECK-LABEL: @plop3_not_a_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_not_a_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 128> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-not-b: the table absorbs the inversion
// CHECK-LABEL: @plop3_not_b(
// CHECK-NEXT: %0 = ori.plop3 <lut = 32> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_not_b(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 128> %p, not %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-not-b: no match: it is not inverted
// CHECK-LABEL: @plop3_not_b_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_not_b_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 128> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-not-c: the table absorbs the inversion
// CHECK-LABEL: @plop3_not_c(
// CHECK-NEXT: %0 = ori.plop3 <lut = 64> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_not_c(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 128> %p, %q, not %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-not-c: no match: it is not inverted
// CHECK-LABEL: @plop3_not_c_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_not_c_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 128> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-equal-ab: two equal operands
// CHECK-LABEL: @plop3_equal_ab(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: %1 = ori.plop3 <lut = 160> %arg7, %0, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %1 : !ori.p
ori.func @plop3_equal_ab(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 128> %p, %p, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-equal-ab: no match: all operands differ
// CHECK-LABEL: @plop3_equal_ab_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_equal_ab_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 128> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-equal-ac: two equal operands
// CHECK-LABEL: @plop3_equal_ac(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: %1 = ori.plop3 <lut = 192> %arg7, %arg8, %0 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %1 : !ori.p
ori.func @plop3_equal_ac(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 128> %p, %q, %p : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-equal-ac: no match: all operands differ
// CHECK-LABEL: @plop3_equal_ac_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_equal_ac_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 128> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-equal-bc: two equal operands
// CHECK-LABEL: @plop3_equal_bc(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: %1 = ori.plop3 <lut = 192> %arg7, %arg8, %0 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %1 : !ori.p
ori.func @plop3_equal_bc(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 128> %p, %q, %q : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-equal-bc: no match: all operands differ
// CHECK-LABEL: @plop3_equal_bc_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_equal_bc_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.plop3 <lut = 128> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-plop3-a: two tables are combined
// CHECK-LABEL: @plop3_plop3_a(
// CHECK-NEXT: %0 = ori.plop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_plop3_a(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %x = ori.plop3 <lut = 150> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  %r = ori.plop3 <lut = 128> %x, %q, %p : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-plop3-a: no match: the first has another use
// CHECK-LABEL: @plop3_plop3_a_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 150> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: %1 = ori.plop3 <lut = 128> %0, %arg8, %arg7 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: %2 = ori.plop3 <lut = 23> %0, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %1, %2 : !ori.p, !ori.p
ori.func @plop3_plop3_a_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p, !ori.p) target "sm_100a" {
  %x = ori.plop3 <lut = 150> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  %r = ori.plop3 <lut = 128> %x, %q, %p : (!ori.p, !ori.p, !ori.p) -> !ori.p
  %s = ori.plop3 <lut = 23> %x, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r, %s : !ori.p, !ori.p
}

// ori-plop3-plop3-b: two tables are combined
// CHECK-LABEL: @plop3_plop3_b(
// CHECK-NEXT: %0 = ori.plop3 <lut = 144> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_plop3_b(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %x = ori.plop3 <lut = 150> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  %r = ori.plop3 <lut = 128> %p, %x, %p : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-plop3-b: no match: the first has another use
// CHECK-LABEL: @plop3_plop3_b_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: %1 = ori.plop3 <lut = 150> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: %2 = ori.plop3 <lut = 192> %arg7, %1, %0 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: %3 = ori.plop3 <lut = 23> %1, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %2, %3 : !ori.p, !ori.p
ori.func @plop3_plop3_b_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p, !ori.p) target "sm_100a" {
  %x = ori.plop3 <lut = 150> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  %r = ori.plop3 <lut = 128> %p, %x, %p : (!ori.p, !ori.p, !ori.p) -> !ori.p
  %s = ori.plop3 <lut = 23> %x, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r, %s : !ori.p, !ori.p
}

// ori-plop3-plop3-c: two tables are combined
// CHECK-LABEL: @plop3_plop3_c(
// CHECK-NEXT: %0 = ori.plop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @plop3_plop3_c(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %x = ori.plop3 <lut = 150> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  %r = ori.plop3 <lut = 128> %p, %q, %x : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-plop3-plop3-c: no match: the first has another use
// CHECK-LABEL: @plop3_plop3_c_not(
// CHECK-NEXT: %0 = ori.plop3 <lut = 150> %arg7, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: %1 = ori.plop3 <lut = 128> %arg7, %arg8, %0 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: %2 = ori.plop3 <lut = 23> %0, %arg8, %arg9 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %1, %2 : !ori.p, !ori.p
ori.func @plop3_plop3_c_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p, !ori.p) target "sm_100a" {
  %x = ori.plop3 <lut = 150> %p, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  %r = ori.plop3 <lut = 128> %p, %q, %x : (!ori.p, !ori.p, !ori.p) -> !ori.p
  %s = ori.plop3 <lut = 23> %x, %q, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r, %s : !ori.p, !ori.p
}
