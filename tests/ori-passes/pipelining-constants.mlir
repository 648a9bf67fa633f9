// Operations on constants in loops that are one block are folded: the twelve of ptxas's phase 24, and
// what is refused.
//
// RUN: orison-opt --ori-pipelining %s | FileCheck %s
// RUN: orison-opt --ori-pipelining="rules=page" --remarks=text %s -o /dev/null 2>&1 | FileCheck --check-prefix=PAGE %s

// An eighth of a turn.
// CHECK-LABEL: ori.func @cos(
// CHECK: ori.bra ^bb1
// CHECK-NOT: ori.mufu 
// CHECK: %[[Y:.*]] = ori.imm 1060439283 :
// CHECK: ori.stg {{.*}}, %[[Y]]
ori.func @cos(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %k = ori.imm 1040187392 : !ori.r
  %y = ori.mufu <cos> %k : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @sin(
// CHECK: ori.bra ^bb1
// CHECK-NOT: ori.mufu 
// CHECK: %[[Y:.*]] = ori.imm 1060439283 :
// CHECK: ori.stg {{.*}}, %[[Y]]
ori.func @sin(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %k = ori.imm 1040187392 : !ori.r
  %y = ori.mufu <sin> %k : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @exp2(
// CHECK: ori.bra ^bb1
// CHECK-NOT: ori.mufu 
// CHECK: %[[Y:.*]] = ori.imm 1068827891 :
// CHECK: ori.stg {{.*}}, %[[Y]]
ori.func @exp2(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %k = ori.imm 1056964608 : !ori.r
  %y = ori.mufu <ex2> %k : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @log2(
// CHECK: ori.bra ^bb1
// CHECK-NOT: ori.mufu 
// CHECK: %[[Y:.*]] = ori.imm 1070260237 :
// CHECK: ori.stg {{.*}}, %[[Y]]
ori.func @log2(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %k = ori.imm 1077936128 : !ori.r
  %y = ori.mufu <lg2> %k : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// No number.
// CHECK-LABEL: ori.func @log2_of_a_negative(
// CHECK: ori.bra ^bb1
// CHECK-NOT: ori.mufu 
// CHECK: %[[Y:.*]] = ori.imm 2147483647 :
// CHECK: ori.stg {{.*}}, %[[Y]]
ori.func @log2_of_a_negative(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %k = ori.imm -1082130432 : !ori.r
  %y = ori.mufu <lg2> %k : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @sqrt(
// CHECK: ori.bra ^bb1
// CHECK-NOT: ori.mufu 
// CHECK: %[[Y:.*]] = ori.imm 1068827891 :
// CHECK: ori.stg {{.*}}, %[[Y]]
ori.func @sqrt(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %k = ori.imm 1073741824 : !ori.r
  %y = ori.mufu <sqrt> %k : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @rsqrt(
// CHECK: ori.bra ^bb1
// CHECK-NOT: ori.mufu 
// CHECK: %[[Y:.*]] = ori.imm 1060439283 :
// CHECK: ori.stg {{.*}}, %[[Y]]
ori.func @rsqrt(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %k = ori.imm 1073741824 : !ori.r
  %y = ori.mufu <rsq> %k : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Infinity.
// CHECK-LABEL: ori.func @rsqrt_of_zero(
// CHECK: ori.bra ^bb1
// CHECK-NOT: ori.mufu 
// CHECK: %[[Y:.*]] = ori.imm 2139095040 :
// CHECK: ori.stg {{.*}}, %[[Y]]
ori.func @rsqrt_of_zero(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %k = ori.imm 0 : !ori.r
  %y = ori.mufu <rsq> %k : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @rcp(
// CHECK: ori.bra ^bb1
// CHECK-NOT: ori.mufu 
// CHECK: %[[Y:.*]] = ori.imm 1051372203 :
// CHECK: ori.stg {{.*}}, %[[Y]]
ori.func @rcp(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %k = ori.imm 1077936128 : !ori.r
  %y = ori.mufu <rcp> %k : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @rcp_of_minus_zero(
// CHECK: ori.bra ^bb1
// CHECK-NOT: ori.mufu 
// CHECK: %[[Y:.*]] = ori.imm -8388608 :
// CHECK: ori.stg {{.*}}, %[[Y]]
ori.func @rcp_of_minus_zero(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %k = ori.imm -2147483648 : !ori.r
  %y = ori.mufu <rcp> %k : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @ceil(
// CHECK: ori.bra ^bb1
// CHECK-NOT: ori.frnd 
// CHECK: %[[Y:.*]] = ori.imm -1082130432 :
// CHECK: ori.stg {{.*}}, %[[Y]]
ori.func @ceil(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %k = ori.imm -1077936128 : !ori.r
  %y = ori.frnd <from = f32, ceil> %k : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @floor(
// CHECK: ori.bra ^bb1
// CHECK-NOT: ori.frnd 
// CHECK: %[[Y:.*]] = ori.imm -1073741824 :
// CHECK: ori.stg {{.*}}, %[[Y]]
ori.func @floor(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %k = ori.imm -1077936128 : !ori.r
  %y = ori.frnd <from = f32, floor> %k : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @narrow(
// CHECK: ori.bra ^bb1
// CHECK-NOT: ori.f2f 
// CHECK: %[[Y:.*]] = ori.imm 1036831949 :
// CHECK: ori.stg {{.*}}, %[[Y]]
ori.func @narrow(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %k = ori.imm 4591870180066957722 : !ori.r64
  %y = ori.f2f <to = f32, from = f64, double> %k : (!ori.r64) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @move(
// CHECK: ori.bra ^bb1
// CHECK-NOT: ori.mov 
// CHECK: ori.imm 7 :
// CHECK: %[[Y:.*]] = ori.imm 7 :
// CHECK: ori.stg {{.*}}, %[[Y]]
ori.func @move(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %k = ori.imm 7 : !ori.r
  %y = ori.mov %k : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @sum_of_three(
// CHECK: ori.bra ^bb1
// CHECK-NOT: ori.iadd3 
// CHECK: %[[Y:.*]] = ori.imm 21 :
// CHECK: ori.stg {{.*}}, %[[Y]]
ori.func @sum_of_three(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %k = ori.imm 7 : !ori.r
  %y = ori.iadd3 %k, %k, %k : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Not one of the twelve.
// CHECK-LABEL: ori.func @tanh(
// CHECK: ori.mufu 
ori.func @tanh(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %k = ori.imm 1056964608 : !ori.r
  %y = ori.mufu <tanh> %k : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @varying(
// CHECK: ori.mufu 
ori.func @varying(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %k = ori.imm 1 : !ori.r
  %y = ori.mufu <rcp> %x : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// A guarded load has a register and a predicate as operands, which are of different latency classes.
// PAGE: Not pipelined: 'ori.ldg' has operands of different latency classes
ori.func @classes(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %v = ori.ldg <b32> [%q] if %p else %x : (!ori.r64, !ori.p, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}
