// Every operand is one that the instruction of the machine can have.
//
// RUN: orison-opt %s --ori-enforce-argument-restrictions | FileCheck %s

// A number is the second source of a sum; one at a time.
// CHECK-LABEL: @numbers(
// CHECK: %[[EIGHT:.*]] = ori.imm 8
// CHECK: ori.iadd3 %arg1, %[[EIGHT]], %arg0 :
// CHECK: %[[NINE:.*]] = ori.imm 9
// CHECK: %[[COPY:.*]] = ori.mov %[[NINE]]
// CHECK: ori.iadd3 {{.*}}%[[COPY]]
// A zero is a register.
// CHECK: %[[ZERO:.*]] = ori.imm 0
// CHECK-NEXT: ori.iadd3 %[[ZERO]], %arg0, %[[ZERO]]
ori.func @numbers(%a: !ori.r, %b: !ori.r) -> (!ori.r, !ori.r, !ori.r) target "sm_80" {
  %eight = ori.imm 8 : !ori.r
  %x = ori.iadd3 %eight, %b, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %nine = ori.imm 9 : !ori.r
  %y = ori.iadd3 %a, %eight, %nine : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %zero = ori.imm 0 : !ori.r
  %z = ori.iadd3 %zero, %a, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %x, %y, %z : !ori.r, !ori.r, !ori.r
}

// Exchanged operands: of a comparison, of a selection, of a function of bits. The table of
// a & ~b, 0x30, is 0x0c for b & ~a.
// CHECK-LABEL: @exchanged(
// CHECK: ori.isetp <gt, s32, and> %arg0, %[[SEVEN:.*]] :
// CHECK: ori.sel %arg0, %[[SEVEN]], not
// CHECK: ori.lop3 <lut = 12> %arg0, %[[SEVEN]], %{{.*}} :
// CHECK: ori.fsetp <geu, and> %arg0, %{{.*}} :
ori.func @exchanged(%a: !ori.r) -> (!ori.r, !ori.r, !ori.p) target "sm_80" {
  %seven = ori.imm 7 : !ori.r
  %p = ori.isetp <lt, s32> %seven, %a : (!ori.r, !ori.r) -> !ori.p
  %x = ori.sel %seven, %a, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %zero = ori.imm 0 : !ori.r
  %y = ori.lop3 <lut = 48> %seven, %a, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %one = ori.imm 1065353216 : !ori.r
  %q = ori.fsetp <leu> %one, %a : (!ori.r, !ori.r) -> !ori.p
  ori.ret %x, %y, %q : !ori.r, !ori.r, !ori.p
}

// A double whose low word is zero is a number of the instruction, another one is not.
// CHECK-LABEL: @doubles(
// CHECK: %[[HALF:.*]] = ori.imm 4602678819172646912
// CHECK: ori.dadd %arg0, %[[HALF]]
// CHECK: %[[TENTH:.*]] = ori.concat
// CHECK: ori.dadd %arg0, %[[TENTH]]
ori.func @doubles(%a: !ori.r64) -> (!ori.r64, !ori.r64) target "sm_80" {
  %half = ori.imm 4602678819172646912 : !ori.r64
  %x = ori.dadd %a, %half : (!ori.r64, !ori.r64) -> !ori.r64
  %tenth = ori.imm 4591870180066957722 : !ori.r64
  %y = ori.dadd %a, %tenth : (!ori.r64, !ori.r64) -> !ori.r64
  ori.ret %x, %y : !ori.r64, !ori.r64
}

// Constant banks are operands up to sm_89.
// CHECK-LABEL: @bank_80(
// CHECK: %[[N:.*]] = ori.cbank[0, 352]
// CHECK-NOT: ori.ldc
// CHECK: ori.iadd3 %arg0, %[[N]]
ori.func @bank_80(%a: !ori.r) -> !ori.r target "sm_80" {
  %n = ori.cbank[0, 352] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %x = ori.iadd3 %n, %a, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %x : !ori.r
}

// From sm_90 on they are loaded: into a uniform register where the instruction can have one.
// CHECK-LABEL: @bank_90(
// CHECK: %[[U:.*]] = ori.uldc <b32, bank = 0> [528]
// CHECK: ori.iadd3 %arg0, %[[U]], %arg1
// CHECK: ori.ldc <b32, bank = 0> [532]
// CHECK: ori.mufu
ori.func @bank_90(%a: !ori.r, %b: !ori.r) -> (!ori.r, !ori.r, !ori.p) target "sm_90" {
  %n = ori.cbank[0, 528] : !ori.r
  %x = ori.iadd3 %n, %a, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %m = ori.cbank[0, 532] : !ori.r
  %p = ori.fchk %m, %a : (!ori.r, !ori.r) -> !ori.p
  %y = ori.mufu <rcp> %a : (!ori.r) -> !ori.r
  ori.ret %x, %y, %p : !ori.r, !ori.r, !ori.p
}

