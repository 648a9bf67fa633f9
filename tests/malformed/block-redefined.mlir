func.func @f() {
  cf.br ^a
^a:
  return
^a:
  return
}
