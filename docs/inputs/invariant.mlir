ori.func @scale(%q: !ori.r64, %n: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %scale = ori.ldg <b32> [%q + 16] : (!ori.r64) -> !ori.r
  %twice = ori.iadd3 %scale, %scale, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x = ori.imad %i, %twice, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.cond_bra %p, ^arm, ^join : !ori.p
^arm:
  %far = ori.ldg <b32> [%q + 20] : (!ori.r64) -> !ori.r
  ori.sts <b32> [%far], %x : (!ori.r, !ori.r) -> ()
  ori.bra ^join
^join:
  %step = ori.imm 1 : !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}
