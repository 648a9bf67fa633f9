// Operations on constants fold, bit for bit.
//
// RUN: orison-opt --ori-peephole %s | FileCheck %s
// RUN: orison-opt --canonicalize %s | FileCheck %s

// 0x7fffffff + 1 + 2, and the product of -3 and 7 plus 1.
// CHECK-LABEL: @integers
// CHECK-DAG: %[[A:.*]] = ori.imm -2147483646 : !ori.r
// CHECK-DAG: %[[B:.*]] = ori.imm -20 : !ori.r
// CHECK: ori.ret %[[A]], %[[B]]
ori.func @integers() -> (!ori.r, !ori.r) target "sm_80" {
  %max = ori.imm 2147483647 : !ori.r
  %one = ori.imm 1 : !ori.r
  %two = ori.imm 2 : !ori.r
  %three = ori.imm 3 : !ori.r
  %seven = ori.imm 7 : !ori.r
  %a = ori.iadd3 %max, %one, %two : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %b = ori.imad neg %three, %seven, %one : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %a, %b : !ori.r, !ori.r
}

// -1 is below 1 with a sign, and not without.
// CHECK-LABEL: @comparisons
// CHECK-DAG: %[[T:.*]] = ori.imm 1 : !ori.p
// CHECK-DAG: %[[F:.*]] = ori.imm 0 : !ori.p
// CHECK: ori.ret %[[T]], %[[F]]
ori.func @comparisons() -> (!ori.p, !ori.p) target "sm_80" {
  %minus = ori.imm -1 : !ori.r
  %one = ori.imm 1 : !ori.r
  %s = ori.isetp <lt, s32, and> %minus, %one : (!ori.r, !ori.r) -> !ori.p
  %u = ori.isetp <lt, u32, and> %minus, %one : (!ori.r, !ori.r) -> !ori.p
  ori.ret %s, %u : !ori.p, !ori.p
}

// 1.0 + 2^-24 is 1.0 to nearest, and the next float rounded up.
// CHECK-LABEL: @floats
// CHECK-DAG: %[[N:.*]] = ori.imm 1065353216 : !ori.r
// CHECK-DAG: %[[U:.*]] = ori.imm 1065353217 : !ori.r
// CHECK: ori.ret %[[N]], %[[U]]
ori.func @floats() -> (!ori.r, !ori.r) target "sm_80" {
  %one = ori.imm 1065353216 : !ori.r
  %small = ori.imm 864026624 : !ori.r
  %n = ori.fadd %one, %small : (!ori.r, !ori.r) -> !ori.r
  %u = ori.fadd <rp> %one, %small : (!ori.r, !ori.r) -> !ori.r
  ori.ret %n, %u : !ori.r, !ori.r
}

// 64 bits, and both results of one operation.
// CHECK-LABEL: @wide
// CHECK-DAG: %[[W:.*]] = ori.imm 4294967296 : !ori.r64
// CHECK-DAG: %[[S:.*]] = ori.imm 0 : !ori.r
// CHECK-DAG: %[[C:.*]] = ori.imm 1 : !ori.p
// CHECK: ori.ret %[[W]], %[[S]], %[[C]]
ori.func @wide() -> (!ori.r64, !ori.r, !ori.p) target "sm_80" {
  %half = ori.imm 65536 : !ori.r
  %zero = ori.imm 0 : !ori.r
  %zeros = ori.imm 0 : !ori.r64
  %ones = ori.imm -1 : !ori.r
  %one = ori.imm 1 : !ori.r
  %w = ori.imad_wide <u32> %half, %half, %zeros : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %s:2 = ori.iadd3 %ones, %one, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  ori.ret %w, %s#0, %s#1 : !ori.r64, !ori.r, !ori.p
}

// The machine approximates this function: nobody else computes it.
// CHECK-LABEL: @approximate
// CHECK: ori.mufu <rcp>
ori.func @approximate() -> !ori.r target "sm_80" {
  %two = ori.imm 1073741824 : !ori.r
  %r = ori.mufu <rcp> %two : (!ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// Where the guard does not hold the result is what `else` says.
// CHECK-LABEL: @guarded
// CHECK: %[[R:.*]] = ori.iadd3 {{.*}} if %arg0 else %arg1
// CHECK: ori.ret %[[R]]
ori.func @guarded(%p: !ori.p, %x: !ori.r) -> !ori.r target "sm_80" {
  %one = ori.imm 1 : !ori.r
  %r = ori.iadd3 %one, %one, %one if %p else %x : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// A guard that holds goes, one that does not leaves what `else` says: stores without one stay.
// CHECK-LABEL: @known_guards
// CHECK: %[[S:.*]] = ori.iadd3 %arg0, neg %arg1, %arg0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.stg {{.*}}, %[[S]]
// CHECK-NOT: if
// CHECK: ori.stg {{.*}} if %
// CHECK-NEXT: ori.ret %arg1 : !ori.r
ori.func @known_guards(%x: !ori.r, %y: !ori.r, %d: !ori.r64) -> !ori.r target "sm_80" {
  %true = ori.imm 1 : !ori.p
  %false = ori.imm 0 : !ori.p
  %s = ori.iadd3 %x, neg %y, %x if %true else %y : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.r) -> !ori.r
  ori.stg <b32, weak> [%d], %s if not %false : (!ori.r64, !ori.r, !ori.p) -> ()
  %t = ori.iadd3 %x, neg %y, %x if not %true else %y : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.r) -> !ori.r
  ori.stg <b32, weak> [%d], %t if %false : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.ret %t : !ori.r
}
