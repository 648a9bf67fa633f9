func.func @f(%a: i32) -> i32 {
  %0:2 = scf.execute_region -> (i32, i32) {
    cf.br ^end(%a : i32)
  ^end(%x: i32):
    scf.yield %x, %a : i32, i32
  }
  scf.execute_region no_inline {
    scf.yield
  }
  return %0#1 : i32
}
