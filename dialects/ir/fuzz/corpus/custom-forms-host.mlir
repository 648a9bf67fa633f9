func.func @f(%n: index, %c: i1, %x: f32) -> f32 {
  %0 = scf.for %i = %n to %n step %n iter_args(%a = %x) -> (f32) {
    %1 = scf.if %c -> (f32) {
      scf.yield %a : f32
    } else {
      %2 = scf.while (%b = %a) : (f32) -> f32 {
        scf.condition(%c) %b : f32
      } do {
      ^bb0(%d: f32):
        scf.yield %d : f32
      }
      scf.yield %2 : f32
    }
    scf.yield %1 : f32
  }
  %3 = scf.parallel (%i) = (%n) to (%n) step (%n) init (%0) -> f32 {
    scf.reduce(%0 : f32) {
    ^bb0(%a: f32, %b: f32):
      scf.reduce.return %a : f32
    }
  }
  %4 = scf.index_switch %n -> f32
  case 2 {
    scf.yield %3 : f32
  }
  default {
    scf.yield %0 : f32
  }
  scf.forall (%i) in (%n) {
  }
  %5 = scf.execute_region -> f32 {
    cf.cond_br %c, ^bb1(%4 : f32), ^bb2
  ^bb1(%a: f32):
    cf.br ^bb2
  ^bb2:
    scf.yield %4 : f32
  }
  return %5 : f32
}
