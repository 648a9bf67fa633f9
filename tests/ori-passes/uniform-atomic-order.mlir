// An atomic operation that orders other accesses of its thread is executed by each thread.
//
// RUN: orison-opt --ori-optimize-uniform-atomic --remarks=text %s 2>&1 | FileCheck %s

// CHECK: uniform-atomic-order.mlir:[[#@LINE+4]]:3: remark: [ori-optimize-uniform-atomic] Missed uniform-atomic: the operation is ordered with other accesses of the thread
ori.func kernel @ordered() target "sm_90a" {
  %p = ori.cbank[0, 528] : !ori.r64
  %tid = ori.s2r <register = "SR_TID.X"> : !ori.r
  ori.redg <add, u32, order = mmio> [%p], %tid : (!ori.r64, !ori.r) -> ()
  ori.exit
}
