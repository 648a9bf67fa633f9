// Where the threads of a warp are together: ptxas 13.0.88 reports the same for this file.
//
// RUN: orison-translate --ptx-to-ori --ptx-locations --mlir-print-debuginfo %s | orison-opt --ori-gmma --diagnostics=ptxas -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=C75
.version 8.6
.target sm_90a
.address_size 64

// A short arm in which threads end does not part what follows it.
.visible .entry exits(.param .u64 values, .param .u64 left, .param .u32 n)
{
	.reg .b64 %values, %left;
	.reg .b32 %n, %t;
	.reg .pred %p, %q;
	.reg .f32 %d<4>;
	ld.param.u64 %values, [values];
	ld.param.u64 %left, [left];
	ld.param.u32 %n, [n];
	mov.u32 %t, %tid.x;
	ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%values];
	setp.lt.u32 %p, %t, 32;
	setp.lt.u32 %q, %n, 9;
	@%p bra $join0;
	@%q exit;
$join0:
	// CHECK: (C7519) {{.*}} line [[#@LINE+1]] {{.*}} 'exits'
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	st.global.v4.f32 [%values], {%d0, %d1, %d2, %d3};
	ret;
}

// It does if it has a barrier, and so stays a block.
.visible .entry exits_behind_barrier(.param .u64 values, .param .u64 left, .param .u32 n)
{
	.reg .b64 %values, %left;
	.reg .b32 %n, %t;
	.reg .pred %p, %q;
	.reg .f32 %d<4>;
	ld.param.u64 %values, [values];
	ld.param.u64 %left, [left];
	ld.param.u32 %n, [n];
	mov.u32 %t, %tid.x;
	ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%values];
	setp.lt.u32 %p, %t, 32;
	setp.lt.u32 %q, %n, 9;
	@%p bra $join1;
	@%q exit;
	bar.sync 0;
$join1:
	// CHECK: (C7520) {{.*}} 'exits_behind_barrier'
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	st.global.v4.f32 [%values], {%d0, %d1, %d2, %d3};
	ret;
}

// Behind a barrier the threads of a warp are together.
.visible .entry barrier(.param .u64 values, .param .u64 left, .param .u32 n)
{
	.reg .b64 %values, %left;
	.reg .b32 %n, %t;
	.reg .pred %p, %q;
	.reg .f32 %d<4>;
	ld.param.u64 %values, [values];
	ld.param.u64 %left, [left];
	ld.param.u32 %n, [n];
	mov.u32 %t, %tid.x;
	ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%values];
	setp.lt.u32 %p, %t, 32;
	setp.lt.u32 %q, %n, 9;
	@%p bra $end2;
	bar.sync 0;
	@%q bra.uni $join2;
	// CHECK: (C7519) {{.*}} line [[#@LINE+2]] {{.*}} 'barrier'
	// CHECK: (C7519) {{.*}} line [[#@LINE+3]] {{.*}} 'barrier'
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %left, %left, 1, 1, 1, 0, 0;
$join2:
	wgmma.commit_group.sync.aligned;
$end2:
	wgmma.wait_group.sync.aligned 0;
	st.global.v4.f32 [%values], {%d0, %d1, %d2, %d3};
	ret;
}

// A barrier is predicated if all of its arm is.
.visible .entry barrier_in_arm(.param .u64 values, .param .u64 left, .param .u32 n)
{
	.reg .b64 %values, %left;
	.reg .b32 %n, %t;
	.reg .pred %p, %q;
	.reg .f32 %d<4>;
	ld.param.u64 %values, [values];
	ld.param.u64 %left, [left];
	ld.param.u32 %n, [n];
	mov.u32 %t, %tid.x;
	ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%values];
	setp.lt.u32 %p, %t, 32;
	setp.lt.u32 %q, %n, 9;
	@%p bra $join3;
	bar.sync 0;
	st.global.f32 [%values+64], %d0;
$join3:
	// CHECK: (C7519) {{.*}} line [[#@LINE+1]] {{.*}} 'barrier_in_arm'
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	st.global.v4.f32 [%values], {%d0, %d1, %d2, %d3};
	ret;
}

// It is not if the arm has an arm of its own.
.visible .entry barrier_beside_arm(.param .u64 values, .param .u64 left, .param .u32 n)
{
	.reg .b64 %values, %left;
	.reg .b32 %n, %t;
	.reg .pred %p, %q;
	.reg .f32 %d<4>;
	ld.param.u64 %values, [values];
	ld.param.u64 %left, [left];
	ld.param.u32 %n, [n];
	mov.u32 %t, %tid.x;
	ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%values];
	setp.lt.u32 %p, %t, 32;
	setp.lt.u32 %q, %n, 9;
	@%p bra $join4;
	@%q bra $inner4;
	st.global.f32 [%values+64], %d0;
$inner4:
	bar.sync 0;
$join4:
	// CHECK: (C7520) {{.*}} 'barrier_beside_arm'
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	st.global.v4.f32 [%values], {%d0, %d1, %d2, %d3};
	ret;
}

