// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --tileas-generate-schedule --tileas-materialize-schedule %s

// Assignments to agents that mean nothing are errors at the operation.

// No loop lists agents.
nv_tileaa.func @no_list(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 16 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    // expected-error @below {{has 'nv_tile.aws.agent', but no scheduled loop of its region has 'nv_tile.aws.agents'}}
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">, nv_tile.aws.agent = 1 : i32} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Two agents are 0 and 1.
nv_tileaa.func @beyond(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 16 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    // expected-error @below {{attribute 'nv_tile.aws.agent' must be an i32 from 0 to 1, the last of 'nv_tile.aws.agents'}}
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">, nv_tile.aws.agent = 2 : i32} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {nv_tile.aws.agents = [{role = "load"}, {role = "mma"}]}
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @negative(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 16 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    // expected-error @below {{attribute 'nv_tile.aws.agent' must be an i32 from 0 to 1}}
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">, nv_tile.aws.agent = -1 : i32} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {nv_tile.aws.agents = [{role = "load"}, {role = "mma"}]}
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Not an i64.
nv_tileaa.func @wide(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 16 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    // expected-error @below {{attribute 'nv_tile.aws.agent' must be an i32 from 0 to 1}}
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">, nv_tile.aws.agent = 1 : i64} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {nv_tile.aws.agents = [{role = "load"}, {role = "mma"}]}
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// The list is an array of dictionaries with roles.
nv_tileaa.func @no_array(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 16 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  // expected-error @below {{attribute 'nv_tile.aws.agents' must be an array of 1 to 16 dictionaries}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {nv_tile.aws.agents = 2 : i32}
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @no_role(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 16 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  // expected-error @below {{attribute 'nv_tile.aws.agents' must be an array of dictionaries with a string 'role'}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {nv_tile.aws.agents = [{warps = 4 : i32}]}
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// setmaxnreg sets multiples of 8.
nv_tileaa.func @registers(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 16 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  // expected-error @below {{attribute 'nv_tile.aws.agents' must be an array of dictionaries whose 'registers' is an i32 from 24 to 240 in steps of 8}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {nv_tile.aws.agents = [{role = "load", registers = 41 : i32}, {role = "mma"}]}
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Somebody has to compute.
nv_tileaa.func @only_loads(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 16 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  // expected-error @below {{requires an agent in 'nv_tile.aws.agents' whose role is not 'load'}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {nv_tile.aws.agents = [{role = "load"}, {role = "load"}]}
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// One agent executes the branch as a whole.
nv_tileaa.func @nested(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 16 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %more = arith.cmpi slt, %i, %n : index
    // expected-note @below {{around it}}
    %d = scf.if %more -> (tensor<64x64xf32>) {
      // expected-error @below {{has 'nv_tile.aws.agent', but one agent executes the operation around it}}
      %e = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">, nv_tile.aws.agent = 1 : i32} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
      scf.yield %e : tensor<64x64xf32>
    } else {
      scf.yield %acc : tensor<64x64xf32>
    }
    scf.yield %d : tensor<64x64xf32>
  } {nv_tile.aws.agents = [{role = "load"}, {role = "mma"}]}
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A wait has an effect only in the agent that started the product.
nv_tileaa.func @torn(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 16 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    // expected-note @below {{it is started here}}
    %d, %product = nv_tileas.async.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">, nv_tile.aws.agent = 1 : i32} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    // expected-error @below {{waits for an asynchronous operation that another agent starts}}
    nv_tileas.async.wait %product {nv_tile.aws.agent = 2 : i32}
    scf.yield %d : tensor<64x64xf32>
  } {nv_tile.aws.agents = [{role = "load"}, {role = "mma"}, {role = "simt"}]}
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A sum in tensor memory is read by the agent that computes it.
nv_tileaa.func @tensor_memory(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {computeCapability = 100 : i32, numWarps = 16 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x128xf32, gmem>
  %empty = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<128x128xf32, tmem>
  // expected-error @below {{cannot pass a value of type '!nv_tileas.tiled_view<128x128xf32, tmem>' to another agent: copy it into registers in the agent that computes it}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %empty) -> (!nv_tileas.tiled_view<128x128xf32, tmem>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %add = arith.cmpi ne, %i, %c0 : index
    %d = nv_tileas.dot %a, %a, %acc if %add : i1 {atom = #nv_tileas.atom<"tcgen05_mma_m128n128k16_f32_f16_f16">, nv_tile.aws.agent = 1 : i32} : tensor<128x64xf16>, tensor<128x64xf16>, !nv_tileas.tiled_view<128x128xf32, tmem> -> !nv_tileas.tiled_view<128x128xf32, tmem>
    scf.yield %d : !nv_tileas.tiled_view<128x128xf32, tmem>
  } {nv_tile.aws.agents = [{role = "load"}, {role = "mma"}, {role = "epilogue"}]}
  %tile = nv_tileas.copy %r {atom = #nv_tileas.atom<"tcgen05_ld_32x32b_x128">, nv_tile.aws.agent = 2 : i32} : !nv_tileas.tiled_view<128x128xf32, tmem> -> tensor<128x128xf32>
  %done = nv_tileas.tiled_store %tile, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 2 : i32} : tensor<128x128xf32>, !nv_tileaa.tiled_view<128x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
