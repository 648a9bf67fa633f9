// RUN: orison-opt --split-input-file --verify-diagnostics %s

nv_tileaa.func @case0() {
  // expected-error @+1 {{expected 'producer' or 'consumer'}}
  %0 = nv_tileas.create_none : !nv_tileas.iter<reader>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case1() {
  // expected-error @+1 {{an iterator needs at least one stage}}
  %0 = nv_tileas.create_none : !nv_tileas.iter<producer, 0>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case2() {
  // expected-error @+1 {{the stride of an iterator must be positive}}
  %0 = nv_tileas.create_none : !nv_tileas.iter<producer, stride = 0>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case3() {
  // expected-error @+1 {{expected ',' and the memory space}}
  %0 = nv_tileas.create_none : !nv_tileas.tiled_view<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case4() {
  // expected-error @+1 {{expected a memory space: rmem, local, smem, gmem, tmem or constant}}
  %0 = nv_tileas.create_none : !nv_tileas.tiled_view<8xf16, disk>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case5() {
  // expected-error @+1 {{invalid element type of a view: 'tensor<4xf16>'}}
  %0 = nv_tileas.create_none : !nv_tileaa.memref<8xtensor<4xf16>>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case6() {
  // expected-error @+1 {{unknown type `thing` in dialect `nv_tileas`}}
  %0 = nv_tileas.create_none : !nv_tileas.thing
  nv_tileaa.return
}

// -----

nv_tileaa.func @case7() {
  // expected-error @+1 {{the name of an atom must not be empty}}
  %0 = nv_tileaa.create_mem_token {a = #nv_tileas.atom<"">}
  nv_tileaa.return
}

// -----

nv_tileaa.func @case8() {
  // expected-error @+1 {{the box of an atom must be an array of positive integers}}
  %0 = nv_tileaa.create_mem_token {a = #nv_tileas.atom<"tma_load", box = [0]>}
  nv_tileaa.return
}

// -----

nv_tileaa.func @case9() {
  // expected-error @+1 {{the box of an atom must be an array of positive integers}}
  %0 = nv_tileaa.create_mem_token {a = #nv_tileas.atom<"tma_load", box = "x">}
  nv_tileaa.return
}

// -----

nv_tileaa.func @case10() {
  // expected-error @+1 {{duplicate detail of an atom}}
  %0 = nv_tileaa.create_mem_token {a = #nv_tileas.atom<"tma_load", x = 1, x = 2>}
  nv_tileaa.return
}

// -----

nv_tileaa.func @case11() {
  // expected-error @+1 {{attribute 'nv_tileas.num-host-tmas' must be a non-negative i32}}
  %0 = nv_tileaa.create_mem_token {"nv_tileas.num-host-tmas" = -1 : i32}
  nv_tileaa.return
}
