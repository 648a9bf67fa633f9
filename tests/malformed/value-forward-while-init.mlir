func.func @f() {
  %r = scf.while (%a = %late) : (i32) -> i32 {
    %late = arith.addi %a, %a : i32
    %c = arith.constant true
    scf.condition(%c) %late : i32
  } do {
  ^bb0(%b: i32):
    scf.yield %b : i32
  }
  return
}