// CHECK-LABEL: @bank_100(
// CHECK: ori.ldcu <b32, bank = 0> [896]
ori.func @bank_100(%a: !ori.r, %b: !ori.r) -> !ori.r target "sm_100" {
  %n = ori.cbank[0, 896] : !ori.r
  %x = ori.iadd3 %n, %a, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %x : !ori.r
}

// A uniform register where only those of threads can be; a uniform predicate as one of each thread.
// CHECK-LABEL: @uniform(
// CHECK: %[[COPY:.*]] = ori.mov %arg1
// CHECK: ori.shfl <idx> %[[COPY]]
// CHECK: %[[P:.*]] = ori.plop3 <lut = 128> {{.*}}, %arg2
// CHECK: ori.sel {{.*}}, %[[P]]
// CHECK: ori.iadd3 %arg0, %arg1, %arg0
ori.func @uniform(%a: !ori.r, %u: !ori.ur, %p: !ori.up) -> (!ori.r, !ori.r, !ori.r) target "sm_80" {
  %lane = ori.imm 3 : !ori.r
  %all = ori.imm 31 : !ori.r
  %x = ori.shfl <idx> %u, %lane, %all : (!ori.ur, !ori.r, !ori.r) -> !ori.r
  %y = ori.sel %a, %lane, %p : (!ori.r, !ori.r, !ori.up) -> !ori.r
  %z = ori.iadd3 %u, %a, %a : (!ori.ur, !ori.r, !ori.r) -> !ori.r
  ori.ret %x, %y, %z : !ori.r, !ori.r, !ori.r
}

// A number that several operations of a block need in a register is loaded once.
// CHECK-LABEL: @shared(
// CHECK-COUNT-1: ori.mov
// CHECK-NOT: ori.mov
ori.func @shared(%a: !ori.r64) target "sm_80" {
  %n = ori.imm 77 : !ori.r
  ori.stg <b32> [%a], %n : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%a + 4], %n : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// So is a number that is written several times.
// CHECK-LABEL: @same(
// CHECK-COUNT-1: ori.mov
// CHECK-NOT: ori.mov
ori.func @same(%a: !ori.r64) target "sm_80" {
  %n = ori.imm 77 : !ori.r
  %m = ori.imm 77 : !ori.r
  ori.stg <b32> [%a], %n : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%a + 4], %m : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// Of a number and a pair in a constant bank the number gets a register: the pair would need two. Words of it that are
// put together are the pair.
// CHECK-LABEL: @pair(
// CHECK-DAG: %[[FOUR:.*]] = ori.imm 4
// CHECK-DAG: %[[PAIR:.*]] = ori.cbank[0, 360] : !ori.r64
// CHECK: %[[COPY:.*]] = ori.mov %[[FOUR]]
// CHECK-NEXT: ori.imad_wide <u32> %arg0, %[[COPY]], %[[PAIR]]
// CHECK-NOT: ori.mov
ori.func @pair(%a: !ori.r) -> !ori.r64 target "sm_80" {
  %low = ori.cbank[0, 360] : !ori.r
  %high = ori.cbank[0, 364] : !ori.r
  %four = ori.imm 4 : !ori.r
  %pair = ori.concat %low, %high : (!ori.r, !ori.r) -> !ori.r64
  %x = ori.imad_wide <u32> %a, %four, %pair : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  ori.ret %x : !ori.r64
}

// Halves of a number and of a pair in a constant bank; a product with a zero addend has a register.
// CHECK-LABEL: @parts(
// CHECK: ori.cbank[0, 364]
// CHECK: ori.imm 1 : !ori.r
// CHECK-NOT: ori.extract
ori.func @parts(%a: !ori.r, %b: !ori.r) -> (!ori.r, !ori.r) target "sm_80" {
  %wide = ori.cbank[0, 360] : !ori.r64
  %high = ori.extract %wide[1] : (!ori.r64) -> !ori.r
  %number = ori.imm 4294967296 : !ori.r64
  %one = ori.extract %number[1] : (!ori.r64) -> !ori.r
  %x = ori.imad %a, %high, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.imad %a, %one, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %x, %y : !ori.r, !ori.r
}
