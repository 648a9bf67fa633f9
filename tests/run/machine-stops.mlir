// What stops a run of machine code: each error is at the instruction, and tells lanes and warp.
//
// RUN: not orison-translate --run %S/machine/words.json --color=never %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: sed 's/"k"/"shuffle"/' %S/machine/words.json >%t.shuffle.json
// RUN: not orison-translate --run %t.shuffle.json %s 2>&1 | FileCheck %s --check-prefix=SHUFFLE
// RUN: sed 's/"k"/"product"/' %S/machine/words.json >%t.product.json
// RUN: not orison-translate --run %t.product.json %s 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: sed 's/"k"/"outside"/' %S/machine/words.json >%t.outside.json
// RUN: not orison-translate --run %t.outside.json %s 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: sed 's/"k"/"alone"/' %S/machine/words.json >%t.alone.json
// RUN: not orison-translate --run %t.alone.json %s 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: sed 's/"k"/"masked"/' %S/machine/words.json >%t.masked.json
// RUN: not orison-translate --run %t.masked.json %s 2>&1 | FileCheck %s --check-prefix=MASKED
// RUN: sed 's/"k"/"end"/' %S/machine/words.json >%t.end.json
// RUN: not orison-translate --run %t.end.json %s 2>&1 | FileCheck %s --check-prefix=END
// RUN: sed 's/"k"/"undefined"/' %S/machine/words.json >%t.undefined.json
// RUN: not orison-translate --run %t.undefined.json %s 2>&1 | FileCheck %s --check-prefix=UNDEFINED
// RUN: sed 's/"k"/"nowhere"/' %S/machine/words.json >%t.nowhere.json
// RUN: not orison-translate --run %t.nowhere.json %s 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: sed 's/"k"/"none"/' %S/machine/words.json >%t.none.json
// RUN: not orison-translate --run %t.none.json %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: undefined kernel 'none'

// An instruction that is not modelled stops the run when it is reached: the first one is not.
sass.func @k target "sm_90a" {
  sass.mov "MOV R0, RZ" <stall = 1>
  sass.isetp "ISETP.NE.AND P0, PT, R0, RZ, PT" <stall = 13, yield>
  sass.tex "@P0 TEX.SCR.LL R0, R4, R6, 0x0, 2D" <stall = 1>
  // UNKNOWN: machine-stops.mlir:[[@LINE+1]]:3: error: 'sass.fadd' op 'FADD.FROB' is not modelled by the interpreter: its modifier 'FROB' is not modelled
  sass.fadd "FADD.FROB R0, R0, R0" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// Lanes exchange what only half of them is there for.
sass.func @shuffle target "sm_90a" {
  sass.s2r "S2R R0, SR_LANEID" <stall = 1>
  sass.isetp "ISETP.LT.AND P0, PT, R0, 0x10, PT" <stall = 13, yield>
  sass.bra "@P0 BRA `(.L_s)" <stall = 5> [^bb2, ^bb1]
^bb1:
  sass.nop "NOP" <stall = 1>
  sass.fall_through ^bb2
^bb2:
  sass.notes [".L_s:"]
  // SHUFFLE: machine-stops.mlir:[[@LINE+1]]:3: error: 'sass.shfl' op lane {{[0-9]+}} reads inactive lane {{[0-9]+}}: active lanes are 0x{{0000ffff|ffff0000}}
  sass.shfl "SHFL.BFLY PT, R1, R0, 0x10, 0x1f" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

sass.func @product target "sm_80" {
  sass.s2r "S2R R0, SR_LANEID" <stall = 1>
  sass.isetp "ISETP.NE.AND P0, PT, R0, 0x5, PT" <stall = 13, yield>
  // PRODUCT: machine-stops.mlir:[[@LINE+1]]:3: error: 'sass.hmma' op requires all lanes of the warp, but the active lanes are 0xffffffdf
  sass.hmma "@P0 HMMA.16816.F32 R4, R8, R12, RZ" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

sass.func @outside target "sm_80" {
  sass.imad "IMAD.MOV.U32 R2, RZ, RZ, c[0x0][0x160]" <stall = 1>
  sass.imad "IMAD.MOV.U32 R3, RZ, RZ, c[0x0][0x164]" <stall = 1>
  // OUTSIDE: machine-stops.mlir:[[@LINE+1]]:3: error: 'sass.ldg' op accesses 8 bytes out of bounds in lane 0: at byte 64 of buffer 'out', which has 64 bytes
  sass.ldg "LDG.E.64 R4, [R2.64+0x40]" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// Lane 0 waits for all lanes, which wait for it at a barrier of the CTA.
sass.func @alone target "sm_80" {
  sass.s2r "S2R R0, SR_LANEID" <stall = 1>
  sass.isetp "ISETP.EQ.AND P0, PT, R0, RZ, PT" <stall = 13, yield>
  sass.bssy "BSSY B0, `(.L_a)" <stall = 5>
  sass.bra "@P0 BRA `(.L_a)" <stall = 5> [^bb2, ^bb1]
^bb1:
  // ALONE: deadlock: no warp can make progress:
  // ALONE-SAME: lanes 0x00000001 of warp 0 of CTA [0, 0, 0] wait for the lanes 0xffffffff
  sass.bar "BAR.SYNC.DEFER_BLOCKING 0x0" <stall = 6>
  sass.fall_through ^bb2
^bb2:
  sass.notes [".L_a:"]
  sass.bsync "BSYNC B0" <stall = 5> [^bb3]
^bb3:
  sass.exit "EXIT" <stall = 5>
}

sass.func @masked target "sm_80" {
  // MASKED: machine-stops.mlir:[[@LINE+1]]:3: error: 'sass.warpsync' op the mask 0x0000fffe does not include all active lanes 0xffffffff
  sass.warpsync "WARPSYNC 0xfffe" <stall = 5>
  sass.exit "EXIT" <stall = 5>
}

// END: machine-stops.mlir:[[@LINE+1]]:1: error: 'sass.func' op continues after its last instruction
sass.func @end target "sm_80" {
  sass.nop "NOP" <stall = 1>
  sass.fall_through
}

sass.func @undefined target "sm_80" {
  // UNDEFINED: machine-stops.mlir:[[@LINE+1]]:3: error: 'sass.stg' op an address is undefined in lane 0
  sass.stg "STG.E [R2.64], RZ" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

sass.func @nowhere target "sm_80" {
  sass.mov "MOV R2, 0x1230" <stall = 1>
  sass.mov "MOV R3, RZ" <stall = 1>
  // NOWHERE: machine-stops.mlir:[[@LINE+1]]:3: error: 'sass.ret' op jumps to 0x{{[0-9a-f]+}}, where there is no instruction
  sass.ret "RET.REL.NODEC R2 `(nowhere)" <stall = 5>
}
