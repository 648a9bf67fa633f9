func.func @f(%a: i32) {
  cf.switch %a : i32, [default: ^b, 99999999999999999999: ^b]
^b:
  return
}
