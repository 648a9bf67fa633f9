func.func @f(%c: i1, %a: i32) -> i32 {
  cf.cond_br %c weights([3, 1]), ^one(%a : i32), ^two
^one(%x: i32):
  cf.switch %x : i32, [
    default: ^two,
    1: ^three(%x : i32),
    -2: ^one(%a : i32)
  ]
^two:
  cf.assert %c, "never \"here\"\n"
  cf.br ^three(%a : i32)
^three(%y: i32):
  return %y : i32
}
