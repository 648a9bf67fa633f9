func.func @f() attributes {sym_name = "g"} {
  return
}
