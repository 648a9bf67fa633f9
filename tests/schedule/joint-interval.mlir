// Agents are chosen by the cycles that they are predicted to execute. Attention with heads of 64 has the same
// interval with two compute agents of four warps, which pass no values, and with one of eight: the latter
// executes it, as the transcendental unit, 516 cycles, bounds it and its tiles fit in its registers.

// RUN: orison-opt %S/../../examples/attention.mlir --tileas-generate-schedule='machine=hopper strategy=joint joint-warps=16 joint-work=0' -o %t.scheduled.mlir --remarks=text 2>&1 | FileCheck %s --check-prefix=CHOSEN
// RUN: orison-opt %t.scheduled.mlir --tileas-materialize-schedule=machine=hopper --tileas-verify-pipelines -o %t.mlir
// RUN: orison-interpret %t.mlir --entry attention --tiles 16 --machine hopper --timed --check-interval=2 | FileCheck %s --check-prefix=TIMED

// CHOSEN: chose the agents load 8x40, compute 8x216; passed-bytes=0; cycles=522
// TIMED: scheduled executed ratio
// TIMED-COUNT-2: {{[0-9]+:[0-9]+}} agent {{[01]}} {{[0-9]+}} 522 522.00

// No agents of layer-norm have the registers for its interval. Those of 'default' execute fewer cycles in the order
// that is searched for with their registers: they are kept.

// RUN: orison-opt %S/../../examples/layer-norm.mlir --tileas-generate-schedule='machine=hopper strategy=joint joint-warps=16 joint-work=0' -o %t.usual.mlir --remarks=text 2>&1 | FileCheck %s --check-prefix=USUAL
// RUN: orison-opt %S/../../examples/layer-norm.mlir --tileas-generate-schedule=machine=hopper -o %t.default.mlir
// RUN: diff %t.usual.mlir %t.default.mlir

// USUAL: Missed agents: an iteration of agents of its own is predicted to take {{1[0-9]+}} cycles, more than the 1275 of a load and a compute agent; the schedule is that of 'strategy=default'
