// Barriers, convergence, calls and the ends of blocks: each instruction of the dialect in a line of real code, and back.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// CHECK-LABEL: sass.func @sm_100a target "sm_100a"
sass.func @sm_100a target "sm_100a" {
  // CHECK-NEXT: sass.bar "BAR.SYNC.DEFER_BLOCKING 0x0, 0x80" <stall = 6, wait = [2]>
  sass.bar "BAR.SYNC.DEFER_BLOCKING 0x0, 0x80" <stall = 6, wait = [2]>
  // CHECK-NEXT: sass.syncs "@UP3 SYNCS.EXCH.64 URZ, [UR7+0x20058], UR4" <stall = 2, wr = 1, rd = 4>
  sass.syncs "@UP3 SYNCS.EXCH.64 URZ, [UR7+0x20058], UR4" <stall = 2, wr = 1, rd = 4>
  // CHECK-NEXT: sass.fence "FENCE.VIEW.ASYNC.T" <stall = 1, wr = 2>
  sass.fence "FENCE.VIEW.ASYNC.T" <stall = 1, wr = 2>
  // CHECK-NEXT: sass.bssy "BSSY B0, `(.L_x_0)" <stall = 1>
  sass.bssy "BSSY B0, `(.L_x_0)" <stall = 1>
  // CHECK-NEXT: sass.warpsync "WARPSYNC.ALL" <stall = 5>
  sass.warpsync "WARPSYNC.ALL" <stall = 5>
  // CHECK-NEXT: sass.nop "NOP" <stall = 0, yield>
  sass.nop "NOP" <stall = 0, yield>
  // CHECK-NEXT: sass.bpt "BPT.TRAP 0x1" <stall = 5>
  sass.bpt "BPT.TRAP 0x1" <stall = 5>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_103a target "sm_103a"
sass.func @sm_103a target "sm_103a" {
  // CHECK-NEXT: sass.errbar "ERRBAR" <stall = 0, yield>
  sass.errbar "ERRBAR" <stall = 0, yield>
  // CHECK-NEXT: sass.cgaerrbar "CGAERRBAR" <stall = 6>
  sass.cgaerrbar "CGAERRBAR" <stall = 6>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_75 target "sm_75"
sass.func @sm_75 target "sm_75" {
  // CHECK-NEXT: sass.pmtrig "PMTRIG 0x8" <stall = 15, yield, wait = [0, 1]>
  sass.pmtrig "PMTRIG 0x8" <stall = 15, yield, wait = [0, 1]>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_80 target "sm_80"
sass.func @sm_80 target "sm_80" {
  // CHECK-NEXT: sass.yield "YIELD" <stall = 15, yield, wait = [0, 1]>
  sass.yield "YIELD" <stall = 15, yield, wait = [0, 1]>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_90a target "sm_90a"
sass.func @sm_90a target "sm_90a" {
  // CHECK-NEXT: sass.membar "MEMBAR.SC.SYS" <stall = 6, wait = [1]>
  sass.membar "MEMBAR.SC.SYS" <stall = 6, wait = [1]>
  // CHECK-NEXT: sass.ucgabar_arv "UCGABAR_ARV" <stall = 1>
  sass.ucgabar_arv "UCGABAR_ARV" <stall = 1>
  // CHECK-NEXT: sass.ucgabar_wait "UCGABAR_WAIT" <stall = 1>
  sass.ucgabar_wait "UCGABAR_WAIT" <stall = 1>
  // CHECK-NEXT: sass.warpgroup "WARPGROUP.DEPBAR.LE gsb0, 0x0" <stall = 2>
  sass.warpgroup "WARPGROUP.DEPBAR.LE gsb0, 0x0" <stall = 2>
  // CHECK-NEXT: sass.acqbulk "ACQBULK" <stall = 1>
  sass.acqbulk "ACQBULK" <stall = 1>
  // CHECK-NEXT: sass.preexit "PREEXIT" <stall = 1>
  sass.preexit "PREEXIT" <stall = 1>
  // CHECK-NEXT: sass.usetmaxreg "USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0xe8" <stall = 2, wr = 1>
  sass.usetmaxreg "USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0xe8" <stall = 2, wr = 1>
  // CHECK-NEXT: sass.endcollective "ENDCOLLECTIVE" <stall = 15, yield, wait = [0, 1]>
  sass.endcollective "ENDCOLLECTIVE" <stall = 15, yield, wait = [0, 1]>
  // CHECK-NEXT: sass.nanosleep "NANOSLEEP R0" <stall = 5>
  sass.nanosleep "NANOSLEEP R0" <stall = 5>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// Not in the code compiled for this test; operands as in related instructions.
// CHECK-LABEL: sass.func @written_by_hand target "sm_90a"
sass.func @written_by_hand target "sm_90a" {
  // CHECK-NEXT: sass.cctlt "CCTLT.IVTH" <stall = 5>
  sass.cctlt "CCTLT.IVTH" <stall = 5>
  // CHECK-NEXT: sass.break "BREAK P0, B0" <stall = 5>
  sass.break "BREAK P0, B0" <stall = 5>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// The ends of blocks; jumps are in roundtrip.mlir.
// CHECK-LABEL: sass.func @ends_jmp
sass.func @ends_jmp target "sm_90a" {
  // CHECK-NEXT: sass.jmp "JMP 0x100" <stall = 5>
  sass.jmp "JMP 0x100" <stall = 5>
}

// CHECK-LABEL: sass.func @ends_jmx
sass.func @ends_jmx target "sm_90a" {
  // CHECK-NEXT: sass.jmx "JMX R4" <stall = 5>
  sass.jmx "JMX R4" <stall = 5>
}

// CHECK-LABEL: sass.func @ends_jmxu
sass.func @ends_jmxu target "sm_90a" {
  // CHECK-NEXT: sass.jmxu "JMXU UR4" <stall = 5>
  sass.jmxu "JMXU UR4" <stall = 5>
}

// CHECK-LABEL: sass.func @ends_call
sass.func @ends_call target "sm_90a" {
  // CHECK-NEXT: sass.call "CALL.ABS.NOINC R2 `(__UFT_OFFSET)" <stall = 5>
  sass.call "CALL.ABS.NOINC R2 `(__UFT_OFFSET)" <stall = 5>
}

// CHECK-LABEL: sass.func @ends_ret
sass.func @ends_ret target "sm_100a" {
  // CHECK-NEXT: sass.ret "RET.REL.NODEC R2 `(k)" <stall = 5>
  sass.ret "RET.REL.NODEC R2 `(k)" <stall = 5>
}

// CHECK-LABEL: sass.func @ends_exit
sass.func @ends_exit target "sm_100a" {
  // CHECK-NEXT: sass.exit "@P0 EXIT" <stall = 5>
  sass.exit "@P0 EXIT" <stall = 5>
}

// CHECK-LABEL: sass.func @ends_kill
sass.func @ends_kill target "sm_90a" {
  // CHECK-NEXT: sass.kill "KILL" <stall = 5>
  sass.kill "KILL" <stall = 5>
}

// CHECK-LABEL: sass.func @ends_bsync
sass.func @ends_bsync target "sm_100a" {
  // CHECK-NEXT: sass.bsync "BSYNC B0" <stall = 5>
  sass.bsync "BSYNC B0" <stall = 5>
}

// CHECK-LABEL: sass.func @ends_rtt
sass.func @ends_rtt target "sm_90a" {
  // CHECK-NEXT: sass.rtt "RTT" <stall = 5>
  sass.rtt "RTT" <stall = 5>
}
