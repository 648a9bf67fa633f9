// Each knob of ori-pipelining changes what it says.
//
// RUN: orison-opt --ori-pipelining --remarks=text %s -o /dev/null 2>%t.remarks
// RUN: FileCheck %s <%t.remarks

// CHECK: begins every 9 cycles{{.*}} stages: 8, copies: 8
ori.func @default_0(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// The load is 64 cycles in front of the sum: with three stages a third of it, rounded up. With any number of
// stages the recurrence of the sum decides; eleven names need more copies than eight.
// CHECK: begins every 22 cycles, and at least 22 (recurrences 6, pipes 1, stages 22); stages: 3, copies: 3
ori.func @stages_0(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineStageLimit = 3}} {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: begins every 6 cycles, and at least 6 (recurrences 6, pipes 1, stages 1); stages: 11, copies: 1,
ori.func @stages_1(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineStageLimit = 0}} {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: stages: 3, copies: 1
ori.func @copies_0(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineStageLimit = 3, PipelineCopies = 2}} {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: stages: 8
ori.func @nounroll_0(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {OkToPipelineNoUnroll = 1}} {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit {ori.pragmas = ["nounroll"]} : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: stages: 8
ori.func @conditions_0(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineHoistCondLimit = 1}} {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %c = ori.fsetp <gt> %v, %x : (!ori.r, !ori.r) -> !ori.p
  %t = ori.ffma %v, %x, %s if %c else %s : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: Not pipelined: operations have 1 conditions, and PipelineHoistCondLimit is 0
ori.func @conditions_1(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineHoistCondLimit = 0}} {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %c = ori.fsetp <gt> %v, %x : (!ori.r, !ori.r) -> !ori.p
  %t = ori.ffma %v, %x, %s if %c else %s : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// Each stage keeps a loaded value more.
// CHECK: stages: 4, copies: 4, registers: 9
ori.func @general_0(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineHoistRRegPressureLimit = 9}} {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: Not pipelined: two stages need 7 registers and 0 predicates
ori.func @general_1(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineHoistRRegPressureLimit = 6}} {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: predicates: 2
ori.func @predicates_0(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %w = ori.imad %i, %i, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %c = ori.fsetp <gt> %x, %w : (!ori.r, !ori.r) -> !ori.p
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %y = ori.fadd %v, %w : (!ori.r, !ori.r) -> !ori.r
  %t = ori.sel %y, %s, %c : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: Not pipelined: two stages need 9 registers and 1 predicates
ori.func @predicates_1(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineHoistPRegPressureLimit = 0}} {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %w = ori.imad %i, %i, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %c = ori.fsetp <gt> %x, %w : (!ori.r, !ori.r) -> !ori.p
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %y = ori.fadd %v, %w : (!ori.r, !ori.r) -> !ori.r
  %t = ori.sel %y, %s, %c : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// The load, of the load, the sum, the counter and its test.
// CHECK: stages: 8
ori.func @ratio_0(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineMIOVQToInstRatio = "0.25"}} {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: Not pipelined: 1 of 4 instructions are in the memory queue, and PipelineMIOVQToInstRatio is 0.24
ori.func @ratio_1(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineMIOVQToInstRatio = "0.24"}} {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// A load whose address is loaded, 64 cycles before: if both are to be in the first stage, it is longer.
// CHECK: begins every 6 cycles
ori.func @head_0(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineStageLimit = 0}} {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b64> [%q] : (!ori.r64) -> !ori.r64
  %u = ori.ldg <b32> [%v] : (!ori.r64) -> !ori.r
  %t = ori.ffma %u, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: begins every 65 cycles
ori.func @head_1(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineStageLimit = 0, PipelineSpecUsesInHeadOnly = 1}} {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b64> [%q] : (!ori.r64) -> !ori.r64
  %u = ori.ldg <b32> [%v] : (!ori.r64) -> !ori.r
  %t = ori.ffma %u, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: Not pipelined: 'ori.tex' has several results, and PipelineMultiOutputTex is 0
ori.func @texture_0(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.tex <tex2d, mask = 15, bound = 3, lz> coordinates(%i, %x) : (!ori.r, !ori.r) -> !ori.r128
  %y = ori.extract %v[2] : (!ori.r128) -> !ori.r
  %t = ori.ffma %y, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: stages: 8
ori.func @texture_1(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineMultiOutputTex = 1}} {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.tex <tex2d, mask = 15, bound = 3, lz> coordinates(%i, %x) : (!ori.r, !ori.r) -> !ori.r128
  %y = ori.extract %v[2] : (!ori.r128) -> !ori.r
  %t = ori.ffma %y, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: stages: 8
ori.func @texture_of_one_0(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.tex <tex2d, mask = 1, bound = 3, lz> coordinates(%i, %x) : (!ori.r, !ori.r) -> !ori.r
  %y = ori.fmul %v, %v : (!ori.r, !ori.r) -> !ori.r
  %t = ori.ffma %y, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: stages: {{[23]}}
ori.func @seed_0(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineStageLimit = 3, PipelineDelaySeed = 3}} {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: stages: 3, copies: 3
ori.func @gemm_0(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r128 target "sm_90" {
  %n = ori.cbank[0, 360] : !ori.r
  %none = ori.undef : !ori.r128
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %none : !ori.r, !ori.r128)
^loop(%i: !ori.r, %s: !ori.r128):
  %a = ori.ldg <b128> [%q] : (!ori.r64) -> !ori.r128
  %b = ori.lds <b64> [%i] : (!ori.r) -> !ori.r64
  %t = ori.hmma <m16n8k16, from = f16, accumulator = f32> %a, %b, %s : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r128), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r128
}

// CHECK: stages: 8,
ori.func @gemm_1(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r128 target "sm_90" attributes {ori.knobs = {GemmPipelinerEnabled = true}} {
  %n = ori.cbank[0, 360] : !ori.r
  %none = ori.undef : !ori.r128
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %none : !ori.r, !ori.r128)
^loop(%i: !ori.r, %s: !ori.r128):
  %a = ori.ldg <b128> [%q] : (!ori.r64) -> !ori.r128
  %b = ori.lds <b64> [%i] : (!ori.r) -> !ori.r64
  %t = ori.hmma <m16n8k16, from = f16, accumulator = f32> %a, %b, %s : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r128), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r128
}

// CHECK: stages: 4,
ori.func @gemm_2(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r128 target "sm_80" attributes {ori.knobs = {GemmPipelinerEnabled = true}} {
  %n = ori.cbank[0, 360] : !ori.r
  %none = ori.undef : !ori.r128
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %none : !ori.r, !ori.r128)
^loop(%i: !ori.r, %s: !ori.r128):
  %a = ori.ldg <b128> [%q] : (!ori.r64) -> !ori.r128
  %b = ori.lds <b64> [%i] : (!ori.r) -> !ori.r64
  %t = ori.hmma <m16n8k16, from = f16, accumulator = f32> %a, %b, %s : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r128), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r128
}

// CHECK: stages: 6
ori.func @gemm_full_0(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r128 target "sm_90" attributes {ori.knobs = {GemmPipelinerEnabled = true, GemmPipelinerPipelineDepthEnforceDeltaFull = -2}} {
  %n = ori.cbank[0, 360] : !ori.r
  %none = ori.undef : !ori.r128
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %none : !ori.r, !ori.r128)
^loop(%i: !ori.r, %s: !ori.r128):
  %a = ori.ldg <b128> [%q] : (!ori.r64) -> !ori.r128
  %b = ori.lds <b64> [%i] : (!ori.r) -> !ori.r64
  %t = ori.hmma <m16n8k16, from = f16, accumulator = f32> %a, %b, %s : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r128), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r128
}

// CHECK: stages: 8
ori.func @gemm_full_1(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r128 target "sm_90" attributes {ori.knobs = {GemmPipelinerEnabled = true, GemmPipelinerPipelineDepthEnforceDeltaPartial = -2}} {
  %n = ori.cbank[0, 360] : !ori.r
  %none = ori.undef : !ori.r128
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %none : !ori.r, !ori.r128)
^loop(%i: !ori.r, %s: !ori.r128):
  %a = ori.ldg <b128> [%q] : (!ori.r64) -> !ori.r128
  %b = ori.lds <b64> [%i] : (!ori.r) -> !ori.r64
  %t = ori.hmma <m16n8k16, from = f16, accumulator = f32> %a, %b, %s : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r128), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r128
}

