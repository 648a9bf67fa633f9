// The loops here have no iterations, and conditionals select values defined outside: rules of scf that
// would remove them are disabled.
// RUN: orison-opt --canonicalize='disable-patterns=scf-for-few-trips,scf-if-to-select' %s | FileCheck %s

// Rule 1: constant bounds become static.

// CHECK-LABEL: @static_offsets
nv_tileaa.func @static_offsets(%x: tensor<64x64xf16>) -> tensor<8x8xf16> {
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  // CHECK: nv_tileas.extract_slice %{{.*}}[4, 0] [8, 8] [2, 1] : tensor<64x64xf16> to tensor<8x8xf16>
  %0 = nv_tileas.extract_slice %x[%c4, 0] [8, 8] [%c2, 1] : tensor<64x64xf16> to tensor<8x8xf16>
  nv_tileaa.return %0 : tensor<8x8xf16>
}

// The users accept another shape.
// CHECK-LABEL: @static_size
nv_tileaa.func @static_size(%x: tensor<64x64xf16>) -> tensor<16xf16> {
  %c16 = arith.constant 16 : index
  // CHECK: %[[S:.*]] = nv_tileas.extract_slice %{{.*}}[0, 0] [1, 16] [1, 1] : tensor<64x64xf16> to tensor<1x16xf16>
  // CHECK: nv_tileas.view %[[S]] : tensor<1x16xf16> -> tensor<16xf16>
  %0 = nv_tileas.extract_slice %x[0, 0] [1, %c16] [1, 1] : tensor<64x64xf16> to tensor<1x?xf16>
  %1 = nv_tileas.view %0 : tensor<1x?xf16> -> tensor<16xf16>
  nv_tileaa.return %1 : tensor<16xf16>
}

// The function returns the dynamic type.
// CHECK-LABEL: @needed_type
nv_tileaa.func @needed_type(%x: tensor<64xf16>) -> tensor<?xf16> {
  %c16 = arith.constant 16 : index
  // CHECK: nv_tileas.extract_slice %{{.*}}[0] [%{{.*}}] [1] : tensor<64xf16> to tensor<?xf16>
  %0 = nv_tileas.extract_slice %x[0] [%c16] [1] : tensor<64xf16> to tensor<?xf16>
  nv_tileaa.return %0 : tensor<?xf16>
}

// One bound is not a constant: nothing changes.
// CHECK-LABEL: @mixed_bounds
nv_tileaa.func @mixed_bounds(%x: tensor<64x64xf16>, %i: index) -> tensor<8x8xf16> {
  %c4 = arith.constant 4 : index
  // CHECK: nv_tileas.extract_slice %{{.*}}[%{{.*}}, %{{.*}}] [8, 8] [1, 1]
  %0 = nv_tileas.extract_slice %x[%c4, %i] [8, 8] [1, 1] : tensor<64x64xf16> to tensor<8x8xf16>
  nv_tileaa.return %0 : tensor<8x8xf16>
}

// Negative, zero and too large constants stay: the static slice would not verify.
// CHECK-LABEL: @bad_bounds
nv_tileaa.func @bad_bounds(%x: tensor<64xf16>) -> (tensor<8xf16>, tensor<8xf16>, tensor<8xf16>) {
  %negative = arith.constant -1 : index
  %zero = arith.constant 0 : index
  %large = arith.constant 60 : index
  // CHECK: nv_tileas.extract_slice %{{.*}}[%{{.*}}] [8] [1]
  %0 = nv_tileas.extract_slice %x[%negative] [8] [1] : tensor<64xf16> to tensor<8xf16>
  // CHECK: nv_tileas.extract_slice %{{.*}}[0] [8] [%{{.*}}]
  %1 = nv_tileas.extract_slice %x[0] [8] [%zero] : tensor<64xf16> to tensor<8xf16>
  // CHECK: nv_tileas.extract_slice %{{.*}}[%{{.*}}] [8] [1]
  %2 = nv_tileas.extract_slice %x[%large] [8] [1] : tensor<64xf16> to tensor<8xf16>
  nv_tileaa.return %0, %1, %2 : tensor<8xf16>, tensor<8xf16>, tensor<8xf16>
}

