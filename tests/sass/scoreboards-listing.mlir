// The control words of a real kernel are stripped and computed again; order and bits of the
// instructions are unchanged, the simulator and verifier report nothing, and repairs change nothing.
//
// RUN: orison-translate --nvdisasm-to-sass %S/inputs/histogram.sass | orison-opt --sass-strip-control-words --sass-fixup-tex-depbar-and-sync --sass-advanced-scoreboards --sass-simulate --sass-verify-schedule -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: orison-opt --sass-insert-war-hazards --sass-generate-opex --sass-insert-war-hazards %t.mlir -o %t.again.mlir
// RUN: diff %t.mlir %t.again.mlir
// RUN: orison-translate --sass-to-text %t.mlir | FileCheck %s --check-prefix=TEXT
// RUN: orison-translate --nvdisasm-to-sass %S/inputs/histogram.sass | orison-opt --sass-process-o0-waits --sass-simulate --sass-verify-schedule -o %t.o0.mlir
//
// The same for kernels with loops of several blocks, TMA and matrix products.
//
// RUN: orison-translate --nvdisasm-to-sass %S/../../dialects/sass/tests/real/tma_matmul.sm_90a.sass | orison-opt --sass-strip-control-words --sass-advanced-scoreboards --sass-simulate -o %t.tma_matmul.sm_90a.mlir
// RUN: orison-translate --nvdisasm-to-sass %S/../../dialects/sass/tests/real/tma_matmul.sm_90a.sass | orison-opt --sass-process-o0-waits --sass-simulate -o %t.tma_matmul.sm_90a.o0.mlir
// RUN: orison-translate --nvdisasm-to-sass %S/../../dialects/sass/tests/real/tma_matmul.sm_100a.sass | orison-opt --sass-strip-control-words --sass-advanced-scoreboards --sass-simulate -o %t.tma_matmul.sm_100a.mlir
// RUN: orison-translate --nvdisasm-to-sass %S/../../dialects/sass/tests/real/tma_matmul.sm_100a.sass | orison-opt --sass-process-o0-waits --sass-simulate -o %t.tma_matmul.sm_100a.o0.mlir
// RUN: orison-translate --nvdisasm-to-sass %S/../../dialects/sass/tests/real/memory.sm_80.sass | orison-opt --sass-strip-control-words --sass-advanced-scoreboards --sass-simulate -o %t.memory.sm_80.mlir
// RUN: orison-translate --nvdisasm-to-sass %S/../../dialects/sass/tests/real/memory.sm_80.sass | orison-opt --sass-process-o0-waits --sass-simulate -o %t.memory.sm_80.o0.mlir
//
// RUN: orison-translate --nvdisasm-to-sass %S/inputs/histogram.sass | not orison-opt --sass-strip-control-words --sass-simulate -o %t.bare.mlir 2>&1 | FileCheck %s --check-prefix=BARE

// Reads of the thread index wait for the scoreboard that S2R arms.
// CHECK: sass.func @histogram target "sm_80"
// CHECK: sass.s2r "S2R R0, SR_TID.X" <{{.*}}wr = [[TID:[0-9]]]
// CHECK: sass.lop3 "LOP3.LUT R0, R0, 0x7f, RZ, 0xc0, !PT" <{{.*}}wait = {{\[}}[[TID]]]

// TEXT: /*0010*/ {{ *}}S2R R0, SR_TID.X ; {{ *}}/* B------:R-:W[[TID:[0-9]]]:{{.}}:S{{[0-9]+}} */

// BARE: error: {{.*}}reads R0, whose value is still in flight: no scoreboard covers it
