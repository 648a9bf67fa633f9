"d.outer"() ({
  %x = "d.def"() : () -> i32
  "d.br"(%x)[^def] : (i32) -> ()
^use(%q: f32):
  %r:2 = "d.all"(%x, %later)[^next, ^next] <{p = [1, unit]}> ({
  ^entry(%a: i32 loc("a"), %b: !d.t):
    "d.end"(%b) : (!d.t) -> () loc(unknown)
  }, {
  }) {b.c, a = "x"} : (i32, f16) -> (f32, index)
^def:
  %later = "d.def"() : () -> f16
  "d.br"()[^use] : () -> ()
^next:
  "d.end"(%r#1) : (index) -> ()
}) : () -> ()