// Rule 2: storage that each iteration overwrites is moved into the loop.

// CHECK-LABEL: @private_storage
nv_tileaa.func @private_storage(%n: index, %i: index, %a: tensor<8xf16>, %p: tensor<8x!nv_tileaa.ptr<f16>>) -> index {
  // CHECK-NOT: alloc_tensor
  %buffer = nv_tileas.alloc_tensor : tensor<8xf16>
  // CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[COUNT:.*]] = %{{.*}}) -> (index) {
  %r:2 = scf.for %k = %i to %n step %n iter_args(%carried = %buffer, %count = %n) -> (tensor<8xf16>, index) {
    // CHECK: %[[NEW:.*]] = nv_tileas.alloc_tensor : tensor<8xf16>
    // CHECK: %[[FULL:.*]] = nv_tileas.insert_slice %{{.*}} into %[[NEW]][0] [8] [1]
    %full = nv_tileas.insert_slice %a into %carried[0] [8] [1] : tensor<8xf16> into tensor<8xf16>
    // CHECK: nv_tileas.store %{{.*}}, %[[FULL]]
    nv_tileas.store %p, %full : tensor<8x!nv_tileaa.ptr<f16>>, tensor<8xf16>
    %more = arith.addi %count, %k : index
    // CHECK: scf.yield %{{.*}} : index
    scf.yield %full, %more : tensor<8xf16>, index
  }
  // CHECK: nv_tileaa.return %[[R]] : index
  nv_tileaa.return %r#1 : index
}

// Insertions before the loop are moved too.
// CHECK-LABEL: @inserted_before
nv_tileaa.func @inserted_before(%n: index, %a: tensor<4xf16>, %b: tensor<8xf16>, %p: tensor<8x!nv_tileaa.ptr<f16>>) {
  %buffer = nv_tileas.alloc_tensor : tensor<8xf16>
  %first = nv_tileas.insert_slice %a into %buffer[0] [4] [1] : tensor<4xf16> into tensor<8xf16>
  // CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[^ ]*}} {
  %r = scf.for %k = %n to %n step %n iter_args(%carried = %first) -> (tensor<8xf16>) {
    // CHECK: %[[NEW:.*]] = nv_tileas.alloc_tensor
    // CHECK: %[[HALF:.*]] = nv_tileas.insert_slice %{{.*}} into %[[NEW]][0] [4] [1]
    // CHECK: nv_tileas.insert_slice %{{.*}} into %[[HALF]][0] [8] [1]
    %full = nv_tileas.insert_slice %b into %carried[0] [8] [1] : tensor<8xf16> into tensor<8xf16>
    nv_tileas.store %p, %full : tensor<8x!nv_tileaa.ptr<f16>>, tensor<8xf16>
    scf.yield %full : tensor<8xf16>
  }
  nv_tileaa.return
}

// C69: each iteration inserts one part; the others come from earlier iterations.
// CHECK-LABEL: @accumulates
nv_tileaa.func @accumulates(%n: index, %a: tensor<4xf16>, %p: tensor<8x!nv_tileaa.ptr<f16>>) {
  // CHECK: nv_tileas.alloc_tensor
  %buffer = nv_tileas.alloc_tensor : tensor<8xf16>
  // CHECK: scf.for {{.*}} iter_args
  %r = scf.for %k = %n to %n step %n iter_args(%carried = %buffer) -> (tensor<8xf16>) {
    // CHECK-NOT: alloc_tensor
    %part = nv_tileas.insert_slice %a into %carried[%k] [4] [1] : tensor<4xf16> into tensor<8xf16>
    nv_tileas.store %p, %part : tensor<8x!nv_tileaa.ptr<f16>>, tensor<8xf16>
    scf.yield %part : tensor<8xf16>
  }
  nv_tileaa.return
}

