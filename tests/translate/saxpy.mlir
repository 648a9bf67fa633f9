// A kernel from clang as machine operations. Parameters are in constant bank 0, from 0x160 on
// sm_80; a 64-bit sum is two additions and a carry.
//
// RUN: orison-translate --ptx-to-ori %S/ptx/saxpy.sm_80.ptx | FileCheck %s
// RUN: orison-translate --ptx-to-ori %S/ptx/saxpy.sm_80.ptx | orison-opt | FileCheck %s
// RUN: orison-translate --ptx-to-ori --mlir-print-op-generic %S/ptx/saxpy.sm_80.ptx | orison-opt | FileCheck %s

// CHECK-LABEL: ori.func kernel @saxpy() target "sm_80"
// CHECK-SAME: {alignment = 8 : i32, name = "saxpy_param_3", offset = 16 : i32, size = 8 : i32}
// CHECK-NEXT: %[[N:.*]] = ori.cbank[0, 352] : !ori.r
// CHECK: %[[BLOCK:.*]] = ori.s2r <register = "SR_CTAID.X"> : !ori.r
// CHECK: %[[SIZE:.*]] = ori.cbank[0, 0] : !ori.r
// CHECK: %[[THREAD:.*]] = ori.s2r <register = "SR_TID.X"> : !ori.r
// CHECK: %[[I:.*]] = ori.imad %[[BLOCK]], %[[SIZE]], %[[THREAD]]
// CHECK: %[[PAST:.*]] = ori.isetp <ge, s32, and> %[[I]], %[[N]]
// CHECK: ori.cond_bra %[[PAST]], ^[[END:.*]], ^[[BODY:.*]] : !ori.p
// CHECK: ^[[BODY]]:
// CHECK: %[[A:.*]] = ori.cbank[0, 356] : !ori.r
// CHECK: %[[DISTANCE:.*]] = ori.imad_wide <u32> %[[I]]
// CHECK: %[[LOW:.*]]:2 = ori.iadd3 {{.*}} -> (!ori.r, !ori.p)
// CHECK: %[[HIGH:.*]] = ori.iadd3 <extended> {{.*}} carry(%[[LOW]]#1)
// CHECK: %[[ADDRESS:.*]] = ori.concat %[[LOW]]#0, %[[HIGH]]
// CHECK: %[[X:.*]] = ori.ldg <b32, constant> [%[[ADDRESS]]]
// CHECK: %[[Y:.*]] = ori.ldg <b32> [%[[PLACE:.*]]] :
// CHECK: %[[SUM:.*]] = ori.ffma %[[A]], %[[X]], %[[Y]]
// CHECK: ori.stg <b32> [%[[PLACE]]], %[[SUM]]
// CHECK: ori.bra ^[[END]]
// CHECK: ^[[END]]:
// CHECK-NEXT: ori.exit

// The counter and the address that the loop carries are arguments of its block.
// CHECK-LABEL: ori.func kernel @saxpy_gridstride()
// CHECK: ori.bra ^[[HEAD:.*]](%{{.*}}, %{{.*}} : !ori.r, !ori.r64)
// CHECK: ^[[HEAD]](%{{.*}}: !ori.r, %{{.*}}: !ori.r64):
// CHECK: ori.cond_bra {{.*}}^[[HEAD]](%{{.*}}, %{{.*}} : !ori.r, !ori.r64)
