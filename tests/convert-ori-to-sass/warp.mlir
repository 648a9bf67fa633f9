// Operations between the lanes of a warp.
//
// RUN: orison-opt %s --convert-ori-to-sass | FileCheck %s

// CHECK-LABEL: sass.func @lanes target "sm_80"
ori.func @lanes(%r4: !ori.r<R4>, %r5: !ori.r<R5>, %p1: !ori.p<P1>, %d4: !ori.r64<R4>) target "sm_80" {
  %I16 = ori.imm 16 : !ori.r
  %I31 = ori.imm 31 : !ori.r
  %I1 = ori.imm 1 : !ori.r
  %I0 = ori.imm 0 : !ori.r
  %P1 = ori.imm 1 : !ori.p
  // CHECK: sass.shfl "SHFL.BFLY PT, R7, R4, 0x10, 0x1f"
  %x0 = ori.shfl <bfly> %r4, %I16, %I31 : (!ori.r<R4>, !ori.r, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.shfl "SHFL.IDX P1, R7, R4, R5, 0x1f"
  %x1:2 = ori.shfl <idx> %r4, %r5, %I31 : (!ori.r<R4>, !ori.r<R5>, !ori.r) -> (!ori.r<R7>, !ori.p<P1>)
  // CHECK-NEXT: sass.shfl "SHFL.UP PT, R7, R4, 0x1, RZ"
  %x2 = ori.shfl <up> %r4, %I1, %I0 : (!ori.r<R4>, !ori.r, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.vote "VOTE.ANY PT, !P1"
  %x3 = ori.vote <any> not %p1 : (!ori.p<P1>) -> !ori.r<R7>
  // CHECK-NEXT: sass.vote "VOTE.ALL P2, P1"
  %x4:2 = ori.vote <all> %p1 : (!ori.p<P1>) -> (!ori.r<R7>, !ori.p<P2>)
  // CHECK-NEXT: sass.voteu "VOTEU.ANY UR4, UP1, PT"
  %x5:2 = ori.voteu <any> %P1 : (!ori.p) -> (!ori.ur<UR4>, !ori.up<UP1>)
  // CHECK-NEXT: sass.match "MATCH.ANY.U64 R7, R4"
  %x6 = ori.match <any> %d4 : (!ori.r64<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.match "MATCH.ALL P1, R7, R4"
  %x7:2 = ori.match <all> %r4 : (!ori.r<R4>) -> (!ori.r<R7>, !ori.p<P1>)
  // CHECK-NEXT: sass.redux "REDUX.SUM UR4, R4"
  %x8 = ori.redux <sum> %r4 : (!ori.r<R4>) -> !ori.ur<UR4>
  // CHECK-NEXT: sass.redux "REDUX UR4, R4"
  %x9 = ori.redux <and> %r4 : (!ori.r<R4>) -> !ori.ur<UR4>
  // CHECK-NEXT: sass.redux "REDUX.MIN.S32 UR4, R4"
  %x10 = ori.redux <min, s32> %r4 : (!ori.r<R4>) -> !ori.ur<UR4>
  // CHECK-NEXT: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_100 target "sm_100a"
ori.func @since_100(%r4: !ori.r<R4>) target "sm_100a" {
  // CHECK: sass.elect "ELECT P1, URZ, PT"
  %x0 = ori.elect : !ori.p<P1>
  // CHECK-NEXT: sass.elect "ELECT P1, UR4, PT"
  %x1:2 = ori.elect : !ori.p<P1>, !ori.ur<UR4>
  // CHECK-NEXT: sass.credux "CREDUX.MAX.F32 UR4, R4"
  %x2 = ori.credux <max, f32> %r4 : (!ori.r<R4>) -> !ori.ur<UR4>
  // CHECK-NEXT: sass.credux "CREDUX.MIN UR4, R4"
  %x3 = ori.credux <min, u32> %r4 : (!ori.r<R4>) -> !ori.ur<UR4>
  // CHECK-NEXT: sass.ret
  ori.ret
}
