// The operation selected for each instruction.
//
// RUN: orison-translate --ptx-to-ori --counts %S/ptx/select.ptx 2>&1 | FileCheck %s
// RUN: orison-translate --ptx-to-ori %S/ptx/select.ptx | orison-opt --mlir-print-op-generic | orison-opt | FileCheck --check-prefix=AGAIN %s

// No instruction here is kept as `ori.inst`.
// CHECK: select.ptx: 48 instructions, 0 as 'ori.inst'

// CHECK: ori.memory shared @memory, size 0, align 16
// CHECK: ori.memory constant @weights, size 8, align 4 {initial = array<i8: 0, 0, -128, 63, 0, 0, 0, 64>}
// Parameters begin at 0x210 on sm_90.
// CHECK: %[[P:.*]] = ori.cbank[0, 528] : !ori.r64
// CHECK: %[[N:.*]] = ori.cbank[0, 536] : !ori.r
// CHECK: ori.iadd3 %[[N]], neg %{{.*}}, %{{.*}} :
// CHECK: ori.imad_hi <u32>
// CHECK: ori.shf <left, u32> %[[N]]
// CHECK: ori.shf <right, s32, high> %{{.*}}, %{{.*}}, %[[N]]
// CHECK: %[[HIGHEST:.*]] = ori.flo <u32> %[[N]]
// CHECK: ori.iadd3 %{{.*}}, neg %[[HIGHEST]]
// CHECK: ori.sgxt <u32>
// CHECK: ori.shf <left, u32, high, wrap> %[[N]]
// CHECK: ori.lop3 <lut = 150>
// The selector of PRMT is its second source.
// CHECK: %[[SELECTOR:.*]] = ori.imm 21520 : !ori.r
// CHECK: ori.prmt <idx> %[[N]], %[[SELECTOR]], %{{.*}} :
// CHECK: ori.lop3 <lut = 192>
// CHECK: ori.lop3 <lut = 15>
// The maximum: the selector is false.
// CHECK: %[[FALSE:.*]] = ori.imm 0 : !ori.p
// CHECK: ori.vimnmx <s32> %[[N]], %{{.*}}, %[[FALSE]]
// CHECK: ori.fadd %[[N]], neg %
// CHECK: ori.fadd neg %[[N]]
// CHECK: ori.mufu <ex2> %[[N]]
// CHECK: ori.hfma2 <f16>
// A difference of 64-bit values: the high halves are inverted, and the carry adds the one.
// CHECK: %[[LOW:.*]]:2 = ori.iadd3 %{{.*}}, neg %{{.*}} -> (!ori.r, !ori.p)
// CHECK: ori.iadd3 <extended> %{{.*}}, not %{{.*}} carry(%[[LOW]]#1)
// CHECK: ori.shf <left, u32> %
// CHECK: ori.shf <left, u64, high> %
// CHECK-COUNT-2: ori.imad %
// CHECK: ori.imad_wide <u32>
// CHECK: %[[BELOW:.*]] = ori.isetp <lt, u32, and>
// CHECK: %[[LESS:.*]] = ori.isetp <lt, s32, extended, and> %{{.*}} low(%[[BELOW]])
// CHECK: %[[PAIR:.*]]:2 = ori.fsetp <gt, or> %{{.*}} with(not %[[LESS]])
// CHECK: %[[BOTH:.*]] = ori.plop3 <lut = 192> %[[LESS]], %[[PAIR]]#0
// CHECK-COUNT-2: ori.sel %{{.*}}, %{{.*}}, %[[BOTH]]
// CHECK: ori.hadd2_f32 <f16> neg %{{.*}}, h0_h0 %
// CHECK: ori.f2fp <to = bf16, from = f32> %[[N]]
// CHECK: ori.shf <right, s32, high>
// CHECK-COUNT-2: ori.prmt <idx> %[[N]]
// CHECK: ori.concat %[[N]], %{{.*}} -> !ori.r64
// CHECK: %[[FOUR:.*]] = ori.ldg <b128, constant, no_allocate> [%[[P]] + 16]
// CHECK: ori.extract %[[FOUR]][3]
// CHECK: ori.ldg <b32, strong, sys> [%[[P]]]
// CHECK: ori.stg <b64> [%[[P]] - 8], %{{.*}} if %[[BOTH]] :
// CHECK: ori.ldc <b32, bank = 3> [%{{.*}} + 4]
// CHECK: %[[MEMORY:.*]] = ori.address_of @memory : !ori.r
// CHECK: ori.sts <b32> [%[[MEMORY]] + 4], %[[N]]
// CHECK: ori.atomg <add, u32, strong, gpu> [%[[P]]], %[[N]]
// CHECK: ori.ldgsts <b128, bypass> [%{{.*}}], [%[[P]]]
// CHECK: ori.ldgdepbar
// CHECK: ori.depbar <count = 0>
// CHECK: ori.ldsm <x4, transposed> [%{{.*}} + 32]
// CHECK: ori.hmma <m16n8k16, from = f16, accumulator = f32> %{{.*}} : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
// CHECK: ori.shfl <bfly> %[[N]], %{{.*}} -> (!ori.r, !ori.p)
// Not all threads of the warp: a wait is inserted.
// CHECK: ori.warpsync mask(%[[N]])
// CHECK: ori.vote <any> not %
// CHECK: ori.elect
// CHECK: ori.syncs <init> [%{{.*}} + 8] count(%
// CHECK: ori.syncs_try_wait [%{{.*}} + 8], %[[N]]
// CHECK: ori.membar <all, cta>
// CHECK: ori.fence <shared, asynchronous>
// CHECK: ori.bar <sync, index = 1> threads(%
// CHECK: ori.exit

// AGAIN: ori.func kernel @select() target "sm_90a"
// AGAIN-NOT: ori.inst
// AGAIN: ori.exit
