// The whole pass pipeline, in one process and from text to text, with and without buffer assignment in
// between: the ring is the same.
//
// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-assign-buffers='depth=4' --tileas-materialize-schedule | FileCheck %s --check-prefixes=BOTH,ASSIGNED
// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-generate-schedule | orison-opt --tileas-assign-buffers='depth=4' | orison-opt --tileas-materialize-schedule | FileCheck %s --check-prefixes=BOTH,ASSIGNED
// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-materialize-schedule='depth=4' | FileCheck %s --check-prefixes=BOTH
// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-assign-buffers='depth=4' --tileas-materialize-schedule | orison-opt --tileas-assign-buffers='check' | FileCheck %s --check-prefixes=BOTH,ASSIGNED
//
// Attributes of the loop are moved to the pipeline; nothing remains of the erased loop.
//
// ASSIGNED: tileas.buffers = {smem = 131136 : i64, tmem_columns = 0 : i64}
// BOTH: %[[RING:.+]] = nv_tileas.alloc_tensor in "smem" {{.*}}: !nv_tileas.tiled_view<4x2x128x64xf16, smem>
// BOTH: create_pipeline %[[RING]]{{.*}}numStages = 4 : i32
// ASSIGNED-SAME: tileas.buffer = {class = "smem", mbarriers = 131072 : i64, offset = 0 : i64, slots = 4 : i32, stride = 32768 : i64}
// BOTH: agent_switch
// BOTH-NOT: tileas.buffers