// The join of a divergent branch is divergent, also if it is the small latch of a loop.
.visible .entry latch(.param .u64 values, .param .u64 left, .param .u32 n)
{
	.reg .b64 %values, %left;
	.reg .b32 %n, %t;
	.reg .pred %p, %q;
	.reg .f32 %d<4>;
	ld.param.u64 %values, [values];
	ld.param.u64 %left, [left];
	ld.param.u32 %n, [n];
	mov.u32 %t, %tid.x;
	ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%values];
	setp.lt.u32 %p, %t, 32;
	setp.lt.u32 %q, %n, 9;
	mov.u32 %n, 0;
$loop5:
	@%p bra $latch5;
	wgmma.wait_group.sync.aligned 0;
$latch5:
	// CHECK: (C7520) {{.*}} 'latch'
	wgmma.commit_group.sync.aligned;
	add.u32 %n, %n, 1;
	setp.lt.u32 %q, %n, 9;
	@%q bra $loop5;
	wgmma.wait_group.sync.aligned 0;
	st.global.v4.f32 [%values], {%d0, %d1, %d2, %d3};
	ret;
}

// A counter in a uniform register is stepped in a latch that is not small: the warp counts as together there,
// although it parts in the loop.
.visible .entry large_latch(.param .u64 values, .param .u64 left, .param .u32 n)
{
	.reg .b64 %values, %left;
	.reg .b32 %n, %t, %i;
	.reg .pred %p, %q;
	.reg .f32 %d<8>;
	ld.param.u64 %values, [values];
	ld.param.u64 %left, [left];
	ld.param.u32 %n, [n];
	mov.u32 %t, %tid.x;
	ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%values];
	ld.global.v4.f32 {%d4, %d5, %d6, %d7}, [%values+16];
	mov.u32 %i, 0;
$head7:
	setp.lt.u32 %p, %t, 9;
	@%p bra $join7;
	wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7}, %left, %left, 1, 1, 1, 0, 0;
$join7:
	// CHECK: (C7519) {{.*}} line [[#@LINE+1]] {{.*}} 'large_latch'
	wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7}, %left, %left, 1, 1, 1, 0, 0;
	add.u32 %i, %i, 1;
	setp.lt.u32 %q, %i, %n;
	@%q bra $head7;
	// CHECK: (C7519) {{.*}} line [[#@LINE+1]] {{.*}} 'large_latch'
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	st.global.v4.f32 [%values], {%d0, %d1, %d2, %d3};
	st.global.v4.f32 [%values+16], {%d4, %d5, %d6, %d7};
	ret;
}
// CHECK: (C7520) {{.*}} 'large_latch'

// It does not in a small latch.
.visible .entry small_latch(.param .u64 values, .param .u64 left, .param .u32 n)
{
	.reg .b64 %values, %left;
	.reg .b32 %n, %t, %i;
	.reg .pred %p, %q;
	.reg .f32 %d<4>;
	ld.param.u64 %values, [values];
	ld.param.u64 %left, [left];
	ld.param.u32 %n, [n];
	mov.u32 %t, %tid.x;
	ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%values];
	mov.u32 %i, 0;
$head8:
	setp.lt.u32 %p, %t, 9;
	@%p bra $join8;
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %left, %left, 1, 1, 1, 0, 0;
$join8:
	wgmma.commit_group.sync.aligned;
	add.u32 %i, %i, 1;
	setp.lt.u32 %q, %i, %n;
	@%q bra $head8;
	// CHECK: (C7519) {{.*}} line [[#@LINE+1]] {{.*}} 'small_latch'
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	st.global.v4.f32 [%values], {%d0, %d1, %d2, %d3};
	ret;
}
// CHECK: (C7520) {{.*}} 'small_latch'

// Behind a call of a function that is not known it is stepped in the head, if that acts on groups.
.extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 values);
.visible .entry call_in_loop(.param .u64 values, .param .u64 left, .param .u32 n)
{
	.reg .b64 %values, %left;
	.reg .b32 %n, %t, %i;
	.reg .pred %p, %q;
	.reg .f32 %d<4>;
	ld.param.u64 %values, [values];
	ld.param.u64 %left, [left];
	ld.param.u32 %n, [n];
	mov.u32 %t, %tid.x;
	ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%values];
	mov.u32 %i, 0;
$head9:
	// CHECK: (C7519) {{.*}} line [[#@LINE+1]] {{.*}} 'call_in_loop'
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %left, %left, 1, 1, 1, 0, 0;
	{ .param .b64 x; .param .b64 y; .param .b32 result; st.param.b64 [x], %values; st.param.b64 [y], %values; call.uni (result), vprintf, (x, y); }
	add.u32 %i, %i, 1;
	setp.lt.u32 %q, %i, %n;
	@%q bra $head9;
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	st.global.v4.f32 [%values], {%d0, %d1, %d2, %d3};
	ret;
}
// CHECK: (C7520) {{.*}} 'call_in_loop'
