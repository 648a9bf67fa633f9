// Arguments of two blocks that are only passed for each other.
func.func @f(%a: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^left(%a, %a : i32, i32), ^right(%a : i32)
^left(%x: i32, %y: i32):
  cf.br ^right(%x : i32)
^right(%z: i32):
  %false = arith.constant false
  cf.cond_br %false, ^left(%z, %z : i32, i32), ^end
^end:
  return %a : i32
}
