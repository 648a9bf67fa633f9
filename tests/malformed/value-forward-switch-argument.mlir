func.func @f() {
  scf.index_switch %late
  default {
    %late = arith.constant 1 : index
  }
  return
}
