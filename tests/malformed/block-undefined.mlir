func.func @f() {
  cf.br ^nowhere
}
