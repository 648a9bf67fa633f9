// Verifier errors of matrix products.
//
// RUN: orison-opt --split-input-file --verify-diagnostics %s

ori.func @f(%q: !ori.r128, %d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{attribute 'accumulator' must be one of 'f16', 'f32', but is 'bf16'}}
  %x = ori.hmma <m16n8k16, from = f16, accumulator = bf16> %q, %d, %q : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%q: !ori.r128, %d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{requires 'f16' elements for an 'f16' accumulator}}
  %x = ori.hmma <m16n8k16, from = bf16, accumulator = f16> %q, %d, %d : (!ori.r128, !ori.r64, !ori.r64) -> !ori.r64
  ori.ret
}

// -----

ori.func @f(%q: !ori.r128, %d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{attribute 'shape' must be one of 'm16n8k4', 'm16n8k8', but is 'm16n8k16'}}
  %x = ori.hmma <m16n8k16, from = tf32, accumulator = f32> %q, %d, %q : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64, %q: !ori.r128) target "sm_90a" {
  // expected-error @+1 {{expects 'a' to have 128 bits, found 64}}
  %x = ori.hmma <m16n8k16, from = f16, accumulator = f32> %d, %d, %q : (!ori.r64, !ori.r64, !ori.r128) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%q: !ori.r128, %r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expects 'b' to have 64 bits, found 32}}
  %x = ori.hmma <m16n8k16, from = f16, accumulator = f32> %q, %r, %q : (!ori.r128, !ori.r, !ori.r128) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%q: !ori.r128, %d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{expects 'd' to have 128 bits, found 64}}
  %x = ori.hmma <m16n8k16, from = f16, accumulator = f32> %q, %d, %q : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r64
  ori.ret
}

// -----

ori.func @f(%q: !ori.r128, %d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{requires elements of the same width}}
  %x = ori.imma <m16n8k32, left_format = s8, right_format = u4> %q, %d, %q : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%q: !ori.r128, %d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{attribute 'shape' must be one of 'm8n8k16'}}
  %x = ori.imma <m8n8k4, left_format = s8, right_format = u8> %q, %d, %q : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%q: !ori.r128, %d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{attribute 'left_format' must be one of}}
  %x = ori.qmma <m16n8k32, left_format = f16, right_format = e4m3, accumulator = f32> %q, %d, %q : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%q: !ori.r128, %d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{attribute 'shape' must be one of 'm8n8k128'}}
  %x = ori.bmma <m16n8k16> %q, %d, %q : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %d: !ori.r64, %q: !ori.r128) target "sm_90a" {
  // expected-error @+1 {{expects 'a' to have 64 bits, found 32}}
  %x = ori.dmma <m8n8k4> %r, %d, %q : (!ori.r, !ori.r64, !ori.r128) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%v: !ori.ur64) target "sm_90a" {
  // expected-error @+1 {{attribute 'columns' must be a multiple of 8, but is 60}}
  %x = ori.wgmma.mma <columns = 60, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %v, %v : (!ori.ur64, !ori.ur64) -> !ori.acc<32>
  ori.ret
}

// -----

ori.func @f(%v: !ori.ur64) target "sm_90a" {
  // expected-error @+1 {{attribute 'depth' must be 16 for 16-bit elements}}
  %x = ori.wgmma.mma <columns = 64, depth = 8, half, left_format = f16, right_format = f16, accumulator = f32> %v, %v : (!ori.ur64, !ori.ur64) -> !ori.acc<32>
  ori.ret
}

// -----

ori.func @f(%v: !ori.ur64) target "sm_90a" {
  // expected-error @+1 {{expects 'result' to have 512 bits, found 1024}}
  %x = ori.wgmma.mma <columns = 64, depth = 16, half, left_format = f16, right_format = f16, accumulator = f16> %v, %v : (!ori.ur64, !ori.ur64) -> !ori.acc<32>
  ori.ret
}

// -----

ori.func @f(%v: !ori.ur64) target "sm_90a" {
  // expected-error @+1 {{attribute 'right_format' must be one of 's8', 'u8', but is 'f16'}}
  %x = ori.wgmma.mma <columns = 64, depth = 32, integer, left_format = s8, right_format = f16, accumulator = s32> %v, %v : (!ori.ur64, !ori.ur64) -> !ori.acc<32>
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{attribute 'count' must be from 0 to 7, found 8}}
  ori.wgmma.wait <count = 8>
  ori.ret
}

// -----

ori.func @f(%acc: !ori.acc<32>) target "sm_90a" {
  // expected-error @+1 {{requires result types equal to the operand types}}
  ori.wgmma.wait <count = 0> accumulators(%acc) : (!ori.acc<32>) -> ()
  ori.ret
}

// -----

ori.func @f(%acc: !ori.acc<32>) target "sm_90a" {
  // expected-error @+1 {{requires result types equal to the operand types}}
  %x = ori.warpgroup.wait <count = 0> accumulators(%acc) : (!ori.acc<32>) -> !ori.acc<64>
  ori.ret
}

