// Counts, sizes and knobs.
//
// RUN: orison-opt --ori-branch-opt --split-input-file --verify-diagnostics %s

ori.func @a(%at: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{'ori.ldgmc' op must load 4, 8 or 16 bytes}}
  %0 = ori.ldgmc <add, f32, width = u8> [%at] : (!ori.r64) -> !ori.r
  ori.exit
}

// -----

ori.func @b(%x: !ori.r) target "sm_90a" {
  // expected-error @+1 {{'ori.brx' op attribute 'argument_counts' must have one entry per target, and the entries must add up to the number of arguments}}
  "ori.brx"(%x)[^a] <{argument_counts = array<i32: 1>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (!ori.r) -> ()
^a:
  ori.exit
}

// -----

// expected-error @+1 {{expected a size in bytes}}
ori.memory shared @slots, size big, align 16

// -----

// expected-error @+1 {{expected a number of registers}}
ori.func @c(%x: !ori.acc<many>) target "sm_90a" {
  ori.exit
}

// -----

// expected-error @+1 {{'ori.func' op attribute 'ori.knobs': 'BranchOptDepth' must be a number, 'true', 'false' or a string}}
ori.func @d() target "sm_90a" attributes {ori.knobs = {BranchOptDepth = [1]}} {
  ori.exit
}

// -----

// expected-error @+1 {{'ori.func' op attribute 'ori.knobs' must be a dictionary}}
ori.func @e() target "sm_90a" attributes {ori.knobs = 3} {
  ori.exit
}

// -----

ori.func @f(%q: !ori.r128, %d: !ori.r64, %r: !ori.r) target "sm_120a" {
  // expected-error @+1 {{'ori.omma_sf' op requires 4 scales of type 'e4m3', found 2}}
  %x = ori.omma_sf <m16n8k64, scale_format = e4m3, scales = 2> %q, %d, %q, %r, %r, %r : (!ori.r128, !ori.r64, !ori.r128, !ori.r, !ori.r, !ori.r) -> !ori.r128
  ori.exit
}
