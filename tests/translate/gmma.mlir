// Kernels of Triton keep their stages: nothing is reported, injected or serialized.
//
// RUN: orison-translate --ptx-to-ori --ptx-locations --mlir-print-debuginfo %S/../run/ptx/matmul_bf16_persistent_tma_128x128x64.sm_90a.ptx | orison-opt --ori-gmma --diagnostics=ptxas 2>&1 | FileCheck %s
// RUN: orison-translate --ptx-to-ori --ptx-locations --mlir-print-debuginfo %S/../run/ptx/matmul_bf16_persistent_tma_128x128x64_ws.sm_90a.ptx | orison-opt --ori-gmma --diagnostics=ptxas 2>&1 | FileCheck %s
//
// CHECK-NOT: ptxas
// CHECK-NOT: ori.warpgroup
// CHECK: ori.wgmma.mma
// CHECK-NOT: ori.warpgroup
// CHECK-NOT: ptxas

// An import with locations in the PTX names registers, and keeps copies of registers.
//
// RUN: orison-translate --ptx-to-ori --ptx-locations --mlir-print-debuginfo %S/ptx/wgmma-clean_n64.ptx | orison-opt --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=NAMES
// NAMES: ori.wgmma.mma {{.*}} loc("{%d0, %d1, %d2, {{.*}}, %d31}"("{{.*}}wgmma-clean_n64.ptx":{{[0-9]+}}:2))
// NAMES: ori.extract {{.*}}[1] : {{.*}} loc("%d1"(
