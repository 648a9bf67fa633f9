"d.op"() ({
^entry(%a: i32):
  "d.br"(%a)[^late, ^loop] : (i32) -> ()
^loop:
  "d.br"()[^loop] : () -> ()
^late:
  "d.end"(%a) : (i32) -> ()
^a.b$c-d_1:
  "d.end"() : () -> ()
}) : () -> ()
