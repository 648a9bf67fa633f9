// Tensor memory: allocation, products, loads that are complete after a wait.
//
// RUN: orison-translate --ptx-to-ori --counts %s 2>&1 | FileCheck %s
// CHECK: instructions, 0 as 'ori.inst'
.version 8.8
.target sm_100a
.address_size 64

// CHECK-LABEL: @memory(
.entry memory(.param .u64 a, .param .u64 b, .param .u64 q) {
  .reg .b64 %a, %b, %q; .reg .b32 %place, %t, %x<2>, %bar, %lane; .reg .pred %one;
  .shared .align 8 .b64 bar; .shared .align 4 .b32 where;
  ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; ld.param.u64 %q, [q];
  mov.u32 %bar, bar; mov.u32 %place, where;
  // CHECK: %[[COLUMNS:.*]] = ori.r2ur
  // CHECK: %[[FOUND:.*]] = ori.tcgen05.alloc %[[COLUMNS]]
  // CHECK: %[[WORD:.*]] = ori.mov %[[FOUND]]
  // CHECK: ori.sts <b32> [%{{.*}}], %[[WORD]]
  tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%place], 32;
  ld.shared.u32 %t, [%place];
  elect.sync %lane|%one, -1;
  // The first product has no accumulator before it.
  // CHECK: %[[SCALE:.*]] = ori.imm 0 : !ori.p
  // CHECK: ori.cond_bra
  // CHECK: %[[NONE:.*]]:2 = ori.voteu <any> %[[SCALE]]
  // CHECK: ori.tcgen05.mma <f16> %{{.*}} scale(%[[NONE]]#1)
  @%one tcgen05.mma.cta_group::1.kind::f16 [%t], %a, %b, 0, 0;
  // CHECK: ori.tcgen05.commit
  @%one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%bar];
  // CHECK: %[[LOADED:.*]] = ori.tcgen05.ld <s32x32b, repeat = 2>
  tcgen05.ld.sync.aligned.32x32b.x2.b32 {%x0, %x1}, [%t];
  // CHECK: %[[WHOLE:.*]] = ori.concat
  // CHECK: %[[DONE:.*]] = ori.tcgen05.wait_ld values(%[[WHOLE]]) : (!ori.r64) -> !ori.r64
  tcgen05.wait::ld.sync.aligned;
  // CHECK: %[[FIRST:.*]] = ori.extract %[[DONE]][0]
  // CHECK: ori.stg <b32> [%{{.*}}], %[[FIRST]]
  st.global.u32 [%q], %x0;
  // CHECK: ori.tcgen05.st <s32x32b, repeat = 2, pack>
  tcgen05.st.sync.aligned.32x32b.x2.unpack::16b.b32 [%t], {%x0, %x1};
  // CHECK: ori.tcgen05.wait_st
  tcgen05.wait::st.sync.aligned;
  // CHECK: ori.tcgen05.dealloc
  tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, 32;
  // CHECK: ori.tcgen05.permit
  tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
  ret;
}
