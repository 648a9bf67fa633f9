func.func @f(%a: i32, %b: i32, %c: i1) -> i32 {
  %c7 = arith.constant 7 : i32
  %0 = arith.addi %a, %c7 overflow<nsw, nuw> : i32
  %1 = arith.divsi %0, %b exact : i32
  %2 = arith.cmpi slt, %1, %a : i32
  %3 = arith.select %2, %0, %1 : i32
  %lo, %hi = arith.mului_extended %3, %b {d.x = "y"} : i32
  return %hi : i32
}
