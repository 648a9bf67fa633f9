// Loads that are summed up, the third one behind a branch.
ori.func @loads(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_90" {
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %s = ori.fadd %a, %x : (!ori.r, !ori.r) -> !ori.r
  %b = ori.ldg <b32> [%q + 4] : (!ori.r64) -> !ori.r
  %t = ori.fadd %b, %s : (!ori.r, !ori.r) -> !ori.r
  ori.cond_bra %p, ^then, ^join(%t : !ori.r) : !ori.p
^then:
  %n = ori.fmul %t, %x : (!ori.r, !ori.r) -> !ori.r
  ori.bra ^join(%n : !ori.r)
^join(%y: !ori.r):
  %c = ori.ldg <b32> [%q + 8] : (!ori.r64) -> !ori.r
  %u = ori.fadd %c, %y : (!ori.r, !ori.r) -> !ori.r
  ori.ret %u : !ori.r
}
