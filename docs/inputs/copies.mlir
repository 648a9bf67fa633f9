ori.func @copies(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %five = ori.imm 5 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %i2, %five : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^first(%i2 : !ori.r), ^between : !ori.p
^between:
  ori.bra ^second(%zero : !ori.r)
^second(%j: !ori.r):
  %x = ori.ldg <b32> [%p] : (!ori.r64) -> !ori.r
  ori.stg <b32> [%p + 4], %x : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^second(%j2 : !ori.r), ^third : !ori.p
^third:
  %y = ori.ldg <b32> [%p] : (!ori.r64) -> !ori.r
  %on = ori.isetp <ne, s32, and> %y, %zero : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %on, ^third, ^exit : !ori.p
^exit:
  ori.ret
}