// The result is used.
// CHECK-LABEL: @used_behind
nv_tileaa.func @used_behind(%n: index, %a: tensor<8xf16>) -> tensor<8xf16> {
  // CHECK: nv_tileas.alloc_tensor
  %buffer = nv_tileas.alloc_tensor : tensor<8xf16>
  // CHECK: scf.for {{.*}} iter_args
  %r = scf.for %k = %n to %n step %n iter_args(%carried = %buffer) -> (tensor<8xf16>) {
    %full = nv_tileas.insert_slice %a into %carried[0] [8] [1] : tensor<8xf16> into tensor<8xf16>
    scf.yield %full : tensor<8xf16>
  }
  nv_tileaa.return %r : tensor<8xf16>
}

// The storage is also yielded as another result.
// CHECK-LABEL: @yielded_twice
nv_tileaa.func @yielded_twice(%n: index, %a: tensor<4xf16>, %b: tensor<8xf16>) -> tensor<8xf16> {
  %buffer = nv_tileas.alloc_tensor : tensor<8xf16>
  // CHECK: scf.for {{.*}} iter_args
  // CHECK-NOT: alloc_tensor
  %r:2 = scf.for %k = %n to %n step %n iter_args(%carried = %buffer, %seen = %b) -> (tensor<8xf16>, tensor<8xf16>) {
    %part = nv_tileas.insert_slice %a into %carried[%k] [4] [1] : tensor<4xf16> into tensor<8xf16>
    scf.yield %part, %part : tensor<8xf16>, tensor<8xf16>
  }
  nv_tileaa.return %r#1 : tensor<8xf16>
}

