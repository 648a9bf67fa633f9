func.func @f(%n: index, %x: f32) {
  %0 = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 {
    scf.reduce(%late : f32) {
    ^bb0(%a: f32, %b: f32):
      %late = arith.addf %a, %b : f32
      scf.reduce.return %late : f32
    }
  }
  return
}
