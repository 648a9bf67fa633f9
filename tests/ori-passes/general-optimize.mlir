// Each function has one optimization. The cheapest expression is extracted.
//
// RUN: orison-opt --ori-general-optimize %s | FileCheck %s

// A product and a sum of pairs are one instruction: the address of an element.
// CHECK-LABEL: ori.func @address(
// CHECK-SAME: %[[BASE:.*]]: !ori.r64, %[[INDEX:.*]]: !ori.r)
ori.func @address(%base: !ori.r64, %index: !ori.r) -> !ori.r64 target "sm_90a" {
  // CHECK: %[[FOUR:.*]] = ori.imm 4 : !ori.r
  // CHECK-NEXT: %[[SUM:.*]] = ori.imad_wide <u32> %[[INDEX]], %[[FOUR]], %[[BASE]]
  // CHECK-NEXT: ori.ret %[[SUM]]
  %four = ori.imm 4 : !ori.r
  %none = ori.imm 0 : !ori.r64
  %zero = ori.imm 0 : !ori.r
  %offset = ori.imad_wide <u32> %index, %four, %none : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %b0 = ori.extract %base[0] : (!ori.r64) -> !ori.r
  %b1 = ori.extract %base[1] : (!ori.r64) -> !ori.r
  %o0 = ori.extract %offset[0] : (!ori.r64) -> !ori.r
  %o1 = ori.extract %offset[1] : (!ori.r64) -> !ori.r
  %low:2 = ori.iadd3 %b0, %o0, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  %high = ori.iadd3 <extended> %b1, %o1, %zero carry(%low#1) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %sum = ori.concat %low#0, %high : (!ori.r, !ori.r) -> !ori.r64
  ori.ret %sum : !ori.r64
}

// Five bitwise operations on three values are one truth table: a & b | ~a & c is 0xca, and 0xca ^ 0xcc (b) is 6.
// CHECK-LABEL: ori.func @table(
ori.func @table(%a: !ori.r, %b: !ori.r, %c: !ori.r) -> !ori.r target "sm_90a" {
  // CHECK-NEXT: %[[T:.*]] = ori.lop3 <lut = 6> %{{.*}}, %{{.*}}, %{{.*}} :
  // CHECK-NEXT: ori.ret %[[T]]
  %zero = ori.imm 0 : !ori.r
  %ab = ori.lop3 <lut = 192> %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %na = ori.lop3 <lut = 15> %a, %zero, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %nac = ori.lop3 <lut = 192> %na, %c, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %or = ori.lop3 <lut = 252> %ab, %nac, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x = ori.lop3 <lut = 60> %or, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %x : !ori.r
}

// Equal terms of sums cancel, constants are folded.
// CHECK-LABEL: ori.func @linear(
// CHECK-SAME: %[[A:.*]]: !ori.r, %[[B:.*]]: !ori.r)
ori.func @linear(%a: !ori.r, %b: !ori.r) -> !ori.r target "sm_90a" {
  // CHECK-DAG: %[[TWELVE:.*]] = ori.imm 12 : !ori.r
  // CHECK: %[[SUM:.*]] = ori.iadd3 %[[A]], %[[TWELVE]], %{{.*}} :
  // CHECK-NEXT: ori.ret %[[SUM]]
  %four = ori.imm 4 : !ori.r
  %eight = ori.imm 8 : !ori.r
  %zero = ori.imm 0 : !ori.r
  %x = ori.iadd3 %a, %b, %four : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.iadd3 %x, %eight, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %z = ori.iadd3 %y, neg %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %z : !ori.r
}

// A choice by a comparison is the smaller one, and a mask that keeps all is nothing: a thread's number
// is below 1024.
// CHECK-LABEL: ori.func @choice(
ori.func @choice(%a: !ori.r) -> !ori.r target "sm_90a" {
  // CHECK-NEXT: %[[TID:.*]] = ori.s2r
  // CHECK: %[[MIN:.*]] = ori.vimnmx <{{[su]}}32> %{{.*}}, %{{.*}}, %{{.*}} :
  // CHECK-NEXT: ori.ret %[[MIN]]
  %tid = ori.s2r <register = "SR_TID.X"> : !ori.r
  %mask = ori.imm 1023 : !ori.r
  %zero = ori.imm 0 : !ori.r
  %masked = ori.lop3 <lut = 192> %tid, %mask, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %below = ori.isetp <lt, u32, and> %masked, %a : (!ori.r, !ori.r) -> !ori.p
  %min = ori.sel %masked, %a, %below : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %min : !ori.r
}

// Two halves of different registers are one permutation: bytes 0 and 1 of the first, 0 and 1 of the second
// (4 and 5 of both), 0x5410.
// CHECK-LABEL: ori.func @bytes(
ori.func @bytes(%a: !ori.r, %b: !ori.r) -> !ori.r target "sm_90a" {
  // CHECK-NEXT: %[[BYTES:.*]] = ori.imm 21520 : !ori.r
  // CHECK-NEXT: %[[WORD:.*]] = ori.prmt <idx> %{{.*}}, %[[BYTES]], %{{.*}} :
  // CHECK-NEXT: ori.ret %[[WORD]]
  %zero = ori.imm 0 : !ori.r
  %low = ori.imm 65535 : !ori.r
  %n = ori.imm 16 : !ori.r
  %x = ori.lop3 <lut = 192> %a, %low, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.shf <left, u32> %b, %n, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %z = ori.lop3 <lut = 252> %x, %y, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %z : !ori.r
}

// Adding zero changes minus zero, adding minus zero changes nothing.
// CHECK-LABEL: ori.func @exact(
// CHECK-SAME: %[[A:.*]]: !ori.r)
ori.func @exact(%a: !ori.r) -> (!ori.r, !ori.r) target "sm_90a" {
  // CHECK: %[[X:.*]] = ori.fadd %[[A]], %{{.*}} :
  // CHECK-NEXT: ori.ret %[[X]], %[[A]]
  %zero = ori.imm 0 : !ori.r
  %minus = ori.imm -2147483648 : !ori.r
  %x = ori.fadd %a, %zero : (!ori.r, !ori.r) -> !ori.r
  %y = ori.fadd %a, %minus : (!ori.r, !ori.r) -> !ori.r
  ori.ret %x, %y : !ori.r, !ori.r
}

// A product and a sum are rounded twice, unless the function allows contraction.
// CHECK-LABEL: ori.func @rounded_twice(
ori.func @rounded_twice(%a: !ori.r, %b: !ori.r, %c: !ori.r) -> !ori.r target "sm_90a" {
  // CHECK: ori.fmul
  // CHECK: ori.fadd
  %x = ori.fmul %a, %b : (!ori.r, !ori.r) -> !ori.r
  %y = ori.fadd %x, %c : (!ori.r, !ori.r) -> !ori.r
  ori.ret %y : !ori.r
}
// CHECK-LABEL: ori.func @contracted(
ori.func @contracted(%a: !ori.r, %b: !ori.r, %c: !ori.r) -> !ori.r target "sm_90a" attributes {ori.contract} {
  // CHECK-NOT: ori.fmul
  // CHECK: ori.ffma
  %x = ori.fmul %a, %b : (!ori.r, !ori.r) -> !ori.r
  %y = ori.fadd %x, %c : (!ori.r, !ori.r) -> !ori.r
  ori.ret %y : !ori.r
}

// What has a guard is not looked into: where it does not hold, the result is something else.
// CHECK-LABEL: ori.func @guarded(
ori.func @guarded(%a: !ori.r, %p: !ori.p) -> !ori.r target "sm_90a" {
  // CHECK: ori.iadd3 %{{.*}}, neg %{{.*}}, %{{.*}} if %{{.*}} else
  %zero = ori.imm 0 : !ori.r
  %x = ori.iadd3 %a, neg %a, %zero if %p else %a : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.r) -> !ori.r
  ori.ret %x : !ori.r
}

