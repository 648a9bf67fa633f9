// Bulk copies, mbarriers, clusters: warp-level operations are executed once per active thread.
//
// RUN: orison-translate --ptx-to-ori --counts %s 2>&1 | FileCheck %s
// CHECK: instructions, 0 as 'ori.inst'
.version 8.8
.target sm_90a
.address_size 64

// An elected thread: a branch, followed by uniform registers.
// CHECK-LABEL: @elected(
.entry elected(.param .u64 map, .param .u32 x) {
  .reg .b64 %map; .reg .b32 %x, %to, %bar, %lane; .reg .pred %one;
  .shared .align 128 .b8 box[1024]; .shared .align 8 .b64 bar;
  ld.param.u64 %map, [map]; ld.param.u32 %x, [x];
  mov.u32 %to, box; mov.u32 %bar, bar;
  // CHECK: ori.syncs <init> [%[[BAR:.*]]] count(%
  mbarrier.init.shared::cta.b64 [%bar], 1;
  // CHECK: ori.membar <all, cta>
  // CHECK-NEXT: ori.fence <shared, asynchronous>
  fence.proxy.async.shared::cta;
  // CHECK: %[[ONE:.*]]:2 = ori.elect
  elect.sync %lane|%one, -1;
  // CHECK: ori.syncs_arrive [%[[BAR]]] expect(%{{.*}}) if %[[ONE]]#0
  @%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 1024;
  // CHECK: ori.cond_bra %[[ONE]]#0, ^bb1, ^bb2
  // CHECK: ^bb1:
  // CHECK-COUNT-2: ori.r2ur
  // CHECK: %[[MAP:.*]] = ori.concat %{{.*}} -> !ori.ur64
  // CHECK: ori.utmaldg <dimensions = 2> %[[MAP]], %{{.*}} coordinates(%{{.*}}, %{{.*}}) :
  // CHECK: ori.bra ^bb2
  @%one cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%to], [%map, {%x, %x}], [%bar];
  ret;
}

// Any threads: one at a time.
// CHECK-LABEL: @any(
.entry any(.param .u64 p, .param .u32 n) {
  .reg .b64 %p; .reg .b32 %n, %from; .reg .pred %some;
  .shared .align 128 .b8 block[1024];
  ld.param.u64 %p, [p]; ld.param.u32 %n, [n];
  mov.u32 %from, block;
  // CHECK: %[[SOME:.*]] = ori.isetp
  setp.ne.u32 %some, %n, 0;
  // CHECK: ori.cond_bra %[[SOME]], ^bb1, ^bb3
  // CHECK: ^bb1:
  // CHECK: %[[NOW:.*]] = ori.elect : !ori.p
  // CHECK: ori.cond_bra %[[NOW]], ^bb2, ^bb1
  // CHECK: ^bb2:
  // CHECK: ori.ublkcp %
  // CHECK: ori.bra ^bb3
  @%some cp.async.bulk.global.shared::cta.bulk_group [%p], [%from], %n;
  // CHECK: ^bb3:
  // CHECK: ori.utmacmdflush
  cp.async.bulk.commit_group;
  // CHECK: ori.bulk_wait <count = 0, reads>
  cp.async.bulk.wait_group.read 0;
  ret;
}

// CHECK-LABEL: @cluster(
.entry cluster(.param .u64 p) {
  .reg .b64 %p, %state; .reg .b32 %bar, %far, %rank, %x; .reg .pred %done;
  .shared .align 8 .b64 bar;
  ld.param.u64 %p, [p];
  mov.u32 %bar, bar;
  // CHECK: %[[RANK:.*]] = ori.s2r <register = "SR_CgaCtaId">
  mov.u32 %rank, %cluster_ctarank;
  // CHECK: %[[FAR:.*]] = ori.mapa %{{.*}}, %[[RANK]]
  mapa.shared::cluster.u32 %far, %bar, %rank;
  // CHECK: ori.membar <all, gpu>
  // CHECK: ori.syncs_arrive <remote> [%[[FAR]]]
  mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%far];
  // CHECK: %[[STATE:.*]] = ori.syncs_arrive [%[[BAR:.*]]] :
  mbarrier.arrive.shared::cta.b64 %state, [%bar];
  // CHECK: ori.syncs_try_wait <test> [%[[BAR]]], %[[STATE]]
  mbarrier.test_wait.shared::cta.b64 %done, [%bar], %state;
  // Shared memory of the cluster is a window of the generic address space.
  // CHECK: %[[HIGH:.*]] = ori.s2r <register = "SR_SWINHI">
  // CHECK: %[[ADDRESS:.*]] = ori.concat %[[FAR]], %[[HIGH]] :
  // CHECK: ori.ld <b32> [%[[ADDRESS]]]
  ld.shared::cluster.u32 %x, [%far];
  // CHECK: ori.membar <all, gpu>
  // CHECK: ori.cgabar_arrive
  barrier.cluster.arrive.release.aligned;
  // CHECK: ori.cgabar_wait
  // CHECK-NEXT: ori.cctl <ivall>
  barrier.cluster.wait.acquire.aligned;
  // CHECK: ori.setmaxreg <inc, count = 232>
  setmaxnreg.inc.sync.aligned.u32 232;
  // CHECK: ori.acqbulk
  griddepcontrol.wait;
  // CHECK: ori.preexit
  griddepcontrol.launch_dependents;
  st.global.u32 [%p], %x;
  ret;
}

// Fields of a tensor map are bit fields of its 32-bit values: the rank, from bit 4 of the third.
// CHECK-LABEL: @map(
.entry map(.param .u64 p, .param .u32 n) {
  .reg .b64 %p; .reg .b32 %n, %m;
  .shared .align 128 .b8 new[128];
  ld.param.u64 %p, [p]; ld.param.u32 %n, [n];
  mov.u32 %m, new;
  // CHECK: ori.sts <b64> [%[[M:.*]]], %
  tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%m], %p;
  // CHECK: %[[RANK:.*]] = ori.shf <left, u32> %[[N:.*]], %{{.*}}, %
  // CHECK: %[[BEFORE:.*]] = ori.lds <b32> [%[[M]] + 8]
  // CHECK: %[[MASK:.*]] = ori.imm 112
  // CHECK: %[[AFTER:.*]] = ori.lop3 <lut = 226> %[[RANK]], %[[MASK]], %[[BEFORE]]
  // CHECK: ori.sts <b32> [%[[M]] + 8], %[[AFTER]]
  tensormap.replace.tile.rank.shared::cta.b1024.b32 [%m], %n;
  // CHECK: %[[LANE:.*]] = ori.s2r <register = "SR_LANEID">
  // CHECK: ori.lds <b32>
  // CHECK: ori.atomg <exch, b32, strong, gpu>
  tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%p], [%m], 128;
  // CHECK: ori.elect
  // CHECK: ori.utmacctl <iv>
  fence.proxy.tensormap::generic.acquire.gpu [%p], 128;
  ret;
}
