// The pipeline of all passes on machine operations, by its name and as a part of a longer one.
//
// RUN: orison-opt --ori-optimize %s | FileCheck %s
// RUN: orison-opt --pass-pipeline='builtin.module(ori-optimize)' --dump-pass-pipeline %s 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: orison-opt --pass-pipeline='builtin.module(ori-optimize{level=0})' --dump-pass-pipeline %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: orison-opt --pass-pipeline='builtin.module(ori-optimize{level=1})' --dump-pass-pipeline %s 2>&1 | FileCheck %s --check-prefix=SIMPLE
// RUN: orison-opt --pass-pipeline='builtin.module(ori-optimize{saturate=false pipelining=true})' --dump-pass-pipeline %s 2>&1 | FileCheck %s --check-prefix=CHOSEN
// RUN: orison-opt --pass-pipeline='builtin.module(ori-loops{level=4 pipelining=true})' --dump-pass-pipeline %s 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: not orison-opt --pass-pipeline='builtin.module(ori-optimize{work=3})' %s 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not orison-opt --pass-pipeline='builtin.module(ori-optimize{level=4})' %s 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not orison-opt --pass-pipeline='builtin.module(ori-loops{levels=4})' %s 2>&1 | FileCheck %s --check-prefix=NEAR

// PIPELINE: ori-switch-opt
// PIPELINE: ori-loop-simplification{level=3}
// PIPELINE: ori-strength-reduce
// PIPELINE-NOT: ori-pipelining
// PIPELINE: ori-loop-unrolling
// PIPELINE: ori-hoist-invariants{pass-id=0}
// PIPELINE: ori-gvn
// PIPELINE: ori-hoist-invariants{pass-id=1}
// PIPELINE: ori-general-optimize{
// PIPELINE: ori-perform-live-dead
// PIPELINE: ori-hoist-invariants{pass-id=2}
// PIPELINE: ori-fixup-gmma-sequence
// PIPELINE: ori-hoist-invariants{pass-id=3}

// NONE: with 3 passes
// NONE: ori-form-accumulators
// NONE: ori-propagate-gmma
// NONE: ori-fixup-gmma-sequence

// SIMPLE-NOT: {{loop|hoist|predication|reassociate|general-optimize}}
// SIMPLE: ori-gvn

// CHOSEN: ori-loop-unrolling
// CHOSEN: ori-pipelining
// CHOSEN: ori-hoist-invariants
// CHOSEN-NOT: ori-general-optimize

// LOOPS: ori-copy-propagation
// LOOPS: ori-loop-simplification{level=4}
// LOOPS: ori-strength-reduce
// LOOPS: ori-loop-unrolling
// LOOPS: ori-pipelining
// LOOPS: ori-hoist-invariants{pass-id=0}
// LOOPS: ori-hoist-invariants{pass-id=1}
// LOOPS: ori-hoist-invariants{pass-id=2}
// LOOPS: ori-hoist-invariants{pass-id=3}

// OPTION: error: {{.*}}'work'
// LEVEL: error: {{.*}}option 'level': expected 0 to 3, found 4
// NEAR: error: {{.*}}'levels'{{.*}}'level'

// The first test decides the second one, a sum is computed once, and dead operations are erased.
// CHECK-LABEL: ori.func @f(
// CHECK-COUNT-1: ori.iadd3
// CHECK-NOT: ori.iadd3
// CHECK: ori.ret
ori.func @f(%a: !ori.r, %b: !ori.r) -> !ori.r target "sm_90a" {
  %zero = ori.imm 0 : !ori.r
  %p = ori.isetp <eq, s32, and> %a, %b : (!ori.r, !ori.r) -> !ori.p
  %x = ori.iadd3 %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %dead = ori.iadd3 %x, %x, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.cond_bra %p, ^one, ^two : !ori.p
^one:
  ori.cond_bra %p, ^three, ^two : !ori.p
^two:
  ori.ret %x : !ori.r
^three:
  %y = ori.iadd3 %b, %a, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %y : !ori.r
}
