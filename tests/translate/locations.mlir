// '.loc' gives the locations of operations; '--ptx-locations' keeps their locations in the PTX.
//
// RUN: orison-translate --ptx-to-ori --mlir-print-debuginfo %S/ptx/locations.ptx 2>%t.warnings | FileCheck %s
// RUN: FileCheck --check-prefix=WARNING %s <%t.warnings
// RUN: printf '.version 8.0\n.target sm_80\n.pragma "unknown";\n.file 1 "a.cu"\n.entry k() {\n  .loc 1 4294967295 2\n  .loc 1 4294967296 2\n  ret;\n}\n' | orison-translate --ptx-to-ori --no-check 2>&1 >%t.mlir | FileCheck --check-prefix=LARGE --implicit-check-not=warning %s
// LARGE: <stdin>:3:1: warning: ignoring module pragma 'unknown'
// LARGE: <stdin>:7:3: warning: line 4294967296 or column 2 is too large; the location is dropped
// RUN: orison-translate --ptx-to-ori --mlir-print-debuginfo --ptx-locations %S/ptx/locations.ptx | FileCheck --check-prefix=PLACES %s
// RUN: orison-translate --ptx-to-ori --mlir-print-debuginfo --quiet %S/ptx/locations.ptx | orison-opt --mlir-print-debuginfo | FileCheck %s

// CHECK: ori.cbank[0, 352] : !ori.r64 loc(#[[HERE:loc[0-9]*]])
// CHECK: ori.s2r <register = "SR_TID.X"> : !ori.r loc(#[[KERNEL:loc[0-9]*]])
// CHECK: ori.imm 7 : !ori.r loc(#[[ONCE:loc[0-9]*]])
// CHECK: ori.imm 9 : !ori.r loc(#[[TWICE:loc[0-9]*]])
// A file that is not declared: the place in the PTX.
// CHECK: ori.stg <b32> [%{{.*}}], %{{.*}} loc(#[[STORE:loc[0-9]*]])
// CHECK: %[[INNER:.*]] = ori.imm 5 : !ori.r64 loc(#[[BRACES:loc[0-9]*]])
// CHECK: ori.stg <b64> [%{{.*}}], %[[INNER]]
// CHECK-DAG: #[[KERNEL]] = loc("kernel.cu":10:3)
// CHECK-DAG: #[[HERE]] = loc("{{.*}}locations.ptx":12:2)
// CHECK-DAG: #[[HELPER:loc[0-9]*]] = loc("helper.h":20:5)
// CHECK-DAG: #[[OTHER:loc[0-9]*]] = loc("helper.h":30:9)
// CHECK-DAG: #[[STORE]] = loc("{{.*}}locations.ptx":20:2)
// CHECK-DAG: #[[BRACES]] = loc("kernel.cu":12:1)
// The strings of functions' names are in the debug section.
// CHECK-DAG: #[[NAMED:loc[0-9]*]] = loc("helper"(#[[HELPER]]))
// CHECK-DAG: #[[MANGLED:loc[0-9]*]] = loc("_Z3helper"(#[[OTHER]]))
// CHECK-DAG: #[[ONCE]] = loc(callsite(#[[NAMED]] at #[[KERNEL]]))
// CHECK-DAG: #[[TWICE]] = loc(callsite(#[[MANGLED]] at #[[ONCE]]))

// WARNING: locations.ptx:19:2: warning: file 9 is not declared; the location is dropped

// PLACES-NOT: kernel.cu
// PLACES-NOT: helper