// CHECK: stages: 8
ori.func @gemm_partial_0(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r128 target "sm_90" attributes {ori.knobs = {GemmPipelinerEnabled = true, GemmPipelinerPipelineDepthEnforceDeltaFull = -2}} {
  %n = ori.cbank[0, 360] : !ori.r
  %none = ori.undef : !ori.r128
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %none : !ori.r, !ori.r128)
^loop(%i: !ori.r, %s: !ori.r128):
  %a = ori.ldg <b128> [%q] : (!ori.r64) -> !ori.r128
  %v = ori.ldg <b32> [%q + 64] : (!ori.r64) -> !ori.r
  %b = ori.lds <b64> [%v] : (!ori.r) -> !ori.r64
  %t = ori.hmma <m16n8k16, from = f16, accumulator = f32> %a, %b, %s : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r128), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r128
}

// CHECK: stages: 6
ori.func @gemm_partial_1(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r128 target "sm_90" attributes {ori.knobs = {GemmPipelinerEnabled = true, GemmPipelinerPipelineDepthEnforceDeltaPartial = -2}} {
  %n = ori.cbank[0, 360] : !ori.r
  %none = ori.undef : !ori.r128
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %none : !ori.r, !ori.r128)
^loop(%i: !ori.r, %s: !ori.r128):
  %a = ori.ldg <b128> [%q] : (!ori.r64) -> !ori.r128
  %v = ori.ldg <b32> [%q + 64] : (!ori.r64) -> !ori.r
  %b = ori.lds <b64> [%v] : (!ori.r) -> !ori.r64
  %t = ori.hmma <m16n8k16, from = f16, accumulator = f32> %a, %b, %s : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r128), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r128
}

