func.func @f(%n: index) {
  scf.parallel (%i) = (%late) to (%n) step (%n) {
    %late = arith.addi %i, %i : index
  }
  return
}
