ori.func @adjacent(%p: !ori.r64, %q: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %four = ori.imm 4 : !ori.r
  ori.bra ^squares(%zero : !ori.r)
^squares(%i: !ori.r):
  %to = ori.imad_wide <u32> %i, %four, %p : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %square = ori.imad %i, %i, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%to], %square : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^squares(%i2 : !ori.r), ^sum(%zero, %zero : !ori.r, !ori.r) : !ori.p
^sum(%j: !ori.r, %s: !ori.r):
  %from = ori.imad_wide <u32> %j, %four, %p : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %x = ori.ldg <b32> [%from] : (!ori.r64) -> !ori.r
  %s2 = ori.iadd3 %s, %x, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^sum(%j2, %s2 : !ori.r, !ori.r), ^shift(%zero : !ori.r) : !ori.p
^shift(%k: !ori.r):
  %at = ori.imad_wide <u32> %k, %four, %p : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %next = ori.ldg <b32> [%at + 4] : (!ori.r64) -> !ori.r
  ori.stg <b32> [%at], %next : (!ori.r64, !ori.r) -> ()
  %k2 = ori.iadd3 %k, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %on = ori.isetp <lt, s32, and> %k2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %on, ^shift(%k2 : !ori.r), ^exit : !ori.p
^exit:
  ori.stg <b32> [%q], %s2 : (!ori.r64, !ori.r) -> ()
  ori.ret
}
