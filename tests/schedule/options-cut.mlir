// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-generate-schedule='max-ii=1' 2>&1 | FileCheck %s --check-prefix=MAX-II
// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-generate-schedule='max-ii=4096' 2>&1 | FileCheck %s --check-prefix=ENOUGH
// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-materialize-schedule='depth=64' --remarks=text -o %t.mlir 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-assign-buffers='depth=64' --remarks=text -o %t.mlir 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-assign-buffers='depth=1' --remarks=text -o %t.mlir 2>&1 | FileCheck %s --check-prefix=SHALLOW
// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-materialize-schedule='use-aus unspecialized-pipeline-num-stages=64' --remarks=text -o %t.mlir 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-generate-schedule='random-seed=2' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=SEED
// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-generate-schedule='exact strategy=fast serial-threshold=3' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=EXACT

// Options in range whose value is reduced or has no effect give a diagnostic.

// MAX-II: gemm.mlir:{{[0-9]+:[0-9]+}}: warning: using the serial schedule, whose II {{[0-9]+}} exceeds max-ii=1
// ENOUGH-NOT: warning

// A slot has two tiles of 16 KiB; seven slots fit in 227 KiB.
// DEEP: remark: {{.*}} Missed depth: Pipe_0 has 7 slots instead of 64; shared memory is too small for more
// SHALLOW: remark: {{.*}} Missed depth: Pipe_0 has {{[2-9]}} slots instead of 1; the schedule requires this many
// STAGES: remark: {{.*}} Missed stages: the loop has 7 stages instead of 64; shared memory is too small for more
// SEED: warning: option 'random-seed' has no effect without 'enable-random-delay'
// EXACT: warning: option 'exact' has no effect if 'strategy' or 'exact-work' disables the search
// EXACT: warning: option 'serial-threshold' has no effect unless the strategy is 'default'
