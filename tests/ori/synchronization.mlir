// Barriers, fences, convergence, and instructions that the dialect does not model.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

ori.func @synchronization(%r: !ori.r, %s: !ori.r, %d: !ori.r64, %e: !ori.r64, %q: !ori.r128, %u: !ori.ur, %v: !ori.ur64, %p: !ori.p, %o: !ori.p, %up: !ori.up, %b: !ori.b, %acc: !ori.acc<32>, %wide: !ori.acc<8>) target "sm_90a" {
  // CHECK: ori.bar <sync, index = 0>
  ori.bar <sync, index = 0>
  // CHECK: ori.bar <arrive> barrier(%{{[a-z0-9]+}}) threads(%{{[a-z0-9]+}}) : (!ori.r, !ori.r) -> ()
  ori.bar <arrive> barrier(%r) threads(%s) : (!ori.r, !ori.r) -> ()
  // CHECK: = ori.bar <reduce, index = 1, popc> threads(%{{[a-z0-9]+}}) predicate(not %{{[a-z0-9]+}}) : (!ori.r, !ori.p) -> !ori.r
  %x2 = ori.bar <reduce, index = 1, popc> threads(%s) predicate(not %p) : (!ori.r, !ori.p) -> !ori.r
  // CHECK: ori.membar <all, gpu>
  ori.membar <all, gpu>
  // CHECK: ori.errbar
  ori.errbar
  // CHECK: ori.cgaerrbar
  ori.cgaerrbar
  // CHECK: ori.fence <shared, asynchronous>
  ori.fence <shared, asynchronous>
  // CHECK: ori.warpsync
  ori.warpsync
  // CHECK: ori.warpsync mask(%{{[a-z0-9]+}}) : (!ori.r) -> ()
  ori.warpsync mask(%r) : (!ori.r) -> ()
  // CHECK: ori.cgabar_arrive <relaxed>
  ori.cgabar_arrive <relaxed>
  // CHECK: ori.cgabar_wait
  ori.cgabar_wait
  // CHECK: ori.nanosleep %{{[a-z0-9]+}} if %{{[a-z0-9]+}} : (!ori.r, !ori.p) -> ()
  ori.nanosleep %r if %p : (!ori.r, !ori.p) -> ()
  // CHECK: ori.yield
  ori.yield
  // CHECK: ori.setmaxreg <dec, count = 40>
  ori.setmaxreg <dec, count = 40>
  // CHECK: = ori.setmaxreg <inc, count = 240> : !ori.up
  %x14 = ori.setmaxreg <inc, count = 240> : !ori.up
  // CHECK: = ori.bssy <reconvergent> : !ori.b
  %x15 = ori.bssy <reconvergent> : !ori.b
  // CHECK: ori.bsync %{{[a-z0-9]+}} : (!ori.b) -> ()
  ori.bsync %b : (!ori.b) -> ()
  // CHECK: = ori.break %{{[a-z0-9]+}} if %{{[a-z0-9]+}} else %{{[a-z0-9]+}} : (!ori.b, !ori.p, !ori.b) -> !ori.b
  %x17 = ori.break %b if %p else %b : (!ori.b, !ori.p, !ori.b) -> !ori.b
  // CHECK: ori.nop
  ori.nop
  // CHECK: ori.bpt <trap>
  ori.bpt <trap>
  // CHECK: = ori.inst <mnemonic = "FOO.BAR", reads = ["global"], writes = [], convergent, barrier> inputs(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}) : (!ori.r, !ori.r64, !ori.p) -> (!ori.r, !ori.p)
  %x20:2 = ori.inst <mnemonic = "FOO.BAR", reads = ["global"], writes = [], convergent, barrier> inputs(%r, %d, %p) : (!ori.r, !ori.r64, !ori.p) -> (!ori.r, !ori.p)
  // CHECK: ori.inst <mnemonic = "FOO">
  ori.inst <mnemonic = "FOO">
  // CHECK: ori.acqbulk
  ori.acqbulk
  // CHECK: ori.preexit if %{{[a-z0-9]+}} : (!ori.p) -> ()
  ori.preexit if %p : (!ori.p) -> ()
  // CHECK: ori.pmtrig <events = 6>
  ori.pmtrig <events = 6>
  ori.ret
}
