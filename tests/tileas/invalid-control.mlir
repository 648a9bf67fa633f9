// RUN: orison-opt --split-input-file --verify-diagnostics %s

nv_tileaa.func @case0(%x: f32) {
  // expected-error @+1 {{expects its region to yield [f32], but got: []}}
  %0 = nv_tileas.pragma -> f32 {
    nv_tileas.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @case1(%x: f32) {
  // expected-error @+1 {{expects region argument types [], but got: [f32]}}
  nv_tileas.pragma {
  ^bb0(%y: f32):
    nv_tileas.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @case2() {
  // expected-error @+1 {{expects one to three coordinates, but got 0}}
  %0 = nv_tileas.cancel_next_program_id : i1
  nv_tileaa.return
}

// -----

nv_tileaa.func @case3() {
  // expected-error @+1 {{expects one to three coordinates, but got 4}}
  %0:5 = nv_tileas.cancel_next_program_id : i1, index, index, index, index
  nv_tileaa.return
}

// -----

nv_tileaa.func @case4() {
  // expected-error @+1 {{result #0 must be 1-bit signless integer, but got 'i8'}}
  %0:2 = nv_tileas.cancel_next_program_id : i8, index
  nv_tileaa.return
}
