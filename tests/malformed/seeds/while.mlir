func.func @f(%a: i32) -> f32 {
  %0 = scf.while (%x = %a) : (i32) -> f32 {
    %c:2 = "d.c"(%x) : (i32) -> (i1, f32)
    scf.condition(%c#0) %c#1 : f32
  } do {
  ^bb0(%y: f32):
    %n = "d.n"(%y) : (f32) -> i32
    scf.yield %n : i32
  } attributes {d.x}
  scf.while : () -> () {
    %t = arith.constant true
    scf.condition(%t)
  } do {
    scf.yield
  }
  return %0 : f32
}
