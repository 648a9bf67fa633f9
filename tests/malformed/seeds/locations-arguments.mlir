func.func @f(%a: i32 loc("x"), %b: i32 {d.a} loc("y":1:1)) -> i32 {
  cf.br ^b(%a : i32) loc("branch")
^b(%z: i32 loc("z")):
  return %z : i32 loc(#r)
} loc(fused["f", "g"])
#r = loc("r.c":1:2)
