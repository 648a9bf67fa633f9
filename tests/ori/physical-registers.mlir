// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt %s --mlir-print-op-generic | orison-opt | FileCheck %s

// After register allocation types carry the first of the registers of a value.
// CHECK-LABEL: ori.func @each
ori.func @each(%q: !ori.r64<R4>, %a: !ori.r<R6>, %u: !ori.ur<UR4>, %w: !ori.ur64<UR62>, %p: !ori.p<P6>, %v: !ori.up<UP0>) -> !ori.r<R4> target "sm_90" {
  // CHECK: ori.iadd3 {{.*}} : (!ori.r<R6>, !ori.ur<UR4>, !ori.r<R6>) -> !ori.r<R254>
  %s = ori.iadd3 %a, %u, %a : (!ori.r<R6>, !ori.ur<UR4>, !ori.r<R6>) -> !ori.r<R254>
  // CHECK: ori.concat {{.*}} -> !ori.r128<R4>
  %c = ori.concat %q, %a, %a : (!ori.r64<R4>, !ori.r<R6>, !ori.r<R6>) -> !ori.r128<R4>
  // CHECK: ori.undef : !ori.acc<32, R24>
  %d = ori.undef : !ori.acc<32, R24>
  // CHECK: ori.undef : !ori.b<B15>
  %b = ori.undef : !ori.b<B15>
  // CHECK: ori.sel {{.*}} : (!ori.r<R254>, !ori.r<R6>, !ori.p<P6>) -> !ori.r<R4>
  %r = ori.sel %s, %a, %p : (!ori.r<R254>, !ori.r<R6>, !ori.p<P6>) -> !ori.r<R4>
  ori.ret %r : !ori.r<R4>
}
