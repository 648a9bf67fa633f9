ori.func @dot(%a: !ori.r64, %b: !ori.r64) -> !ori.r target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %four = ori.imm 4 : !ori.r
  ori.bra ^loop(%zero, %zero, %a, %b : !ori.r, !ori.r, !ori.r64, !ori.r64)
^loop(%i: !ori.r, %sum: !ori.r, %p: !ori.r64, %q: !ori.r64):
  %x = ori.ldg <b32> [%p] : (!ori.r64) -> !ori.r
  %y = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %more = ori.ffma %x, %y, %sum : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %p2 = ori.imad_wide <u32> %one, %four, %p : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %q2 = ori.imad_wide <u32> %one, %four, %q : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %j = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %on = ori.isetp <lt, s32, and> %j, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %on, ^loop(%j, %more, %p2, %q2 : !ori.r, !ori.r, !ori.r64, !ori.r64), ^exit : !ori.p
^exit:
  ori.ret %more : !ori.r
}
