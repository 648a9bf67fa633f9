func.func @f() -> i32 {
  cf.br ^def
^use:
  %s = arith.addi %x, %y#1 : i32
  return %s : i32
^def:
  %x = "d.def"() : () -> i32
  %y:2 = "d.def"() : () -> (i1, i32)
  cf.br ^use
}
