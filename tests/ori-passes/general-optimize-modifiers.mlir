// What an operation is read with is kept when it is written again with other operands; constants are
// evaluated with it.
//
// RUN: orison-opt --ori-general-optimize %s | FileCheck %s

// Funnel shifts by an amount modulo 32.
// CHECK-LABEL: ori.func @wraps(
// CHECK-SAME: %[[X:.*]]: !ori.r, %[[N:.*]]: !ori.r, %[[Y:.*]]: !ori.r)
// CHECK: %[[THRICE:.*]] = ori.iadd3 %[[X]], %[[X]], %[[X]]
// CHECK: ori.shf <left, u32, high, wrap> %[[THRICE]], %[[N]], %[[Y]]
// CHECK: ori.shf <right, u32, wrap> %[[Y]], %[[N]], %[[THRICE]]
ori.func @wraps(%x: !ori.r, %n: !ori.r, %y: !ori.r) -> (!ori.r, !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %c3 = ori.imm 3 : !ori.r
  %a = ori.imad %x, %c3, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %b = ori.iadd3 %x, %x, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %p = ori.shf <left, u32, high, wrap> %a, %n, %y : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %q = ori.shf <left, u32, high, wrap> %b, %n, %y : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %s = ori.iadd3 %p, %q, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.shf <right, u32, wrap> %y, %n, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %s, %r : !ori.r, !ori.r
}

// The signs of floats, addends, the signedness and the low half of comparisons.
// CHECK-LABEL: ori.func @kept(
// CHECK-SAME: %[[X:.*]]: !ori.r, %[[Y:.*]]: !ori.r, %[[LOW:.*]]: !ori.p)
// CHECK: %[[THRICE:.*]] = ori.iadd3 %[[X]], %[[X]], %[[X]]
// CHECK: ori.fadd neg %[[THRICE]], %[[Y]]
// CHECK: ori.fadd abs %[[THRICE]], %[[Y]]
// CHECK: ori.imad %[[THRICE]], %[[Y]], %[[X]]
// CHECK: ori.fsetp <lt, ftz, and> %[[THRICE]], %[[Y]]
// CHECK: ori.isetp <lt, s32, extended, and> %[[THRICE]], %[[Y]] low(%[[LOW]])
// CHECK: ori.isetp <lt, u32, extended, and> %[[THRICE]], %[[Y]] low(%[[LOW]])
ori.func @kept(%x: !ori.r, %y: !ori.r, %p: !ori.p) -> (!ori.r, !ori.r, !ori.r, !ori.r, !ori.p, !ori.p, !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %c3 = ori.imm 3 : !ori.r
  %a = ori.imad %x, %c3, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %b = ori.iadd3 %x, %x, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f = ori.fadd neg %a, %y : (!ori.r, !ori.r) -> !ori.r
  %g = ori.fadd abs %a, %y : (!ori.r, !ori.r) -> !ori.r
  %m = ori.imad %a, %y, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %q = ori.fsetp <lt, ftz> %a, %y : (!ori.r, !ori.r) -> !ori.p
  %r = ori.isetp <lt, s32, extended> %a, %y low(%p) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  %s = ori.isetp <lt, u32, extended> %a, %y low(%p) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.ret %b, %f, %g, %m, %q, %r, %s : !ori.r, !ori.r, !ori.r, !ori.r, !ori.p, !ori.p, !ori.p
}

// A number that no bits allow is not equal.
// CHECK-LABEL: ori.func @apart(
// CHECK-DAG: %[[NO:.*]] = ori.imm 0 : !ori.p
// CHECK-DAG: %[[YES:.*]] = ori.imm 1 : !ori.p
// CHECK: ori.ret %[[NO]], %[[YES]]
ori.func @apart(%x: !ori.r) -> (!ori.p, !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %c3 = ori.imm 3 : !ori.r
  %c7 = ori.imm 7 : !ori.r
  %a = ori.lop3 <lut = 192> %x, %c3, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %e = ori.isetp <eq, u32> %a, %c7 : (!ori.r, !ori.r) -> !ori.p
  %n = ori.isetp <ne, u32> %a, %c7 : (!ori.r, !ori.r) -> !ori.p
  ori.ret %e, %n : !ori.p, !ori.p
}

