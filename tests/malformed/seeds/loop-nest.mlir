func.func @f(%n: index, %x: f32) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %k = %c0) -> (f32, index) {
    %t = scf.for %j = %i to %n step %c1 iter_args(%u = %s) -> (f32) {
      %v = arith.mulf %u, %x : f32
      scf.yield %v : f32
    } {d.inner}
    scf.yield %t, %i : f32, index
  }
  return %r#0, %r#1 : f32, index
}
