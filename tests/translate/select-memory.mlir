// Memory: orderings and their fences, vectors of small elements, atomics, caches.
//
// RUN: orison-translate --ptx-to-ori --counts %s 2>&1 | FileCheck %s
// CHECK: instructions, 0 as 'ori.inst'
.version 8.8
.target sm_90a
.address_size 64

// CHECK-LABEL: @orders(
.entry orders(.param .u64 p, .param .u32 n) {
  .reg .b64 %p, %d; .reg .b32 %n, %x;
  ld.param.u64 %p, [p]; ld.param.u32 %n, [n];
  // Later loads do not hit in the L1 cache.
  // CHECK: ori.ldg <b32, strong, gpu> [%[[P:.*]]]
  // CHECK-NEXT: ori.cctl <ivall>
  ld.acquire.gpu.global.u32 %x, [%p];
  // CHECK: ori.membar <all, sys>
  // CHECK-NEXT: ori.errbar
  // CHECK-NEXT: ori.cgaerrbar
  // CHECK-NEXT: ori.stg <b32, strong, sys> [%[[P]] + 4]
  st.release.sys.global.u32 [%p+4], %x;
  // CHECK: ori.membar <all, cta>
  // CHECK-NEXT: ori.atomg <add, u32, strong, cta> [%[[P]]]
  atom.acq_rel.cta.global.add.u32 %x, [%p], %n;
  // Generic addresses; an atomic with an unused result is a reduction.
  // CHECK: ori.red <max, s32, strong, gpu> [%[[P]]]
  atom.max.s32 _, [%p], %n;
  // CHECK: ori.redg <add, f32, strong, gpu, ftz, rn> [%[[P]]]
  red.global.add.f32 [%p], %n;
  ret;
}

// CHECK-LABEL: @vectors(
.entry vectors(.param .u64 p) {
  .reg .b64 %p; .reg .b16 %a, %b, %c, %d; .reg .b32 %x, %y;
  ld.param.u64 %p, [p];
  // Four bytes are loaded as a 32-bit value; each is extracted.
  // CHECK: %[[BYTES:.*]] = ori.ldg <b32> [%[[P:.*]]]
  // CHECK-COUNT-4: ori.prmt <idx> %[[BYTES]],
  ld.global.v4.u8 {%a, %b, %c, %d}, [%p];
  // CHECK: %[[LOW:.*]] = ori.prmt <idx>
  // CHECK: %[[HIGH:.*]] = ori.prmt <idx>
  // CHECK: %[[BOTH:.*]] = ori.concat %[[LOW]], %[[HIGH]] :
  // CHECK: ori.stg <b64> [%[[P]] + 8], %[[BOTH]]
  st.global.v4.b16 [%p+8], {%a, %b, %c, %d};
  // CHECK: ori.ldg <b32, constant, evict_last, ltc128b> [%[[P]] + 16]
  ld.global.nc.L1::evict_last.L2::128B.b32 %x, [%p+16];
  // CHECK: ori.cctl <pf2> [%[[P]]]
  prefetch.global.L2 [%p];
  ret;
}

// Sums of floats in shared memory: a compare-and-swap loop.
// CHECK-LABEL: @retry(
.entry retry(.param .f32 f, .param .u64 p) {
  .reg .f32 %f, %x; .reg .b64 %p; .shared .align 4 .f32 sum;
  ld.param.f32 %f, [f]; ld.param.u64 %p, [p];
  // CHECK: %[[SUM:.*]] = ori.address_of
  // CHECK: ori.bra ^bb1
  // CHECK: ^bb1:
  // CHECK: %[[FIRST:.*]] = ori.lds <b32> [%[[SUM]]]
  // CHECK: ori.bra ^bb2(%[[FIRST]] : !ori.r)
  // CHECK: ^bb2(%[[OLD:.*]]: !ori.r):
  // CHECK: %[[NEW:.*]] = ori.fadd %[[OLD]]
  // CHECK: %[[FOUND:.*]] = ori.atoms <cas, b32> [%[[SUM]]], %[[NEW]] expected(%[[OLD]])
  // CHECK: %[[AGAIN:.*]] = ori.isetp <ne, u32, and> %[[FOUND]], %[[OLD]]
  // CHECK: ori.cond_bra %[[AGAIN]], ^bb2(%[[FOUND]] : !ori.r), ^bb3(%[[OLD]] : !ori.r)
  atom.shared.add.f32 %x, [sum], %f;
  // CHECK: ^bb3(%[[BEFORE:.*]]: !ori.r):
  // CHECK: ori.stg <b32> [%{{.*}}], %[[BEFORE]]
  st.global.f32 [%p], %x;
  ret;
}

// A guarded load preserves its registers where the guard is false.
// CHECK-LABEL: @guarded(
.entry guarded(.param .u64 p, .param .u32 n) {
  .reg .b64 %p; .reg .b32 %n, %x, %y; .reg .pred %c;
  ld.param.u64 %p, [p]; ld.param.u32 %n, [n];
  setp.ne.u32 %c, %n, 0;
  mov.u32 %x, 1; mov.u32 %y, 2;
  // CHECK: %[[OLD:.*]] = ori.concat
  // CHECK: %[[NEW:.*]] = ori.ldg <b64> [%{{.*}}] if not %{{.*}} else %[[OLD]]
  @!%c ld.global.v2.u32 {%x, %y}, [%p];
  // CHECK: ori.extract %[[NEW]][0]
  // CHECK: ori.extract %[[NEW]][1]
  add.u32 %x, %x, %y;
  st.global.u32 [%p], %x;
  ret;
}
