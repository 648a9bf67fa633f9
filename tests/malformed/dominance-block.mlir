func.func @f() {
  %0 = arith.addi %1, %1 : i32
  %1 = arith.constant 1 : i32
  return
}
