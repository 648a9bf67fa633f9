// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-use-tensor-memory --remarks=text %s -o %t.mlir 2> %t.txt
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.txt
// RUN: orison-opt --allow-unregistered-dialect --split-input-file %t.mlir -o /dev/null

// A carried sum stays in its allocation: copied there before the loop, and to registers after it. The loop
// no longer carries it; the product adds in place.
//
// CHECK-LABEL: @carried
// CHECK: %[[SUM:.+]] = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<128x128xf32, tmem>
// CHECK: nv_tileas.copy %[[START:.+]] to %[[SUM]] {atom = #nv_tileas.atom<"tcgen05_st_32x32b_x128">}
// CHECK-NEXT: scf.for
// CHECK-NOT: iter_args
// CHECK: %[[DONE:.+]]:2 = nv_tileas.async.dot %{{.+}}, %{{.+}}, %[[SUM]] {atom
// CHECK-NEXT: nv_tileas.async.wait %[[DONE]]#1
// CHECK-NEXT: }
// CHECK-NEXT: %[[TILE:.+]] = nv_tileas.copy %[[SUM]] {atom = #nv_tileas.atom<"tcgen05_ld_32x32b_x128">}
// CHECK-NEXT: "test.use"(%[[TILE]])
// REMARK: Passed use-tensor-memory
nv_tileaa.func @carried(%a: tensor<128x64xf16>, %b: tensor<128x64xf16>, %start: tensor<128x128xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %start) -> (tensor<128x128xf32>) {
    %next = nv_tileas.dot %a, %b, %acc {atom = #nv_tileas.atom<"tcgen05_mma_m128n128k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  "test.use"(%sum) : (tensor<128x128xf32>) -> ()
  nv_tileaa.return
}

// -----

// A sum that starts from zero: the product overwrites the allocation, so nothing is copied there. Another
// product gets the left factor that the loop computes from an allocation of its own, with the columns of 16
// bits, and its sum is changed between two products.
//
// CHECK-LABEL: @chain
// CHECK-DAG: %[[SCORE:.+]] = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<128x64xf32, tmem>
// CHECK-DAG: %[[OUT:.+]] = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<128x32xf32, tmem>
// CHECK-DAG: %[[LEFT:.+]] = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<128x64xf16, tmem>
// CHECK: scf.for {{.*}} iter_args(%[[FACTOR:.+]] = %{{.+}}) -> (tensor<128x32xf32>)
// CHECK-NEXT: %[[OLD:.+]] = nv_tileas.copy %[[OUT]] {atom = #nv_tileas.atom<"tcgen05_ld_32x32b_x32">}
// CHECK-NEXT: %[[DONE:.+]]:2 = nv_tileas.async.dot %{{.+}}, %{{.+}}, %[[SCORE]] if %false : i1
// CHECK-NEXT: nv_tileas.async.wait %[[DONE]]#1
// CHECK-NEXT: %[[READ:.+]] = nv_tileas.copy %[[SCORE]] {atom = #nv_tileas.atom<"tcgen05_ld_32x32b_x64">}
// CHECK-NEXT: %[[HALF:.+]] = arith.truncf %[[READ]]
// CHECK-NEXT: %[[SCALED:.+]] = arith.mulf %[[OLD]], %[[FACTOR]]
// CHECK-NEXT: nv_tileas.copy %[[HALF]] to %[[LEFT]] {atom = #nv_tileas.atom<"tcgen05_st_32x32b_x32">}
// CHECK-NEXT: nv_tileas.copy %[[SCALED]] to %[[OUT]]
// CHECK-NEXT: %{{.+}}:2 = nv_tileas.async.dot %[[LEFT]], %{{.+}}, %[[OUT]] {atom
// CHECK: scf.yield %[[FACTOR]]
// REMARK: Passed use-tensor-memory
nv_tileaa.func @chain(%q: tensor<128x64xf16>, %k: tensor<64x64xf16>, %v: tensor<64x32xf16>, %f: tensor<128x32xf32>, %start: tensor<128x32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %out, %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %start, %factor = %f) -> (tensor<128x32xf32>, tensor<128x32xf32>) {
    %score = nv_tileas.dot %q, %k, %zero {atom = #nv_tileas.atom<"tcgen05_mma_m128n64k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %half = arith.truncf %score : tensor<128x64xf32> to tensor<128x64xf16>
    %scaled = arith.mulf %old, %factor : tensor<128x32xf32>
    %next = nv_tileas.dot %half, %v, %scaled {atom = #nv_tileas.atom<"tcgen05_mma_m128n32k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<64x32xf16>, tensor<128x32xf32> -> tensor<128x32xf32>
    scf.yield %next, %factor : tensor<128x32xf32>, tensor<128x32xf32>
  }
  "test.use"(%out) : (tensor<128x32xf32>) -> ()
  nv_tileaa.return
}

// -----

// Two sums of 64 columns fit beside each other: each has its own allocation.
//
// CHECK-LABEL: @apart
// CHECK: %[[FIRST:.+]] = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<128x64xf32, tmem>
// CHECK-NEXT: %[[SECOND:.+]] = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<128x64xf32, tmem>
// CHECK: nv_tileas.async.dot %{{.+}}, %{{.+}}, %[[FIRST]] if %false
// CHECK: nv_tileas.async.dot %{{.+}}, %{{.+}}, %[[SECOND]] if %false
// REMARK: Passed use-tensor-memory
nv_tileaa.func @apart(%a: tensor<128x64xf16>, %b: tensor<64x64xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = nv_tileas.dot %a, %b, %zero {atom = #nv_tileas.atom<"tcgen05_mma_m128n64k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %y = nv_tileas.dot %a, %b, %zero {atom = #nv_tileas.atom<"tcgen05_mma_m128n64k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    "test.use"(%x, %y) : (tensor<128x64xf32>, tensor<128x64xf32>) -> ()
  }
  nv_tileaa.return
}

// -----

// Three sums of 256 columns need 768: those that start from zero share an allocation.
//
// CHECK-LABEL: @shared
// CHECK-COUNT-2: nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<128x256xf32, tmem>
// CHECK-NOT: alloc_tensor
// CHECK: nv_tileas.async.dot %{{.+}}, %{{.+}}, %[[SUM:.+]] if %false
// CHECK: nv_tileas.async.dot %{{.+}}, %{{.+}}, %[[SUM]] if %false
// REMARK: Passed use-tensor-memory
nv_tileaa.func @shared(%a: tensor<128x64xf16>, %b: tensor<256x64xf16>, %start: tensor<128x256xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %start) -> (tensor<128x256xf32>) {
    %x = nv_tileas.dot %a, %b, %zero {atom = #nv_tileas.atom<"tcgen05_mma_m128n256k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<256x64xf16>, tensor<128x256xf32> -> tensor<128x256xf32>
    "test.use"(%x) : (tensor<128x256xf32>) -> ()
    %y = nv_tileas.dot %a, %b, %zero {atom = #nv_tileas.atom<"tcgen05_mma_m128n256k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<256x64xf16>, tensor<128x256xf32> -> tensor<128x256xf32>
    "test.use"(%y) : (tensor<128x256xf32>) -> ()
    %next = nv_tileas.dot %a, %b, %acc {atom = #nv_tileas.atom<"tcgen05_mma_m128n256k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<256x64xf16>, tensor<128x256xf32> -> tensor<128x256xf32>
    scf.yield %next : tensor<128x256xf32>
  }
  "test.use"(%sum) : (tensor<128x256xf32>) -> ()
  nv_tileaa.return
}

// -----

// Three carried sums of 256 columns do not fit.
//
// CHECK-LABEL: @too_large
// CHECK-NOT: alloc_tensor
// REMARK: Missed use-tensor-memory: its sums and factors require 768 columns of tensor memory, but there are 512
nv_tileaa.func @too_large(%a: tensor<128x64xf16>, %b: tensor<256x64xf16>, %start: tensor<128x256xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %start, %y = %start, %z = %start) -> (tensor<128x256xf32>, tensor<128x256xf32>, tensor<128x256xf32>) {
    %nx = nv_tileas.dot %a, %b, %x {atom = #nv_tileas.atom<"tcgen05_mma_m128n256k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<256x64xf16>, tensor<128x256xf32> -> tensor<128x256xf32>
    %ny = nv_tileas.dot %a, %b, %y {atom = #nv_tileas.atom<"tcgen05_mma_m128n256k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<256x64xf16>, tensor<128x256xf32> -> tensor<128x256xf32>
    %nz = nv_tileas.dot %a, %b, %z {atom = #nv_tileas.atom<"tcgen05_mma_m128n256k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<256x64xf16>, tensor<128x256xf32> -> tensor<128x256xf32>
    scf.yield %nx, %ny, %nz : tensor<128x256xf32>, tensor<128x256xf32>, tensor<128x256xf32>
  }
  nv_tileaa.return
}

// -----

// 64 rows use half of the lanes, and wgmma has its sums in registers.
//
// CHECK-LABEL: @others
// CHECK-NOT: alloc_tensor
// REMARK: Missed use-tensor-memory: no product has 128 rows and a sum in registers
nv_tileaa.func @others(%a: tensor<64x64xf16>, %c: tensor<128x64xf16>, %b: tensor<64x64xf16>, %s: tensor<64x64xf32>, %t: tensor<128x64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = nv_tileas.dot %a, %b, %s {atom = #nv_tileas.atom<"tcgen05_mma_m64n64k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %y = nv_tileas.dot %c, %b, %t {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    "test.use"(%x, %y) : (tensor<64x64xf32>, tensor<128x64xf32>) -> ()
  }
  nv_tileaa.return
}