// An ordered operation reads the storage.
// CHECK-LABEL: @ordered
nv_tileaa.func @ordered(%n: index, %a: tensor<8xf16>, %g: !nv_tileas.tiled_view<8xf16, gmem>) {
  %buffer = nv_tileas.alloc_tensor : tensor<8xf16>
  // CHECK: scf.for {{.*}} iter_args
  %r = scf.for %k = %n to %n step %n iter_args(%carried = %buffer) -> (tensor<8xf16>) {
    %full = nv_tileas.insert_slice %a into %carried[0] [8] [1] : tensor<8xf16> into tensor<8xf16>
    nv_tileas.copy %full to %g {atom = #nv_tileas.atom<"stg">} : tensor<8xf16> to !nv_tileas.tiled_view<8xf16, gmem>
    scf.yield %full : tensor<8xf16>
  }
  nv_tileaa.return
}

// Rule 3: each arm gets its own storage.

// CHECK-LABEL: @arms
nv_tileaa.func @arms(%c: i1, %a: tensor<4xf16>) -> tensor<8xf16> {
  // CHECK-NOT: alloc_tensor
  %buffer = nv_tileas.alloc_tensor : tensor<8xf16>
  // CHECK: scf.if
  %r = scf.if %c -> (tensor<8xf16>) {
    // CHECK: %[[A:.*]] = nv_tileas.alloc_tensor
    // CHECK: nv_tileas.insert_slice %{{.*}} into %[[A]][0]
    %0 = nv_tileas.insert_slice %a into %buffer[0] [4] [1] : tensor<4xf16> into tensor<8xf16>
    scf.yield %0 : tensor<8xf16>
  } else {
    // CHECK: } else {
    // CHECK: %[[B:.*]] = nv_tileas.alloc_tensor
    // CHECK: nv_tileas.insert_slice %{{.*}} into %[[B]][4]
    %0 = nv_tileas.insert_slice %a into %buffer[4] [4] [1] : tensor<4xf16> into tensor<8xf16>
    scf.yield %0 : tensor<8xf16>
  }
  nv_tileaa.return %r : tensor<8xf16>
}

// The storage is used elsewhere.
// CHECK-LABEL: @arms_share
nv_tileaa.func @arms_share(%c: i1, %a: tensor<4xf16>) -> (tensor<8xf16>, tensor<8xf16>) {
  // CHECK: %[[A:.*]] = nv_tileas.alloc_tensor
  %buffer = nv_tileas.alloc_tensor : tensor<8xf16>
  // CHECK: nv_tileas.insert_slice %{{.*}} into %[[A]]
  %r = scf.if %c -> (tensor<8xf16>) {
    %0 = nv_tileas.insert_slice %a into %buffer[0] [4] [1] : tensor<4xf16> into tensor<8xf16>
    scf.yield %0 : tensor<8xf16>
  } else {
    %0 = nv_tileas.insert_slice %a into %buffer[4] [4] [1] : tensor<4xf16> into tensor<8xf16>
    scf.yield %0 : tensor<8xf16>
  }
  nv_tileaa.return %r, %buffer : tensor<8xf16>, tensor<8xf16>
}

// Rule 4: the slice is taken in the arms, where it is folded with the insertion.

// CHECK-LABEL: @sink
nv_tileaa.func @sink(%c: i1, %x: tensor<8xf16>, %y: tensor<8xf16>, %i: index) -> tensor<4xf16> {
  // CHECK: %[[R:.*]] = scf.if %{{.*}} -> (tensor<4xf16>) {
  %r = scf.if %c -> (tensor<8xf16>) {
    // CHECK: nv_tileas.extract_slice %{{.*}}[%{{.*}}] [4] [1]
    scf.yield %x : tensor<8xf16>
  } else {
    // CHECK: nv_tileas.extract_slice %{{.*}}[%{{.*}}] [4] [1]
    scf.yield %y : tensor<8xf16>
  }
  // CHECK-NOT: extract_slice
  %0 = nv_tileas.extract_slice %r[%i] [4] [1] : tensor<8xf16> to tensor<4xf16>
  // CHECK: nv_tileaa.return %[[R]]
  nv_tileaa.return %0 : tensor<4xf16>
}

// CHECK-LABEL: @sink_meets_insert
nv_tileaa.func @sink_meets_insert(%c: i1, %x: tensor<8xf16>, %a: tensor<4xf16>, %b: tensor<4xf16>) -> tensor<4xf16> {
  // CHECK-NOT: slice
  // CHECK: scf.yield %{{.*}} : tensor<4xf16>
  // CHECK: scf.yield %{{.*}} : tensor<4xf16>
  // CHECK-NOT: slice
  %r = scf.if %c -> (tensor<8xf16>) {
    %0 = nv_tileas.insert_slice %a into %x[0] [4] [1] : tensor<4xf16> into tensor<8xf16>
    scf.yield %0 : tensor<8xf16>
  } else {
    %0 = nv_tileas.insert_slice %b into %x[0] [4] [1] : tensor<4xf16> into tensor<8xf16>
    scf.yield %0 : tensor<8xf16>
  }
  %1 = nv_tileas.extract_slice %r[0] [4] [1] : tensor<8xf16> to tensor<4xf16>
  nv_tileaa.return %1 : tensor<4xf16>
}

// The bound is defined after the branch.
// CHECK-LABEL: @late_bound
nv_tileaa.func @late_bound(%c: i1, %x: tensor<8xf16>, %y: tensor<8xf16>, %i: index) -> tensor<4xf16> {
  %r = scf.if %c -> (tensor<8xf16>) {
    scf.yield %x : tensor<8xf16>
  } else {
    scf.yield %y : tensor<8xf16>
  }
  // CHECK: arith.addi
  %j = arith.addi %i, %i : index
  // CHECK: nv_tileas.extract_slice
  %0 = nv_tileas.extract_slice %r[%j] [4] [1] : tensor<8xf16> to tensor<4xf16>
  nv_tileaa.return %0 : tensor<4xf16>
}

// The whole result is used too.
// CHECK-LABEL: @used_whole
nv_tileaa.func @used_whole(%c: i1, %x: tensor<8xf16>, %y: tensor<8xf16>) -> (tensor<4xf16>, tensor<8xf16>) {
  // CHECK: scf.if %{{.*}} -> (tensor<8xf16>) {
  %r = scf.if %c -> (tensor<8xf16>) {
    %0 = nv_tileas.shuffle %x : tensor<8xf16>
    scf.yield %0 : tensor<8xf16>
  } else {
    scf.yield %y : tensor<8xf16>
  }
  // CHECK: nv_tileas.extract_slice
  %0 = nv_tileas.extract_slice %r[0] [4] [1] : tensor<8xf16> to tensor<4xf16>
  nv_tileaa.return %0, %r : tensor<4xf16>, tensor<8xf16>
}

// An arm yields the result of an ordered operation.
// CHECK-LABEL: @ordered_arm
nv_tileaa.func @ordered_arm(%c: i1, %x: !nv_tileas.tiled_view<8xf16, smem>, %y: tensor<8xf16>) -> tensor<4xf16> {
  // CHECK: scf.if %{{.*}} -> (tensor<8xf16>) {
  %r = scf.if %c -> (tensor<8xf16>) {
    %0 = nv_tileas.copy %x {atom = #nv_tileas.atom<"ldmatrix">} : !nv_tileas.tiled_view<8xf16, smem> -> tensor<8xf16>
    scf.yield %0 : tensor<8xf16>
  } else {
    scf.yield %y : tensor<8xf16>
  }
  %0 = nv_tileas.extract_slice %r[0] [4] [1] : tensor<8xf16> to tensor<4xf16>
  nv_tileaa.return %0 : tensor<4xf16>
}

// Rule 5: a slice of a view becomes the view of a slice.

// CHECK-LABEL: @view
nv_tileaa.func @view(%x: tensor<8x1x8xf16>, %i: index) -> tensor<4x8xf16> {
  // CHECK: %[[S:.*]] = nv_tileas.extract_slice %{{.*}}[%{{.*}}, 0, 0] [4, 1, 8] [1, 1, 1] : tensor<8x1x8xf16> to tensor<4x1x8xf16>
  // CHECK: nv_tileas.view %[[S]] : tensor<4x1x8xf16> -> tensor<4x8xf16>
  %0 = nv_tileas.view %x : tensor<8x1x8xf16> -> tensor<8x8xf16>
  %1 = nv_tileas.extract_slice %0[%i, 0] [4, 8] [1, 1] : tensor<8x8xf16> to tensor<4x8xf16>
  nv_tileaa.return %1 : tensor<4x8xf16>
}

// CHECK-LABEL: @view_reshapes
nv_tileaa.func @view_reshapes(%x: tensor<64xf16>, %y: tensor<8x8xf16, #nv_tileas.layout<"(8,8),(1,8)">>) -> (tensor<4x8xf16>, tensor<4x8xf16>) {
  // The shapes are unrelated.
  // CHECK: nv_tileas.view %{{.*}} : tensor<64xf16> -> tensor<8x8xf16>
  // CHECK: nv_tileas.extract_slice
  %0 = nv_tileas.view %x : tensor<64xf16> -> tensor<8x8xf16>
  %1 = nv_tileas.extract_slice %0[0, 0] [4, 8] [1, 1] : tensor<8x8xf16> to tensor<4x8xf16>
  // Layouts may not commute.
  // CHECK: nv_tileas.view
  // CHECK: nv_tileas.extract_slice
  %2 = nv_tileas.view %y : tensor<8x8xf16, #nv_tileas.layout<"(8,8),(1,8)">> -> tensor<8x8xf16>
  %3 = nv_tileas.extract_slice %2[0, 0] [4, 8] [1, 1] : tensor<8x8xf16> to tensor<4x8xf16>
  nv_tileaa.return %1, %3 : tensor<4x8xf16>, tensor<4x8xf16>
}

// Rule 6: a perfect nest becomes one loop.

// CHECK-LABEL: @flatten
nv_tileaa.func @flatten(%p: !nv_tileaa.ptr<f32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  // 4 times (10 - 1) / 2, rounded up.
  // CHECK: %[[TRIPS:.*]] = arith.constant 5 : index
  // CHECK: %[[ALL:.*]] = arith.constant 20 : index
  // CHECK: scf.for %[[N:.*]] = %{{.*}} to %[[ALL]] step %{{.*}} {
  // CHECK-NOT: scf.for
  // CHECK: %[[Q:.*]] = arith.divsi %[[N]], %[[TRIPS]] : index
  // CHECK: %[[M:.*]] = arith.remsi %[[N]], %[[TRIPS]] : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c1 to %c10 step %c2 {
      %s = arith.addi %i, %j : index
      %q = nv_tileaa.addptr %p, %s : !nv_tileaa.ptr<f32>, index -> !nv_tileaa.ptr<f32>
      nv_tileas.store %q, %x : !nv_tileaa.ptr<f32>, f32
    }
  }
  nv_tileaa.return
}

