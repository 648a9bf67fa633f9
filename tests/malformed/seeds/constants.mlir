func.func @f() {
  %0 = arith.constant -5 : i8
  %1 = arith.constant true
  %2 = arith.constant dense<[1, 2]> : tensor<2xi8>
  %3 = arith.constant 0.1 : f64
  %4 = arith.constant {d.x} 7 : index
  %5 = arith.constant dense_resource<x> : tensor<2xi32>
  %6 = arith.constant sparse<0, 1> : tensor<2xi32>
  %7 = arith.constant 99999999999999999999 : i128
  return
}
