// The budgets and knobs of ori-hoist-invariants: each changes what is hoisted. A block of N instructions and block
// arguments is rid of K invariant instructions, whose results need P registers, if K * budget / (D * N) >= P, where D
// is 5 in a block that reads global memory, and 1 in others.
//
// RUN: orison-opt --ori-hoist-invariants %s | FileCheck %s

// A block that every iteration executes has 200. N = 20 with the argument of the block: 200 / (5 * 20) = 2.
// CHECK-LABEL: ori.func @every_iteration(
// CHECK: ori.hoisted
ori.func @every_iteration(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.imad_wide <u32> %a, %b, %none : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %f1 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f2 = ori.iadd3 %f1, %f1, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f3 = ori.iadd3 %f2, %f2, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f4 = ori.iadd3 %f3, %f3, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f5 = ori.iadd3 %f4, %f4, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f6 = ori.iadd3 %f5, %f5, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f7 = ori.iadd3 %f6, %f6, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f8 = ori.iadd3 %f7, %f7, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f9 = ori.iadd3 %f8, %f8, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f10 = ori.iadd3 %f9, %f9, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f11 = ori.iadd3 %f10, %f10, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f12 = ori.iadd3 %f11, %f11, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f13 = ori.iadd3 %f12, %f12, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// N = 21.
// CHECK-LABEL: ori.func @too_large(
// CHECK-NOT: ori.hoisted
ori.func @too_large(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.imad_wide <u32> %a, %b, %none : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %f14 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f15 = ori.iadd3 %f14, %f14, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f16 = ori.iadd3 %f15, %f15, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f17 = ori.iadd3 %f16, %f16, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f18 = ori.iadd3 %f17, %f17, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f19 = ori.iadd3 %f18, %f18, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f20 = ori.iadd3 %f19, %f19, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f21 = ori.iadd3 %f20, %f20, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f22 = ori.iadd3 %f21, %f21, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f23 = ori.iadd3 %f22, %f22, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f24 = ori.iadd3 %f23, %f23, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f25 = ori.iadd3 %f24, %f24, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f26 = ori.iadd3 %f25, %f25, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f27 = ori.iadd3 %f26, %f26, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// N = 22, but two instructions: 2 * 200 / (5 * 22) = 3.6.
// CHECK-LABEL: ori.func @two_words_for_two(
// CHECK: ori.hoisted
ori.func @two_words_for_two(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %m = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %w = ori.imad_wide <u32> %m, %b, %none : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %f28 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f29 = ori.iadd3 %f28, %f28, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f30 = ori.iadd3 %f29, %f29, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f31 = ori.iadd3 %f30, %f30, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f32 = ori.iadd3 %f31, %f31, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f33 = ori.iadd3 %f32, %f32, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f34 = ori.iadd3 %f33, %f33, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f35 = ori.iadd3 %f34, %f34, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f36 = ori.iadd3 %f35, %f35, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f37 = ori.iadd3 %f36, %f36, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f38 = ori.iadd3 %f37, %f37, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f39 = ori.iadd3 %f38, %f38, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f40 = ori.iadd3 %f39, %f39, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f41 = ori.iadd3 %f40, %f40, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// N = 20 without a read of global memory: 200 / 20 = 10.
// CHECK-LABEL: ori.func @near(
// CHECK: ori.hoisted
ori.func @near(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %w = ori.imad_wide <u32> %a, %b, %none : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %f42 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f43 = ori.iadd3 %f42, %f42, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f44 = ori.iadd3 %f43, %f43, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f45 = ori.iadd3 %f44, %f44, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f46 = ori.iadd3 %f45, %f45, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f47 = ori.iadd3 %f46, %f46, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f48 = ori.iadd3 %f47, %f47, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f49 = ori.iadd3 %f48, %f48, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f50 = ori.iadd3 %f49, %f49, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f51 = ori.iadd3 %f50, %f50, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f52 = ori.iadd3 %f51, %f51, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f53 = ori.iadd3 %f52, %f52, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f54 = ori.iadd3 %f53, %f53, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f55 = ori.iadd3 %f54, %f54, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Reads of global memory count for 60: 60 * 200 / (5 * 22) = 109.
// CHECK-LABEL: ori.func @reads_count_more(
// CHECK: ori.hoisted
ori.func @reads_count_more(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.ldg <b64, constant> [%q] : (!ori.r64) -> !ori.r64
  %f56 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f57 = ori.iadd3 %f56, %f56, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f58 = ori.iadd3 %f57, %f57, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f59 = ori.iadd3 %f58, %f58, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f60 = ori.iadd3 %f59, %f59, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f61 = ori.iadd3 %f60, %f60, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f62 = ori.iadd3 %f61, %f61, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f63 = ori.iadd3 %f62, %f62, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f64 = ori.iadd3 %f63, %f63, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f65 = ori.iadd3 %f64, %f64, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f66 = ori.iadd3 %f65, %f65, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f67 = ori.iadd3 %f66, %f66, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f68 = ori.iadd3 %f67, %f67, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f69 = ori.iadd3 %f68, %f68, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f70 = ori.iadd3 %f69, %f69, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// A block behind a branch has 22. N = 22: 22 / 22 = 1.
// CHECK-LABEL: ori.func @arm(
// CHECK: ori.hoisted
ori.func @arm(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %odd = ori.isetp <eq, u32, and> %i, %b : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %odd, ^arm, ^join : !ori.p
^arm:
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f71 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f72 = ori.iadd3 %f71, %f71, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f73 = ori.iadd3 %f72, %f72, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f74 = ori.iadd3 %f73, %f73, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f75 = ori.iadd3 %f74, %f74, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f76 = ori.iadd3 %f75, %f75, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f77 = ori.iadd3 %f76, %f76, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f78 = ori.iadd3 %f77, %f77, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f79 = ori.iadd3 %f78, %f78, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f80 = ori.iadd3 %f79, %f79, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f81 = ori.iadd3 %f80, %f80, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f82 = ori.iadd3 %f81, %f81, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f83 = ori.iadd3 %f82, %f82, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f84 = ori.iadd3 %f83, %f83, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f85 = ori.iadd3 %f84, %f84, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f86 = ori.iadd3 %f85, %f85, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f87 = ori.iadd3 %f86, %f86, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f88 = ori.iadd3 %f87, %f87, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f89 = ori.iadd3 %f88, %f88, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%x], %i : (!ori.r, !ori.r) -> ()
  ori.bra ^join
^join:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// N = 23.
// CHECK-LABEL: ori.func @arm_too_large(
// CHECK-NOT: ori.hoisted
ori.func @arm_too_large(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %odd = ori.isetp <eq, u32, and> %i, %b : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %odd, ^arm, ^join : !ori.p
^arm:
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f90 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f91 = ori.iadd3 %f90, %f90, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f92 = ori.iadd3 %f91, %f91, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f93 = ori.iadd3 %f92, %f92, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f94 = ori.iadd3 %f93, %f93, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f95 = ori.iadd3 %f94, %f94, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f96 = ori.iadd3 %f95, %f95, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f97 = ori.iadd3 %f96, %f96, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f98 = ori.iadd3 %f97, %f97, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f99 = ori.iadd3 %f98, %f98, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f100 = ori.iadd3 %f99, %f99, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f101 = ori.iadd3 %f100, %f100, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f102 = ori.iadd3 %f101, %f101, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f103 = ori.iadd3 %f102, %f102, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f104 = ori.iadd3 %f103, %f103, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f105 = ori.iadd3 %f104, %f104, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f106 = ori.iadd3 %f105, %f105, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f107 = ori.iadd3 %f106, %f106, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f108 = ori.iadd3 %f107, %f107, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f109 = ori.iadd3 %f108, %f108, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%x], %i : (!ori.r, !ori.r) -> ()
  ori.bra ^join
^join:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @arm_with_30(
// CHECK: ori.hoisted
ori.func @arm_with_30(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistLoopInvBudget = 30 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %odd = ori.isetp <eq, u32, and> %i, %b : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %odd, ^arm, ^join : !ori.p
^arm:
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f110 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f111 = ori.iadd3 %f110, %f110, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f112 = ori.iadd3 %f111, %f111, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f113 = ori.iadd3 %f112, %f112, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f114 = ori.iadd3 %f113, %f113, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f115 = ori.iadd3 %f114, %f114, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f116 = ori.iadd3 %f115, %f115, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f117 = ori.iadd3 %f116, %f116, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f118 = ori.iadd3 %f117, %f117, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f119 = ori.iadd3 %f118, %f118, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f120 = ori.iadd3 %f119, %f119, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f121 = ori.iadd3 %f120, %f120, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f122 = ori.iadd3 %f121, %f121, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f123 = ori.iadd3 %f122, %f122, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f124 = ori.iadd3 %f123, %f123, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f125 = ori.iadd3 %f124, %f124, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f126 = ori.iadd3 %f125, %f125, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f127 = ori.iadd3 %f126, %f126, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f128 = ori.iadd3 %f127, %f127, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f129 = ori.iadd3 %f128, %f128, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%x], %i : (!ori.r, !ori.r) -> ()
  ori.bra ^join
^join:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// A block of a loop around others has 10. N counts the branch to the inner loop: 10 / 10 = 1.
// CHECK-LABEL: ori.func @outer(
// CHECK: ori.hoisted
ori.func @outer(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f130 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f131 = ori.iadd3 %f130, %f130, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f132 = ori.iadd3 %f131, %f131, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f133 = ori.iadd3 %f132, %f132, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f134 = ori.iadd3 %f133, %f133, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f135 = ori.iadd3 %f134, %f134, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%x], %i : (!ori.r, !ori.r) -> ()
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %j2 = ori.iadd3 %j, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %j2, %a : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^inner(%j2 : !ori.r), ^post : !ori.p
^post:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// N = 11.
// CHECK-LABEL: ori.func @outer_too_large(
// CHECK-NOT: ori.hoisted
ori.func @outer_too_large(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f136 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f137 = ori.iadd3 %f136, %f136, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f138 = ori.iadd3 %f137, %f137, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f139 = ori.iadd3 %f138, %f138, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f140 = ori.iadd3 %f139, %f139, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f141 = ori.iadd3 %f140, %f140, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f142 = ori.iadd3 %f141, %f141, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%x], %i : (!ori.r, !ori.r) -> ()
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %j2 = ori.iadd3 %j, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %j2, %a : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^inner(%j2 : !ori.r), ^post : !ori.p
^post:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @outer_with_11(
// CHECK: ori.hoisted
ori.func @outer_with_11(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistBudget = 11 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f143 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f144 = ori.iadd3 %f143, %f143, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f145 = ori.iadd3 %f144, %f144, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f146 = ori.iadd3 %f145, %f145, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f147 = ori.iadd3 %f146, %f146, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f148 = ori.iadd3 %f147, %f147, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f149 = ori.iadd3 %f148, %f148, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%x], %i : (!ori.r, !ori.r) -> ()
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %j2 = ori.iadd3 %j, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %j2, %a : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^inner(%j2 : !ori.r), ^post : !ori.p
^post:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @outer_unlimited(
// CHECK: ori.hoisted
ori.func @outer_unlimited(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistBudget = 0 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f150 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f151 = ori.iadd3 %f150, %f150, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f152 = ori.iadd3 %f151, %f151, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f153 = ori.iadd3 %f152, %f152, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f154 = ori.iadd3 %f153, %f153, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f155 = ori.iadd3 %f154, %f154, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f156 = ori.iadd3 %f155, %f155, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%x], %i : (!ori.r, !ori.r) -> ()
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %j2 = ori.iadd3 %j, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %j2, %a : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^inner(%j2 : !ori.r), ^post : !ori.p
^post:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @no_outer_loops(
// CHECK-NOT: ori.hoisted
ori.func @no_outer_loops(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistMultiDepth = false}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f157 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f158 = ori.iadd3 %f157, %f157, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f159 = ori.iadd3 %f158, %f158, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f160 = ori.iadd3 %f159, %f159, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f161 = ori.iadd3 %f160, %f160, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f162 = ori.iadd3 %f161, %f161, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%x], %i : (!ori.r, !ori.r) -> ()
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %j2 = ori.iadd3 %j, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %j2, %a : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^inner(%j2 : !ori.r), ^post : !ori.p
^post:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Two blocks with back edges share 200 and the read of global memory: 100 / (5 * 7) = 2.9 for two registers.
// CHECK-LABEL: ori.func @back_edges(
// CHECK: ori.hoisted
ori.func @back_edges(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.cond_bra %p, ^first, ^second : !ori.p
^first:
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.imad_wide <u32> %a, %b, %none : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %f163 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f164 = ori.iadd3 %f163, %f163, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  %go = ori.isetp <lt, s32, and> %i, %b : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %go, ^head(%i : !ori.r), ^exit : !ori.p
^second:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// N = 11: 1.8.
// CHECK-LABEL: ori.func @back_edges_too_large(
// CHECK-NOT: ori.hoisted
ori.func @back_edges_too_large(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.cond_bra %p, ^first, ^second : !ori.p
^first:
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.imad_wide <u32> %a, %b, %none : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %f165 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f166 = ori.iadd3 %f165, %f165, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f167 = ori.iadd3 %f166, %f166, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f168 = ori.iadd3 %f167, %f167, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f169 = ori.iadd3 %f168, %f168, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f170 = ori.iadd3 %f169, %f169, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  %go = ori.isetp <lt, s32, and> %i, %b : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %go, ^head(%i : !ori.r), ^exit : !ori.p
^second:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// A copy counts for a quarter: 0.25 * 200 / (5 * 10) = 1.
// CHECK-LABEL: ori.func @copy(
// CHECK: ori.hoisted
ori.func @copy(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %x = ori.mov %a : (!ori.r) -> !ori.r
  %f171 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f172 = ori.iadd3 %f171, %f171, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f173 = ori.iadd3 %f172, %f172, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// N = 11.
// CHECK-LABEL: ori.func @copy_too_large(
// CHECK-NOT: ori.hoisted
ori.func @copy_too_large(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %x = ori.mov %a : (!ori.r) -> !ori.r
  %f174 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f175 = ori.iadd3 %f174, %f174, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f176 = ori.iadd3 %f175, %f175, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f177 = ori.iadd3 %f176, %f176, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @copy_for_half(
// CHECK: ori.hoisted
ori.func @copy_for_half(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {MovWeightForSinkingHoisting = "0.5"}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %x = ori.mov %a : (!ori.r) -> !ori.r
  %f178 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f179 = ori.iadd3 %f178, %f178, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f180 = ori.iadd3 %f179, %f179, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f181 = ori.iadd3 %f180, %f180, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @off(
// CHECK-NOT: ori.hoisted
ori.func @off(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistInvariants = false}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @not_moved(
// CHECK-NOT: ori.hoisted
ori.func @not_moved(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistInvariantsMove = false}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The last loop only.
// CHECK-LABEL: ori.func @one_loop(
// CHECK: ori.bra
// CHECK: ori.cond_bra
// CHECK: ori.imad {{.*}}ori.hoisted
ori.func @one_loop(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistInvariantsBudget = 1 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^first(%zero : !ori.r)
^first(%j: !ori.r):
  %y = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^first(%j2 : !ori.r), ^between : !ori.p
^between:
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Reads of constant banks are hoisted also if their block is not worth it: 200 / (5 * 22) < 2.
// CHECK-LABEL: ori.func @bank(
// CHECK: ori.hoisted
ori.func @bank(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.ldc <b64, bank = 3> [%a] : (!ori.r) -> !ori.r64
  %f182 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f183 = ori.iadd3 %f182, %f182, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f184 = ori.iadd3 %f183, %f183, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f185 = ori.iadd3 %f184, %f184, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f186 = ori.iadd3 %f185, %f185, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f187 = ori.iadd3 %f186, %f186, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f188 = ori.iadd3 %f187, %f187, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f189 = ori.iadd3 %f188, %f188, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f190 = ori.iadd3 %f189, %f189, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f191 = ori.iadd3 %f190, %f190, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f192 = ori.iadd3 %f191, %f191, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f193 = ori.iadd3 %f192, %f192, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f194 = ori.iadd3 %f193, %f193, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f195 = ori.iadd3 %f194, %f194, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f196 = ori.iadd3 %f195, %f195, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @bank_mode(
// CHECK-NOT: ori.hoisted
ori.func @bank_mode(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistCBOMode = 1 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.ldc <b64, bank = 3> [%a] : (!ori.r) -> !ori.r64
  %f197 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f198 = ori.iadd3 %f197, %f197, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f199 = ori.iadd3 %f198, %f198, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f200 = ori.iadd3 %f199, %f199, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f201 = ori.iadd3 %f200, %f200, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f202 = ori.iadd3 %f201, %f201, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f203 = ori.iadd3 %f202, %f202, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f204 = ori.iadd3 %f203, %f203, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f205 = ori.iadd3 %f204, %f204, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f206 = ori.iadd3 %f205, %f205, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f207 = ori.iadd3 %f206, %f206, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f208 = ori.iadd3 %f207, %f207, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f209 = ori.iadd3 %f208, %f208, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f210 = ori.iadd3 %f209, %f209, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f211 = ori.iadd3 %f210, %f210, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @bank_off(
// CHECK-NOT: ori.hoisted
ori.func @bank_off(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistCBOLoad = false}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.ldc <b64, bank = 3> [%a] : (!ori.r) -> !ori.r64
  %f212 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f213 = ori.iadd3 %f212, %f212, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f214 = ori.iadd3 %f213, %f213, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f215 = ori.iadd3 %f214, %f214, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f216 = ori.iadd3 %f215, %f215, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f217 = ori.iadd3 %f216, %f216, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f218 = ori.iadd3 %f217, %f217, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f219 = ori.iadd3 %f218, %f218, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f220 = ori.iadd3 %f219, %f219, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f221 = ori.iadd3 %f220, %f220, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f222 = ori.iadd3 %f221, %f221, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f223 = ori.iadd3 %f222, %f222, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f224 = ori.iadd3 %f223, %f223, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f225 = ori.iadd3 %f224, %f224, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f226 = ori.iadd3 %f225, %f225, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// One of 21 instructions reads global memory: 4 percent.
// CHECK-LABEL: ori.func @bank_ratio(
// CHECK: ori.hoisted
ori.func @bank_ratio(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistCBOHighCostSBInstRatioThreshold = 4 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.ldc <b64, bank = 3> [%a] : (!ori.r) -> !ori.r64
  %f227 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f228 = ori.iadd3 %f227, %f227, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f229 = ori.iadd3 %f228, %f228, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f230 = ori.iadd3 %f229, %f229, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f231 = ori.iadd3 %f230, %f230, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f232 = ori.iadd3 %f231, %f231, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f233 = ori.iadd3 %f232, %f232, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f234 = ori.iadd3 %f233, %f233, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f235 = ori.iadd3 %f234, %f234, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f236 = ori.iadd3 %f235, %f235, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f237 = ori.iadd3 %f236, %f236, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f238 = ori.iadd3 %f237, %f237, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f239 = ori.iadd3 %f238, %f238, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f240 = ori.iadd3 %f239, %f239, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f241 = ori.iadd3 %f240, %f240, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @bank_low_ratio(
// CHECK-NOT: ori.hoisted
ori.func @bank_low_ratio(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistCBOHighCostSBInstRatioThreshold = 3 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.ldc <b64, bank = 3> [%a] : (!ori.r) -> !ori.r64
  %f242 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f243 = ori.iadd3 %f242, %f242, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f244 = ori.iadd3 %f243, %f243, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f245 = ori.iadd3 %f244, %f244, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f246 = ori.iadd3 %f245, %f245, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f247 = ori.iadd3 %f246, %f246, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f248 = ori.iadd3 %f247, %f247, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f249 = ori.iadd3 %f248, %f248, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f250 = ori.iadd3 %f249, %f249, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f251 = ori.iadd3 %f250, %f250, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f252 = ori.iadd3 %f251, %f251, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f253 = ori.iadd3 %f252, %f252, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f254 = ori.iadd3 %f253, %f253, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f255 = ori.iadd3 %f254, %f254, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f256 = ori.iadd3 %f255, %f255, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// No registers may be live.
// CHECK-LABEL: ori.func @bank_pressure(
// CHECK-NOT: ori.hoisted
ori.func @bank_pressure(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistCBORRegPressureLimitApplyRate = 0 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.ldc <b64, bank = 3> [%a] : (!ori.r) -> !ori.r64
  %f257 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f258 = ori.iadd3 %f257, %f257, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f259 = ori.iadd3 %f258, %f258, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f260 = ori.iadd3 %f259, %f259, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f261 = ori.iadd3 %f260, %f260, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f262 = ori.iadd3 %f261, %f261, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f263 = ori.iadd3 %f262, %f262, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f264 = ori.iadd3 %f263, %f263, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f265 = ori.iadd3 %f264, %f264, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f266 = ori.iadd3 %f265, %f265, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f267 = ori.iadd3 %f266, %f266, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f268 = ori.iadd3 %f267, %f267, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f269 = ori.iadd3 %f268, %f268, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f270 = ori.iadd3 %f269, %f269, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f271 = ori.iadd3 %f270, %f270, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The block is one below the header in the dominator tree.
// CHECK-LABEL: ori.func @bank_depth(
// CHECK: ori.hoisted
ori.func @bank_depth(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistCBOLoadIDOMTravseLimit = 1 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.bra ^below
^below:
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.ldc <b64, bank = 3> [%a] : (!ori.r) -> !ori.r64
  %f272 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f273 = ori.iadd3 %f272, %f272, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f274 = ori.iadd3 %f273, %f273, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f275 = ori.iadd3 %f274, %f274, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f276 = ori.iadd3 %f275, %f275, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f277 = ori.iadd3 %f276, %f276, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f278 = ori.iadd3 %f277, %f277, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f279 = ori.iadd3 %f278, %f278, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f280 = ori.iadd3 %f279, %f279, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f281 = ori.iadd3 %f280, %f280, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f282 = ori.iadd3 %f281, %f281, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f283 = ori.iadd3 %f282, %f282, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f284 = ori.iadd3 %f283, %f283, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f285 = ori.iadd3 %f284, %f284, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f286 = ori.iadd3 %f285, %f285, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @bank_too_deep(
// CHECK-NOT: ori.hoisted
ori.func @bank_too_deep(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistCBOLoadIDOMTravseLimit = 0 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.bra ^below
^below:
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.ldc <b64, bank = 3> [%a] : (!ori.r) -> !ori.r64
  %f287 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f288 = ori.iadd3 %f287, %f287, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f289 = ori.iadd3 %f288, %f288, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f290 = ori.iadd3 %f289, %f289, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f291 = ori.iadd3 %f290, %f290, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f292 = ori.iadd3 %f291, %f291, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f293 = ori.iadd3 %f292, %f292, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f294 = ori.iadd3 %f293, %f293, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f295 = ori.iadd3 %f294, %f294, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f296 = ori.iadd3 %f295, %f295, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f297 = ori.iadd3 %f296, %f296, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f298 = ori.iadd3 %f297, %f297, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f299 = ori.iadd3 %f298, %f298, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f300 = ori.iadd3 %f299, %f299, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f301 = ori.iadd3 %f300, %f300, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The loop contains a cold block.
// CHECK-LABEL: ori.func @bank_cold(
// CHECK: ori.hoisted
ori.func @bank_cold(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.ldc <b64, bank = 3> [%a] : (!ori.r) -> !ori.r64
  %f302 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f303 = ori.iadd3 %f302, %f302, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f304 = ori.iadd3 %f303, %f303, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f305 = ori.iadd3 %f304, %f304, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f306 = ori.iadd3 %f305, %f305, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f307 = ori.iadd3 %f306, %f306, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f308 = ori.iadd3 %f307, %f307, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f309 = ori.iadd3 %f308, %f308, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f310 = ori.iadd3 %f309, %f309, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f311 = ori.iadd3 %f310, %f310, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f312 = ori.iadd3 %f311, %f311, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f313 = ori.iadd3 %f312, %f312, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f314 = ori.iadd3 %f313, %f313, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f315 = ori.iadd3 %f314, %f314, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f316 = ori.iadd3 %f315, %f315, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  %odd = ori.isetp <eq, u32, and> %i, %b : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %odd, ^arm, ^join : !ori.p
^arm:
  ori.sts <b32> [%b], %i : (!ori.r, !ori.r) -> ()
  ori.bra ^join {ori.pragmas = ["frequency 0"]}
^join:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @bank_not_from_cold(
// CHECK-NOT: ori.hoisted
ori.func @bank_not_from_cold(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistCBOFromLoopWithColdNest = false}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.ldc <b64, bank = 3> [%a] : (!ori.r) -> !ori.r64
  %f317 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f318 = ori.iadd3 %f317, %f317, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f319 = ori.iadd3 %f318, %f318, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f320 = ori.iadd3 %f319, %f319, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f321 = ori.iadd3 %f320, %f320, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f322 = ori.iadd3 %f321, %f321, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f323 = ori.iadd3 %f322, %f322, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f324 = ori.iadd3 %f323, %f323, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f325 = ori.iadd3 %f324, %f324, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f326 = ori.iadd3 %f325, %f325, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f327 = ori.iadd3 %f326, %f326, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f328 = ori.iadd3 %f327, %f327, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f329 = ori.iadd3 %f328, %f328, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f330 = ori.iadd3 %f329, %f329, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f331 = ori.iadd3 %f330, %f330, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  %odd = ori.isetp <eq, u32, and> %i, %b : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %odd, ^arm, ^join : !ori.p
^arm:
  ori.sts <b32> [%b], %i : (!ori.r, !ori.r) -> ()
  ori.bra ^join {ori.pragmas = ["frequency 0"]}
^join:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// A texture read counts for 60: 60 * 200 / (5 * 6) = 400. Below the lower ratio the budget is divided.
// CHECK-LABEL: ori.func @texture(
// CHECK: ori.hoisted
ori.func @texture(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.tld <tex2d, mask = 1, bound = 3, lz> coordinates(%a, %b) : (!ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%x], %i : (!ori.r, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// 1 of 5 instructions: 60 * 200 / 1000 / (5 * 6) = 0.4.
// CHECK-LABEL: ori.func @texture_below(
// CHECK-NOT: ori.hoisted
ori.func @texture_below(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistTexToInstRatioHigh = "0.5", HoistTexToInstRatioLow = "0.4", HoistConservativeScale = 1000 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.tld <tex2d, mask = 1, bound = 3, lz> coordinates(%a, %b) : (!ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%x], %i : (!ori.r, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @texture_between(
// CHECK: ori.hoisted
ori.func @texture_between(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistTexToInstRatioHigh = "0.5", HoistTexToInstRatioLow = "0.1", HoistConservativeScale = 1000 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.tld <tex2d, mask = 1, bound = 3, lz> coordinates(%a, %b) : (!ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%x], %i : (!ori.r, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// From the upper ratio on, the budget is unlimited: 0.01 * 60 / (5 * 4) < 1 otherwise.
// CHECK-LABEL: ori.func @texture_above(
// CHECK: ori.hoisted
ori.func @texture_above(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistBudget = "0.01"}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.tld <tex2d, mask = 1, bound = 3, lz> coordinates(%a, %b) : (!ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%x], %i : (!ori.r, !ori.r) -> ()
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %j2 = ori.iadd3 %j, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %j2, %a : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^inner(%j2 : !ori.r), ^post : !ori.p
^post:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @texture_not_above(
// CHECK-NOT: ori.hoisted
ori.func @texture_not_above(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistBudget = "0.01", HoistTexToInstRatioHigh = "0.5"}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.tld <tex2d, mask = 1, bound = 3, lz> coordinates(%a, %b) : (!ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%x], %i : (!ori.r, !ori.r) -> ()
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %j2 = ori.iadd3 %j, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %j2, %a : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^inner(%j2 : !ori.r), ^post : !ori.p
^post:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The other analysis finds the same.
// CHECK-LABEL: ori.func @set_based(
// CHECK: ori.hoisted
ori.func @set_based(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {UseNewLoopInvariantRoutineForHoisting = true}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @last(
ori.func @last() target "sm_90" {
  ori.ret
}
