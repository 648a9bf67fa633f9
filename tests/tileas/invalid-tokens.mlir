// RUN: orison-opt --split-input-file --verify-diagnostics %s

nv_tileaa.func @wait(%t: !nv_tileaa.mem_token) {
  // expected-error @+1 {{operand #0 must be async token, but got '!nv_tileaa.mem_token'}}
  "nv_tileas.async.wait"(%t) : (!nv_tileaa.mem_token) -> ()
  nv_tileaa.return
}

// -----

nv_tileaa.func @to_async(%t: !nv_tileas.async_token) {
  // expected-error @+1 {{operand #0 must be memory-order token, but got '!nv_tileas.async_token'}}
  %0 = "nv_tileas.async.token_to_async"(%t) : (!nv_tileas.async_token) -> !nv_tileas.async_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @none() {
  // expected-error @+1 {{result #0 must be token, but got 'f32'}}
  %0 = nv_tileas.create_none : f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @null() {
  // expected-error @+1 {{result #0 must be producer or consumer token, but got '!nv_tileas.async_token'}}
  %0 = nv_tileas.async.pipeline.create_null_token : !nv_tileas.async_token
  nv_tileaa.return
}
