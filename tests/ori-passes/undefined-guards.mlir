// If-conversion of a branch within a branch, where the inner condition comes from a load of the outer
// arm: the inner condition is undefined in threads that do not take the outer arm, and so are guards
// and choices by it there. Nothing that is undefined reaches memory.
//
// RUN: orison-opt --ori-predication %s -o %t.mlir
// RUN: FileCheck %s <%t.mlir
// RUN: orison-opt --ori-predication --canonicalize --ori-gvn --ori-copy-propagation %s -o %t2.mlir
// RUN: orison-translate --run %S/undefined-guards.json %s
// RUN: orison-translate --run %S/undefined-guards.json %t.mlir
// RUN: orison-translate --run %S/undefined-guards.json %t2.mlir

// CHECK: %[[OUTER:.*]] = ori.isetp <lt, s32, and> %{{.*}}, %{{.*}} : (!ori.r, !ori.r) -> !ori.p
// CHECK-NEXT: %[[Y:.*]] = ori.ldg <b32> [%{{.*}}] if %[[OUTER]] : (!ori.r64, !ori.p) -> !ori.r
// CHECK-NEXT: %[[INNER:.*]] = ori.isetp <lt, s32, and> %[[Y]], %{{.*}} : (!ori.r, !ori.r) -> !ori.p
// A load is never executed under a guard that may be undefined.
// CHECK-NEXT: %[[BOTH:.*]] = ori.plop3 <lut = 192> %[[OUTER]], %[[INNER]], %[[OUTER]]
// CHECK-NEXT: %[[Z:.*]] = ori.ldg <b32> [%{{.*}}] if %[[BOTH]]
// CHECK-NEXT: %[[IS:.*]] = ori.isetp <lt, s32, and> %[[Z]]
// CHECK-NEXT: ori.sel %{{.*}}, %{{.*}}, %[[IS]] if %[[INNER]] else %
// CHECK-NOT: ori.cond_bra
ori.func kernel @k() target "sm_80" attributes {parameters = [
    {alignment = 8 : i32, name = "in", offset = 0 : i32, size = 8 : i32},
    {alignment = 8 : i32, name = "out", offset = 8 : i32, size = 8 : i32}]} {
  %in = ori.cbank [0, 352] : !ori.r64
  %out = ori.cbank [0, 360] : !ori.r64
  %t = ori.s2r <register = "SR_TID.X"> : !ori.r
  %zero = ori.imm 0 : !ori.r
  %two = ori.imm 2 : !ori.r
  %three = ori.imm 3 : !ori.r
  %four = ori.imm 4 : !ori.r
  %five = ori.imm 5 : !ori.r
  %nine = ori.imm 9 : !ori.r
  %eleven = ori.imm 11 : !ori.r
  %hundred = ori.imm 100 : !ori.r
  %from = ori.imad_wide <u32> %t, %four, %in : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %to = ori.imad_wide <u32> %t, %four, %out : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %x = ori.ldg [%from] : (!ori.r64) -> !ori.r
  %outer = ori.isetp <lt, s32> %x, %hundred : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %outer, ^small, ^large : !ori.p
^small:
  %y = ori.ldg [%from] : (!ori.r64) -> !ori.r
  %inner = ori.isetp <lt, s32> %y, %eleven : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %inner, ^smaller, ^sum(%five : !ori.r) : !ori.p
^smaller:
  %z = ori.ldg [%from] : (!ori.r64) -> !ori.r
  %is = ori.isetp <lt, s32> %z, %three : (!ori.r, !ori.r) -> !ori.p
  %chosen = ori.sel %nine, %two, %is : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.bra ^sum(%chosen : !ori.r)
^sum(%v: !ori.r):
  %added = ori.iadd3 %y, %v, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^end(%added : !ori.r)
^large:
  %square = ori.imad %x, %x, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^end(%square : !ori.r)
^end(%r: !ori.r):
  ori.stg [%to], %r : (!ori.r64, !ori.r) -> ()
  ori.exit
}
