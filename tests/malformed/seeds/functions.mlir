func.func private @ext(i32 {d.a}, f32) -> (i1 {d.r = [1]}, i2)
func.func nested @"odd name"(%g: (i32) -> i32, %a: i32) -> i32 attributes {d.z, no_inline} {
  %f = constant @self : (i32) -> i32
  %0 = call_indirect %f(%a) {d.q} : (i32) -> i32
  %1 = call @self(%0) : (i32) -> i32
  return %1 : i32
}
func.func public @self(%a: i32 loc("arg")) -> i32 {
  return %a : i32
}
