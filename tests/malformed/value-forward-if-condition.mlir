func.func @f() {
  scf.if %late {
    %late = arith.constant true
  }
  return
}
