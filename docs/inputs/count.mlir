ori.func @count(%p: !ori.r64) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %three = ori.imm 3 : !ori.r
  %eight = ori.imm 8 : !ori.r
  %end = ori.imm 10 : !ori.r
  ori.bra ^head(%zero, %p : !ori.r, !ori.r64)
^head(%i: !ori.r, %q: !ori.r64):
  ori.stg <b32> [%q + 8], %i : (!ori.r64, !ori.r) -> ()
  %x = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %next = ori.iadd3 %i, %three, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %q2 = ori.imad_wide <u32> %eight, %one, %q : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %more = ori.isetp <lt, s32, and> %next, %end : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next, %q2 : !ori.r, !ori.r64), ^exit : !ori.p
^exit:
  ori.ret
}
