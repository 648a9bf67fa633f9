// RUN: not orison-opt %s --ori-schedule-instructions 2>&1 | FileCheck %s
// RUN: not orison-opt %s --ori-schedule-instructions=phases=all 2>&1 | FileCheck %s --check-prefix=PHASE
// RUN: not orison-opt %s --ori-schedule-instructions=strategy=fastest 2>&1 | FileCheck %s --check-prefix=STRATEGY
// RUN: not orison-opt %s --ori-schedule-instructions=knobs=SchedCrosBlock=1 2>&1 | FileCheck %s --check-prefix=KNOB

// PHASE: expected reduce-reg|ilp|dyn-batch, found 'all'
// STRATEGY: found 'fastest'
// KNOB: unknown knob 'SchedCrosBlock'; did you mean 'SchedCrossBlock'?

// CHECK: :[[#@LINE+1]]:1: error: 'ori.func' op no latency model for 'sm_35'; known are
ori.func @f() target "sm_35" {
  ori.ret
}
