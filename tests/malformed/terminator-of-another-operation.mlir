func.func @f() {
  scf.yield
}
