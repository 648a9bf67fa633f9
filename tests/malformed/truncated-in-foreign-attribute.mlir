func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a overflow<nsw> : i32
  %1 = "d.op"(%0) {k = [1, "two", #d.x<y