// A sum in a dominating block is visited; it is erased if it has no other use.
// CHECK-LABEL: ori.func @across(
// CHECK-SAME: %[[A:.*]]: !ori.r, %[[P:.*]]: !ori.p)
ori.func @across(%a: !ori.r, %p: !ori.p) -> !ori.r target "sm_90a" {
  %four = ori.imm 4 : !ori.r
  %zero = ori.imm 0 : !ori.r
  %x = ori.iadd3 %a, %four, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.cond_bra %p, ^bb1, ^bb2 : !ori.p
^bb1:
  // CHECK: ^bb1:
  // CHECK-NOT: ori.iadd3
  // CHECK: ori.ret %[[A]]
  %y = ori.iadd3 %x, neg %four, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %z = ori.lop3 <lut = 192> %y, %a, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %z : !ori.r
^bb2:
  ori.ret %x : !ori.r
}

// A uniform sum stays on the uniform datapath, and is one instruction.
// CHECK-LABEL: ori.func @uniform(
// CHECK-SAME: %[[U:.*]]: !ori.ur, %[[W:.*]]: !ori.ur)
ori.func @uniform(%u: !ori.ur, %w: !ori.ur) -> !ori.ur target "sm_90a" {
  // CHECK-NOT: ori.iadd3
  // CHECK: %[[SUM:.*]] = ori.uiadd3 %{{.*}}, %{{.*}}, %{{.*}} : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  // CHECK-NOT: ori.uiadd3
  // CHECK: ori.ret %[[SUM]] : !ori.ur
  %zero = ori.imm 0 : !ori.ur
  %four = ori.imm 4 : !ori.ur
  %x = ori.uiadd3 %u, %four, %zero : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %y = ori.uiadd3 %x, %w, %zero : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %y : !ori.ur
}

