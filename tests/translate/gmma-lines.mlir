// Statements that span several lines: products, commits, and instructions without type and guard are at their
// semicolon, others at their name. ptxas 13.0.88 reports the same lines for this file.
//
// RUN: orison-translate --ptx-to-ori --ptx-locations --mlir-print-debuginfo %s | orison-opt --ori-gmma --diagnostics=ptxas -o /dev/null 2>&1 | FileCheck %s
// RUN: orison-translate --ptx-to-ori --ptx-locations --mlir-print-debuginfo %s | orison-opt --mlir-print-debuginfo --mlir-print-local-scope | FileCheck --check-prefix=PLACES %s
.version 8.6
.target sm_90a
.address_size 64

.visible .entry read(.param .u64 values, .param .u64 left)
{
	.reg .b64 %values, %left;
	.reg .pred %is_low;
	.reg .f32 %d<4>;
	ld.param.u64 %values, [values];
	ld.param.u64 %left, [left];
	ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%values];
	// CHECK: (C7519) {{.*}} line [[#@LINE+4]] {{.*}} 'read'
	// PLACES: ori.wgmma.mma {{.*}}:[[#@LINE+3]]:43))
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
	  {%d0, %d1,
	   %d2, %d3}, %left, %left, 1, 1, 1, 0, 0;
	// PLACES: ori.wgmma.commit {{.*}}:[[#@LINE+1]]:2)
	wgmma.commit_group.sync.aligned;
	setp.lt.u64 %is_low, %left, 17;
	// CHECK: (C7517) {{.*}} line [[#@LINE+3]] {{.*}} 'read'
	// PLACES: ori.stg {{.*}}:[[#@LINE+2]]:4)
	@%is_low
	  st.global.f32
	    [%values],
	    %d0;
	ret;
}

.visible .entry empty()
{
	// CHECK: (C7519) {{.*}} line [[#@LINE+2]] {{.*}} 'empty'
	wgmma.commit_group.sync.aligned
	;
	// CHECK: (C7517) {{.*}} line [[#@LINE+3]] {{.*}} 'empty'
	// PLACES: ori.exit {{.*}}:[[#@LINE+2]]:2)
	ret
	;
}
