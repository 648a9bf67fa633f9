// Signatures and iterators.
//
// RUN: orison-opt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{expected names for the arguments of a function body}}
nv_tileaa.func @unnamed(index) {
  nv_tileaa.return
}

// -----

// expected-error @+1 {{expected the number of stages}}
nv_tileaa.func private @f(!nv_tileas.iter<producer, -x>)

// -----

nv_tileaa.func @without_results() {
  // expected-error @+1 {{expected 1 or more results}}
  "nv_tileas.cancel_next_program_id"() : () -> ()
  nv_tileaa.return
}