// A predicate that is packed into a word and read back is itself, on the uniform datapath as on the other.
// CHECK-LABEL: ori.func @packed(
// CHECK-SAME: %[[U:.*]]: !ori.up)
ori.func @packed(%u: !ori.up) -> !ori.up target "sm_90a" {
  // CHECK-NOT: ori.up2ur
  // CHECK: ori.ret %[[U]] : !ori.up
  %zero = ori.imm 0 : !ori.ur
  %word = ori.up2ur <mask = 4> %zero predicates(%u) : (!ori.ur, !ori.up) -> !ori.ur
  %set = ori.uisetp <ne, u32> %word, %zero : (!ori.ur, !ori.ur) -> !ori.up
  ori.ret %set : !ori.up
}

// The bits outside of the mask are those of the background: bit 0 may be set although the predicate is not.
// CHECK-LABEL: ori.func @packed_over(
ori.func @packed_over(%u: !ori.up, %w: !ori.ur) -> !ori.up target "sm_90a" {
  // CHECK: ori.up2ur <mask = 4>
  // CHECK: ori.uisetp <ne, u32, and>
  %zero = ori.imm 0 : !ori.ur
  %word = ori.up2ur <mask = 4> %w predicates(%u) : (!ori.ur, !ori.up) -> !ori.ur
  %set = ori.uisetp <ne, u32> %word, %zero : (!ori.ur, !ori.ur) -> !ori.up
  ori.ret %set : !ori.up
}

// Conversions of one integer by two instructions are one, the cheaper.
// CHECK-LABEL: ori.func @converted(
// CHECK-SAME: %[[U:.*]]: !ori.ur)
ori.func @converted(%u: !ori.ur) -> !ori.r target "sm_100a" {
  // CHECK-NOT: ori.i2f <
  // CHECK: %[[X:.*]] = ori.ui2fp <s32> %[[U]] : (!ori.ur) -> !ori.ur
  // CHECK-NOT: ori.i2f <
  // CHECK: ori.fmul %[[X]], %[[X]]
  %a = ori.ui2fp <s32> %u : (!ori.ur) -> !ori.ur
  %b = ori.i2f <to = f32, from = s32> %u : (!ori.ur) -> !ori.r
  %square = ori.fmul %a, %b : (!ori.ur, !ori.r) -> !ori.r
  ori.ret %square : !ori.r
}

// The opposite of "below" is "not below or no number", in one comparison.
// CHECK-LABEL: ori.func @unordered(
ori.func @unordered(%a: !ori.r, %b: !ori.r) -> !ori.p target "sm_90a" {
  // CHECK-NOT: ori.plop3
  // CHECK: ori.fsetp <geu{{.*}}> %{{.*}}, %{{.*}} : (!ori.r, !ori.r) -> !ori.p
  // CHECK-NOT: ori.plop3
  %p = ori.fsetp <lt> %a, %b : (!ori.r, !ori.r) -> !ori.p
  %true = ori.imm 1 : !ori.p
  %q = ori.plop3 <lut = 15> %p, %true, %true : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %q : !ori.p
}

