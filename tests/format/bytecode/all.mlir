// RUN: orison-opt --allow-unregistered-dialect %s --emit-bytecode | orison-opt --allow-unregistered-dialect | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect %S/v0.mlirbc | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect %S/v3.mlirbc | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect %S/v6.mlirbc | FileCheck %s

// Every builtin attribute, type and location that has an encoding in bytecode, and the operations of
// func, arith, scf and cf that have properties. v0.mlirbc to v6.mlirbc are what mlir-opt of LLVM 22
// writes for this file, `mlir-opt all.mlir --emit-bytecode --emit-bytecode-version=N`.
#map = affine_map<(d0, d1) -> (d1, d0)>
#set = affine_set<(d0) : (d0 - 3 >= 0)>
module @all {
  "foreign.attributes"() {
    array = [1 : i8, -1 : i16, 2 : i64, 3 : index, 0 : i1, 12345678901234567890123 : i128, -1 : i128],
    booleans = dense<[true, false, true, true, false, false, true, false, true]> : tensor<9xi1>,
    dense_array = array<i16: 1, -2, 3>,
    distinct = [distinct[0]<42 : i32>, distinct[1]<42 : i32>, distinct[0]<42 : i32>],
    flags = array<i1: true, false>,
    floats = [1.5 : f16, -2.0 : bf16, 0.1 : f32, 1.0e300 : f64, 1.0 : f80, 2.0 : f128, 1.0 : f8E4M3FN],
    location = loc(callsite("callee" at fused<"why">["a.mlir":1:2, "named"("b.mlir":3:4)])),
    maps = [#map, #set],
    numbers = dense<[[1, 2], [3, 4]]> : vector<2x2xi32>,
    range = loc("c.mlir":1:2 to 3:4),
    resource = dense_resource<blob> : tensor<2xi32>,
    missing = dense_resource<missing> : tensor<2xi32>,
    sparse = sparse<[[0, 1], [2, 3]], [1.0, 2.0]> : tensor<4x4xf32>,
    splat = dense<true> : tensor<8xi1>,
    strings = dense<["a", "b"]> : tensor<2x!foreign.string>,
    symbols = [@a, @a::@b::@c],
    text = ["plain", "with \00\FF\22 bytes", "typed" : i32],
    types = [si4, ui8, index, none, complex<f32>, tuple<i1, tuple<>>, (i32, f32) -> (),
             vector<4x[8]xf32>, vector<f32>, tensor<?x4xf32>, tensor<*xi8>, tensor<4xi8, #foreign.e>,
             memref<2x?xf32>, memref<2x2xf32, #map, 3>, memref<4xf32, strided<[2], offset: ?>>,
             memref<*xf32, "space">, memref<4xi8, 1 : i32>, f8E5M2, tf32, !foreign.type<1, "x">],
    unit
  } : () -> ()
  // CHECK: func.func private @declared(i32 {foreign.note = 1 : i8}) -> (f32 {foreign.note})
  func.func private @declared(i32 {foreign.note = 1 : i8}) -> (f32 {foreign.note})
  func.func @calls(%a: i32, %f: (i32) -> f32) -> f32 attributes {no_inline} {
    %0 = call @declared(%a) : (i32) -> f32
    %1 = call_indirect %f(%a) : (i32) -> f32
    // CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<nnan,ninf> : f32
    %2 = arith.addf %0, %1 fastmath<nnan, ninf> : f32
    %3 = arith.addi %a, %a overflow<nsw> : i32
    %4 = arith.cmpi slt, %3, %a : i32
    %5 = arith.cmpf olt, %2, %0 : f32
    %6 = arith.divsi %3, %a exact : i32
    cf.assert %4, "message"
    // CHECK: cf.cond_br %{{.*}} weights([1, 2]), ^bb2(%{{.*}}, %{{.*}} : i32, f32), ^bb1(%{{.*}} : f32)
    cf.cond_br %5 weights([1, 2]), ^two(%6, %2 : i32, f32), ^one(%2 : f32)
  ^one(%b: f32):
    cf.switch %a : i32, [
      default: ^two(%a, %b : i32, f32),
      7: ^one(%b : f32)
    ]
  ^two(%c: i32, %d: f32):
    return %d : f32
  }
  func.func @loops(%n: index, %i: i32, %m: memref<4xf32>) -> i32 {
    %c1 = arith.constant 1 : index
    %0 = scf.for %k = %n to %n step %c1 iter_args(%x = %i) -> (i32) {
      %2 = arith.addi %x, %i : i32
      scf.yield %2 : i32
    }
    scf.parallel (%p, %q) = (%n, %n) to (%c1, %c1) step (%c1, %c1) {
      scf.reduce
    }
    %1 = scf.index_switch %n -> i32
    case 3 {
      scf.yield %0 : i32
    }
    default {
      scf.yield %i : i32
    }
    // CHECK: scf.forall (%{{.*}}, %{{.*}}) in (%{{.*}}, 4)
    scf.forall (%a, %b) in (%n, 4) {
      "foreign.use"(%a, %b) <{kept = "as they are"}> {note} : (index, index) -> ()
    }
    return %1 : i32
  }
  module @graph {
    // Used before they are defined, and several times.
    // CHECK: "foreign.use"(%[[TWO:.*]]#1, %[[ONE:.*]], %[[TWO]]#1, %[[TWO]]#0, %[[ONE]])
    "foreign.use"(%1#1, %0, %1#1, %1#0, %0) : (i8, i32, i8, i16, i32) -> ()
    %0 = "foreign.make"(%1#1) : (i8) -> i32
    %1:2 = "foreign.make"(%0) : (i32) -> (i16, i8)
    "foreign.use"(%0, %1#1) <{}> : (i32, i8) -> ()
    "foreign.regions"() ({
    }, {
    ^entry(%2: i32):
      "foreign.branch"(%0)[^next] : (i32) -> ()
    ^next:
      "foreign.branch"()[^next] : () -> ()
    }) : () -> ()
  }
}
// CHECK: blob: "0x080000000100000002000000"
// CHECK: data: "0x04000000AB"
{-#
  dialect_resources: {
    builtin: {
      blob: "0x080000000100000002000000"
    }
  },
  external_resources: {
    tool: {
      text: "a string",
      flag: true,
      data: "0x04000000AB"
    }
  }
#-}