// CHECK-LABEL: @flatten_dynamic
nv_tileaa.func @flatten_dynamic(%p: !nv_tileaa.ptr<f32>, %x: f32, %m: index, %n: index, %s: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // CHECK: %[[SPAN:.*]] = arith.subi
  // CHECK: %[[OUTER:.*]] = arith.ceildivsi %[[SPAN]]
  // CHECK: arith.muli %[[OUTER]]
  // CHECK: scf.for
  // CHECK-NOT: scf.for
  scf.for %i = %m to %n step %s {
    scf.for %j = %c0 to %c4 step %c1 {
      %q = nv_tileaa.addptr %p, %i : !nv_tileaa.ptr<f32>, index -> !nv_tileaa.ptr<f32>
      nv_tileas.store %q, %x : !nv_tileaa.ptr<f32>, f32
    }
  }
  nv_tileaa.return
}

// Loops that carry an iterator, with other operations or without iterations are unchanged.
// CHECK-LABEL: @not_flat
nv_tileaa.func @not_flat(%p: !nv_tileaa.ptr<f32>, %x: f32, %n: index, %it: !nv_tileas.iter<consumer>) -> !nv_tileas.iter<consumer> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  // CHECK: scf.for
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %it) -> (!nv_tileas.iter<consumer>) {
    %s = scf.for %j = %c0 to %c1 step %c1 iter_args(%b = %a) -> (!nv_tileas.iter<consumer>) {
      %next = nv_tileas.async.pipeline.inc_iter %b : !nv_tileas.iter<consumer>
      scf.yield %next : !nv_tileas.iter<consumer>
    }
    scf.yield %s : !nv_tileas.iter<consumer>
  }
  // The inner bound is not constant.
  // CHECK: scf.for
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      nv_tileas.store %p, %x : !nv_tileaa.ptr<f32>, f32
    }
  }
  // CHECK: scf.for
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    nv_tileas.store %p, %x : !nv_tileaa.ptr<f32>, f32
    scf.for %j = %c0 to %c1 step %c1 {
      nv_tileas.store %p, %x : !nv_tileaa.ptr<f32>, f32
    }
  }
  // A schedule belongs to one loop.
  // CHECK: scf.for
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c1 step %c1 {
      nv_tileas.store %p, %x : !nv_tileaa.ptr<f32>, f32
    } {tileas.schedule = {ii = 4 : i32}}
  }
  nv_tileaa.return %r : !nv_tileas.iter<consumer>
}

