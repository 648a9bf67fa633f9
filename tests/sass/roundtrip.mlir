// Instructions of every family, in the custom and the generic form.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// CHECK: sass.header [".target\09sm_90a"]
sass.header [".target\09sm_90a"]

// CHECK-LABEL: sass.func @instructions target "sm_90a" attributes {trailing = [".L_x_9:"]}
sass.func @instructions target "sm_90a" attributes {trailing = [".L_x_9:"]} {
  // CHECK: sass.notes [".align\09128", "instructions:", "// a comment"]
  sass.notes [".align\09128", "instructions:", "// a comment"]
  // CHECK-NEXT: sass.iadd3 "IADD3 R36, P2, P3, R57.reuse, UR4, R38" <stall = 4, reuse = [a]>
  // GENERIC: "sass.iadd3"() <{control = #sass.ctrl<stall = 4, reuse = [a]>, instruction = #sass.instruction<"IADD3 R36, P2, P3, R57.reuse, UR4, R38">}> : () -> ()
  sass.iadd3 "IADD3 R36, P2, P3, R57.reuse, UR4, R38" <stall = 4, reuse = [a]>
  // CHECK-NEXT: sass.fsetp "FSETP.GTU.FTZ.AND P1, PT, |R3|, +INF , PT" <stall = 13, yield>
  sass.fsetp "FSETP.GTU.FTZ.AND P1, PT, |R3|, +INF , PT" <stall = 13, yield>
  // CHECK-NEXT: sass.hadd2 "HADD2.F32 R8, -RZ, R24.H0_H0" <stall = 1>
  sass.hadd2 "HADD2.F32 R8, -RZ, R24.H0_H0" <stall = 1>
  // CHECK-NEXT: sass.ldg "@!P2 LDG.E.128 R12, desc[UR6][R2.64+-0x8]" <stall = 1, wr = 0, rd = 1, wait = [0, 2]>
  // GENERIC: "sass.ldg"() <{control = #sass.ctrl<stall = 1, wr = 0, rd = 1, wait = [0, 2]>, instruction = #sass.instruction<"@!P2 LDG.E.128 R12, desc[UR6][R2.64+-0x8]">}> : () -> ()
  sass.ldg "@!P2 LDG.E.128 R12, desc[UR6][R2.64+-0x8]" <stall = 1, wr = 0, rd = 1, wait = [0, 2]>
  // CHECK-NEXT: sass.stg "STG.E [R2.64], R7" <stall = 1> descriptor "UR4" encoding "0x000fe2000c1019040000000702007986"
  // GENERIC: encoding = #sass.encoding<"0x000fe2000c1019040000000702007986">, instruction = #sass.instruction<"STG.E [R2.64], R7" descriptor "UR4">}>
  sass.stg "STG.E [R2.64], R7" <stall = 1> descriptor "UR4" encoding "0x000fe2000c1019040000000702007986"
  // CHECK-NEXT: sass.hgmma "HGMMA.64x128x16.F32 R88, gdesc[UR20].tnspB, R88, gsb0" <stall = 3, yield>
  sass.hgmma "HGMMA.64x128x16.F32 R88, gdesc[UR20].tnspB, R88, gsb0" <stall = 3, yield>
  // CHECK-NEXT: sass.utchmma "UTCHMMA gdesc[UR24], gdesc[UR26], tmem[UR28], tmem[UR4], idesc[UR5], !UPT" <stall = 1>
  sass.utchmma "UTCHMMA gdesc[UR24], gdesc[UR26], tmem[UR28], tmem[UR4], idesc[UR5], !UPT" <stall = 1>
  // CHECK-NEXT: sass.utmaldg "@UP3 UTMALDG.2D [UR16], [UR46]" <stall = 1, rd = 5>
  sass.utmaldg "@UP3 UTMALDG.2D [UR16], [UR46]" <stall = 1, rd = 5>
  // CHECK-NEXT: sass.depbar "DEPBAR.LE SB0, 0x1" <stall = 0, yield>
  sass.depbar "DEPBAR.LE SB0, 0x1" <stall = 0, yield>
  // CHECK-NEXT: sass.inst "WHATEVER.X R4, [R5], `(symbol)" <stall = 1> {mine = 1 : i32}
  sass.inst "WHATEVER.X R4, [R5], `(symbol)" <stall = 1> {mine = 1 : i32}
  // CHECK-NEXT: sass.exit "EXIT" <stall = 5>
  sass.exit "EXIT" <stall = 5>
}

// CHECK-LABEL: sass.func @edges
sass.func @edges target "sm_80" {
  // A loop that starts with the function has an empty block before it.
  // CHECK-NEXT: sass.fall_through ^[[loop:.*]]
  sass.fall_through ^loop
^loop:
  // CHECK: sass.notes [".L_x_0:"]
  sass.notes [".L_x_0:"]
  // CHECK-NEXT: sass.bra "@P0 BRA `(.L_x_0)" <stall = 5> [^[[loop]], ^[[table:.*]]]
  sass.bra "@P0 BRA `(.L_x_0)" <stall = 5> [^loop, ^table]
^table:
  // CHECK: sass.brx "BRX R6 -0x170" <stall = 5> [^[[loop]], ^[[end:.*]]] targets [".L_x_0", ".L_x_1"]
  // GENERIC: instruction = #sass.instruction<"BRX R6 -0x170" targets [".L_x_0", ".L_x_1"]>
  sass.brx "BRX R6 -0x170" <stall = 5> [^loop, ^end] targets [".L_x_0", ".L_x_1"]
^end:
  sass.notes [".L_x_1:"]
  // CHECK: sass.nop "NOP" <stall = 1>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.nop "NOP" <stall = 1>
  sass.fall_through
}

// CHECK: sass.section "SYMBOLS" [".type\09smem,@object"]
sass.section "SYMBOLS" [".type\09smem,@object"]
