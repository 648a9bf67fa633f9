func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a overflow<ns