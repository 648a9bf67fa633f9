// RUN: orison-opt %s --ori-rematerialize="floor=3 share=1" --mlir-pass-statistics 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=STATS --input-file=%t
// RUN: orison-opt %s --ori-rematerialize="floor=3 share=1000000" | FileCheck %s --check-prefix=SHARE
// RUN: orison-opt %s --ori-rematerialize | FileCheck %s --check-prefix=FLOOR
// RUN: orison-opt %s --ori-rematerialize="floor=3 share=1" --ori-allocate-registers --verify-each -o %t.mlir

// A copy for @moves, one for @address, two for @chain, two for @carry, of which both words are values.
// STATS: (S) 6 num-copies
// STATS: (S) 5 num-values

// Five registers live at the products: %p, both operands, and %c, which nothing reads there. Its load moves to where it is
// read: no more instructions are executed, so that it does not count among the copies that cost something.
// CHECK-LABEL: @moves
// CHECK-NOT: ori.ldc
// CHECK: ori.fmul
// CHECK: ^bb1:
// CHECK-NEXT: %[[C:.*]] = ori.ldc <b32, bank = 0> [528]
// CHECK-NEXT: ori.fadd %{{.*}}, %[[C]]
// SHARE-LABEL: @moves
// SHARE: ^bb1:
// SHARE-NEXT: ori.ldc
// Few registers are live.
// FLOOR-LABEL: @moves
// FLOOR: ori.ldc
// FLOOR: ori.fmul
// FLOOR: ^bb1:
// FLOOR-NEXT: ori.fadd
ori.func @moves(%p: !ori.r64, %q: !ori.p) -> !ori.r target "sm_90" {
  %c = ori.ldc <b32, bank = 0> [528] : !ori.r
  %a = ori.ldg <b32> [%p] : (!ori.r64) -> !ori.r
  %b = ori.ldg <b32> [%p + 4] : (!ori.r64) -> !ori.r
  %m = ori.fmul %a, %b : (!ori.r, !ori.r) -> !ori.r
  ori.cond_bra %q, ^bb1, ^bb2 : !ori.p
^bb1:
  %s = ori.fadd %m, %c : (!ori.r, !ori.r) -> !ori.r
  ori.ret %s : !ori.r
^bb2:
  ori.ret %m : !ori.r
}

// The sum is computed where the loop is left: its operand lives there anyway. In the loop itself, where it is read as
// well, that would cost an instruction of each iteration: more than what one of a million allows.
// CHECK-LABEL: @address
// CHECK-NOT: ori.iadd3
// CHECK: ori.ldg
// CHECK: ^bb2:
// CHECK-NEXT: %[[D:.*]] = ori.iadd3 %{{.*}}, %{{.*}}, %{{.*}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.iadd3 %{{.*}}, %[[D]], %{{.*}}
ori.func @address(%p: !ori.r64, %x: !ori.r, %n: !ori.r) -> !ori.r target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %d = ori.iadd3 %x, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^bb1(%zero, %zero : !ori.r, !ori.r)
^bb1(%i: !ori.r, %sum: !ori.r):
  %v = ori.ldg <b32> [%p] : (!ori.r64) -> !ori.r
  %next = ori.iadd3 %sum, %v, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %j = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %j, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^bb1(%j, %next : !ori.r, !ori.r), ^bb2 : !ori.p
^bb2:
  %r = ori.iadd3 %next, %d, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// What an operand is computed from is computed again, too: the index from the special register.
// CHECK-LABEL: @chain
// CHECK-NOT: ori.s2r
// CHECK: ori.fmul
// CHECK: ^bb1:
// CHECK-NEXT: %[[T:.*]] = ori.s2r <register = "SR_TID.X">
// CHECK-NEXT: %[[I:.*]] = ori.imad %[[T]],
// CHECK-NEXT: ori.iadd3 %{{.*}}, %[[I]],
ori.func @chain(%p: !ori.r64, %q: !ori.p) -> !ori.r target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %three = ori.imm 3 : !ori.r
  %t = ori.s2r <register = "SR_TID.X"> : !ori.r
  %i = ori.imad %t, %three, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %a = ori.ldg <b32> [%p] : (!ori.r64) -> !ori.r
  %b = ori.ldg <b32> [%p + 4] : (!ori.r64) -> !ori.r
  %m = ori.fmul %a, %b : (!ori.r, !ori.r) -> !ori.r
  ori.cond_bra %q, ^bb1, ^bb2 : !ori.p
^bb1:
  %s = ori.iadd3 %m, %i, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %s : !ori.r
^bb2:
  ori.ret %m : !ori.r
}

// The words of a sum of pairs: the carry comes with the low one, of which there is one copy.
// CHECK-LABEL: @carry
// CHECK-NOT: ori.iadd3
// CHECK: ori.fmul
// CHECK: ^bb1:
// CHECK-NEXT: %[[LOW:.*]]:2 = ori.iadd3 %arg1, %arg2,
// CHECK-NEXT: %[[HIGH:.*]] = ori.iadd3 <extended> %arg2, %arg1, {{.*}} carry(%[[LOW]]#1)
// CHECK-NEXT: %[[SUM:.*]] = ori.concat %[[LOW]]#0, %[[HIGH]]
// CHECK-NEXT: ori.stg <b32> [%[[SUM]]]
// CHECK-NOT: ori.iadd3
ori.func @carry(%p: !ori.r64, %x: !ori.r, %y: !ori.r, %q: !ori.p) -> !ori.r target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %low:2 = ori.iadd3 %x, %y, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  %high = ori.iadd3 <extended> %y, %x, %zero carry(%low#1) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %sum = ori.concat %low#0, %high : (!ori.r, !ori.r) -> !ori.r64
  %a = ori.ldg <b32> [%p] : (!ori.r64) -> !ori.r
  %b = ori.ldg <b32> [%p + 4] : (!ori.r64) -> !ori.r
  %m = ori.fmul %a, %b : (!ori.r, !ori.r) -> !ori.r
  ori.cond_bra %q, ^bb1, ^bb2 : !ori.p
^bb1:
  ori.stg <b32> [%sum], %m : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%sum + 4], %y : (!ori.r64, !ori.r) -> ()
  ori.ret %x : !ori.r
^bb2:
  ori.ret %y : !ori.r
}

// A load from memory is no cheap operation, and the operand of the sum is dead where the sum is used: both stay.
// CHECK-LABEL: @stays
// CHECK: ori.ldg
// CHECK: ori.iadd3
// CHECK: ori.fmul
// CHECK: ^bb1:
// CHECK-NEXT: ori.iadd3
// CHECK-NEXT: ori.ret
ori.func @stays(%p: !ori.r64, %x: !ori.r, %q: !ori.p) -> !ori.r target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %l = ori.ldg <b32> [%p + 8] : (!ori.r64) -> !ori.r
  %d = ori.iadd3 %x, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %a = ori.ldg <b32> [%p] : (!ori.r64) -> !ori.r
  %b = ori.ldg <b32> [%p + 4] : (!ori.r64) -> !ori.r
  %m = ori.fmul %a, %b : (!ori.r, !ori.r) -> !ori.r
  ori.cond_bra %q, ^bb1, ^bb2 : !ori.p
^bb1:
  %s = ori.iadd3 %m, %d, %l : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %s : !ori.r
^bb2:
  ori.ret %m : !ori.r
}