// CHECK: stages: 7
ori.func @gemm_scoreboards_0(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r128 target "sm_90" attributes {ori.knobs = {GemmPipelinerEnabled = true, GemmPipelinerScoreboardHashPopbl = true}} {
  %n = ori.cbank[0, 360] : !ori.r
  %none = ori.undef : !ori.r128
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %none : !ori.r, !ori.r128)
^loop(%i: !ori.r, %s: !ori.r128):
  %a = ori.ldg <b128> [%q] : (!ori.r64) -> !ori.r128
  %b = ori.lds <b64> [%i] : (!ori.r) -> !ori.r64
  %t = ori.hmma <m16n8k16, from = f16, accumulator = f32> %a, %b, %s : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r128), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r128
}

// Each stage keeps six loaded registers more; a thread has 40.
// CHECK: stages: 8, copies: 8, registers: 55
ori.func @gemm_registers_0(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r128 target "sm_90" attributes {max_registers = 40 : i32, ori.knobs = {GemmPipelinerEnabled = true}} {
  %n = ori.cbank[0, 360] : !ori.r
  %none = ori.undef : !ori.r128
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %none : !ori.r, !ori.r128)
^loop(%i: !ori.r, %s: !ori.r128):
  %a = ori.ldg <b128> [%q] : (!ori.r64) -> !ori.r128
  %b = ori.lds <b64> [%i] : (!ori.r) -> !ori.r64
  %t = ori.hmma <m16n8k16, from = f16, accumulator = f32> %a, %b, %s : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r128), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r128
}

// CHECK: stages: 5, copies: 5, registers: 37
ori.func @gemm_registers_1(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r128 target "sm_90" attributes {max_registers = 40 : i32, ori.knobs = {GemmPipelinerEnabled = true, GemmPipelinerUseRegisterCalculation = 1}} {
  %n = ori.cbank[0, 360] : !ori.r
  %none = ori.undef : !ori.r128
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %none : !ori.r, !ori.r128)
^loop(%i: !ori.r, %s: !ori.r128):
  %a = ori.ldg <b128> [%q] : (!ori.r64) -> !ori.r128
  %b = ori.lds <b64> [%i] : (!ori.r) -> !ori.r64
  %t = ori.hmma <m16n8k16, from = f16, accumulator = f32> %a, %b, %s : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r128), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r128
}

// The first product reads only what comes from shared memory, unless it waits for the load of the other
// one too. Products are 24 cycles long, and the second waits for the first.
// CHECK: stages: 3,
ori.func @gemm_waits_0(%q: !ori.r64, %c: !ori.r128, %x: !ori.r, %p: !ori.p) -> !ori.r128 target "sm_90" attributes {ori.knobs = {GemmPipelinerEnabled = true, GemmPipelinerPipelineDepthEnforceDeltaFull = -6}} {
  %n = ori.cbank[0, 360] : !ori.r
  %none = ori.undef : !ori.r128
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %none : !ori.r, !ori.r128)
^loop(%i: !ori.r, %s: !ori.r128):
  %a = ori.ldg <b128> [%q] : (!ori.r64) -> !ori.r128
  %b = ori.lds <b64> [%i] : (!ori.r) -> !ori.r64
  %u = ori.hmma <m16n8k16, from = f16, accumulator = f32> %c, %b, %c : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %t = ori.hmma <m16n8k16, from = f16, accumulator = f32> %a, %b, %u : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r128), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r128
}

// CHECK: stages: 4,
ori.func @gemm_waits_1(%q: !ori.r64, %c: !ori.r128, %x: !ori.r, %p: !ori.p) -> !ori.r128 target "sm_90" attributes {ori.knobs = {GemmPipelinerEnabled = true, GemmPipelinerPipelineDepthEnforceDeltaFull = -6, GemmPipelinerDependenciesPopbl = true}} {
  %n = ori.cbank[0, 360] : !ori.r
  %none = ori.undef : !ori.r128
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %none : !ori.r, !ori.r128)
^loop(%i: !ori.r, %s: !ori.r128):
  %a = ori.ldg <b128> [%q] : (!ori.r64) -> !ori.r128
  %b = ori.lds <b64> [%i] : (!ori.r) -> !ori.r64
  %u = ori.hmma <m16n8k16, from = f16, accumulator = f32> %c, %b, %c : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %t = ori.hmma <m16n8k16, from = f16, accumulator = f32> %a, %b, %u : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r128), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r128
}