// Rule 7: a slice equal to an inserted slice becomes the inserted value.

// CHECK-LABEL: @inserted
nv_tileaa.func @inserted(%x: tensor<8xf16>, %a: tensor<4xf16>, %b: tensor<4xf16>, %i: index) -> (tensor<4xf16>, tensor<4xf16>) {
  // CHECK-NOT: slice
  %0 = nv_tileas.insert_slice %a into %x[0] [4] [1] : tensor<4xf16> into tensor<8xf16>
  // An intervening insertion may overlap.
  %1 = nv_tileas.insert_slice %b into %0[4] [4] [1] : tensor<4xf16> into tensor<8xf16>
  %2 = nv_tileas.extract_slice %1[0] [4] [1] : tensor<8xf16> to tensor<4xf16>
  // Equal offset values denote the same slice.
  %3 = nv_tileas.insert_slice %b into %x[%i] [4] [1] : tensor<4xf16> into tensor<8xf16>
  %4 = nv_tileas.extract_slice %3[%i] [4] [1] : tensor<8xf16> to tensor<4xf16>
  // CHECK: nv_tileaa.return %{{arg1|a}}, %{{arg2|b}}
  nv_tileaa.return %2, %4 : tensor<4xf16>, tensor<4xf16>
}

// CHECK-LABEL: @may_overlap
nv_tileaa.func @may_overlap(%x: tensor<8xf16>, %a: tensor<4xf16>, %b: tensor<4xf16>, %i: index) -> (tensor<4xf16>, tensor<4xf16>) {
  %0 = nv_tileas.insert_slice %a into %x[0] [4] [1] : tensor<4xf16> into tensor<8xf16>
  %1 = nv_tileas.insert_slice %b into %0[%i] [4] [1] : tensor<4xf16> into tensor<8xf16>
  // CHECK: nv_tileas.extract_slice
  %2 = nv_tileas.extract_slice %1[0] [4] [1] : tensor<8xf16> to tensor<4xf16>
  // CHECK: nv_tileas.extract_slice
  %3 = nv_tileas.extract_slice %0[2] [4] [1] : tensor<8xf16> to tensor<4xf16>
  nv_tileaa.return %2, %3 : tensor<4xf16>, tensor<4xf16>
}

