// The rules of the page, and what leaves a loop from inside of an inner one.
//
// RUN: orison-opt --ori-hoist-invariants="rules=page" --remarks=text %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s <%t.remarks

// From a loop without inner ones, only the header is hoisted from.
// CHECK-LABEL: ori.func @header(
// CHECK: ori.hoisted
ori.func @header(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
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

// CHECK-LABEL: ori.func @latch(
// CHECK-NOT: ori.hoisted
ori.func @latch(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.bra ^below
^below:
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// REMARK: Missed loop-invariant: there is a barrier in the nest
// CHECK-LABEL: ori.func @barrier(
// CHECK-NOT: ori.hoisted
ori.func @barrier(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bar <sync, index = 0>
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  ori.sts <b32> [%x], %j : (!ori.r, !ori.r) -> ()
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

// REMARK: Missed loop-invariant: there is a call in the nest
// CHECK-LABEL: ori.func @call(
// CHECK-NOT: ori.hoisted
ori.func @call(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.call @unknown() : () -> ()
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  ori.sts <b32> [%x], %j : (!ori.r, !ori.r) -> ()
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

ori.func private @unknown() target "sm_90"

// An inner loop of 20 instructions and an argument keeps its product (200 / (5 * 21) < 2), which is hoisted from the
// outer loop: 3000 / 10 / (5 * 21) = 2.9.
// CHECK-LABEL: ori.func @inner(
// CHECK: ori.hoisted
ori.func @inner(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistBudget = 3000 : i64, EnableHoistLowLatencyInstMidBlock = true, MaxMidHeaderSizeRateForAggressiveHoist = 100 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.imad_wide <u32> %a, %b, %none : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %f332 = ori.iadd3 %j, %j, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f333 = ori.iadd3 %f332, %f332, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f334 = ori.iadd3 %f333, %f333, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f335 = ori.iadd3 %f334, %f334, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f336 = ori.iadd3 %f335, %f335, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f337 = ori.iadd3 %f336, %f336, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f338 = ori.iadd3 %f337, %f337, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f339 = ori.iadd3 %f338, %f338, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f340 = ori.iadd3 %f339, %f339, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f341 = ori.iadd3 %f340, %f340, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f342 = ori.iadd3 %f341, %f341, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f343 = ori.iadd3 %f342, %f342, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f344 = ori.iadd3 %f343, %f343, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f345 = ori.iadd3 %f344, %f344, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %j : (!ori.r64, !ori.r) -> ()
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

// 3000 / 20 / (5 * 21) = 1.4.
// CHECK-LABEL: ori.func @inner_scaled(
// CHECK-NOT: ori.hoisted
ori.func @inner_scaled(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistBudget = 3000 : i64, EnableHoistLowLatencyInstMidBlock = true, MaxMidHeaderSizeRateForAggressiveHoist = 100 : i64, HoistConservativeScale = 20 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.imad_wide <u32> %a, %b, %none : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %f346 = ori.iadd3 %j, %j, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f347 = ori.iadd3 %f346, %f346, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f348 = ori.iadd3 %f347, %f347, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f349 = ori.iadd3 %f348, %f348, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f350 = ori.iadd3 %f349, %f349, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f351 = ori.iadd3 %f350, %f350, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f352 = ori.iadd3 %f351, %f351, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f353 = ori.iadd3 %f352, %f352, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f354 = ori.iadd3 %f353, %f353, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f355 = ori.iadd3 %f354, %f354, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f356 = ori.iadd3 %f355, %f355, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f357 = ori.iadd3 %f356, %f356, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f358 = ori.iadd3 %f357, %f357, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f359 = ori.iadd3 %f358, %f358, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %j : (!ori.r64, !ori.r) -> ()
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

// CHECK-LABEL: ori.func @inner_disabled(
// CHECK-NOT: ori.hoisted
ori.func @inner_disabled(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistBudget = 3000 : i64, EnableHoistLowLatencyInstMidBlock = true, MaxMidHeaderSizeRateForAggressiveHoist = 100 : i64, DisableNestedHoist = true}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.imad_wide <u32> %a, %b, %none : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %f360 = ori.iadd3 %j, %j, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f361 = ori.iadd3 %f360, %f360, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f362 = ori.iadd3 %f361, %f361, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f363 = ori.iadd3 %f362, %f362, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f364 = ori.iadd3 %f363, %f363, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f365 = ori.iadd3 %f364, %f364, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f366 = ori.iadd3 %f365, %f365, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f367 = ori.iadd3 %f366, %f366, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f368 = ori.iadd3 %f367, %f367, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f369 = ori.iadd3 %f368, %f368, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f370 = ori.iadd3 %f369, %f369, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f371 = ori.iadd3 %f370, %f370, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f372 = ori.iadd3 %f371, %f371, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f373 = ori.iadd3 %f372, %f372, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %j : (!ori.r64, !ori.r) -> ()
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

// Arithmetic only.
// CHECK-LABEL: ori.func @inner_low_latency(
// CHECK-NOT: ori.hoisted
ori.func @inner_low_latency(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistBudget = 3000 : i64, EnableHoistLowLatencyInstMidBlock = false, MaxMidHeaderSizeRateForAggressiveHoist = 100 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.imad_wide <u32> %a, %b, %none : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %f374 = ori.iadd3 %j, %j, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f375 = ori.iadd3 %f374, %f374, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f376 = ori.iadd3 %f375, %f375, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f377 = ori.iadd3 %f376, %f376, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f378 = ori.iadd3 %f377, %f377, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f379 = ori.iadd3 %f378, %f378, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f380 = ori.iadd3 %f379, %f379, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f381 = ori.iadd3 %f380, %f380, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f382 = ori.iadd3 %f381, %f381, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f383 = ori.iadd3 %f382, %f382, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f384 = ori.iadd3 %f383, %f383, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f385 = ori.iadd3 %f384, %f384, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f386 = ori.iadd3 %f385, %f385, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f387 = ori.iadd3 %f386, %f386, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %j : (!ori.r64, !ori.r) -> ()
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

// The header of the outer loop has one instruction.
// CHECK-LABEL: ori.func @inner_rate(
// CHECK-NOT: ori.hoisted
ori.func @inner_rate(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistBudget = 3000 : i64, EnableHoistLowLatencyInstMidBlock = true, MaxMidHeaderSizeRateForAggressiveHoist = 20 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.imad_wide <u32> %a, %b, %none : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %f388 = ori.iadd3 %j, %j, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f389 = ori.iadd3 %f388, %f388, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f390 = ori.iadd3 %f389, %f389, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f391 = ori.iadd3 %f390, %f390, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f392 = ori.iadd3 %f391, %f391, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f393 = ori.iadd3 %f392, %f392, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f394 = ori.iadd3 %f393, %f393, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f395 = ori.iadd3 %f394, %f394, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f396 = ori.iadd3 %f395, %f395, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f397 = ori.iadd3 %f396, %f396, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f398 = ori.iadd3 %f397, %f397, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f399 = ori.iadd3 %f398, %f398, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f400 = ori.iadd3 %f399, %f399, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f401 = ori.iadd3 %f400, %f400, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %j : (!ori.r64, !ori.r) -> ()
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

// CHECK-LABEL: ori.func @inner_threshold(
// CHECK-NOT: ori.hoisted
ori.func @inner_threshold(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistBudget = 3000 : i64, EnableHoistLowLatencyInstMidBlock = true, MaxMidHeaderSizeRateForAggressiveHoist = 100 : i64, NestedHoistInnerThreshold = 19 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.imad_wide <u32> %a, %b, %none : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %f402 = ori.iadd3 %j, %j, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f403 = ori.iadd3 %f402, %f402, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f404 = ori.iadd3 %f403, %f403, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f405 = ori.iadd3 %f404, %f404, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f406 = ori.iadd3 %f405, %f405, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f407 = ori.iadd3 %f406, %f406, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f408 = ori.iadd3 %f407, %f407, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f409 = ori.iadd3 %f408, %f408, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f410 = ori.iadd3 %f409, %f409, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f411 = ori.iadd3 %f410, %f410, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f412 = ori.iadd3 %f411, %f411, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f413 = ori.iadd3 %f412, %f412, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f414 = ori.iadd3 %f413, %f413, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f415 = ori.iadd3 %f414, %f414, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %j : (!ori.r64, !ori.r) -> ()
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

// Four instructions.
// CHECK-LABEL: ori.func @outer_threshold(
// CHECK-NOT: ori.hoisted
ori.func @outer_threshold(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistBudget = 3000 : i64, EnableHoistLowLatencyInstMidBlock = true, MaxMidHeaderSizeRateForAggressiveHoist = 100 : i64, NestedHoistOuterThreshold = 3 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.imad_wide <u32> %a, %b, %none : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %f416 = ori.iadd3 %j, %j, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f417 = ori.iadd3 %f416, %f416, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f418 = ori.iadd3 %f417, %f417, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f419 = ori.iadd3 %f418, %f418, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f420 = ori.iadd3 %f419, %f419, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f421 = ori.iadd3 %f420, %f420, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f422 = ori.iadd3 %f421, %f421, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f423 = ori.iadd3 %f422, %f422, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f424 = ori.iadd3 %f423, %f423, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f425 = ori.iadd3 %f424, %f424, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f426 = ori.iadd3 %f425, %f425, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f427 = ori.iadd3 %f426, %f426, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f428 = ori.iadd3 %f427, %f427, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f429 = ori.iadd3 %f428, %f428, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %j : (!ori.r64, !ori.r) -> ()
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

// CHECK-LABEL: ori.func @inner_of_20(
// CHECK: ori.hoisted
ori.func @inner_of_20(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistBudget = 3000 : i64, EnableHoistLowLatencyInstMidBlock = true, MaxMidHeaderSizeRateForAggressiveHoist = 100 : i64, NestedHoistInnerThreshold = 20 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.imad_wide <u32> %a, %b, %none : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %f430 = ori.iadd3 %j, %j, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f431 = ori.iadd3 %f430, %f430, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f432 = ori.iadd3 %f431, %f431, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f433 = ori.iadd3 %f432, %f432, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f434 = ori.iadd3 %f433, %f433, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f435 = ori.iadd3 %f434, %f434, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f436 = ori.iadd3 %f435, %f435, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f437 = ori.iadd3 %f436, %f436, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f438 = ori.iadd3 %f437, %f437, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f439 = ori.iadd3 %f438, %f438, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f440 = ori.iadd3 %f439, %f439, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f441 = ori.iadd3 %f440, %f440, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f442 = ori.iadd3 %f441, %f441, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f443 = ori.iadd3 %f442, %f442, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %j : (!ori.r64, !ori.r) -> ()
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

// CHECK-LABEL: ori.func @outer_of_4(
// CHECK: ori.hoisted
ori.func @outer_of_4(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" attributes {ori.knobs = {HoistBudget = 3000 : i64, EnableHoistLowLatencyInstMidBlock = true, MaxMidHeaderSizeRateForAggressiveHoist = 100 : i64, NestedHoistOuterThreshold = 4 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %far = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %w = ori.imad_wide <u32> %a, %b, %none : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %f444 = ori.iadd3 %j, %j, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f445 = ori.iadd3 %f444, %f444, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f446 = ori.iadd3 %f445, %f445, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f447 = ori.iadd3 %f446, %f446, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f448 = ori.iadd3 %f447, %f447, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f449 = ori.iadd3 %f448, %f448, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f450 = ori.iadd3 %f449, %f449, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f451 = ori.iadd3 %f450, %f450, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f452 = ori.iadd3 %f451, %f451, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f453 = ori.iadd3 %f452, %f452, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f454 = ori.iadd3 %f453, %f453, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f455 = ori.iadd3 %f454, %f454, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f456 = ori.iadd3 %f455, %f455, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f457 = ori.iadd3 %f456, %f456, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%w], %j : (!ori.r64, !ori.r) -> ()
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

// CHECK-LABEL: ori.func @last(
ori.func @last() target "sm_90" {
  ori.ret
}
