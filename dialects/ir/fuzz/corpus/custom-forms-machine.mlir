ori.func @f(%a: !ori.r) -> !ori.r target "sm_80" {
  %b = ori.iadd3 %a, %a, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %b : !ori.r
}
sass.func @g target "sm_90a" {
  sass.iadd3 "IADD3 R36, P2, P3, R57.reuse, UR4, R38" <stall = 4, reuse = [a]>
  sass.exit "EXIT" <stall = 5>
}
