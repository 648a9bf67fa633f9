// Pipelines that materialization will create are assigned in advance: the loop has attributes for
// their buffers.
//
// RUN: orison-opt --machine=page %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-assign-buffers='rotate=false' | FileCheck %s --check-prefixes=TWO,ALL
// RUN: orison-opt --machine=page %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-assign-buffers='smem-bytes=98351' | FileCheck %s --check-prefixes=TWO,ALL
// RUN: orison-opt --machine=page %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-assign-buffers | FileCheck %s --check-prefixes=THREE,ALL
// RUN: orison-opt --machine=page %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-assign-buffers='depth=5' | FileCheck %s --check-prefixes=FIVE,ALL
// RUN: orison-opt --machine=page %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-assign-buffers='depth=64' | FileCheck %s --check-prefixes=SEVEN,ALL
// RUN: orison-opt --machine=page %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-assign-buffers='depth=64 smem-bytes=100000' | FileCheck %s --check-prefixes=THREE,ALL
// RUN: orison-opt --machine=page %S/../../examples/gemm.mlir --tileas-generate-schedule | orison-opt --machine=page --tileas-assign-buffers='depth=5' | orison-opt --machine=page --tileas-assign-buffers='check' | FileCheck %s --check-prefix=FIVE
// RUN: not orison-opt --machine=page %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-assign-buffers='smem-bytes=65567' 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not orison-opt --machine=page %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-assign-buffers='depth=5' --tileas-assign-buffers='check smem-bytes=100000' 2>&1 | FileCheck %s --check-prefix=LESS
//
// A slot holds two tiles of 128 x 64 x f16, 32,768 bytes, and the schedule requires two slots; three if
// iterations overlap in the compute agent, which reads a slot while it waits for the next, and if there
// is memory for them. More on request, up to the seven that fit in 232,448 bytes, or three in 100,000. The
// mbarriers follow: 16 bytes per slot.
//
// TWO: tileas.buffers = {smem = 65568 : i64, tmem_columns = 0 : i64}
// FIVE: tileas.buffers = {smem = 163920 : i64, tmem_columns = 0 : i64}
// SEVEN: tileas.buffers = {smem = 229488 : i64, tmem_columns = 0 : i64}
// THREE: tileas.buffers = {smem = 98352 : i64, tmem_columns = 0 : i64}
// ALL: scf.for
// TWO: tileas.buffers = [{class = "smem", mbarriers = 65536 : i64, offset = 0 : i64, slots = 2 : i32, stride = 32768 : i64}]
// FIVE: tileas.buffers = [{class = "smem", mbarriers = 163840 : i64, offset = 0 : i64, slots = 5 : i32, stride = 32768 : i64}]
// SEVEN: tileas.buffers = [{class = "smem", mbarriers = 229376 : i64, offset = 0 : i64, slots = 7 : i32, stride = 32768 : i64}]
// THREE: tileas.buffers = [{class = "smem", mbarriers = 98304 : i64, offset = 0 : i64, slots = 3 : i32, stride = 32768 : i64}]
//
// One byte less than two slots and their mbarriers occupy is an error.
//
// FULL: error: 'scf.for' op fails to assign smem buffer: the rings require 65568 bytes of shared memory, but 65567 are available
// FULL: note: phase 3, value 0 (Pipe_0), II 16, 2 stages, from stage 0 cycle 0 to stage 2 cycle 0
// FULL: note: Pipe_0 needs 2 slots of 32768 bytes; rank 2, 16 bits per element
// FULL: note: smem [0, 65536): Pipe_0, 2 slots of 32768 bytes
// FULL: note: smem [65536, 65568): full and empty mbarriers of Pipe_0
//
// An assignment for one memory size is checked against another.
//
// LESS: error: 'scf.for' op buffers are not valid: Pipe_0: ends at byte 163840, beyond the limit of 100000
