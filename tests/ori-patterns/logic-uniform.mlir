// Functions of three bits as truth tables, uniform twins. Functions are named like the rules; `_not` is what a rule leaves alone.
//
// RUN: orison-opt --ori-peephole %s | FileCheck %s

// ori-ulop3-copy-a: the table is the first operand
// CHECK-LABEL: @ulop3_copy_a(
// CHECK-NEXT: ori.ret %arg0 : !ori.ur
ori.func @ulop3_copy_a(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 240> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-copy-a: no match: a different table
// CHECK-LABEL: @ulop3_copy_a_not(
// CHECK-NEXT: %0 = ori.ulop3 <lut = 241> %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @ulop3_copy_a_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 241> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-copy-b: the table is the second operand
// CHECK-LABEL: @ulop3_copy_b(
// CHECK-NEXT: ori.ret %arg1 : !ori.ur
ori.func @ulop3_copy_b(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 204> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-copy-b: no match: a different table
// CHECK-LABEL: @ulop3_copy_b_not(
// CHECK-NEXT: %0 = ori.ulop3 <lut = 205> %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @ulop3_copy_b_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 205> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-copy-c: the table is the third operand
// CHECK-LABEL: @ulop3_copy_c(
// CHECK-NEXT: ori.ret %arg2 : !ori.ur
ori.func @ulop3_copy_c(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 170> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-copy-c: no match: a different table
// CHECK-LABEL: @ulop3_copy_c_not(
// CHECK-NEXT: %0 = ori.ulop3 <lut = 171> %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @ulop3_copy_c_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 171> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-zeros: no bit is set
// CHECK-LABEL: @ulop3_zeros(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @ulop3_zeros(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 0> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-zeros: no match: a bit may be set
// CHECK-LABEL: @ulop3_zeros_not(
// CHECK-NEXT: %0 = ori.ulop3 <lut = 1> %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @ulop3_zeros_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 1> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-ones: all bits are set
// CHECK-LABEL: @ulop3_ones(
// CHECK-NEXT: %0 = ori.imm -1 : !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @ulop3_ones(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 255> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-ones: no match: a bit may be clear
// CHECK-LABEL: @ulop3_ones_not(
// CHECK-NEXT: %0 = ori.ulop3 <lut = 254> %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @ulop3_ones_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 254> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-constant-a: the conjunction with ones is the identity
// CHECK-LABEL: @ulop3_constant_a(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.ulop3 <lut = 136> %0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ulop3_constant_a(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm -1 : !ori.ur
  %r = ori.ulop3 <lut = 128> %k, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-constant-a: no match: the constant is neither 0 nor -1
// CHECK-LABEL: @ulop3_constant_a_not(
// CHECK-NEXT: %0 = ori.imm 5 : !ori.ur
// CHECK-NEXT: %1 = ori.ulop3 <lut = 128> %0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ulop3_constant_a_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm 5 : !ori.ur
  %r = ori.ulop3 <lut = 128> %k, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-constant-b: the conjunction with ones is the identity
// CHECK-LABEL: @ulop3_constant_b(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.ulop3 <lut = 160> %arg0, %0, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ulop3_constant_b(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm -1 : !ori.ur
  %r = ori.ulop3 <lut = 128> %a, %k, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-constant-b: no match: the constant is neither 0 nor -1
// CHECK-LABEL: @ulop3_constant_b_not(
// CHECK-NEXT: %0 = ori.imm 5 : !ori.ur
// CHECK-NEXT: %1 = ori.ulop3 <lut = 128> %arg0, %0, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ulop3_constant_b_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm 5 : !ori.ur
  %r = ori.ulop3 <lut = 128> %a, %k, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-constant-c: the conjunction with ones is the identity
// CHECK-LABEL: @ulop3_constant_c(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.ulop3 <lut = 192> %arg0, %arg1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ulop3_constant_c(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm -1 : !ori.ur
  %r = ori.ulop3 <lut = 128> %a, %b, %k : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-constant-c: no match: the constant is neither 0 nor -1
// CHECK-LABEL: @ulop3_constant_c_not(
// CHECK-NEXT: %0 = ori.imm 5 : !ori.ur
// CHECK-NEXT: %1 = ori.ulop3 <lut = 128> %arg0, %arg1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ulop3_constant_c_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm 5 : !ori.ur
  %r = ori.ulop3 <lut = 128> %a, %b, %k : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-unused-a: the operand is unused
// CHECK-LABEL: @ulop3_unused_a(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.ulop3 <lut = 102> %0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ulop3_unused_a(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 102> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-unused-a: no match: the operand is used
// CHECK-LABEL: @ulop3_unused_a_not(
// CHECK-NEXT: %0 = ori.ulop3 <lut = 150> %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @ulop3_unused_a_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 150> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-unused-b: the operand is unused
// CHECK-LABEL: @ulop3_unused_b(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.ulop3 <lut = 90> %arg0, %0, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ulop3_unused_b(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 90> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-unused-b: no match: the operand is used
// CHECK-LABEL: @ulop3_unused_b_not(
// CHECK-NEXT: %0 = ori.ulop3 <lut = 150> %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @ulop3_unused_b_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 150> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-unused-c: the operand is unused
// CHECK-LABEL: @ulop3_unused_c(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.ulop3 <lut = 60> %arg0, %arg1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ulop3_unused_c(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 60> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-unused-c: no match: the operand is used
// CHECK-LABEL: @ulop3_unused_c_not(
// CHECK-NEXT: %0 = ori.ulop3 <lut = 150> %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @ulop3_unused_c_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 150> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-equal-ab: two equal operands
// CHECK-LABEL: @ulop3_equal_ab(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.ulop3 <lut = 160> %arg0, %0, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ulop3_equal_ab(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 128> %a, %a, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-equal-ab: no match: all operands differ
// CHECK-LABEL: @ulop3_equal_ab_not(
// CHECK-NEXT: %0 = ori.ulop3 <lut = 128> %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @ulop3_equal_ab_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 128> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-equal-ac: two equal operands
// CHECK-LABEL: @ulop3_equal_ac(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.ulop3 <lut = 192> %arg0, %arg1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ulop3_equal_ac(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 128> %a, %b, %a : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-equal-ac: no match: all operands differ
// CHECK-LABEL: @ulop3_equal_ac_not(
// CHECK-NEXT: %0 = ori.ulop3 <lut = 128> %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @ulop3_equal_ac_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 128> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-equal-bc: two equal operands
// CHECK-LABEL: @ulop3_equal_bc(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.ulop3 <lut = 192> %arg0, %arg1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ulop3_equal_bc(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 128> %a, %b, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-equal-bc: no match: all operands differ
// CHECK-LABEL: @ulop3_equal_bc_not(
// CHECK-NEXT: %0 = ori.ulop3 <lut = 128> %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @ulop3_equal_bc_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.ulop3 <lut = 128> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-lop3-a: two tables are combined
// CHECK-LABEL: @ulop3_lop3_a(
// CHECK-NEXT: %0 = ori.ulop3 <lut = 128> %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @ulop3_lop3_a(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %x = ori.ulop3 <lut = 150> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ulop3 <lut = 128> %x, %b, %a : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-lop3-a: no match: the first has another use
// CHECK-LABEL: @ulop3_lop3_a_not(
// CHECK-NEXT: %0 = ori.ulop3 <lut = 150> %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %1 = ori.ulop3 <lut = 128> %0, %arg1, %arg0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %2 = ori.ulop3 <lut = 23> %0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1, %2 : !ori.ur, !ori.ur
ori.func @ulop3_lop3_a_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur, !ori.ur) target "sm_100a" {
  %x = ori.ulop3 <lut = 150> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ulop3 <lut = 128> %x, %b, %a : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %s = ori.ulop3 <lut = 23> %x, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r, %s : !ori.ur, !ori.ur
}

// ori-ulop3-lop3-b: two tables are combined
// CHECK-LABEL: @ulop3_lop3_b(
// CHECK-NEXT: %0 = ori.ulop3 <lut = 144> %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @ulop3_lop3_b(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %x = ori.ulop3 <lut = 150> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ulop3 <lut = 128> %a, %x, %a : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-lop3-b: no match: the first has another use
// CHECK-LABEL: @ulop3_lop3_b_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.ulop3 <lut = 150> %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %2 = ori.ulop3 <lut = 192> %arg0, %1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %3 = ori.ulop3 <lut = 23> %1, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %2, %3 : !ori.ur, !ori.ur
ori.func @ulop3_lop3_b_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur, !ori.ur) target "sm_100a" {
  %x = ori.ulop3 <lut = 150> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ulop3 <lut = 128> %a, %x, %a : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %s = ori.ulop3 <lut = 23> %x, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r, %s : !ori.ur, !ori.ur
}

// ori-ulop3-lop3-c: two tables are combined
// CHECK-LABEL: @ulop3_lop3_c(
// CHECK-NEXT: %0 = ori.ulop3 <lut = 128> %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @ulop3_lop3_c(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %x = ori.ulop3 <lut = 150> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ulop3 <lut = 128> %a, %b, %x : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulop3-lop3-c: no match: the first has another use
// CHECK-LABEL: @ulop3_lop3_c_not(
// CHECK-NEXT: %0 = ori.ulop3 <lut = 150> %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %1 = ori.ulop3 <lut = 128> %arg0, %arg1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %2 = ori.ulop3 <lut = 23> %0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1, %2 : !ori.ur, !ori.ur
ori.func @ulop3_lop3_c_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur, !ori.ur) target "sm_100a" {
  %x = ori.ulop3 <lut = 150> %a, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ulop3 <lut = 128> %a, %b, %x : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %s = ori.ulop3 <lut = 23> %x, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r, %s : !ori.ur, !ori.ur
}

