func.func @f() {
^a:
  cf.br ^a
}