// -----

ori.func @f(%v: !ori.ur64, %u: !ori.ur) target "sm_90a" {
  // expected-error @+1 {{expects 0 'scales', found 2}}
  ori.tcgen05.mma <f16> %v, %v, %u, %u scales(%u, %u) : (!ori.ur64, !ori.ur64, !ori.ur, !ori.ur, !ori.ur, !ori.ur) -> ()
  ori.ret
}

// -----

ori.func @f(%v: !ori.ur64, %u: !ori.ur) target "sm_90a" {
  // expected-error @+1 {{expects 2 'scales', found 0}}
  ori.tcgen05.mma <mxf4> %v, %v, %u, %u : (!ori.ur64, !ori.ur64, !ori.ur, !ori.ur) -> ()
  ori.ret
}

// -----

ori.func @f(%u: !ori.ur) target "sm_90a" {
  // expected-error @+1 {{attribute 'repeat' must be a power of two, but is 3}}
  %x = ori.tcgen05.ld <s32x32b, repeat = 3> %u : (!ori.ur) -> !ori.acc<3>
  ori.ret
}

// -----

ori.func @f(%u: !ori.ur) target "sm_90a" {
  // expected-error @+1 {{attribute 'repeat' must be from 1 to 128, found 256}}
  %x = ori.tcgen05.ld <s32x32b, repeat = 256> %u : (!ori.ur) -> !ori.acc<32>
  ori.ret
}

// -----

ori.func @f(%u: !ori.ur) target "sm_90a" {
  // expected-error @+1 {{expects 'value' to have 64 bits, found 32}}
  %x = ori.tcgen05.ld <s16x128b, repeat = 1> %u : (!ori.ur) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%u: !ori.ur, %r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{requires 'half_distance' if and only if the shape is 's16x32bx2'}}
  ori.tcgen05.st <s16x32bx2, repeat = 1> %u, %r : (!ori.ur, !ori.r) -> ()
  ori.ret
}

// -----

ori.func @f(%q: !ori.r128) target "sm_90a" {
  // expected-error @+1 {{requires result types equal to the operand types}}
  %x = ori.tcgen05.wait_ld values(%q) : (!ori.r128) -> !ori.r64
  ori.ret
}

// -----

ori.func @f(%u: !ori.ur) target "sm_90a" {
  // expected-error @+1 {{expects at most one 'done', found 2}}
  %x:3 = ori.tcgen05.alloc %u : (!ori.ur) -> (!ori.ur, !ori.up, !ori.up)
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %q: !ori.r128) target "sm_90a" {
  // expected-error @+1 {{attribute 'selector' must be}}
  %x = ori.hmma_sp <m16n8k32, from = f16, accumulator = f32, selector = 4> %q, %q, %q, %r : (!ori.r128, !ori.r128, !ori.r128, !ori.r) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %q: !ori.r128) target "sm_90a" {
  // expected-error @+1 {{expects 'a' to have 64 bits, found 128}}
  %x = ori.hmma_sp <m16n8k16, from = f16, accumulator = f32, selector = 0> %q, %q, %q, %r : (!ori.r128, !ori.r128, !ori.r128, !ori.r) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %q: !ori.r128) target "sm_90a" {
  // expected-error @+1 {{requires elements of the same width}}
  %x = ori.imma_sp <m16n8k64, left_format = s8, right_format = u4, selector = 0> %q, %q, %q, %r : (!ori.r128, !ori.r128, !ori.r128, !ori.r) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %d: !ori.r64, %q: !ori.r128) target "sm_120a" {
  // expected-error @+1 {{requires both or neither of 'metadata' and 'selector'}}
  %x = ori.qmma_sf <m16n8k32, left_format = e4m3, right_format = e5m2, selector = 0> %q, %d, %q, %r, %r, %r : (!ori.r128, !ori.r64, !ori.r128, !ori.r, !ori.r, !ori.r) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %d: !ori.r64, %q: !ori.r128) target "sm_120a" {
  // expected-error @+1 {{attribute 'scales' must be 2 or 4}}
  %x = ori.omma_sf <m16n8k64, scale_format = ue8m0, scales = 3> %q, %d, %q, %r, %r, %r : (!ori.r128, !ori.r64, !ori.r128, !ori.r, !ori.r, !ori.r) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %d: !ori.r64, %q: !ori.r128) target "sm_120a" {
  // expected-error @+1 {{attribute 'shape' must be one of 'm16n8k64', but is 'm16n8k16'}}
  %x = ori.qmma_sp <m16n8k16, left_format = e4m3, right_format = e5m2, accumulator = f32, selector = 0> %q, %q, %q, %r : (!ori.r128, !ori.r128, !ori.r128, !ori.r) -> !ori.r128
  ori.ret
}
