// Calls beside stages: a function of the module, one with a stage, one of the runtime, one that a register
// points to. The reports are those of ptxas 13.0.88, without and with -c.
//
// RUN: orison-translate --ptx-to-ori --ptx-locations --mlir-print-debuginfo %S/ptx/gmma-calls.ptx -o %t.mlir
// RUN: orison-opt --ori-gmma --diagnostics=ptxas %t.mlir -o /dev/null 2>&1 | FileCheck %s
// RUN: orison-opt --ori-gmma=relocatable=true --diagnostics=ptxas %t.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=RELOCATABLE
//
// CHECK-NOT: 'calls_store'
// CHECK: (C7510) {{.*}} crossing function boundary at a function call in the function 'calls_stage'
// CHECK: (C7510) {{.*}} crossing function boundary at a function call in the function 'calls_runtime'
// CHECK: (C7510) {{.*}} crossing function boundary at a function call in the function 'calls_register'
// CHECK-NOT: ptxas
//
// RELOCATABLE: (C7509) {{.*}} the presence of Extern calls in the function 'calls_store'
// RELOCATABLE: (C7509) {{.*}} the presence of Extern calls in the function 'calls_stage'
// RELOCATABLE: (C7509) {{.*}} the presence of Extern calls in the function 'calls_runtime'
// RELOCATABLE: (C7510) {{.*}} crossing function boundary at a function call in the function 'calls_register'
// RELOCATABLE-NOT: ptxas

// A function that ptxas does not link makes the module relocatable.
//
// RUN: orison-translate --ptx-to-ori --ptx-locations --mlir-print-debuginfo %S/ptx/gmma-calls-unknown.ptx | orison-opt --ori-gmma --diagnostics=ptxas -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: (C7509) {{.*}} the presence of Extern calls in the function 'calls_store'
// UNKNOWN: (C7509) {{.*}} the presence of Extern calls in the function 'calls_unknown'
// UNKNOWN-NOT: ptxas

// A function whose address is taken may be called from anywhere: calls of it are external, and it may be
// entered by some threads of a warp, if anything that is not known is called.
//
// RUN: orison-translate --ptx-to-ori --ptx-locations --mlir-print-debuginfo %S/ptx/gmma-calls-taken.ptx | orison-opt --ori-gmma --diagnostics=ptxas -o /dev/null 2>&1 | FileCheck %s --check-prefix=TAKEN --implicit-check-not='function '
// TAKEN: (C7509) {{.*}} the presence of Extern calls in the function 'calls'
// TAKEN: (C7519) {{.*}} line 14 {{.*}} in function 'commits'
// TAKEN: (C7520) {{.*}} in divergent path in the function 'commits'
