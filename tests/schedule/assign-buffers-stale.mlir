// A binding that no longer matches the plan is an error before materialization: the schedule
// requires two slots.
//
// RUN: orison-opt --machine=page %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-assign-buffers='rotate=false' -o %t.mlir
// RUN: sed 's/slots = 2 : i32/slots = 1 : i32/' %t.mlir > %t.stale.mlir
// RUN: not orison-opt --machine=page %t.stale.mlir --tileas-materialize-schedule='rotate=false' 2>&1 | FileCheck %s
//
// CHECK: error: 'scf.for' op buffers are not valid: Pipe_0: needs 2 slots, but has 1
//
// Iterations that overlap need three; with two assigned, they do not overlap.
//
// RUN: orison-opt --machine=page %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-assign-buffers -o %t.mlir
// RUN: sed 's/slots = 3 : i32/slots = 2 : i32/' %t.mlir > %t.stale.mlir
// RUN: orison-opt --machine=page %t.stale.mlir --tileas-materialize-schedule --remarks=text 2>&1 | FileCheck %s --check-prefix=FEWER
//
// FEWER: Missed rotate: iterations do not overlap inside the agents: the rings would need more slots than memory or assigned buffers have
// FEWER: numStages = 2 : i32
// FEWER-NOT: scf.if
