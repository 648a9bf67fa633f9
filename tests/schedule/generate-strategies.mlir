// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-verify-schedule --remarks=text %s 2>&1 | FileCheck %s --check-prefix=DEFAULT
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule='strategy=cost-based' --tileas-verify-schedule %s | FileCheck %s --check-prefix=COST
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule='strategy=fast' --tileas-verify-schedule %s | FileCheck %s --check-prefix=FAST
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule='strategy=none' --remarks=text %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule='serial-threshold=8' %s | FileCheck %s --check-prefix=THRESHOLD
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule='max-ii=9' --tileas-verify-schedule %s | FileCheck %s --check-prefix=LIMIT
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule='enable-random-delay random-seed=5' --tileas-verify-schedule %s | FileCheck %s --check-prefix=DELAY
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule='strategy=cost-based exact rrt-size-threshold=0 max-constraint-iterations=1' --tileas-verify-schedule %s | FileCheck %s --check-prefix=COST
// RUN: not orison-opt --allow-unregistered-dialect --tileas-generate-schedule='strategy=quick' %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// NONE-NOT: tileas.schedule =
// NONE: Missed modulo-schedule: the strategy is 'none'; choose another strategy
// UNKNOWN: option 'strategy': no such value 'quick'

// Two operations of 5 cycles share a slot, so II = 10. A limit of 9 leaves the serial generator,
// which needs 12 + 5 cycles. With fewer operations than the threshold of 8 it is chosen immediately.
// DEFAULT: Passed modulo-schedule: scheduled 2 operations at II 10 in 2 stages
// DEFAULT: generator=cost-based
// COST-LABEL: @shared_slot
// COST: generator = "cost-based", ii = 10 : i32
// COST-SAME: proven = true
// FAST-LABEL: @shared_slot
// FAST: generator = "cost-based", ii = 10 : i32
// THRESHOLD-LABEL: @shared_slot
// THRESHOLD: generator = "serial", ii = 17 : i32
// LIMIT-LABEL: @shared_slot
// LIMIT: generator = "serial", ii = 17 : i32
// DELAY-LABEL: @shared_slot
// DELAY: ii = {{1[0-9]}} : i32
func.func @shared_slot(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = "test.a"() {tileas.schedule.latency = 12 : i32, tileas.schedule.resources = [array<i32: 7, 5, 1>]} : () -> i32
    "test.b"(%a) {tileas.schedule.latency = 1 : i32, tileas.schedule.resources = [array<i32: 7, 5, 1>]} : (i32) -> ()
  }
  return
}

// -----

// Nothing in this loop is asynchronous: a load by threads, without TMA. By default it is serial.
// DEFAULT: generator=serial
// COST-LABEL: @synchronous
// COST: generator = "cost-based"
nv_tileaa.func @synchronous(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"ldg_128">, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// -----

// Before Hopper the default is serial.
// DEFAULT: generator=serial
// COST-LABEL: @ampere
// COST: generator = "cost-based"
nv_tileaa.func @ampere(%n: index) attributes {nv_tileaa.kernel_spec = {computeCapability = 80 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "test.a"() {tileas.schedule.latency = 12 : i32, tileas.schedule.resources = [array<i32: 7, 5, 1>]} : () -> ()
  }
  nv_tileaa.return
}
