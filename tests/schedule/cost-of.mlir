// `tileas.schedule.cost_of` gives an operation of another dialect the cost of a row.
//
// RUN: orison-opt --allow-unregistered-dialect --machine=hopper --tileas-generate-schedule='strategy=cost-based' --tileas-verify-schedule %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --machine=page --tileas-generate-schedule='strategy=cost-based' --tileas-verify-schedule %s | FileCheck %s --check-prefix=PAGE
// RUN: orison-opt --allow-unregistered-dialect --machine=hopper --tileas-generate-schedule %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: sed 's/"math.exp2"/7 : i32/' %s | not orison-opt --allow-unregistered-dialect --tileas-generate-schedule 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: sed 's/numWarps = 4/numWarps = 2/' %s | orison-opt --allow-unregistered-dialect --machine=hopper --tileas-generate-schedule='strategy=cost-based' | FileCheck %s --check-prefix=HALF

// 64 x 128 exponentials at 16 a cycle hold the transcendental unit for 512 cycles; the result is
// available 18 later. The second operation has 64 elements: 4 cycles. Neither depends on the other, so
// they take turns.
// CHECK-LABEL: @costs
// CHECK: "other.exponential"{{.*}}tileas.schedule.cycle = 4 : i32
// CHECK: "other.rows"{{.*}}tileas.schedule.cycle = 0 : i32
// CHECK: ii = 516 : i32
// With two of the four partitions, half as many a cycle.
// HALF: ii = 1032 : i32
// With abstract cycles each holds the unit for 8, whatever its size.
// PAGE: ii = 16 : i32
// WARN: cost-of.mlir:{{[0-9]+}}:5: warning: machine model 'hopper' has no row 'math.exp3'; did you mean 'math.exp'?
// WARN: cost-of.mlir:{{[0-9]+}}:5: warning: machine model 'hopper' has no row 'own.operation'; it is scheduled with the default row
// TYPE: error: 'other.exponential' op attribute 'tileas.schedule.cost_of' must be the name of an operation, as a string
nv_tileaa.func @costs(%n: index, %x: tensor<64x128xf32>, %r: tensor<64xf32>) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, numWarps = 4 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = "other.exponential"(%x) {tileas.schedule.cost_of = "math.exp2"} : (tensor<64x128xf32>) -> tensor<64x128xf32>
    %b = "other.rows"(%r) {tileas.schedule.cost_of = "math.rsqrt"} : (tensor<64xf32>) -> tensor<64xf32>
  }
  nv_tileaa.return
}

nv_tileaa.func @unknown(%n: index, %x: tensor<64x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "other.misspelled"(%x) {tileas.schedule.cost_of = "math.exp3"} : (tensor<64x128xf32>) -> ()
    "other.unknown"(%x) {tileas.schedule.cost_of = "own.operation"} : (tensor<64x128xf32>) -> ()
  }
  nv_tileaa.return
}
