// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Any unregistered operation may terminate a block; these regions require their own terminator.

nv_tileaa.func @stage(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<producer>) {
  // expected-error @+1 {{pipeline regions must end with 'nv_tileas.async.pipeline.yield'}}
  %0:2 = nv_tileas.async.pipeline.produce_one_async %p, %i payload [] : !nv_tileas.iter<producer> {
    "test.end"() : () -> ()
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @agent() {
  // expected-error @+1 {{pipeline regions must end with 'nv_tileas.async.pipeline.yield'}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32} {
    "test.end"() : () -> ()
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @reduction(%x: tensor<8xf32>) {
  // expected-error @+1 {{expects its region to end with 'nv_tileas.yield'}}
  %0 = nv_tileas.reduce %x axis 0 : tensor<8xf32> -> f32 {
  ^bb0(%l: f32, %r: f32):
    "test.end"() : () -> ()
  }
  nv_tileaa.return
}
