//! Code around scheduled loops, materialized by every driver, keeps its behaviour in many orders.

use orison_interpret::tile::kernel::{Argument, Launch};

use crate::harness::Program;

/// Functions by name: two inputs, an output, and a number of iterations.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "persistent",
        r#"nv_tileaa.func @persistent(%a_memory: !nv_tileaa.memref<?x?xf32>, %b_memory: !nv_tileaa.memref<?x?xf32>, %d_memory: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %t = nv_tileaa.create_mem_token
  %A = nv_tileaa.block_tile %a_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %B = nv_tileaa.block_tile %b_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %D = nv_tileaa.block_tile %d_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  scf.for %j = %c0 to %n step %c1 {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf32>) {
      %a, %ta = nv_tileas.tiled_load %A[%j, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
      %b, %tb = nv_tileas.tiled_load %B[%c0, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
      %s = nv_tileas.dot %a, %b, %acc {atom = #nv_tileas.atom<"mma_m16n8k8">} : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %s : tensor<16x16xf32>
    }
    %z = nv_tileas.tiled_store %sum, %D[%j, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
"#,
    ),
    (
        "dual",
        r#"nv_tileaa.func @dual(%a_memory: !nv_tileaa.memref<?x?xf32>, %b_memory: !nv_tileaa.memref<?x?xf32>, %d_memory: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 12 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %t = nv_tileaa.create_mem_token
  %A = nv_tileaa.block_tile %a_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %B = nv_tileaa.block_tile %b_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %D = nv_tileaa.block_tile %d_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  scf.for %j = %c0 to %n step %c1 {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf32>) {
      %a, %ta = nv_tileas.tiled_load %A[%j, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
      %b, %tb = nv_tileas.tiled_load %B[%c0, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
      %s = nv_tileas.dot %a, %b, %acc {atom = #nv_tileas.atom<"mma_m16n8k8">} : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %s : tensor<16x16xf32>
    }
    %z = nv_tileas.tiled_store %sum, %D[%j, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
"#,
    ),
    (
        "map_dual",
        r#"nv_tileaa.func @map_dual(%a_memory: !nv_tileaa.memref<?x?xf32>, %b_memory: !nv_tileaa.memref<?x?xf32>, %d_memory: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 16 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %t = nv_tileaa.create_mem_token
  %A = nv_tileaa.block_tile %a_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %B = nv_tileaa.block_tile %b_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %D = nv_tileaa.block_tile %d_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  scf.for %j = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %A[%j, %c0] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %s = arith.addf %a, %a : tensor<16x16xf32>
    %z = nv_tileas.tiled_store %s, %D[%j, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
"#,
    ),
    (
        "store_between",
        r#"nv_tileaa.func @store_between(%a_memory: !nv_tileaa.memref<?x?xf32>, %b_memory: !nv_tileaa.memref<?x?xf32>, %d_memory: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %t = nv_tileaa.create_mem_token
  %A = nv_tileaa.block_tile %a_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %B = nv_tileaa.block_tile %b_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %D = nv_tileaa.block_tile %d_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %j = arith.addi %c0, %c1 : index
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf32>) {
    %a, %ta = nv_tileas.tiled_load %A[%j, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %B[%c0, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %s = nv_tileas.dot %a, %b, %acc {atom = #nv_tileas.atom<"mma_m16n8k8">} : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %s : tensor<16x16xf32>
  }
  %w = nv_tileas.tiled_store %sum, %D[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
  %sum2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc2 = %zero) -> (tensor<16x16xf32>) {
    %x, %tx = nv_tileas.tiled_load %D[%c0, %c0] token %w : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %y, %ty = nv_tileas.tiled_load %A[%c1, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %u = arith.addf %x, %y : tensor<16x16xf32>
    %s2 = arith.addf %acc2, %u : tensor<16x16xf32>
    scf.yield %s2 : tensor<16x16xf32>
  }
  %v = nv_tileas.tiled_store %sum2, %D[%c1, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
"#,
    ),
    (
        "outer_chain",
        r#"nv_tileaa.func @outer_chain(%a_memory: !nv_tileaa.memref<?x?xf32>, %b_memory: !nv_tileaa.memref<?x?xf32>, %d_memory: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 12 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %t = nv_tileaa.create_mem_token
  %A = nv_tileaa.block_tile %a_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %B = nv_tileaa.block_tile %b_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %D = nv_tileaa.block_tile %d_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %last = scf.for %j = %c0 to %n step %c1 iter_args(%tok = %t) -> (!nv_tileaa.mem_token) {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf32>) {
      %a, %ta = nv_tileas.tiled_load %D[%j, %k] token %tok : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
      %s = arith.addf %acc, %a : tensor<16x16xf32>
      scf.yield %s : tensor<16x16xf32>
    }
    %jn = arith.addi %j, %c1 : index
    %jm = arith.remui %jn, %n : index
    %w = nv_tileas.tiled_store %sum, %D[%jm, %c0] token %tok : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
    scf.yield %w : !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
"#,
    ),
    (
        "branch",
        r#"nv_tileaa.func @branch(%a_memory: !nv_tileaa.memref<?x?xf32>, %b_memory: !nv_tileaa.memref<?x?xf32>, %d_memory: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %t = nv_tileaa.create_mem_token
  %A = nv_tileaa.block_tile %a_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %B = nv_tileaa.block_tile %b_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %D = nv_tileaa.block_tile %d_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%x = %zero) -> (tensor<16x16xf32>) {
    %m = arith.remui %j, %c2 : index
    %even = arith.cmpi eq, %m, %c0 : index
    %y = scf.if %even -> (tensor<16x16xf32>) {
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf32>) {
        %a, %ta = nv_tileas.tiled_load %A[%j, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
        %b, %tb = nv_tileas.tiled_load %B[%c0, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
        %s = nv_tileas.dot %a, %b, %acc {atom = #nv_tileas.atom<"mma_m16n8k8">} : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
        scf.yield %s : tensor<16x16xf32>
      }
      scf.yield %sum : tensor<16x16xf32>
    } else {
      scf.yield %x : tensor<16x16xf32>
    }
    scf.yield %y : tensor<16x16xf32>
  }
  %z = nv_tileas.tiled_store %r, %D[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
"#,
    ),
    (
        "in_place",
        r#"nv_tileaa.func @in_place(%a_memory: !nv_tileaa.memref<?x?xf32>, %b_memory: !nv_tileaa.memref<?x?xf32>, %d_memory: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %t = nv_tileaa.create_mem_token
  %A = nv_tileaa.block_tile %a_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %B = nv_tileaa.block_tile %b_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %D = nv_tileaa.block_tile %d_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%tok = %t) -> (!nv_tileaa.mem_token) {
    %a, %ta = nv_tileas.tiled_load %D[%c0, %c0] token %tok : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %A[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %s = arith.addf %a, %b : tensor<16x16xf32>
    %w = nv_tileas.tiled_store %s, %D[%c0, %c0] token %ta : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
    scf.yield %w : !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
"#,
    ),
    (
        "same_iteration",
        r#"nv_tileaa.func @same_iteration(%a_memory: !nv_tileaa.memref<?x?xf32>, %b_memory: !nv_tileaa.memref<?x?xf32>, %d_memory: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %t = nv_tileaa.create_mem_token
  %A = nv_tileaa.block_tile %a_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %B = nv_tileaa.block_tile %b_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %D = nv_tileaa.block_tile %d_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %A[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %w = nv_tileas.tiled_store %a, %B[%c0, %i] token %ta : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %B[%c0, %i] token %w : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %s = arith.addf %a, %b : tensor<16x16xf32>
    %z = nv_tileas.tiled_store %s, %D[%c0, %i] token %tb : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
"#,
    ),
    (
        "mixed",
        r#"nv_tileaa.func @mixed(%a_memory: !nv_tileaa.memref<?x?xf32>, %b_memory: !nv_tileaa.memref<?x?xf32>, %d_memory: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %t = nv_tileaa.create_mem_token
  %A = nv_tileaa.block_tile %a_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %B = nv_tileaa.block_tile %b_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %D = nv_tileaa.block_tile %d_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (tensor<16x16xf32>) {
    %a, %ta = nv_tileas.tiled_load %A[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %B[%i, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %s = arith.addf %a, %b : tensor<16x16xf32>
    %x2 = arith.addf %x, %s : tensor<16x16xf32>
    scf.yield %x2 : tensor<16x16xf32>
  }
  %z = nv_tileas.tiled_store %r, %D[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
"#,
    ),
    (
        "carried_tile",
        r#"nv_tileaa.func @carried_tile(%a_memory: !nv_tileaa.memref<?x?xf32>, %b_memory: !nv_tileaa.memref<?x?xf32>, %d_memory: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %t = nv_tileaa.create_mem_token
  %A = nv_tileaa.block_tile %a_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %B = nv_tileaa.block_tile %b_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %D = nv_tileaa.block_tile %d_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero, %old = %zero) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
    %a, %ta = nv_tileas.tiled_load %A[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %s = arith.addf %x, %old : tensor<16x16xf32>
    scf.yield %s, %a : tensor<16x16xf32>, tensor<16x16xf32>
  }
  %z = nv_tileas.tiled_store %r#0, %D[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
  %z2 = nv_tileas.tiled_store %r#1, %D[%c1, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
"#,
    ),
    (
        "acquire",
        r#"nv_tileaa.func @acquire(%a_memory: !nv_tileaa.memref<?x?xf32>, %b_memory: !nv_tileaa.memref<?x?xf32>, %d_memory: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %t = nv_tileaa.create_mem_token
  %A = nv_tileaa.block_tile %a_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %B = nv_tileaa.block_tile %b_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %D = nv_tileaa.block_tile %d_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (tensor<16x16xf32>) {
    %f, %tf = nv_tileas.tiled_load %B[%c0, %i] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, mem_semantic = "acquire", mem_scope = "gpu"} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %a, %ta = nv_tileas.tiled_load %A[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %s = arith.addf %a, %f : tensor<16x16xf32>
    %x2 = arith.addf %x, %s : tensor<16x16xf32>
    scf.yield %x2 : tensor<16x16xf32>
  }
  %z = nv_tileas.tiled_store %r, %D[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
"#,
    ),
    (
        "carried_coordinate",
        r#"nv_tileaa.func @carried_coordinate(%a_memory: !nv_tileaa.memref<?x?xf32>, %b_memory: !nv_tileaa.memref<?x?xf32>, %d_memory: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %t = nv_tileaa.create_mem_token
  %A = nv_tileaa.block_tile %a_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %B = nv_tileaa.block_tile %b_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %D = nv_tileaa.block_tile %d_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0, %x = %zero) -> (index, tensor<16x16xf32>) {
    %a, %ta = nv_tileas.tiled_load %A[%c0, %at] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %x2 = arith.addf %x, %a : tensor<16x16xf32>
    %n1 = arith.addi %at, %c1 : index
    %n2 = arith.remui %n1, %c2 : index
    scf.yield %n2, %x2 : index, tensor<16x16xf32>
  }
  %z = nv_tileas.tiled_store %r#1, %D[%r#0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
"#,
    ),
    (
        "token_chain",
        r#"nv_tileaa.func @token_chain(%a_memory: !nv_tileaa.memref<?x?xf32>, %b_memory: !nv_tileaa.memref<?x?xf32>, %d_memory: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %t = nv_tileaa.create_mem_token
  %A = nv_tileaa.block_tile %a_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %B = nv_tileaa.block_tile %b_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %D = nv_tileaa.block_tile %d_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %A[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %B[%c0, %i] token %ta : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %s = arith.addf %a, %b : tensor<16x16xf32>
    %z = nv_tileas.tiled_store %s, %D[%c0, %i] token %tb : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
    %z2 = nv_tileas.tiled_store %a, %D[%c1, %i] token %z : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
"#,
    ),
    (
        "two_readers",
        r#"nv_tileaa.func @two_readers(%a_memory: !nv_tileaa.memref<?x?xf32>, %b_memory: !nv_tileaa.memref<?x?xf32>, %d_memory: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %t = nv_tileaa.create_mem_token
  %A = nv_tileaa.block_tile %a_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %B = nv_tileaa.block_tile %b_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %D = nv_tileaa.block_tile %d_memory : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (tensor<16x16xf32>) {
    %a, %ta = nv_tileas.tiled_load %A[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %B[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %c, %tc = nv_tileas.tiled_load %A[%c1, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x16xf32, gmem> -> tensor<16x16xf32>, !nv_tileaa.mem_token
    %s = arith.addf %a, %b : tensor<16x16xf32>
    %q = arith.mulf %s, %c : tensor<16x16xf32>
    %q2 = arith.addf %q, %a : tensor<16x16xf32>
    %z = nv_tileas.tiled_store %q2, %D[%c0, %i] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
    %x2 = arith.addf %x, %c : tensor<16x16xf32>
    scf.yield %x2 : tensor<16x16xf32>
  }
  %zz = nv_tileas.tiled_store %r, %D[%c1, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
"#,
    ),
];

/// Passes after the generation of schedules.
const DRIVERS: &[&str] = &[
    "tileas-materialize-schedule",
    "tileas-materialize-schedule{depth=4}",
    "tileas-assign-buffers,tileas-materialize-schedule",
    "tileas-materialize-schedule{use-aus=true}",
    "tileas-materialize-schedule{use-aus=true unspecialized-pipeline-num-stages=2}",
];
/// Fewer iterations than stages, as many, and more.
const ITERATIONS: [i64; 4] = [0, 1, 2, 5];
/// Orders for each program, driver and number of iterations.
const RUNS: u64 = 25;

fn launch(iterations: i64) -> Launch {
    Launch {
        arguments: vec![None, None, None, Some(Argument::Number(iterations))],
        tiles: 5,
        ..Launch::default()
    }
}

/// Runs a program before and after a driver; returns the difference as text.
fn compare(name: &str, text: &str, iterations: i64, driver: &str) -> Result<(), String> {
    let launch = launch(iterations);
    let expected = Program::parse(name, text)?.run(name, &launch, 0)?;
    let pipeline =
        format!("builtin.module(tileas-generate-schedule,{driver},tileas-verify-pipelines)");
    let after = Program::parse(name, text)?.transformed(&pipeline)?;
    after.interleave(name, &launch, &expected, RUNS)?;
    Ok(())
}

#[test]
fn regions_do_what_they_did() {
    let mut failures = Vec::new();
    for (name, text) in PROGRAMS {
        for iterations in ITERATIONS {
            for driver in DRIVERS {
                if let Err(error) = compare(name, text, iterations, driver) {
                    failures.push(format!(
                        "{name}, {iterations} iterations, {driver}: {error}"
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The programs contain what their names state: agents, two compute agents, locks.
#[test]
fn regions_become_what_they_are_for() {
    let count = |name: &str, what: &str| {
        let (_, text) = PROGRAMS
            .iter()
            .find(|(known, _)| *known == name)
            .expect("a program");
        let pipeline = "builtin.module(tileas-generate-schedule,tileas-materialize-schedule)";
        let after = Program::parse(name, text).and_then(|p| p.transformed(pipeline));
        let text = after
            .unwrap_or_else(|error| panic!("{name}: {error}"))
            .text();
        text.matches(what).count()
    };
    for (name, _) in PROGRAMS {
        assert_eq!(count(name, "agent_switch"), 1, "{name}");
    }
    for name in ["dual", "map_dual"] {
        assert_eq!(count(name, "array<i32: 4, 4, 4>"), 1, "{name}");
    }
    for name in [
        "store_between",
        "outer_chain",
        "in_place",
        "same_iteration",
        "acquire",
    ] {
        assert_eq!(count(name, "kind = \"mutex\""), 1, "{name}");
    }
}