// A choice by a comparison is no minimum of floats: of minus zero and zero, or where one is no number,
// they differ.
// CHECK-LABEL: ori.func @no_minimum(
ori.func @no_minimum(%a: !ori.r, %b: !ori.r) -> !ori.r target "sm_90a" {
  // CHECK: ori.fsetp
  // CHECK-NOT: ori.fmnmx
  // CHECK: ori.ret
  %p = ori.fsetp <lt> %a, %b : (!ori.r, !ori.r) -> !ori.p
  %min = ori.fsel %a, %b, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %min : !ori.r
}

// Halves: a lane chosen by a permutation is a modifier of the sum, adding minus zero is nothing.
// CHECK-LABEL: ori.func @halves(
// CHECK-SAME: %[[A:.*]]: !ori.r, %[[B:.*]]: !ori.r)
ori.func @halves(%a: !ori.r, %b: !ori.r) -> !ori.r target "sm_90a" {
  // CHECK-NOT: ori.prmt
  // CHECK: %[[SUM:.*]] = ori.hadd2 {{.*}}h1_h1 %[[A]]
  // CHECK-NEXT: ori.ret %[[SUM]]
  %zero = ori.imm 0 : !ori.r
  %minus = ori.imm -2147450880 : !ori.r
  %high = ori.imm 12850 : !ori.r
  %lane = ori.prmt <idx> %a, %high, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x = ori.hadd2 <f16> %b, %minus : (!ori.r, !ori.r) -> !ori.r
  %y = ori.hadd2 <f16> %lane, %x : (!ori.r, !ori.r) -> !ori.r
  ori.ret %y : !ori.r
}

// A sum and a minimum are one instruction from sm_90 on, and two before.
// CHECK-LABEL: ori.func @sum_and_minimum(
ori.func @sum_and_minimum(%a: !ori.r, %b: !ori.r, %c: !ori.r) -> !ori.r target "sm_90a" {
  // CHECK: ori.viaddmnmx <min, s32> %{{.*}}, %{{.*}}, %{{.*}} :
  // CHECK-NEXT: ori.ret
  %zero = ori.imm 0 : !ori.r
  %true = ori.imm 1 : !ori.p
  %x = ori.iadd3 %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.vimnmx <s32> %x, %c, %true : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %y : !ori.r
}
// CHECK-LABEL: ori.func @sum_and_minimum_before(
ori.func @sum_and_minimum_before(%a: !ori.r, %b: !ori.r, %c: !ori.r) -> !ori.r target "sm_80" {
  // CHECK: ori.iadd3
  // CHECK-NEXT: ori.imnmx
  %zero = ori.imm 0 : !ori.r
  %true = ori.imm 1 : !ori.p
  %x = ori.iadd3 %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.imnmx <s32> %x, %c, %true : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %y : !ori.r
}

// Two results of one operation, and two equal operations without rules: each is computed once.
// CHECK-LABEL: ori.func @once(
ori.func @once(%a: !ori.r) -> (!ori.r, !ori.r) target "sm_90a" {
  // CHECK-COUNT-1: ori.mufu
  // CHECK-NOT: ori.mufu
  // CHECK: ori.ret %[[X:.*]], %[[X]] :
  %x = ori.mufu <ex2> %a : (!ori.r) -> !ori.r
  %y = ori.mufu <ex2> %a : (!ori.r) -> !ori.r
  ori.ret %x, %y : !ori.r, !ori.r
}

// A narrowing that does not change the value is removed.
// CHECK-LABEL: ori.func @narrowed(
ori.func @narrowed(%a: !ori.r) -> !ori.r target "sm_90a" {
  // CHECK-NEXT: %[[TID:.*]] = ori.s2r
  // CHECK-NEXT: ori.ret %[[TID]]
  %tid = ori.s2r <register = "SR_TID.X"> : !ori.r
  %x = ori.i2i <to = u16, from = u32> %tid : (!ori.r) -> !ori.r
  ori.ret %x : !ori.r
}
