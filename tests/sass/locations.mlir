// Passes change control words and insert instructions. Every kind of location stays, and so do
// attributes that no dialect knows. An inserted instruction has the location of the next one. The lines of
// `KEPT` hold for each pass; the other lines show what the pass did.
//
// DEFINE: %{opt} = orison-opt %s --mlir-print-debuginfo --mlir-print-local-scope
// RUN: %{opt} | FileCheck %s --check-prefixes=KEPT,READ
// RUN: %{opt} --sass-strip-control-words | FileCheck %s --check-prefixes=KEPT,STRIP
// RUN: %{opt} --sass-advanced-scoreboards | FileCheck %s --check-prefixes=KEPT,WORDS
// RUN: %{opt} --sass-advanced-scoreboards=longest-stall=3 | FileCheck %s --check-prefixes=KEPT,WORDS,SHORT
// RUN: %{opt} --sass-process-o0-waits | FileCheck %s --check-prefixes=KEPT,SERIAL
// RUN: %{opt} --sass-fixup-tex-depbar-and-sync | FileCheck %s --check-prefixes=KEPT,TEXTURE
// RUN: %{opt} --sass-generate-opex | FileCheck %s --check-prefixes=KEPT,OPEX
// RUN: %{opt} --sass-insert-war-hazards | FileCheck %s --check-prefixes=KEPT,WAR
// RUN: %{opt} --sass-advanced-scoreboards --sass-simulate --sass-verify-schedule | FileCheck %s --check-prefixes=KEPT,WORDS

// KEPT-LABEL: sass.func @k target "sm_90a" attributes {team = "a"} {
// KEPT-NEXT: sass.notes ["k:"] {note = 0 : i32} loc("k.sass":1:1)
// KEPT-NEXT: sass.tex "TEX.B.LL R4, R8, R10, 0x0, 0x58, 2D" <stall =
// READ-SAME: {{ 2$|2>}}
// STRIP-SAME: 1>
// WORDS-SAME: wr = {{[0-5]}}
// SERIAL-SAME: 15, yield, wr = 0, rd = 1
// TEXTURE-SAME: wr = {{[0-5]}}
// OPEX-SAME: wr = {{[0-5]}}
// WAR-SAME: 2>
// KEPT-SAME: {note = 1 : i32} loc("k.cu":3:5)
// KEPT-NEXT: sass.fadd "FADD R0, R4, R3" <stall =
// READ-SAME: 5>
// STRIP-SAME: 1>
// WORDS-SAME: wait = [
// SERIAL-SAME: 15, yield, wait = [0, 1]>
// TEXTURE-SAME: 5, wait = [
// OPEX-SAME: 5, wait = [
// WAR-SAME: 5>
// KEPT-SAME: {note = 2 : i32} loc("sum"("k.cu":4:5))
// KEPT-NEXT: sass.fadd "FADD R20, R21, R22" <stall =
// OPEX-SAME: 4>
// TEXTURE-SAME: 2>
// KEPT-SAME: {note = 3 : i32} loc(unknown)
// SHORT-NEXT: sass.nop "NOP" <stall = {{.*}}> loc(fused<"inlined">["k.cu":5:5, "f.cu":1:1])
// KEPT-NEXT: sass.fadd "FADD R23, R20, R22" <stall =
// KEPT-SAME: {note = 4 : i32} loc(fused<"inlined">["k.cu":5:5, "f.cu":1:1])
// KEPT: sass.stg "STG.E desc[UR4][R12.64], R23" <stall =
// WAR-SAME: rd = [[SCOREBOARD:[0-5]]]
// KEPT-SAME: {note = 5 : i32} loc("f.cu":2:2 to :9)
// KEPT-NEXT: sass.fall_through ^bb1 {note = 6 : i32} loc("k.cu":6:5)
// KEPT: sass.notes [".L_x_1:"] loc("k.sass":9:1)
// KEPT-NEXT: sass.mov "MOV R23, RZ" <stall =
// WAR-SAME: wait = {{\[}}[[SCOREBOARD]]]
// KEPT-SAME: {note = 7 : i32} loc(callsite("f.cu":7:7 at "k.cu":6:5))
// KEPT: sass.exit "EXIT" <stall =
// KEPT-SAME: loc("k.cu":8:1)
// KEPT-NEXT: } loc("k.cu":1:1)
sass.func @k target "sm_90a" attributes {team = "a"} {
  sass.notes ["k:"] {note = 0 : i32} loc("k.sass":1:1)
  sass.tex "TEX.B.LL R4, R8, R10, 0x0, 0x58, 2D" <stall = 2> {note = 1 : i32} loc("k.cu":3:5)
  sass.fadd "FADD R0, R4, R3" <stall = 5> {note = 2 : i32} loc("sum"("k.cu":4:5))
  sass.fadd "FADD R20, R21, R22" <stall = 2> {note = 3 : i32} loc(unknown)
  sass.fadd "FADD R23, R20, R22" <stall = 5> {note = 4 : i32} loc(fused<"inlined">["k.cu":5:5, "f.cu":1:1])
  sass.stg "STG.E desc[UR4][R12.64], R23" <stall = 2> {note = 5 : i32} loc("f.cu":2:2 to :9)
  sass.fall_through ^bb1 {note = 6 : i32} loc("k.cu":6:5)
^bb1:
  sass.notes [".L_x_1:"] loc("k.sass":9:1)
  sass.mov "MOV R23, RZ" <stall = 5> {note = 7 : i32} loc(callsite("f.cu":7:7 at "k.cu":6:5))
  sass.exit "EXIT" <stall = 5> loc("k.cu":8:1)
} loc("k.cu":1:1)
