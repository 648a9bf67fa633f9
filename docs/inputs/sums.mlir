ori.func @f(%a: !ori.r) -> !ori.r target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %sum = ori.iadd3 %a, %zero, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %sum : !ori.r
}
