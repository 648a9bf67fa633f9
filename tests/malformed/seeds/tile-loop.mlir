func.func @tiles(%n: index, %b: vector<4xf32>) -> vector<4xf32> {
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
    %t, %token = "d.load"(%k) {stage = 0 : i32} : (index) -> (vector<4xf32>, !d.token)
    %p = arith.mulf %t, %b fastmath<contract> : vector<4xf32>
    %s = arith.addf %p, %acc : vector<4xf32>
    "d.wait"(%token) <{count = 1 : i32}> : (!d.token) -> ()
    scf.yield %s : vector<4xf32>
  } {d.schedule = {ii = 3 : i32, stages = 2 : i32}}
  return %sum : vector<4xf32>
}
