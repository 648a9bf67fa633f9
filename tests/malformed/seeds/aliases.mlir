#one = 1 : i8
!i = i32
#list = [#one, {k = #one}]
!f = (!i) -> tuple<!i>
#map = affine_map<(i) -> (i + 1)>
!m = memref<4x!i, #map>
"d.op"() {a = #list, t = !f} : () -> !m loc(#later)
#later = loc("f.c":1:2)
