// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s --tileas-generate-schedule

// Unknown names are likely mistakes: a load with an unknown atom does not use TMA.

nv_tileaa.func @nothing_like_it(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    // expected-note @+2 {{names of known atoms start with atom, cp_async}}
    // expected-warning @+1 {{atom 'xyzzy' is not known; 'nv_tileas.tiled_load' is scheduled as if it had no atom}}
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"xyzzy">, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @misspelled(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning @+1 {{atom 'tma_laod_2d' is not known; did you mean one that starts with 'tma_load'?}}
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_laod_2d">, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// -----

// Keys too, on operations and in branches.
func.func @keys(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-warning @+1 {{attribute 'tileas.schedule.latncy' is not known; did you mean 'tileas.schedule.latency'?}}
    "test.op"() {tileas.schedule.latncy = 5 : i32, tileas.schedule.resources = []} : () -> ()
    scf.if %c {
      // expected-warning @+1 {{attribute 'tileas.unheard.of.before' is not known; no pass reads it}}
      "test.op"() {tileas.unheard.of.before, tileas.schedule.resources = []} : () -> ()
    }
  }
  return
}

// -----

// Attributes of other dialects are not checked.
func.func @others(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    "test.op"() {other.latency, tileas.recomputable, tileas.schedule.constraint.gid = 1 : i32, tileas.schedule.resources = []} : () -> ()
  }
  return
}

// -----

// There is no model for architectures before Hopper.
nv_tileaa.func @ampere(%n: index) attributes {nv_tileaa.kernel_spec = {computeCapability = 80 : i32}} {
  %c0 = arith.constant 0 : index
  // expected-warning @+1 {{no machine model for compute capability 80; using 'blackwell'}}
  scf.for %i = %c0 to %n step %n {
    "test.op"() {tileas.schedule.resources = []} : () -> ()
  }
  nv_tileaa.return
}
