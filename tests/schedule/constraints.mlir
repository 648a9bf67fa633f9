// RUN: orison-opt --allow-unregistered-dialect --tileas-generate-schedule --tileas-verify-schedule %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --tileas-generate-schedule='strategy=fast' --tileas-verify-schedule %s | FileCheck %s --check-prefix=GROUP
// RUN: orison-opt --allow-unregistered-dialect --tileas-generate-schedule --remarks=text -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=REMARK

// Slot 7 is held for 8 cycles by each of two operations, so II = 16. The reader may start from
// cycle 20 on, which is stage 1; the other member of its group, 6 under leader 5, is placed there too,
// although no other constraint excludes stage 0.
// CHECK-LABEL: @leader
// CHECK: "test.load"() {nv_tile.aws.order = {{[0-9]+}} : i32, nv_tile.aws.stage = 0 : i32
// CHECK: "test.read"(%{{.*}}) {{.*}}nv_tile.aws.stage = 1 : i32
// CHECK: "test.free"() {{.*}}nv_tile.aws.stage = 1 : i32
// CHECK: ii = 16 : i32
// CHECK-SAME: proven = true
// GROUP-LABEL: @leader
// GROUP: "test.read"(%{{.*}}) {{.*}}nv_tile.aws.stage = 1 : i32
// GROUP: "test.free"() {{.*}}nv_tile.aws.stage = 1 : i32
func.func @leader(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = "test.load"() {tileas.schedule.latency = 20 : i32, tileas.schedule.resources = [array<i32: 7, 8, 1>]} : () -> i32
    "test.read"(%t) {tileas.schedule.constraint.gid = 5 : i32, tileas.schedule.latency = 1 : i32, tileas.schedule.resources = [array<i32: 7, 8, 1>]} : (i32) -> ()
    "test.free"() {tileas.schedule.constraint.gid = 6 : i32, tileas.schedule.constraint.leader_gid = 5 : i32, tileas.schedule.latency = 1 : i32, tileas.schedule.resources = [array<i32: 9, 1, 1>]} : () -> ()
  }
  return
}

// Without the limit the chain of 30 cycles takes II = 10 (slot 7) and four stages. The last
// operation may not be deeper than stage 1. The second one starts at cycle 15, 16, ... and must not
// overlap the 5 cycles of the first: from cycle 15 on at II = 20, or later at II = 16 to 19, but then
// the last one is too late. The exact search shows that nothing below 20 works.
// CHECK-LABEL: @max_depth
// CHECK: "test.c"(%{{.*}}) {{.*}}nv_tile.aws.stage = 1 : i32{{.*}}tileas.schedule.cycle = 30 : i32
// CHECK: ii = 20 : i32
// CHECK-SAME: proven = true
func.func @max_depth(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = "test.a"() {tileas.schedule.latency = 15 : i32, tileas.schedule.resources = [array<i32: 7, 5, 1>]} : () -> i32
    %b = "test.b"(%a) {tileas.schedule.latency = 15 : i32, tileas.schedule.resources = [array<i32: 7, 5, 1>]} : (i32) -> i32
    "test.c"(%b) {tileas.schedule.constraint.max_depth = 1 : i32, tileas.schedule.latency = 1 : i32, tileas.schedule.resources = [array<i32: 9, 1, 1>]} : (i32) -> ()
  }
  return
}

// The keys of slicing and recomputation have no effect here; they are preserved.
// CHECK-LABEL: @recomputation
// CHECK: "test.a"() {{.*}}tileas.max_num_of_recomputations = 0 : i32, tileas.max_num_slices_for_non_reduce_axis = 4 : i32, tileas.preferred_atom_size = 64 : i32, tileas.recomputable
// CHECK: ii = 5 : i32
func.func @recomputation(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "test.a"() {tileas.enable_defusion_if_fusion_extending_liveness, tileas.max_num_of_recomputations = 0 : i32, tileas.max_num_slices_for_non_reduce_axis = 4 : i32, tileas.preferred_atom_size = 64 : i32, tileas.recomputable, tileas.schedule.latency = 1 : i32, tileas.schedule.resources = [array<i32: 7, 5, 1>]} : () -> ()
  }
  return
}

// A depth of 2 is beyond the first depth horizon: gate G2 rejects the operation once, and RETRY
// places it.
// REMARK: Analysis constraint-refinement: placements rejected by gates; {{.*}}G2-depth-horizon=1
// CHECK-LABEL: @horizon
func.func @horizon(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "test.a"() {tileas.schedule.constraint.max_depth = 2 : i32, tileas.schedule.latency = 1 : i32, tileas.schedule.resources = [array<i32: 7, 5, 1>]} : () -> ()
  }
  return
}