// ori-uplop3-copy-a: the table is the first operand
// CHECK-LABEL: @uplop3_copy_a(
// CHECK-NEXT: ori.ret %arg7 : !ori.up
ori.func @uplop3_copy_a(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 240> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-copy-a: no match: a different table
// CHECK-LABEL: @uplop3_copy_a_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 241> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_copy_a_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 241> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-copy-b: the table is the second operand
// CHECK-LABEL: @uplop3_copy_b(
// CHECK-NEXT: ori.ret %arg8 : !ori.up
ori.func @uplop3_copy_b(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 204> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-copy-b: no match: a different table
// CHECK-LABEL: @uplop3_copy_b_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 205> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_copy_b_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 205> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-copy-c: the table is the third operand
// CHECK-LABEL: @uplop3_copy_c(
// CHECK-NEXT: ori.ret %arg9 : !ori.up
ori.func @uplop3_copy_c(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 170> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-copy-c: no match: a different table
// CHECK-LABEL: @uplop3_copy_c_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 171> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_copy_c_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 171> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-false: no bit is set
// CHECK-LABEL: @uplop3_false(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_false(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 0> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-false: no match: a bit may be set
// CHECK-LABEL: @uplop3_false_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 1> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_false_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 1> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-true: all bits are set
// CHECK-LABEL: @uplop3_true(
// CHECK-NEXT: %0 = ori.imm 1 : !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_true(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 255> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-true: no match: a bit may be clear
// CHECK-LABEL: @uplop3_true_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 254> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_true_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 254> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-constant-a: the conjunction with ones is the identity
// CHECK-LABEL: @uplop3_constant_a(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.up
// CHECK-NEXT: %1 = ori.uplop3 <lut = 136> %0, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %1 : !ori.up
ori.func @uplop3_constant_a(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %k = ori.imm 1 : !ori.up
  %r = ori.uplop3 <lut = 128> %k, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-constant-a: no match: no operand is known
// CHECK-LABEL: @uplop3_constant_a_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_constant_a_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 128> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-constant-b: the conjunction with ones is the identity
// CHECK-LABEL: @uplop3_constant_b(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.up
// CHECK-NEXT: %1 = ori.uplop3 <lut = 160> %arg7, %0, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %1 : !ori.up
ori.func @uplop3_constant_b(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %k = ori.imm 1 : !ori.up
  %r = ori.uplop3 <lut = 128> %p, %k, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-constant-b: no match: no operand is known
// CHECK-LABEL: @uplop3_constant_b_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_constant_b_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 128> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-constant-c: the conjunction with ones is the identity
// CHECK-LABEL: @uplop3_constant_c(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.up
// CHECK-NEXT: %1 = ori.uplop3 <lut = 192> %arg7, %arg8, %0 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %1 : !ori.up
ori.func @uplop3_constant_c(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %k = ori.imm 1 : !ori.up
  %r = ori.uplop3 <lut = 128> %p, %q, %k : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-constant-c: no match: no operand is known
// CHECK-LABEL: @uplop3_constant_c_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_constant_c_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 128> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-unused-a: the operand is unused
// CHECK-LABEL: @uplop3_unused_a(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.up
// CHECK-NEXT: %1 = ori.uplop3 <lut = 102> %0, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %1 : !ori.up
ori.func @uplop3_unused_a(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 102> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-unused-a: no match: the operand is used
// CHECK-LABEL: @uplop3_unused_a_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 150> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_unused_a_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 150> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-unused-b: the operand is unused
// CHECK-LABEL: @uplop3_unused_b(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.up
// CHECK-NEXT: %1 = ori.uplop3 <lut = 90> %arg7, %0, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %1 : !ori.up
ori.func @uplop3_unused_b(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 90> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-unused-b: no match: the operand is used
// CHECK-LABEL: @uplop3_unused_b_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 150> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_unused_b_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 150> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-unused-c: the operand is unused
// CHECK-LABEL: @uplop3_unused_c(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.up
// CHECK-NEXT: %1 = ori.uplop3 <lut = 60> %arg7, %arg8, %0 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %1 : !ori.up
ori.func @uplop3_unused_c(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 60> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-unused-c: no match: the operand is used
// CHECK-LABEL: @uplop3_unused_c_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 150> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_unused_c_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 150> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-not-a: the table absorbs the inversion
// CHECK-LABEL: @uplop3_not_a(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 8> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_not_a(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 128> not %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-not-a: no match: it is not inverted
// CHECK-LABEL: @uplop3_not_a_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_not_a_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 128> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-not-b: the table absorbs the inversion
// CHECK-LABEL: @uplop3_not_b(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 32> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_not_b(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 128> %p, not %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-not-b: no match: it is not inverted
// CHECK-LABEL: @uplop3_not_b_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_not_b_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 128> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-not-c: the table absorbs the inversion
// CHECK-LABEL: @uplop3_not_c(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 64> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_not_c(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 128> %p, %q, not %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-not-c: no match: it is not inverted
// CHECK-LABEL: @uplop3_not_c_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_not_c_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 128> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-equal-ab: two equal operands
// CHECK-LABEL: @uplop3_equal_ab(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.up
// CHECK-NEXT: %1 = ori.uplop3 <lut = 160> %arg7, %0, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %1 : !ori.up
ori.func @uplop3_equal_ab(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 128> %p, %p, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-equal-ab: no match: all operands differ
// CHECK-LABEL: @uplop3_equal_ab_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_equal_ab_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 128> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-equal-ac: two equal operands
// CHECK-LABEL: @uplop3_equal_ac(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.up
// CHECK-NEXT: %1 = ori.uplop3 <lut = 192> %arg7, %arg8, %0 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %1 : !ori.up
ori.func @uplop3_equal_ac(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 128> %p, %q, %p : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-equal-ac: no match: all operands differ
// CHECK-LABEL: @uplop3_equal_ac_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_equal_ac_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 128> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-equal-bc: two equal operands
// CHECK-LABEL: @uplop3_equal_bc(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.up
// CHECK-NEXT: %1 = ori.uplop3 <lut = 192> %arg7, %arg8, %0 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %1 : !ori.up
ori.func @uplop3_equal_bc(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 128> %p, %q, %q : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-equal-bc: no match: all operands differ
// CHECK-LABEL: @uplop3_equal_bc_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_equal_bc_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uplop3 <lut = 128> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-plop3-a: two tables are combined
// CHECK-LABEL: @uplop3_plop3_a(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_plop3_a(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %x = ori.uplop3 <lut = 150> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  %r = ori.uplop3 <lut = 128> %x, %q, %p : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-plop3-a: no match: the first has another use
// CHECK-LABEL: @uplop3_plop3_a_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 150> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: %1 = ori.uplop3 <lut = 128> %0, %arg8, %arg7 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: %2 = ori.uplop3 <lut = 23> %0, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %1, %2 : !ori.up, !ori.up
ori.func @uplop3_plop3_a_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up, !ori.up) target "sm_100a" {
  %x = ori.uplop3 <lut = 150> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  %r = ori.uplop3 <lut = 128> %x, %q, %p : (!ori.up, !ori.up, !ori.up) -> !ori.up
  %s = ori.uplop3 <lut = 23> %x, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r, %s : !ori.up, !ori.up
}

// ori-uplop3-plop3-b: two tables are combined
// CHECK-LABEL: @uplop3_plop3_b(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 144> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_plop3_b(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %x = ori.uplop3 <lut = 150> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  %r = ori.uplop3 <lut = 128> %p, %x, %p : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-plop3-b: no match: the first has another use
// CHECK-LABEL: @uplop3_plop3_b_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.up
// CHECK-NEXT: %1 = ori.uplop3 <lut = 150> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: %2 = ori.uplop3 <lut = 192> %arg7, %1, %0 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: %3 = ori.uplop3 <lut = 23> %1, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %2, %3 : !ori.up, !ori.up
ori.func @uplop3_plop3_b_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up, !ori.up) target "sm_100a" {
  %x = ori.uplop3 <lut = 150> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  %r = ori.uplop3 <lut = 128> %p, %x, %p : (!ori.up, !ori.up, !ori.up) -> !ori.up
  %s = ori.uplop3 <lut = 23> %x, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r, %s : !ori.up, !ori.up
}

// ori-uplop3-plop3-c: two tables are combined
// CHECK-LABEL: @uplop3_plop3_c(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 128> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uplop3_plop3_c(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %x = ori.uplop3 <lut = 150> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  %r = ori.uplop3 <lut = 128> %p, %q, %x : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uplop3-plop3-c: no match: the first has another use
// CHECK-LABEL: @uplop3_plop3_c_not(
// CHECK-NEXT: %0 = ori.uplop3 <lut = 150> %arg7, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: %1 = ori.uplop3 <lut = 128> %arg7, %arg8, %0 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: %2 = ori.uplop3 <lut = 23> %0, %arg8, %arg9 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %1, %2 : !ori.up, !ori.up
ori.func @uplop3_plop3_c_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up, !ori.up) target "sm_100a" {
  %x = ori.uplop3 <lut = 150> %p, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  %r = ori.uplop3 <lut = 128> %p, %q, %x : (!ori.up, !ori.up, !ori.up) -> !ori.up
  %s = ori.uplop3 <lut = 23> %x, %q, %o : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r, %s : !ori.up, !ori.up
}
