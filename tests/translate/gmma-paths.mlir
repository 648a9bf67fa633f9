// Values of other paths, loops and joins: ptxas 13.0.88 reports the same for this file.
//
// RUN: orison-translate --ptx-to-ori --ptx-locations --mlir-print-debuginfo %s | orison-opt --ori-gmma --diagnostics=ptxas -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=C75
// RUN: orison-translate --ptx-to-ori --ptx-locations --mlir-print-debuginfo %s | orison-opt --ori-gmma=knobs=GmmaWarnOnce=false --diagnostics=ptxas -o /dev/null 2>&1 | FileCheck %s --check-prefix=EACH
.version 8.6
.target sm_90a
.address_size 64

// A product is in flight where it meets a value that another path has in its accumulator.
.visible .entry other_path(.param .u64 values, .param .u64 left, .param .u32 n)
{
	.reg .b64 %values, %left;
	.reg .b32 %n;
	.reg .pred %p;
	.reg .f32 %d<4>;
	ld.param.u64 %values, [values];
	ld.param.u64 %left, [left];
	ld.param.u32 %n, [n];
	ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%values];
	setp.lt.u32 %p, %n, 5;
	@%p bra $product;
	ld.global.f32 %d2, [%values+64];
	wgmma.wait_group.sync.aligned 0;
	bra $join;
$product:
	// CHECK: (C7519) {{.*}} line [[#@LINE+2]] {{.*}} 'other_path'
	// CHECK: (C7515) {{.*}} 'other_path'
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %left, %left, 1, 1, 1, 0, 0;
	wgmma.commit_group.sync.aligned;
$join:
	wgmma.wait_group.sync.aligned 0;
	st.global.v4.f32 [%values], {%d0, %d1, %d2, %d3};
	ret;
}

// The value was overwritten before the product: it is no other path.
.visible .entry overwritten(.param .u64 values, .param .u64 left, .param .u32 n)
{
	.reg .b64 %values, %left;
	.reg .b32 %n, %i;
	.reg .pred %p;
	.reg .f32 %d<4>;
	ld.param.u64 %values, [values];
	ld.param.u64 %left, [left];
	ld.param.u32 %n, [n];
	ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%values];
	setp.lt.u32 %p, %n, 5;
	@%p bra $end;
	ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%values+64];
	mov.u32 %i, 0;
$loop:
	wgmma.fence.sync.aligned;
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %left, %left, 1, 1, 1, 0, 0;
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 1;
	add.u32 %i, %i, 1;
	setp.lt.u32 %p, %i, %n;
	@%p bra $loop;
$end:
	wgmma.wait_group.sync.aligned 0;
	st.global.v4.f32 [%values], {%d0, %d1, %d2, %d3};
	ret;
}

// Threads that part in an iteration may not be together at the latch; behind the loop they are.
.visible .entry latch(.param .u64 values, .param .u64 left, .param .u32 n)
{
	.reg .b64 %values, %left;
	.reg .b32 %n, %i, %t;
	.reg .pred %p;
	.reg .f32 %d<4>, %e<4>;
	ld.param.u64 %values, [values];
	ld.param.u64 %left, [left];
	ld.param.u32 %n, [n];
	mov.u32 %t, %tid.x;
	ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%values];
	ld.global.v4.f32 {%e0, %e1, %e2, %e3}, [%values+64];
	mov.u32 %i, 0;
$loop:
	setp.lt.u32 %p, %t, 5;
	@%p bra $latch;
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %left, %left, 1, 1, 1, 0, 0;
	wgmma.fence.sync.aligned;
$latch:
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%e0, %e1, %e2, %e3}, %left, %left, 1, 1, 1, 0, 0;
	add.u32 %i, %i, 1;
	setp.lt.u32 %p, %i, %n;
	@%p bra $loop;
	// CHECK: (C7519) {{.*}} line [[#@LINE+2]] {{.*}} 'latch'
	// CHECK: (C7520) {{.*}} 'latch'
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	st.global.v4.f32 [%values], {%d0, %d1, %d2, %d3};
	st.global.v4.f32 [%values+64], {%e0, %e1, %e2, %e3};
	ret;
}

