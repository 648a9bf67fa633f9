// Atomic operations of a warp on one address: phase 44.
//
// RUN: orison-opt --ori-optimize-uniform-atomic --remarks=text %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s <%t.remarks
// RUN: orison-opt --ori-optimize-uniform-atomic='knobs=OptimizeUniformAtomicMode=0' %s | FileCheck --check-prefix=OFF %s

// CHECK-LABEL: ori.func kernel @elect(
// CHECK: %[[TID:.*]] = ori.s2r
// CHECK: %[[SUM:.*]] = ori.redux <sum> %[[TID]] : (!ori.r) -> !ori.ur
// CHECK: %[[WORD:.*]] = ori.mov %[[SUM]]
// CHECK: %[[ONE:.*]] = ori.elect : !ori.p
// CHECK: ori.redg <add, u32> [%{{.*}}], %[[WORD]] if %[[ONE]]
// OFF-LABEL: ori.func kernel @elect(
// OFF-NOT: ori.redux
// OFF: ori.func kernel @lane(
ori.func kernel @elect() target "sm_90a" {
  %p = ori.cbank[0, 528] : !ori.r64
  %tid = ori.s2r <register = "SR_TID.X"> : !ori.r
  ori.redg <add, u32> [%p], %tid : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// Without ELECT, the highest of the active lanes; minima are read with their sign. An old value that
// nobody looks at is none.
// CHECK-LABEL: ori.func kernel @lane(
// CHECK: %[[LEAST:.*]] = ori.redux <min, s32> %
// CHECK: %[[WORD:.*]] = ori.mov %[[LEAST]]
// CHECK: %[[ACTIVE:.*]] = ori.vote <any> %
// CHECK: %[[HIGHEST:.*]] = ori.flo <u32> %[[ACTIVE]]
// CHECK: %[[LANE:.*]] = ori.s2r <register = "SR_LANEID">
// CHECK: %[[IS:.*]] = ori.isetp <eq, u32, and> %[[LANE]], %[[HIGHEST]]
// CHECK: ori.atomg <min, s32> [%{{.*}}], %[[WORD]] if %[[IS]]
ori.func kernel @lane() target "sm_80" {
  %p = ori.cbank[0, 352] : !ori.r64
  %tid = ori.s2r <register = "SR_TID.X"> : !ori.r
  %old = ori.atomg <min, s32> [%p], %tid : (!ori.r64, !ori.r) -> !ori.r
  ori.exit
}

// Not combined: per-thread addresses, a used result, a guard, floats, exchanges, 64-bit values, old
// targets.
// REMARK: remark: [ori-optimize-uniform-atomic] Missed uniform-atomic: the address is not warp-uniform
// REMARK: remark: [ori-optimize-uniform-atomic] Missed uniform-atomic: the old value is used
// REMARK: remark: [ori-optimize-uniform-atomic] Missed uniform-atomic: the operation has a guard
// CHECK-LABEL: ori.func kernel @others(
// CHECK-NOT: ori.redux
// CHECK: ori.func kernel @old_machine(
// CHECK-NOT: ori.redux
// CHECK: ori.exit
ori.func kernel @others() target "sm_90a" {
  %p = ori.cbank[0, 528] : !ori.r64
  %four = ori.imm 4 : !ori.r
  %tid = ori.s2r <register = "SR_TID.X"> : !ori.r
  %own = ori.imad_wide <u32> %tid, %four, %p : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %c = ori.isetp <lt, s32, and> %tid, %four : (!ori.r, !ori.r) -> !ori.p
  ori.redg <add, u32> [%own], %tid : (!ori.r64, !ori.r) -> ()
  %old = ori.atomg <add, u32> [%p], %tid : (!ori.r64, !ori.r) -> !ori.r
  ori.redg <add, u32> [%p], %old if %c : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.redg <add, f32> [%p], %tid : (!ori.r64, !ori.r) -> ()
  ori.redg <add, u64> [%p + 8], %p : (!ori.r64, !ori.r64) -> ()
  %was = ori.atomg <exch, b32> [%p], %tid : (!ori.r64, !ori.r) -> !ori.r
  ori.exit
}

ori.func kernel @old_machine() target "sm_75" {
  %p = ori.cbank[0, 352] : !ori.r64
  %tid = ori.s2r <register = "SR_TID.X"> : !ori.r
  ori.redg <add, u32> [%p], %tid : (!ori.r64, !ori.r) -> ()
  ori.exit
}
