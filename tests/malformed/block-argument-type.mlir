func.func @f(%a: i32) {
  cf.br ^b(%a : i32)
^b(%x: f32):
  return
}
