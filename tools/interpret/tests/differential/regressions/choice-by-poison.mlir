// A choice without effects may move out of a loop that does not run: made by poison, it is no
// undefined behaviour.
func.func @f(%x: i32, %a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %minus = arith.constant -5.5 : f32
  %r = scf.while (%i = %zero) : (i32) -> i32 {
    %false = arith.constant false
    scf.condition(%false) %i : i32
  } do {
  ^bb0(%i: i32):
    %c = arith.fptoui %minus : f32 to i1
    %v = scf.if %c -> i32 {
      scf.yield %a : i32
    } else {
      scf.yield %x : i32
    }
    scf.yield %v : i32
  }
  return %r : i32
}
