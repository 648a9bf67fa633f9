// What an instruction with an encoding does is unknown if its text is malformed, its registers are not
// aligned, or it jumps to an undefined label. Everything else of the file is as without it.
//
// RUN: orison-translate --nvdisasm-to-sass %S/inputs/odd.sass -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: FileCheck %s --input-file %t.mlir
// RUN: orison-translate --sass-to-text %t.mlir -o %t.sass
// RUN: orison-translate --nvdisasm-to-sass %t.sass -o %t.again.mlir
// RUN: diff %t.mlir %t.again.mlir
// RUN: orison-opt %t.mlir -o %t.custom.mlir
// RUN: orison-opt --mlir-print-op-generic %t.mlir | orison-opt | diff %t.custom.mlir -

// WARN: odd.sass:10:55: warning: the effects of this instruction are unknown: 'c{0x0}(0x164).H0_H0' is not an operand
// WARN-NEXT: odd.sass:12:36: warning: the effects of this instruction are unknown: guard 'R3' is not a predicate
// WARN-NEXT: odd.sass:14:9: warning: the effects of this instruction are unknown: reads or writes R3-R4, whose first register must be a multiple of 2
// WARN-NEXT: odd.sass:16:9: warning: the effects of this instruction are unknown: undefined label '.L_x_9'
// WARN-NOT: warning

// CHECK: sass.func @odd
// CHECK: sass.hadd2 "HADD2.F32 R8, -RZ, c[0x0][0x164].H0_H0" <
// CHECK-NEXT: sass.hadd2 opaque "@!P1 HADD2.F32 R8, -RZ, c{0x0}(0x164).H0_H0" <stall = 5, yield> encoding
// CHECK-NEXT: sass.inst opaque "@R3 ? \22quoted\22" <
// CHECK-NEXT: sass.ldg opaque "LDG.E.64 R3, [R4.64]" <
// CHECK-NEXT: sass.bra opaque "BRA `(.L_x_9)" <
// CHECK: sass.func @plain
// A control word that is that of the encoding need not follow the rules: no slot is marked in it.
// CHECK: sass.ffma "FFMA R0, R1.reuse, R1, R2" <

// The control words of a function with an opaque instruction stay.
//
// RUN: orison-opt --sass-strip-control-words --sass-advanced-scoreboards %t.mlir -o %t.words.mlir 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: FileCheck %s --check-prefix=WORDS --input-file %t.words.mlir

// KEPT: opaque.mlir.tmp.mlir:{{[0-9]+}}:5: warning: the effects of this instruction are unknown: the control words of its function stay
// WORDS: sass.hadd2 opaque {{.*}} <stall = 5, yield> encoding
// WORDS: sass.ldg opaque {{.*}} <stall = 1, wr = 2> encoding
// WORDS: sass.ffma "FFMA R0, R1, R1, R2" <