// In memory, an intervening copy may change the data.
// CHECK-LABEL: @changed_between
nv_tileaa.func @changed_between(%x: !nv_tileas.tiled_view<8xf16, smem>, %a: !nv_tileas.tiled_view<4xf16, smem>, %t: tensor<8xf16>) -> !nv_tileas.tiled_view<4xf16, smem> {
  %0 = nv_tileas.insert_slice %a into %x[0] [4] [1] : !nv_tileas.tiled_view<4xf16, smem> into !nv_tileas.tiled_view<8xf16, smem>
  nv_tileas.copy %t to %x {atom = #nv_tileas.atom<"stmatrix">} : tensor<8xf16> to !nv_tileas.tiled_view<8xf16, smem>
  // CHECK: nv_tileas.extract_slice
  %1 = nv_tileas.extract_slice %0[0] [4] [1] : !nv_tileas.tiled_view<8xf16, smem> to !nv_tileas.tiled_view<4xf16, smem>
  nv_tileaa.return %1 : !nv_tileas.tiled_view<4xf16, smem>
}

// Pairs of layout conversions are left unchanged.
// CHECK-LABEL: @conversions
nv_tileaa.func @conversions(%x: tensor<8xf16, #nv_tileas.layout<"(8),(1)">>) -> tensor<8xf16, #nv_tileas.layout<"(8),(1)">> {
  // CHECK-COUNT-2: nv_tileas.convert_layout
  %0 = nv_tileas.convert_layout %x : tensor<8xf16, #nv_tileas.layout<"(8),(1)">> -> tensor<8xf16, #nv_tileas.layout<"(8),(1),swizzle<3,4,3>">>
  %1 = nv_tileas.convert_layout %0 : tensor<8xf16, #nv_tileas.layout<"(8),(1),swizzle<3,4,3>">> -> tensor<8xf16, #nv_tileas.layout<"(8),(1)">>
  nv_tileaa.return %1 : tensor<8xf16, #nv_tileas.layout<"(8),(1)">>
}
