func.func @f(%c: i1, %i: index, %a: i32) -> i32 {
  %0 = scf.if %c -> (i32) {
    scf.yield %a : i32
  } else {
    %1 = arith.constant -3 : i32
    scf.yield %1 : i32
  }
  %2 = scf.index_switch %i -> i32
  case 1 {
    scf.yield %0 : i32
  }
  case -2 {
    scf.yield %a : i32
  }
  default {
    scf.yield %0 : i32
  }
  scf.if %c {} else {}
  return %2 : i32
}
