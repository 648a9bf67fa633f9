%0 = "d.op"() : () -> i32
func.func @f() -> i32 {
  return %0 : i32
}
