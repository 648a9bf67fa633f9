// Dynamic local memory, cluster and multi-device memory, parameters whose address
// is used.
//
// RUN: orison-translate --ptx-to-ori --counts %s 2>&1 | FileCheck %s
// CHECK: instructions, 0 as 'ori.inst'
.version 8.8
.target sm_100a
.address_size 64

.visible .global .b32 sink;

// The parameter is stored at function entry; its address is that of the copy.
// CHECK-LABEL: ori.func @pointed(
// CHECK-SAME: %[[P0:.*]]: !ori.r, %[[P1:.*]]: !ori.r, %[[P2:.*]]: !ori.r, %[[AT:.*]]: !ori.r)
// CHECK-SAME: frame = [{alignment = 8 : i32, name = "p", offset = 0 : i32, size = 12 : i32}]
.visible .func pointed(.param .align 8 .b8 p[12], .param .b32 at) {
  .reg .b64 %a; .reg .b32 %r<3>;
  // CHECK: %[[COPY:.*]] = ori.slot_address "p" : !ori.r
  // CHECK: ori.stl <b32> [%[[COPY]]], %[[P0]]
  // CHECK: ori.stl <b32> [%[[COPY]] + 4], %[[P1]]
  // CHECK: ori.stl <b32> [%[[COPY]] + 8], %[[P2]]
  mov.b64 %a, p;
  ld.param.b32 %r1, [at];
  // CHECK: ori.stl <b32> [{{.*}}], %[[AT]]
  st.local.b32 [%a+4], %r1;
  // Direct loads of the parameter read the copy too.
  // CHECK: %[[READ:.*]] = ori.ldl <b32> [%{{.*}} + 4]
  ld.param.b32 %r2, [p+4];
  // CHECK: ori.stg <b32> [%{{.*}}], %[[READ]]
  st.global.b32 [sink], %r2;
  ret;
}

// CHECK-LABEL: @stack(
.entry stack(.param .u32 n) {
  .reg .b64 %a<3>; .reg .b32 %n;
  ld.param.u32 %n, [n];
  // CHECK: %[[PLACE:.*]] = ori.stack_save : !ori.r
  stacksave.u64 %a1;
  // CHECK: %[[SIZE:.*]] = ori.extract
  // CHECK: %[[TAKEN:.*]] = ori.alloca <alignment = 32> %[[SIZE]]
  cvt.u64.u32 %a2, %n;
  alloca.u64 %a0, %a2, 32;
  // CHECK: ori.stl <b32>
  st.local.u32 [%a0], %n;
  // CHECK: ori.stack_restore
  stackrestore.u64 %a1;
  ret;
}

// CHECK-LABEL: @cluster(
.entry cluster(.param .u32 at, .param .u64 far) {
  .reg .b32 %a, %v<4>, %h<3>; .reg .b64 %f, %w; .reg .pred %p; .reg .b128 %q;
  ld.param.u32 %a, [at]; ld.param.u64 %f, [far];
  // CHECK: %[[BARRIER:.*]] = ori.iadd3
  // CHECK: ori.stas <b32> %{{.*}}, %[[BARRIER]], %{{.*}}
  st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%a], 5, [%a+8];
  // CHECK: ori.stas <b128>
  st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%a], {%a, %a, %a, %a}, [%a+8];
  // CHECK: ori.redas <max, s32>
  red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.s32 [%a], 5, [%a+8];
  // CHECK: ori.ldgmc <width = b128, add, f16x2, strong, sys, wide_sums>
  multimem.ld_reduce.weak.global.add.acc::f32.v4.f16x2 {%v0, %v1, %v2, %v3}, [%f];
  // CHECK: ori.stg <b32> [%{{.*}}], %{{.*}}
  multimem.st.weak.global.u32 [%f], %v0;
  // CHECK: ori.membar <all, sys>
  // CHECK: ori.redg <add, u32, {{.*}}sys
  multimem.red.release.sys.global.add.u32 [%f], %v1;
  // CHECK: ori.ugetnextworkid
  clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%a], [%a+16];
  // CHECK: %[[ANSWER:.*]] = ori.lds <b128>
  ld.shared.b128 %q, [%a];
  // CHECK: %[[TOLD:.*]] = ori.extract %[[ANSWER]][2]
  // CHECK: ori.lop3 <lut = 192> %[[TOLD]]
  clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p, %q;
  // CHECK: ori.extract %[[ANSWER]][1]
  clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %h0, %q;
  @%p st.global.u32 [%f], %h0;
  // CHECK: ori.createpolicy_range <eviction = evict_last, other_eviction = evict_first>
  createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %w, [%f], 0x1000, %a;
  st.global.u64 [%f], %w;
  ret;
}

// Flags are passed across the branch: the difference leaves a borrow, which is not a carry.
// CHECK-LABEL: @carry(
.entry carry(.param .u32 n, .param .u64 out) {
  .reg .b32 %a, %b; .reg .b64 %o; .reg .pred %p;
  ld.param.u32 %a, [n]; ld.param.u64 %o, [out];
  // CHECK: %[[SUM:.*]]:2 = ori.iadd3 %
  add.cc.u32 %b, %a, %a;
  setp.eq.u32 %p, %a, 0;
  // CHECK: ori.cond_bra %{{.*}}, ^bb2(%[[SUM]]#1
  @%p bra L;
  // CHECK: %[[DIFFERENCE:.*]]:2 = ori.iadd3 {{.*}} neg
  // CHECK: %[[BORROW:.*]] = ori.plop3 <lut = 192> not %[[DIFFERENCE]]#1
  // CHECK: ori.bra ^bb2(%[[BORROW]]
  sub.cc.u32 %b, %b, 5;
L:
  // CHECK: ^bb2(%[[FLAG:.*]]: !ori.p,
  // CHECK: ori.iadd3 <extended> {{.*}} carry(%[[FLAG]])
  addc.u32 %b, %b, 0;
  st.global.u32 [%o], %b;
  ret;
}

// Convergent operations follow a branch on the guard.
// CHECK-LABEL: @guarded(
.entry guarded(.param .u32 n, .param .u64 out) {
  .reg .b32 %a, %b; .reg .b64 %o; .reg .pred %p, %q;
  ld.param.u32 %a, [n]; ld.param.u64 %o, [out];
  setp.eq.u32 %p, %a, 0;
  mov.u32 %b, 7;
  // CHECK: %[[SEVEN:.*]] = ori.imm 7
  // CHECK: ori.cond_bra not %{{.*}}, ^[[PATH:.*]], ^[[BEHIND:[a-z0-9]+]](%[[SEVEN]] : !ori.r)
  // CHECK: ^[[PATH]]:
  // CHECK: %[[ALL:.*]] = ori.redux <sum, u32>
  // CHECK: %[[ONE:.*]] = ori.mov %[[ALL]]
  // CHECK: ori.bra ^[[BEHIND]](%[[ONE]] : !ori.r)
  @!%p redux.sync.add.u32 %b, %a, 0xffffffff;
  st.global.u32 [%o], %b;
  ret;
}