// Shifts of constants: by 4 with the sign, by 63 and by 64.
// CHECK-LABEL: ori.func @constants(
// CHECK-DAG: %[[FOUR:.*]] = ori.imm -2147483647 : !ori.r
// CHECK-DAG: %[[SIGN:.*]] = ori.imm -1 : !ori.r
// CHECK-DAG: %[[ONE:.*]] = ori.imm 1 : !ori.r
// CHECK-DAG: %[[NONE:.*]] = ori.imm 0 : !ori.r
// CHECK: ori.ret %[[FOUR]], %[[SIGN]], %[[ONE]], %[[NONE]], %[[NONE]]
ori.func @constants() -> (!ori.r, !ori.r, !ori.r, !ori.r, !ori.r) target "sm_90" {
  %low = ori.imm 16 : !ori.r
  %high = ori.imm -2147483640 : !ori.r
  %c4 = ori.imm 4 : !ori.r
  %c63 = ori.imm 63 : !ori.r
  %c64 = ori.imm 64 : !ori.r
  %a = ori.shf <right, s64> %low, %c4, %high : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %b = ori.shf <right, s64> %low, %c63, %high : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %c = ori.shf <right, u64> %low, %c63, %high : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %d = ori.shf <right, u64> %low, %c64, %high : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %e = ori.shf <left, u64, high> %low, %c64, %high : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %a, %b, %c, %d, %e : !ori.r, !ori.r, !ori.r, !ori.r, !ori.r
}

// Conversions that saturate, and comparisons of constants with their second operand.
// CHECK-LABEL: ori.func @converted(
// CHECK-DAG: %[[MOST:.*]] = ori.imm 255 : !ori.r
// CHECK-DAG: %[[NONE:.*]] = ori.imm 0 : !ori.r
// CHECK-DAG: %[[YES:.*]] = ori.imm 1 : !ori.p
// CHECK-DAG: %[[NO:.*]] = ori.imm 0 : !ori.p
// CHECK: ori.ret %[[MOST]], %[[NONE]], %[[YES]], %[[NO]]
ori.func @converted() -> (!ori.r, !ori.r, !ori.p, !ori.p) target "sm_90" {
  %large = ori.imm 1000 : !ori.r
  %negative = ori.imm -5 : !ori.r
  %a = ori.i2i <to = u8, from = s32, saturate> %large : (!ori.r) -> !ori.r
  %b = ori.i2i <to = u32, from = s32, saturate> %negative : (!ori.r) -> !ori.r
  %one = ori.imm 0x3F800000 : !ori.r
  %two = ori.imm 0x40000000 : !ori.r
  %p = ori.fsetp <lt, or> %two, %one : (!ori.r, !ori.r) -> !ori.p
  %q = ori.fsetp <lt, and> %two, %one : (!ori.r, !ori.r) -> !ori.p
  ori.ret %a, %b, %p, %q : !ori.r, !ori.r, !ori.p, !ori.p
}

// The rounding and the flags of conversions; a comparison without flags.
// CHECK-LABEL: ori.func @conversions(
// CHECK-SAME: %[[X:.*]]: !ori.r, %[[Y:.*]]: !ori.r)
// CHECK: %[[THRICE:.*]] = ori.iadd3 %[[X]], %[[X]], %[[X]]
// CHECK: ori.f2i <to = s32, from = f32, trunc, ftz> %[[THRICE]]
// CHECK: ori.f2i <to = s32, from = f32, floor> %[[THRICE]]
// CHECK: ori.f2i <to = s32, from = f32, trunc, nan_is_zero> %[[THRICE]]
// CHECK: ori.isetp <lt, s32, and> %[[THRICE]], %[[Y]]
ori.func @conversions(%x: !ori.r, %y: !ori.r) -> (!ori.r, !ori.r, !ori.r, !ori.r, !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %c3 = ori.imm 3 : !ori.r
  %a = ori.imad %x, %c3, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %b = ori.iadd3 %x, %x, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %i = ori.f2i <to = s32, from = f32, integer_rounding = trunc, ftz> %a : (!ori.r) -> !ori.r
  %j = ori.f2i <to = s32, from = f32, integer_rounding = floor> %a : (!ori.r) -> !ori.r
  %k = ori.f2i <to = s32, from = f32, integer_rounding = trunc, nan_is_zero> %a : (!ori.r) -> !ori.r
  %p = ori.isetp <lt, s32> %a, %y : (!ori.r, !ori.r) -> !ori.p
  ori.ret %b, %i, %j, %k, %p : !ori.r, !ori.r, !ori.r, !ori.r, !ori.p
}

// A comparison that takes over a negation or a conjunction still flushes denormals.
// CHECK-LABEL: ori.func @taken_over(
// CHECK-SAME: %[[X:.*]]: !ori.r, %[[Y:.*]]: !ori.r, %[[Q:.*]]: !ori.p)
// CHECK: ori.fsetp <geu, ftz, and> %[[X]], %[[Y]] :
// CHECK: ori.fsetp <lt, ftz, and> %[[X]], %[[Y]] with(%[[Q]])
ori.func @taken_over(%x: !ori.r, %y: !ori.r, %q: !ori.p) -> (!ori.p, !ori.p) target "sm_90" {
  %t = ori.imm 1 : !ori.p
  %p = ori.fsetp <lt, ftz> %x, %y : (!ori.r, !ori.r) -> !ori.p
  %n = ori.plop3 <lut = 192> not %p, %t, %t : (!ori.p, !ori.p, !ori.p) -> !ori.p
  %o = ori.plop3 <lut = 192> %p, %q, %t : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %n, %o : !ori.p, !ori.p
}
