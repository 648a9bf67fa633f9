// Integer operations: carries, signs, truth tables, comparisons.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

ori.func @integer(%r: !ori.r, %s: !ori.r, %d: !ori.r64, %e: !ori.r64, %q: !ori.r128, %u: !ori.ur, %v: !ori.ur64, %p: !ori.p, %o: !ori.p, %up: !ori.up, %b: !ori.b, %acc: !ori.acc<32>, %wide: !ori.acc<8>) target "sm_90a" {
  // CHECK: = ori.iadd3 %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.ur) -> !ori.r
  %x0 = ori.iadd3 %r, %s, %u : (!ori.r, !ori.r, !ori.ur) -> !ori.r
  // CHECK: = ori.iadd3 %{{[a-z0-9]+}}, neg %{{[a-z0-9]+}}, not %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x1 = ori.iadd3 %r, neg %s, not %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.iadd3 %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p, !ori.p)
  %x2:3 = ori.iadd3 %r, %s, %s : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p, !ori.p)
  // CHECK: = ori.iadd3 <extended> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} carry(%{{[a-z0-9]+}}, not %{{[a-z0-9]+}}) : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.p) -> (!ori.r, !ori.p)
  %x3:2 = ori.iadd3 <extended> %r, %s, %s carry(%p, not %o) : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.p) -> (!ori.r, !ori.p)
  // CHECK: = ori.imad %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, neg %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x4 = ori.imad %r, %s, neg %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.imad <u32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.ur) -> !ori.r
  %x5 = ori.imad <u32> %r, %s, %u : (!ori.r, !ori.r, !ori.ur) -> !ori.r
  // CHECK: = ori.imad_wide <s32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %x6 = ori.imad_wide <s32> %r, %s, %d : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  // CHECK: = ori.imad_wide <u32, extended> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} carry(%{{[a-z0-9]+}}) : (!ori.r, !ori.r, !ori.r64, !ori.p) -> (!ori.r64, !ori.p)
  %x7:2 = ori.imad_wide <u32, extended> %r, %s, %d carry(%p) : (!ori.r, !ori.r, !ori.r64, !ori.p) -> (!ori.r64, !ori.p)
  // CHECK: = ori.imad_hi <u32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r64) -> !ori.r
  %x8 = ori.imad_hi <u32> %r, %s, %d : (!ori.r, !ori.r, !ori.r64) -> !ori.r
  // CHECK: = ori.lop3 <lut = 192> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.ur) -> !ori.r
  %x9 = ori.lop3 <lut = 192> %r, %s, %u : (!ori.r, !ori.r, !ori.ur) -> !ori.r
  // CHECK: = ori.lop3_test <lut = 60> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} with(not %{{[a-z0-9]+}}) : (!ori.r, !ori.r, !ori.r, !ori.p) -> (!ori.r, !ori.p)
  %x10:2 = ori.lop3_test <lut = 60> %r, %s, %s with(not %p) : (!ori.r, !ori.r, !ori.r, !ori.p) -> (!ori.r, !ori.p)
  // CHECK: = ori.lea <shift = 2> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.ur) -> (!ori.r, !ori.p)
  %x11:2 = ori.lea <shift = 2> %r, %s, %u : (!ori.r, !ori.r, !ori.ur) -> (!ori.r, !ori.p)
  // CHECK: = ori.lea <shift = 3, high, sign_extended, extended> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} carry(%{{[a-z0-9]+}}) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %x12 = ori.lea <shift = 3, high, sign_extended, extended> %r, %s, %s carry(%p) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  // CHECK: = ori.shf <left, u32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x13 = ori.shf <left, u32> %r, %s, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.shf <right, s64, high, wrap> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x14 = ori.shf <right, s64, high, wrap> %r, %s, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.viadd %{{[a-z0-9]+}}, neg %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x15 = ori.viadd %r, neg %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.imnmx <s32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, not %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %x16 = ori.imnmx <s32> %r, %s, not %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  // CHECK: = ori.vimnmx <u32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %x17 = ori.vimnmx <u32> %r, %s, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  // CHECK: = ori.vimnmx3 <max, s32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x18 = ori.vimnmx3 <max, s32> %r, %s, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.viaddmnmx <min, s32, relu> %{{[a-z0-9]+}}, neg %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x19 = ori.viaddmnmx <min, s32, relu> %r, neg %s, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.iabs %{{[a-z0-9]+}} : (!ori.r) -> !ori.r
  %x20 = ori.iabs %r : (!ori.r) -> !ori.r
  // CHECK: = ori.vabsdiff %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x21 = ori.vabsdiff %r, %s, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.vabsdiff4 <u8> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x22 = ori.vabsdiff4 <u8> %r, %s, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.idp <left_format = s8, right_format = u8> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x23 = ori.idp <left_format = s8, right_format = u8> %r, %s, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.idp <left_format = u16, right_format = s8, halves, high> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x24 = ori.idp <left_format = u16, right_format = s8, halves, high> %r, %s, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.bmsk <wrap> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x25 = ori.bmsk <wrap> %r, %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.sgxt <s32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x26 = ori.sgxt <s32> %r, %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.popc not %{{[a-z0-9]+}} : (!ori.r) -> !ori.r
  %x27 = ori.popc not %r : (!ori.r) -> !ori.r
  // CHECK: = ori.flo <u32, shift_amount> %{{[a-z0-9]+}} : (!ori.r) -> !ori.r
  %x28 = ori.flo <u32, shift_amount> %r : (!ori.r) -> !ori.r
  // CHECK: = ori.brev %{{[a-z0-9]+}} : (!ori.r) -> !ori.r
  %x29 = ori.brev %r : (!ori.r) -> !ori.r
  // CHECK: = ori.prmt <idx> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x30 = ori.prmt <idx> %r, %s, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.prmt <rc16> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x31 = ori.prmt <rc16> %r, %s, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.i2i <to = u8, from = s32, saturate> %{{[a-z0-9]+}} : (!ori.r) -> !ori.r
  %x32 = ori.i2i <to = u8, from = s32, saturate> %r : (!ori.r) -> !ori.r
  // CHECK: = ori.i2ip <to = s8, from = s32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x33 = ori.i2ip <to = s8, from = s32> %r, %s, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.clmad <high> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x34 = ori.clmad <high> %r, %s, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.isetp <ge, s32, and> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.p
  %x35 = ori.isetp <ge, s32, and> %r, %s : (!ori.r, !ori.r) -> !ori.p
  // CHECK: = ori.isetp <lt, u32, or> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} with(not %{{[a-z0-9]+}}) : (!ori.r, !ori.r, !ori.p) -> (!ori.p, !ori.p)
  %x36:2 = ori.isetp <lt, u32, or> %r, %s with(not %p) : (!ori.r, !ori.r, !ori.p) -> (!ori.p, !ori.p)
  // CHECK: = ori.isetp <ne, u32, extended, xor> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} with(%{{[a-z0-9]+}}) low(%{{[a-z0-9]+}}) : (!ori.r, !ori.r, !ori.p, !ori.p) -> !ori.p
  %x37 = ori.isetp <ne, u32, extended, xor> %r, %s with(%p) low(%o) : (!ori.r, !ori.r, !ori.p, !ori.p) -> !ori.p
  // CHECK: = ori.plop3 <lut = 128> %{{[a-z0-9]+}}, not %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.p, !ori.p, !ori.p) -> !ori.p
  %x38 = ori.plop3 <lut = 128> %p, not %o, %o : (!ori.p, !ori.p, !ori.p) -> !ori.p
  // CHECK: = ori.plop3 <lut = 128, second_lut = 15> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.p, !ori.p, !ori.p) -> (!ori.p, !ori.p)
  %x39:2 = ori.plop3 <lut = 128, second_lut = 15> %p, %o, %o : (!ori.p, !ori.p, !ori.p) -> (!ori.p, !ori.p)
  // CHECK: = ori.p2r <mask = 5> %{{[a-z0-9]+}} predicates(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) : (!ori.r, !ori.p, !ori.p) -> !ori.r
  %x40 = ori.p2r <mask = 5> %r predicates(%p, %o) : (!ori.r, !ori.p, !ori.p) -> !ori.r
  // CHECK: = ori.r2p <mask = 3> %{{[a-z0-9]+}} : (!ori.r) -> (!ori.p, !ori.p)
  %x41:2 = ori.r2p <mask = 3> %r : (!ori.r) -> (!ori.p, !ori.p)
  // CHECK: = ori.iadd3 %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} if %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %x42 = ori.iadd3 %r, %s, %s if %p : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  // CHECK: = ori.iadd3 %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} if not %{{[a-z0-9]+}} else %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.r) -> !ori.r
  %x43 = ori.iadd3 %r, %s, %s if not %p else %s : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.r) -> !ori.r
  // CHECK: = ori.isetp <eq, s32, and> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} if %{{[a-z0-9]+}} else %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.p, !ori.p, !ori.p) -> (!ori.p, !ori.p)
  %x44:2 = ori.isetp <eq, s32, and> %r, %s if %o else %p, %p : (!ori.r, !ori.r, !ori.p, !ori.p, !ori.p) -> (!ori.p, !ori.p)
  ori.ret
}
