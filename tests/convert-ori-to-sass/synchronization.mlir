// Barriers, fences and waits.
//
// RUN: orison-opt %s --convert-ori-to-sass | FileCheck %s

// CHECK-LABEL: sass.func @barriers target "sm_80"
ori.func @barriers(%r4: !ori.r<R4>, %r5: !ori.r<R5>, %p1: !ori.p<P1>) target "sm_80" {
  %I128 = ori.imm 128 : !ori.r
  %I64 = ori.imm 64 : !ori.r
  %I100 = ori.imm 100 : !ori.r
  // CHECK: sass.bar "BAR.SYNC.DEFER_BLOCKING 0x0"
  ori.bar <sync, index = 0>
  // CHECK-NEXT: sass.bar "BAR.SYNC.DEFER_BLOCKING 0x1, 0x80"
  ori.bar <sync, index = 1> threads(%I128) : (!ori.r) -> ()
  // CHECK-NEXT: sass.bar "BAR.SYNC.DEFER_BLOCKING R4, R5"
  ori.bar <sync> barrier(%r4) threads(%r5) : (!ori.r<R4>, !ori.r<R5>) -> ()
  // CHECK-NEXT: sass.bar "BAR.ARV 0x2, 0x40"
  ori.bar <arrive, index = 2> threads(%I64) : (!ori.r) -> ()
  // CHECK-NEXT: sass.bar "BAR.RED.AND.DEFER_BLOCKING 0x0, !P1"
  // CHECK-NEXT: sass.b2r "B2R.RESULT RZ, P2"
  %x0 = ori.bar <reduce, index = 0, and> predicate(not %p1) : (!ori.p<P1>) -> !ori.p<P2>
  // CHECK-NEXT: sass.bar "BAR.RED.POPC.DEFER_BLOCKING 0x0, P1"
  // CHECK-NEXT: sass.b2r "B2R.RESULT R7"
  %x1 = ori.bar <reduce, index = 0, popc> predicate(%p1) : (!ori.p<P1>) -> !ori.r<R7>
  // CHECK-NEXT: sass.membar "MEMBAR.SC.GPU"
  ori.membar <sc, gpu>
  // CHECK-NEXT: sass.membar "@P1 MEMBAR.ALL.CTA"
  ori.membar <all, cta> if %p1 : (!ori.p<P1>) -> ()
  // CHECK-NEXT: sass.errbar "ERRBAR"
  ori.errbar
  // CHECK-NEXT: sass.warpsync "WARPSYNC R4"
  ori.warpsync mask(%r4) : (!ori.r<R4>) -> ()
  // CHECK-NEXT: sass.warpsync "WARPSYNC 0xffffffff"
  ori.warpsync
  // CHECK-NEXT: sass.nanosleep "NANOSLEEP 0x64"
  ori.nanosleep %I100 : (!ori.r) -> ()
  // CHECK-NEXT: sass.pmtrig "PMTRIG 0x8"
  ori.pmtrig <events = 8>
  // CHECK-NEXT: sass.yield "YIELD"
  ori.yield
  // CHECK-NEXT: sass.nop "NOP"
  ori.nop
  // CHECK-NEXT: sass.bpt "BPT.TRAP 0x1"
  ori.bpt <trap>
  // CHECK-NEXT: sass.depbar "DEPBAR.LE SB0, 0x2"
  ori.depbar <count = 2>
  // CHECK-NEXT: sass.ldgdepbar "LDGDEPBAR"
  ori.ldgdepbar
  // CHECK-NEXT: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_90 target "sm_90a"
ori.func @since_90() target "sm_90a" {
  // CHECK: sass.warpsync "WARPSYNC.ALL"
  ori.warpsync
  // CHECK-NEXT: sass.cgaerrbar "CGAERRBAR"
  ori.cgaerrbar
  // CHECK-NEXT: sass.fence "FENCE.VIEW.ASYNC.S"
  ori.fence <shared, asynchronous>
  // CHECK-NEXT: sass.fence "FENCE.VIEW.ASYNC.T"
  ori.fence <tensor, asynchronous>
  // CHECK-NEXT: sass.ucgabar_arv "UCGABAR_ARV"
  ori.cgabar_arrive
  // CHECK-NEXT: sass.ucgabar_wait "UCGABAR_WAIT"
  ori.cgabar_wait
  // CHECK-NEXT: sass.acqbulk "ACQBULK"
  ori.acqbulk
  // CHECK-NEXT: sass.preexit "PREEXIT"
  ori.preexit
  // CHECK-NEXT: sass.usetmaxreg "USETMAXREG.DEALLOC.CTAPOOL 0x28"
  ori.setmaxreg <dec, count = 40>
  // CHECK-NEXT: sass.usetmaxreg "USETMAXREG.TRY_ALLOC.CTAPOOL UP1, 0xe8"
  %x0 = ori.setmaxreg <inc, count = 232> : !ori.up<UP1>
  // CHECK-NEXT: sass.depbar "DEPBAR.LE SB0, 0x0"
  ori.bulk_wait <count = 0, reads>
  // CHECK-NEXT: sass.ret
  ori.ret
}
