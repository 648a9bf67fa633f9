// RUN: orison-opt --split-input-file "--tileas-generate-schedule=strategy=joint" --tileas-verify-schedule --remarks=text %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: orison-opt --split-input-file "--tileas-generate-schedule=strategy=joint joint-split=false" %s | FileCheck %s --check-prefix=WHOLE
// RUN: orison-opt --split-input-file "--tileas-generate-schedule=strategy=joint joint-warps=12" %s | FileCheck %s --check-prefix=WARPS
// RUN: orison-opt --split-input-file "--tileas-generate-schedule=strategy=joint" --tileas-materialize-schedule --tileas-verify-pipelines %s | FileCheck %s --check-prefix=AGENTS
// RUN: orison-opt --split-input-file "--tileas-generate-schedule=joint-warps=12" %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=IDLE

// The sum takes 128 registers of each thread of four warps: one compute agent suffices, and nothing is
// divided. It executes only the product, and has the most registers that a thread can have.
// REMARK: chose the agents load 4x40, mma 4x240; passed-bytes=0
// REMARK: scheduled 3 operations at II 512 in 2 stages
// CHECK-LABEL: @one_agent
// CHECK-NOT: nv_tile.aws.agent =
// CHECK: nv_tile.aws.agents = [{registers = 40 : i32, role = "load", warps = 4 : i32}, {registers = 240 : i32, role = "mma", warps = 4 : i32}]
// AGENTS-LABEL: @one_agent
// AGENTS: max_regs = array<i32: 40, 240>
// IDLE: warning: option 'joint-work', 'joint-warps' and 'joint-split' have no effect unless the strategy is 'joint'
nv_tileaa.func @one_agent(%A: !nv_tileaa.memref<?x?xf16>, %B: !nv_tileaa.memref<?x?xf16>, %D: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {computeCapability = 90 : i32, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %t = nv_tileaa.create_mem_token
  %As = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %Bs = nv_tileaa.block_tile %B : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %Ds = nv_tileaa.block_tile %D : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x128xf32, gmem>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
    %a, %ta = nv_tileas.tiled_load %As[%c0, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %Bs[%c0, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %b, %acc {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %done = nv_tileas.tiled_store %sum, %Ds[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.tiled_view<128x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A sum of 256 rows takes 256 registers: two compute agents have one half each, with the tiles of B in
// common, as the kernel has no warps for one agent of eight. What follows the loop belongs to the agent
// of its half.
// REMARK: Passed split-m: divided the rows of the loop's tiles; parts=2
// REMARK: chose the agents load 4x40, mma 4x232, mma 4x232; passed-bytes=0
// CHECK-LABEL: @two_halves
// CHECK-COUNT-2: nv_tileas.tiled_load {{.*}}nv_tile.aws.agent = 0 : i32{{.*}} -> tensor<128x64xf16>
// CHECK: nv_tileas.tiled_load {{.*}}nv_tile.aws.agent = 0 : i32{{.*}} -> tensor<128x64xf16>
// CHECK: nv_tileas.dot {{.*}}nv_tile.aws.agent = 1 : i32
// CHECK: nv_tileas.dot {{.*}}nv_tile.aws.agent = 2 : i32
// CHECK: tileas.schedule = {generator = "{{.*}}", ii = 1024 : i32, {{.*}}proven = true
// CHECK: nv_tileas.tiled_store {{.*}}nv_tile.aws.agent = 1 : i32
// CHECK: nv_tileas.tiled_store {{.*}}nv_tile.aws.agent = 2 : i32
// AGENTS-LABEL: @two_halves
// AGENTS: numConsumers = 2 : i32
// AGENTS: max_regs = array<i32: 40, 232, 232>{{.*}}num_warps = array<i32: 4, 4, 4>
//
// Without the division no agent of four warps has enough registers.
// WHOLE-LABEL: @two_halves
// WHOLE-NOT: nv_tile.aws.agents
// WHOLE-LABEL: @too_few_warps
nv_tileaa.func @two_halves(%A: !nv_tileaa.memref<?x?xf16>, %B: !nv_tileaa.memref<?x?xf16>, %D: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {computeCapability = 90 : i32, numWarps = 12 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<256x128xf32>
  %t = nv_tileaa.create_mem_token
  %As = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<256x64xf16, gmem>
  %Bs = nv_tileaa.block_tile %B : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %Ds = nv_tileaa.block_tile %D : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<256x128xf32, gmem>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<256x128xf32>) {
    %a, %ta = nv_tileas.tiled_load %As[%c0, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [256, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<256x64xf16, gmem> -> tensor<256x64xf16>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %Bs[%c0, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %b, %acc {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">} : tensor<256x64xf16>, tensor<128x64xf16>, tensor<256x128xf32> -> tensor<256x128xf32>
    scf.yield %d : tensor<256x128xf32>
  }
  %done = nv_tileas.tiled_store %sum, %Ds[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<256x128xf32>, !nv_tileaa.tiled_view<256x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Eight warps are too few for two compute agents, and 256 registers for the sum, with 24 for addresses,
// are more than a thread can have.
// REMARK: no agents: the tiles that an agent keeps need 280 registers of each thread, more than fit
// CHECK-LABEL: @too_few_warps
// CHECK-NOT: nv_tile.aws.agents
// With `joint-warps` the kernel gets the warps that its agents need.
// WARPS-LABEL: @too_few_warps
// WARPS-SAME: numWarps = 12 : i32
// WARPS: nv_tile.aws.agents
nv_tileaa.func @too_few_warps(%A: !nv_tileaa.memref<?x?xf16>, %D: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {computeCapability = 90 : i32, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<256x128xf32>
  %t = nv_tileaa.create_mem_token
  %As = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<256x64xf16, gmem>
  %Bs = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %Ds = nv_tileaa.block_tile %D : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<256x128xf32, gmem>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<256x128xf32>) {
    %a, %ta = nv_tileas.tiled_load %As[%c0, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [256, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<256x64xf16, gmem> -> tensor<256x64xf16>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %Bs[%c0, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %b, %acc {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">} : tensor<256x64xf16>, tensor<128x64xf16>, tensor<256x128xf32> -> tensor<256x128xf32>
    scf.yield %d : tensor<256x128xf32>
  }
  %done = nv_tileas.tiled_store %sum, %Ds[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<256x128xf32>, !nv_tileaa.tiled_view<256x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Agents that the loop lists are kept.
// REMARK: Missed agents: the loop lists agents
// CHECK-LABEL: @listed
// CHECK: nv_tile.aws.agents = [{role = "load"}, {role = "own"}]
nv_tileaa.func @listed(%A: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %t = nv_tileaa.create_mem_token
  %As = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %As[%c0, %k] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {nv_tile.aws.agents = [{role = "load"}, {role = "own"}]}
  nv_tileaa.return
}

// -----

// Two loops of one region would need the same agents: materialization divides them.
// REMARK: Missed agents: the agents would execute several scheduled loops
// REMARK: Missed agents: the agents would execute several scheduled loops
// A loop without loads has nothing for a load agent.
// REMARK: Missed agents: the loop has no loads for a load agent
// CHECK-LABEL: @several
// CHECK-NOT: nv_tile.aws.agents
nv_tileaa.func @several(%A: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %t = nv_tileaa.create_mem_token
  %As = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %first = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %As[%c0, %k] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %second = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %first) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %As[%c1, %k] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return
}
nv_tileaa.func @no_loads(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = arith.constant dense<1.0> : tensor<64x64xf16>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return
}
