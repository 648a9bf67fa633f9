func.func @wrong_type(%x: f32) -> f32 {
  %a = arith.negf %x {tileas.recomputable = 1 : i32} : f32
  return %a : f32
}
