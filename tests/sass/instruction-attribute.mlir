// What an instruction does, and its bits, as attributes: in the generic form, in bytecode, and as tools
// that know the dialect from IRDL read them.
//
// RUN: orison-opt %s | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s
// RUN: orison-opt --emit-bytecode %s | orison-opt | FileCheck %s
// RUN: orison-opt --print-irdl-form %s | orison-opt --parse-irdl-form | FileCheck %s
// RUN: not orison-opt --split-input-file %S/inputs/broken-instructions.txt -o %t 2>&1 | FileCheck %s --check-prefix=PLACE

// CHECK-LABEL: sass.func @k
sass.func @k target "sm_80" {
  // CHECK-NEXT: sass.ldg "@!P2 LDG.E R10, [R2.64]" <stall = 1> remark "SpillRefill" descriptor "UR4" encoding "0x000ea8000c1e190000000004020a2981" imported "0a2b3c4d"
  "sass.ldg"() <{control = #sass.ctrl<stall = 1>, encoding = #sass.encoding<"0x000ea8000c1e190000000004020a2981" imported "0a2b3c4d">, instruction = #sass.instruction<"@!P2  LDG.E R10,[R2.64] (*\"SpillRefill\"*)" descriptor "UR4">}> : () -> ()
  // CHECK-NEXT: sass.inst "UNHEARD.OF.X R0, `(a.b)" <stall = 2>
  "sass.inst"() <{control = #sass.ctrl<stall = 2>, instruction = #sass.instruction<"UNHEARD.OF.X R0, `(a.b)">}> : () -> ()
  // CHECK-NEXT: sass.exit "EXIT" <stall = 5>
  "sass.exit"() <{control = #sass.ctrl<stall = 5>, instruction = #sass.instruction<"EXIT">}> : () -> ()
}

// The column is that of the wrong operand; of a string with escapes it is that of the string.

// PLACE: broken-instructions.txt:2:21: error: the register 'R255' does not exist
// PLACE: broken-instructions.txt:9:88: error: the register 'R255' does not exist
// PLACE: broken-instructions.txt:16:12: error: the register 'R255' does not exist
