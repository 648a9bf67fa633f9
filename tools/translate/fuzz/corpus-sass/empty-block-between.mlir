sass.func @k target "sm_90a" {
  sass.fall_through ^a
^a:
  sass.fall_through ^b
^b:
  sass.notes [".L_x_0:"]
  sass.fall_through ^c
^c:
  sass.bra "BRA `(.L_x_0)" <stall = 5> [^b]
}