// In a function with a loop the zero stays in the accumulator of the product, so that a wait is injected before it
// is stored.
.visible .entry constant(.param .u64 values, .param .u64 left, .param .u32 n)
{
	.reg .b64 %values, %left;
	.reg .b32 %n, %i;
	.reg .pred %p;
	.reg .f32 %d<4>;
	ld.param.u64 %values, [values];
	ld.param.u64 %left, [left];
	ld.param.u32 %n, [n];
	mov.f32 %d0, 0f00000000; mov.f32 %d1, 0f00000000; mov.f32 %d2, 0f00000000; mov.f32 %d3, 0f00000000;
	// CHECK: (C7519) {{.*}} line [[#@LINE+1]] {{.*}} 'constant'
	wgmma.commit_group.sync.aligned;
	st.global.f32 [%values+64], %d0;
	mov.u32 %i, 0;
$loop:
	// Once for each of the four parts of the unrolled loop: one copy, a loop of four, two, and one.
	// EACH-COUNT-4: (C7519) {{.*}} line [[#@LINE+4]] {{.*}} 'constant'
	// EACH-NOT: C7519
	// CHECK: (C7519) {{.*}} line [[#@LINE+2]] {{.*}} 'constant'
	// CHECK: (C7517) {{.*}} line [[#@LINE-7]] {{.*}} 'constant'
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %left, %left, 1, 1, 1, 0, 0;
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	add.u32 %i, %i, 1;
	setp.lt.u32 %p, %i, %n;
	@%p bra $loop;
	st.global.v4.f32 [%values], {%d0, %d1, %d2, %d3};
	ret;
}

// The factor of the next iteration is computed while the product that reads the one before is in flight.
// CHECK: (C7513) {{.*}} 'factor'
.visible .entry factor(.param .u64 values, .param .u64 left, .param .u32 n)
{
	.reg .b64 %values, %left;
	.reg .b32 %n, %i, %a<4>;
	.reg .pred %p;
	.reg .f32 %d<4>;
	ld.param.u64 %values, [values];
	ld.param.u64 %left, [left];
	ld.param.u32 %n, [n];
	ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%values];
	ld.global.v4.u32 {%a0, %a1, %a2, %a3}, [%values+64];
	mov.u32 %i, 0;
$loop:
	.pragma "nounroll";
	wgmma.fence.sync.aligned;
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, %left, 1, 1, 1, 0;
	wgmma.commit_group.sync.aligned;
	xor.b32 %a0, %a0, %n;
	wgmma.wait_group.sync.aligned 0;
	add.u32 %i, %i, 1;
	setp.lt.u32 %p, %i, %n;
	@%p bra $loop;
	st.global.v4.f32 [%values], {%d0, %d1, %d2, %d3};
	ret;
}

// One that waits for the product is not.
.visible .entry later_factor(.param .u64 values, .param .u64 left, .param .u32 n)
{
	.reg .b64 %values, %left;
	.reg .b32 %n, %i, %a<4>;
	.reg .pred %p;
	.reg .f32 %d<4>;
	ld.param.u64 %values, [values];
	ld.param.u64 %left, [left];
	ld.param.u32 %n, [n];
	ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%values];
	ld.global.v4.u32 {%a0, %a1, %a2, %a3}, [%values+64];
	mov.u32 %i, 0;
$loop:
	.pragma "nounroll";
	wgmma.fence.sync.aligned;
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, %left, 1, 1, 1, 0;
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	xor.b32 %a0, %a0, %n;
	add.u32 %i, %i, 1;
	setp.lt.u32 %p, %i, %n;
	@%p bra $loop;
	st.global.v4.f32 [%values], {%d0, %d1, %d2, %d3};
	ret;
}
