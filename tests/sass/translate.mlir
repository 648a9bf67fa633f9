// A listing of nvdisasm is imported as sass and printed as a listing again without loss.
//
// RUN: orison-translate --nvdisasm-to-sass %S/inputs/histogram.sass | FileCheck %s
// RUN: orison-translate --nvdisasm-to-sass %S/inputs/histogram.sass | orison-opt | orison-translate --sass-to-text - | FileCheck %s --check-prefix=TEXT
// RUN: orison-translate --nvdisasm-to-sass %S/inputs/histogram.sass -o %t.mlir
// RUN: orison-translate --sass-to-text %t.mlir -o %t.sass
// RUN: orison-translate --nvdisasm-to-sass %t.sass -o %t.again.mlir
// RUN: diff %t.mlir %t.again.mlir
// RUN: orison-opt --sass-strip-control-words %t.mlir | orison-translate --sass-to-text - | FileCheck %s --check-prefix=STRIPPED

// CHECK: sass.header [".target\09sm_80"
// CHECK: sass.func @histogram target "sm_80"
// On sm_80, the descriptor of a load is in the encoding, but not in the text.
// CHECK: sass.ldg "@!P0 LDG.E R20, [R2.64]" <stall = 1, wr = 2> descriptor "UR4" encoding "0x
// CHECK: sass.bssy "BSSY B0, `(.L_x_0)"
// CHECK: sass.bra "@P6 BRA `(.L_x_3)" <stall = 5> [^[[target:.*]], ^[[next:.*]]] encoding
// CHECK: ^[[next]]:
// CHECK: ^[[target]]:
// CHECK: sass.notes [".L_x_3:"]

// TEXT: //--------------------- .text.histogram
// TEXT: /*0000*/ {{ *}}IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ; {{ *}}/* B------:R-:W-:-:S02 */ /* 0x00000a00ff017624 */
// TEXT-NEXT: {{^ *}}/* 0x000fe400078e00ff */
// TEXT: /*0250*/ {{ *}}BSSY B0, `(.L_x_0) ;
// TEXT: {{^}}.L_x_3:

// The bits hold the new control word: a stall of one cycle instead of two.
// STRIPPED: /*0000*/ {{.*}} /* B------:R-:W-:-:S01 */ /* 0x00000a00ff017624 */
// STRIPPED-NEXT: {{^ *}}/* 0x000fe200078e00ff */
