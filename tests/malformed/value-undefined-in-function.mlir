func.func @f() {
  "d.use"(%nowhere) : (i32) -> ()
  return
}
