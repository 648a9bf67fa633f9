// The pipeline of all passes on machine operations, by its name and as a part of a longer one.
//
// RUN: orison-opt --ori-optimize %s | FileCheck %s
// RUN: orison-opt --pass-pipeline='builtin.module(ori-optimize)' --dump-pass-pipeline %s 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: not orison-opt --pass-pipeline='builtin.module(ori-optimize{work=3})' %s 2>&1 | FileCheck %s --check-prefix=OPTION

// PIPELINE: ori-switch-opt
// PIPELINE: ori-gvn
// PIPELINE: ori-general-optimize{
// PIPELINE: ori-perform-live-dead

// OPTION: error: {{.*}}'work'

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
