// RUN: orison-opt --allow-unregistered-dialect --canonicalize --split-input-file %s | FileCheck %s

// arith-addi-of-addi: constants of a sum of sums are added; promises of both sums hold for the new one.
// CHECK-LABEL: func.func @arith_addi_of_addi
// CHECK-NEXT: %[[C:.*]] = arith.constant 12 : i32
// CHECK-NEXT: %[[R:.*]] = arith.addi %arg0, %[[C]] overflow<nsw> : i32
// CHECK-NEXT: return %[[R]] : i32
func.func @arith_addi_of_addi(%x: i32) -> i32 {
  %c = arith.constant 5 : i32
  %d = arith.constant 7 : i32
  %0 = arith.addi %x, %c overflow<nsw> : i32
  %1 = arith.addi %0, %d overflow<nsw, nuw> : i32
  return %1 : i32
}

// -----

// The constants overflow signed, so the new sum may do so where the old ones did not: no promise.
// CHECK-LABEL: func.func @arith_addi_of_addi_declines
// CHECK-NEXT: %[[C:.*]] = arith.constant -2147483648 : i32
// CHECK-NEXT: %[[R:.*]] = arith.addi %arg0, %[[C]] : i32
func.func @arith_addi_of_addi_declines(%x: i32) -> i32 {
  %c = arith.constant 2147483647 : i32
  %d = arith.constant 1 : i32
  %0 = arith.addi %x, %c overflow<nsw> : i32
  %1 = arith.addi %0, %d overflow<nsw> : i32
  return %1 : i32
}

// -----

// arith-addi-of-subi-right: (x - 5) + 7 is x + 2.
// CHECK-LABEL: func.func @arith_addi_of_subi_right
// CHECK-NEXT: %[[C:.*]] = arith.constant 2 : i32
// CHECK-NEXT: arith.addi %arg0, %[[C]] : i32
func.func @arith_addi_of_subi_right(%x: i32) -> i32 {
  %c = arith.constant 5 : i32
  %d = arith.constant 7 : i32
  %0 = arith.subi %x, %c : i32
  %1 = arith.addi %0, %d : i32
  return %1 : i32
}

// -----

// (x - 7) + 5 does not wrap around unsigned, x + -2 does: the flag is dropped.
// CHECK-LABEL: func.func @arith_addi_of_subi_right_declines
// CHECK-NEXT: %[[C:.*]] = arith.constant -2 : i32
// CHECK-NEXT: arith.addi %arg0, %[[C]] overflow<nsw> : i32
func.func @arith_addi_of_subi_right_declines(%x: i32) -> i32 {
  %c = arith.constant 7 : i32
  %d = arith.constant 5 : i32
  %0 = arith.subi %x, %c overflow<nsw, nuw> : i32
  %1 = arith.addi %0, %d overflow<nsw, nuw> : i32
  return %1 : i32
}

// -----

// arith-addi-of-subi-left: (5 - x) + 7 is 12 - x.
// CHECK-LABEL: func.func @arith_addi_of_subi_left
// CHECK-NEXT: %[[C:.*]] = arith.constant 12 : i32
// CHECK-NEXT: arith.subi %[[C]], %arg0 : i32
func.func @arith_addi_of_subi_left(%x: i32) -> i32 {
  %c = arith.constant 5 : i32
  %d = arith.constant 7 : i32
  %0 = arith.subi %c, %x : i32
  %1 = arith.addi %0, %d : i32
  return %1 : i32
}

// -----

// One operand has to be constant.
// CHECK-LABEL: func.func @arith_addi_of_subi_left_declines
// CHECK: arith.subi
// CHECK: arith.addi
func.func @arith_addi_of_subi_left_declines(%x: i32, %y: i32) -> i32 {
  %c = arith.constant 5 : i32
  %0 = arith.subi %c, %x : i32
  %1 = arith.addi %0, %y : i32
  return %1 : i32
}

// -----

// arith-subi-of-addi: (x + 5) - 7 is x + -2; a sum overflows for different values than a difference, so flags are dropped.
// CHECK-LABEL: func.func @arith_subi_of_addi
// CHECK-NEXT: %[[C:.*]] = arith.constant -2 : i32
// CHECK-NEXT: arith.addi %arg0, %[[C]] : i32
func.func @arith_subi_of_addi(%x: i32) -> i32 {
  %c = arith.constant 5 : i32
  %d = arith.constant 7 : i32
  %0 = arith.addi %x, %c overflow<nsw> : i32
  %1 = arith.subi %0, %d overflow<nsw> : i32
  return %1 : i32
}

// -----

// arith-subi-of-subi-right: (x - 5) - 7 is x - 12.
// CHECK-LABEL: func.func @arith_subi_of_subi_right
// CHECK-NEXT: %[[C:.*]] = arith.constant 12 : i32
// CHECK-NEXT: arith.subi %arg0, %[[C]] : i32
func.func @arith_subi_of_subi_right(%x: i32) -> i32 {
  %c = arith.constant 5 : i32
  %d = arith.constant 7 : i32
  %0 = arith.subi %x, %c : i32
  %1 = arith.subi %0, %d : i32
  return %1 : i32
}

// -----

// arith-subi-of-subi-left: (5 - x) - 7 is -2 - x.
// CHECK-LABEL: func.func @arith_subi_of_subi_left
// CHECK-NEXT: %[[C:.*]] = arith.constant -2 : i32
// CHECK-NEXT: arith.subi %[[C]], %arg0 : i32
func.func @arith_subi_of_subi_left(%x: i32) -> i32 {
  %c = arith.constant 5 : i32
  %d = arith.constant 7 : i32
  %0 = arith.subi %c, %x : i32
  %1 = arith.subi %0, %d : i32
  return %1 : i32
}

// -----

// arith-subi-from-addi: 7 - (x + 5) is 2 - x.
// CHECK-LABEL: func.func @arith_subi_from_addi
// CHECK-NEXT: %[[C:.*]] = arith.constant 2 : i32
// CHECK-NEXT: arith.subi %[[C]], %arg0 : i32
func.func @arith_subi_from_addi(%x: i32) -> i32 {
  %c = arith.constant 5 : i32
  %d = arith.constant 7 : i32
  %0 = arith.addi %x, %c : i32
  %1 = arith.subi %d, %0 : i32
  return %1 : i32
}

// -----

// arith-subi-from-subi-right: 7 - (x - 5) is 12 - x.
// CHECK-LABEL: func.func @arith_subi_from_subi_right
// CHECK-NEXT: %[[C:.*]] = arith.constant 12 : i32
// CHECK-NEXT: arith.subi %[[C]], %arg0 : i32
func.func @arith_subi_from_subi_right(%x: i32) -> i32 {
  %c = arith.constant 5 : i32
  %d = arith.constant 7 : i32
  %0 = arith.subi %x, %c : i32
  %1 = arith.subi %d, %0 : i32
  return %1 : i32
}

// -----

// arith-subi-from-subi-left: 7 - (5 - x) is x + 2.
// CHECK-LABEL: func.func @arith_subi_from_subi_left
// CHECK-NEXT: %[[C:.*]] = arith.constant 2 : i32
// CHECK-NEXT: arith.addi %arg0, %[[C]] : i32
func.func @arith_subi_from_subi_left(%x: i32) -> i32 {
  %c = arith.constant 5 : i32
  %d = arith.constant 7 : i32
  %0 = arith.subi %c, %x : i32
  %1 = arith.subi %d, %0 : i32
  return %1 : i32
}

// -----

// arith-subi-of-own-minuend: (x - y) - x is 0 - y.
// CHECK-LABEL: func.func @arith_subi_of_own_minuend
// CHECK-NEXT: %[[C:.*]] = arith.constant 0 : i32
// CHECK-NEXT: arith.subi %[[C]], %arg1 : i32
func.func @arith_subi_of_own_minuend(%x: i32, %y: i32) -> i32 {
  %0 = arith.subi %x, %y : i32
  %1 = arith.subi %0, %x : i32
  return %1 : i32
}

// -----

// (x - y) - y is something else.
// CHECK-LABEL: func.func @arith_subi_of_own_minuend_declines
// CHECK-NEXT: arith.subi
// CHECK-NEXT: arith.subi
func.func @arith_subi_of_own_minuend_declines(%x: i32, %y: i32) -> i32 {
  %0 = arith.subi %x, %y : i32
  %1 = arith.subi %0, %y : i32
  return %1 : i32
}

// -----

// arith-addi-of-negated: x + y * -1 is x - y, on either side.
// CHECK-LABEL: func.func @arith_addi_of_negated
// CHECK-NEXT: arith.subi %arg0, %arg1 : i32
// CHECK-NEXT: arith.subi %arg0, %arg1 : i32
func.func @arith_addi_of_negated(%x: i32, %y: i32) -> (i32, i32) {
  %m = arith.constant -1 : i32
  %0 = arith.muli %y, %m : i32
  %1 = arith.addi %0, %x : i32
  %2 = arith.addi %x, %0 : i32
  return %1, %2 : i32, i32
}

// -----

// A product with something else stays.
// CHECK-LABEL: func.func @arith_addi_of_negated_declines
// CHECK: arith.muli
// CHECK-NEXT: arith.addi
func.func @arith_addi_of_negated_declines(%x: i32, %y: i32) -> i32 {
  %m = arith.constant -2 : i32
  %0 = arith.muli %y, %m : i32
  %1 = arith.addi %0, %x : i32
  return %1 : i32
}

// -----

// arith-muli-of-muli: factors are multiplied.
// CHECK-LABEL: func.func @arith_muli_of_muli
// CHECK-NEXT: %[[C:.*]] = arith.constant 35 : i32
// CHECK-NEXT: arith.muli %arg0, %[[C]] overflow<nuw> : i32
func.func @arith_muli_of_muli(%x: i32) -> i32 {
  %c = arith.constant 5 : i32
  %d = arith.constant 7 : i32
  %0 = arith.muli %x, %c overflow<nuw> : i32
  %1 = arith.muli %0, %d overflow<nuw> : i32
  return %1 : i32
}

// -----

// The product of the factors overflows, and x may be 0: no promise.
// CHECK-LABEL: func.func @arith_muli_of_muli_declines
// CHECK-NEXT: %[[C:.*]] = arith.constant 65536 : i32
// CHECK-NEXT: arith.muli %arg0, %[[C]] : i32
func.func @arith_muli_of_muli_declines(%x: i32) -> i32 {
  %c = arith.constant 65536 : i32
  %d = arith.constant 65537 : i32
  %0 = arith.muli %x, %c overflow<nuw> : i32
  %1 = arith.muli %0, %d overflow<nuw> : i32
  return %1 : i32
}

// -----

// arith-addui-extended-to-addi: without its carry an extended sum is a sum.
// CHECK-LABEL: func.func @arith_addui_extended_to_addi
// CHECK-NEXT: arith.addi %arg0, %arg1 : i32
func.func @arith_addui_extended_to_addi(%x: i32, %y: i32) -> i32 {
  %0, %1 = arith.addui_extended %x, %y : i32, i1
  return %0 : i32
}

// -----

// The carry is used.
// CHECK-LABEL: func.func @arith_addui_extended_to_addi_declines
// CHECK-NEXT: {{.*}} = arith.addui_extended
func.func @arith_addui_extended_to_addi_declines(%x: i32, %y: i32) -> (i32, i1) {
  %0, %1 = arith.addui_extended %x, %y : i32, i1
  return %0, %1 : i32, i1
}

// -----

// arith-mulsi-extended-to-muli: without its high half an extended product is a product.
// CHECK-LABEL: func.func @arith_mulsi_extended_to_muli
// CHECK-NEXT: arith.muli %arg0, %arg1 : i32
func.func @arith_mulsi_extended_to_muli(%x: i32, %y: i32) -> i32 {
  %0, %1 = arith.mulsi_extended %x, %y : i32
  return %0 : i32
}

// -----

// The high half is used.
// CHECK-LABEL: func.func @arith_mulsi_extended_to_muli_declines
// CHECK-NEXT: {{.*}} = arith.mulsi_extended
func.func @arith_mulsi_extended_to_muli_declines(%x: i32, %y: i32) -> i32 {
  %0, %1 = arith.mulsi_extended %x, %y : i32
  return %1 : i32
}

// -----

// arith-mului-extended-to-muli: without its high half an extended product is a product.
// CHECK-LABEL: func.func @arith_mului_extended_to_muli
// CHECK-NEXT: arith.muli %arg0, %arg1 : i32
func.func @arith_mului_extended_to_muli(%x: i32, %y: i32) -> i32 {
  %0, %1 = arith.mului_extended %x, %y : i32
  return %0 : i32
}

// -----

// The high half is used.
// CHECK-LABEL: func.func @arith_mului_extended_to_muli_declines
// CHECK-NEXT: {{.*}} = arith.mului_extended
func.func @arith_mului_extended_to_muli_declines(%x: i32, %y: i32) -> i32 {
  %0, %1 = arith.mului_extended %x, %y : i32
  return %1 : i32
}

// -----

// arith-mulsi-extended-by-one: the high half of x * 1 is the sign of x.
// CHECK-LABEL: func.func @arith_mulsi_extended_by_one
// CHECK-NEXT: %[[Z:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[N:.*]] = arith.cmpi slt, %arg0, %[[Z]] : i32
// CHECK-NEXT: %[[H:.*]] = arith.extsi %[[N]] : i1 to i32
// CHECK-NEXT: return %arg0, %[[H]]
func.func @arith_mulsi_extended_by_one(%x: i32) -> (i32, i32) {
  %c = arith.constant 1 : i32
  %0, %1 = arith.mulsi_extended %x, %c : i32
  return %0, %1 : i32, i32
}

// -----

// In one bit, 1 is minus one.
// CHECK-LABEL: func.func @arith_mulsi_extended_by_one_declines
// CHECK: arith.mulsi_extended
func.func @arith_mulsi_extended_by_one_declines(%x: i1) -> (i1, i1) {
  %c = arith.constant true
  %0, %1 = arith.mulsi_extended %x, %c : i1
  return %0, %1 : i1, i1
}

// -----

// arith-xori-of-cmpi: not (x < y) is x >= y.
// CHECK-LABEL: func.func @arith_xori_of_cmpi
// CHECK-NEXT: arith.cmpi uge, %arg0, %arg1 : i32
// CHECK-NEXT: return
func.func @arith_xori_of_cmpi(%x: i32, %y: i32) -> i1 {
  %t = arith.constant true
  %0 = arith.cmpi ult, %x, %y : i32
  %1 = arith.xori %0, %t : i1
  return %1 : i1
}

// -----

// The other operand is not all ones.
// CHECK-LABEL: func.func @arith_xori_of_cmpi_declines
// CHECK-NEXT: arith.cmpi ult
// CHECK-NEXT: arith.xori
func.func @arith_xori_of_cmpi_declines(%x: i32, %y: i32, %t: i1) -> i1 {
  %0 = arith.cmpi ult, %x, %y : i32
  %1 = arith.xori %0, %t : i1
  return %1 : i1
}

// -----

// arith-andi-of-extui: widened after, not before.
// CHECK-LABEL: func.func @arith_andi_of_extui
// CHECK-NEXT: %[[N:.*]] = arith.andi %arg0, %arg1 : i8
// CHECK-NEXT: arith.extui %[[N]] : i8 to i32
func.func @arith_andi_of_extui(%x: i8, %y: i8) -> i32 {
  %0 = arith.extui %x : i8 to i32
  %1 = arith.extui %y : i8 to i32
  %2 = arith.andi %0, %1 : i32
  return %2 : i32
}

// -----

// The operands are widened from different types.
// CHECK-LABEL: func.func @arith_andi_of_extui_declines
// CHECK-NEXT: arith.extui
// CHECK-NEXT: arith.extui
// CHECK-NEXT: arith.andi
func.func @arith_andi_of_extui_declines(%x: i8, %y: i16) -> i32 {
  %0 = arith.extui %x : i8 to i32
  %1 = arith.extui %y : i16 to i32
  %2 = arith.andi %0, %1 : i32
  return %2 : i32
}

// -----

// arith-andi-of-extsi: widened after, not before.
// CHECK-LABEL: func.func @arith_andi_of_extsi
// CHECK-NEXT: %[[N:.*]] = arith.andi %arg0, %arg1 : i8
// CHECK-NEXT: arith.extsi %[[N]] : i8 to i32
func.func @arith_andi_of_extsi(%x: i8, %y: i8) -> i32 {
  %0 = arith.extsi %x : i8 to i32
  %1 = arith.extsi %y : i8 to i32
  %2 = arith.andi %0, %1 : i32
  return %2 : i32
}

// -----

// The operands are widened from different types.
// CHECK-LABEL: func.func @arith_andi_of_extsi_declines
// CHECK-NEXT: arith.extsi
// CHECK-NEXT: arith.extsi
// CHECK-NEXT: arith.andi
func.func @arith_andi_of_extsi_declines(%x: i8, %y: i16) -> i32 {
  %0 = arith.extsi %x : i8 to i32
  %1 = arith.extsi %y : i16 to i32
  %2 = arith.andi %0, %1 : i32
  return %2 : i32
}

// -----

// arith-ori-of-extui: widened after, not before.
// CHECK-LABEL: func.func @arith_ori_of_extui
// CHECK-NEXT: %[[N:.*]] = arith.ori %arg0, %arg1 : i8
// CHECK-NEXT: arith.extui %[[N]] : i8 to i32
func.func @arith_ori_of_extui(%x: i8, %y: i8) -> i32 {
  %0 = arith.extui %x : i8 to i32
  %1 = arith.extui %y : i8 to i32
  %2 = arith.ori %0, %1 : i32
  return %2 : i32
}

// -----

// The operands are widened from different types.
// CHECK-LABEL: func.func @arith_ori_of_extui_declines
// CHECK-NEXT: arith.extui
// CHECK-NEXT: arith.extui
// CHECK-NEXT: arith.ori
func.func @arith_ori_of_extui_declines(%x: i8, %y: i16) -> i32 {
  %0 = arith.extui %x : i8 to i32
  %1 = arith.extui %y : i16 to i32
  %2 = arith.ori %0, %1 : i32
  return %2 : i32
}

// -----

// arith-ori-of-extsi: widened after, not before.
// CHECK-LABEL: func.func @arith_ori_of_extsi
// CHECK-NEXT: %[[N:.*]] = arith.ori %arg0, %arg1 : i8
// CHECK-NEXT: arith.extsi %[[N]] : i8 to i32
func.func @arith_ori_of_extsi(%x: i8, %y: i8) -> i32 {
  %0 = arith.extsi %x : i8 to i32
  %1 = arith.extsi %y : i8 to i32
  %2 = arith.ori %0, %1 : i32
  return %2 : i32
}

// -----

// The operands are widened from different types.
// CHECK-LABEL: func.func @arith_ori_of_extsi_declines
// CHECK-NEXT: arith.extsi
// CHECK-NEXT: arith.extsi
// CHECK-NEXT: arith.ori
func.func @arith_ori_of_extsi_declines(%x: i8, %y: i16) -> i32 {
  %0 = arith.extsi %x : i8 to i32
  %1 = arith.extsi %y : i16 to i32
  %2 = arith.ori %0, %1 : i32
  return %2 : i32
}

// -----

// arith-xori-of-extui: widened after, not before.
// CHECK-LABEL: func.func @arith_xori_of_extui
// CHECK-NEXT: %[[N:.*]] = arith.xori %arg0, %arg1 : i8
// CHECK-NEXT: arith.extui %[[N]] : i8 to i32
func.func @arith_xori_of_extui(%x: i8, %y: i8) -> i32 {
  %0 = arith.extui %x : i8 to i32
  %1 = arith.extui %y : i8 to i32
  %2 = arith.xori %0, %1 : i32
  return %2 : i32
}

// -----

// The operands are widened from different types.
// CHECK-LABEL: func.func @arith_xori_of_extui_declines
// CHECK-NEXT: arith.extui
// CHECK-NEXT: arith.extui
// CHECK-NEXT: arith.xori
func.func @arith_xori_of_extui_declines(%x: i8, %y: i16) -> i32 {
  %0 = arith.extui %x : i8 to i32
  %1 = arith.extui %y : i16 to i32
  %2 = arith.xori %0, %1 : i32
  return %2 : i32
}

// -----

// arith-xori-of-extsi: widened after, not before.
// CHECK-LABEL: func.func @arith_xori_of_extsi
// CHECK-NEXT: %[[N:.*]] = arith.xori %arg0, %arg1 : i8
// CHECK-NEXT: arith.extsi %[[N]] : i8 to i32
func.func @arith_xori_of_extsi(%x: i8, %y: i8) -> i32 {
  %0 = arith.extsi %x : i8 to i32
  %1 = arith.extsi %y : i8 to i32
  %2 = arith.xori %0, %1 : i32
  return %2 : i32
}

// -----

// The operands are widened from different types.
// CHECK-LABEL: func.func @arith_xori_of_extsi_declines
// CHECK-NEXT: arith.extsi
// CHECK-NEXT: arith.extsi
// CHECK-NEXT: arith.xori
func.func @arith_xori_of_extsi_declines(%x: i8, %y: i16) -> i32 {
  %0 = arith.extsi %x : i8 to i32
  %1 = arith.extsi %y : i16 to i32
  %2 = arith.xori %0, %1 : i32
  return %2 : i32
}

// -----

// arith-cmpi-of-extui: equality does not depend on the width.
// CHECK-LABEL: func.func @arith_cmpi_of_extui
// CHECK-NEXT: arith.cmpi ne, %arg0, %arg1 : i8
// CHECK-NEXT: return
func.func @arith_cmpi_of_extui(%x: i8, %y: i8) -> i1 {
  %0 = arith.extui %x : i8 to i32
  %1 = arith.extui %y : i8 to i32
  %2 = arith.cmpi ne, %0, %1 : i32
  return %2 : i1
}

// -----

// An order does.
// CHECK-LABEL: func.func @arith_cmpi_of_extui_declines
// CHECK-NEXT: arith.extui
// CHECK-NEXT: arith.extui
// CHECK-NEXT: arith.cmpi slt
func.func @arith_cmpi_of_extui_declines(%x: i8, %y: i8) -> i1 {
  %0 = arith.extui %x : i8 to i32
  %1 = arith.extui %y : i8 to i32
  %2 = arith.cmpi slt, %0, %1 : i32
  return %2 : i1
}

// -----

// arith-cmpi-of-extsi: equality does not depend on the width.
// CHECK-LABEL: func.func @arith_cmpi_of_extsi
// CHECK-NEXT: arith.cmpi ne, %arg0, %arg1 : i8
// CHECK-NEXT: return
func.func @arith_cmpi_of_extsi(%x: i8, %y: i8) -> i1 {
  %0 = arith.extsi %x : i8 to i32
  %1 = arith.extsi %y : i8 to i32
  %2 = arith.cmpi ne, %0, %1 : i32
  return %2 : i1
}

// -----

// An order does.
// CHECK-LABEL: func.func @arith_cmpi_of_extsi_declines
// CHECK-NEXT: arith.extsi
// CHECK-NEXT: arith.extsi
// CHECK-NEXT: arith.cmpi slt
func.func @arith_cmpi_of_extsi_declines(%x: i8, %y: i8) -> i1 {
  %0 = arith.extsi %x : i8 to i32
  %1 = arith.extsi %y : i8 to i32
  %2 = arith.cmpi slt, %0, %1 : i32
  return %2 : i1
}

// -----

// arith-cmpf-of-integer: x < 1.5 is x <= 1 for an integer x; -1.5 rounds toward zero, so x < -1.5 is x < -1; every i8 is less than 1000.
// CHECK-LABEL: func.func @arith_cmpf_of_integer
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i8
// CHECK-DAG: %[[MINUS:.*]] = arith.constant -1 : i8
// CHECK-DAG: %[[T:.*]] = arith.constant true
// CHECK-DAG: %[[F:.*]] = arith.constant false
// CHECK: %[[A:.*]] = arith.cmpi sle, %arg0, %[[ONE]] : i8
// CHECK-NEXT: %[[B:.*]] = arith.cmpi slt, %arg0, %[[MINUS]] : i8
// CHECK-NEXT: return %[[A]], %[[B]], %[[T]], %[[F]]
func.func @arith_cmpf_of_integer(%x: i8) -> (i1, i1, i1, i1) {
  %a = arith.constant 1.5 : f32
  %b = arith.constant -1.5 : f32
  %d = arith.constant 1000.0 : f32
  %0 = arith.sitofp %x : i8 to f32
  %1 = arith.cmpf olt, %0, %a : f32
  %2 = arith.cmpf ult, %0, %b : f32
  %3 = arith.cmpf olt, %0, %d : f32
  %4 = arith.cmpf oeq, %0, %a : f32
  return %1, %2, %3, %4 : i1, i1, i1, i1
}

// -----

// f32 does not hold every i32: the conversion rounds.
// CHECK-LABEL: func.func @arith_cmpf_of_integer_declines
// CHECK: arith.sitofp
// CHECK-NEXT: arith.cmpf olt
func.func @arith_cmpf_of_integer_declines(%x: i32) -> i1 {
  %a = arith.constant 1.5 : f32
  %0 = arith.sitofp %x : i32 to f32
  %1 = arith.cmpf olt, %0, %a : f32
  return %1 : i1
}

// -----

// arith-select-of-not: the values change places.
// CHECK-LABEL: func.func @arith_select_of_not
// CHECK-NEXT: arith.select %arg0, %arg2, %arg1 : i32
func.func @arith_select_of_not(%c: i1, %x: i32, %y: i32) -> i32 {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  %0 = arith.select %n, %x, %y : i32
  return %0 : i32
}

// -----

// The condition is not a negation.
// CHECK-LABEL: func.func @arith_select_of_not_declines
// CHECK-NEXT: arith.xori
// CHECK-NEXT: arith.select
func.func @arith_select_of_not_declines(%c: i1, %d: i1, %x: i32, %y: i32) -> i32 {
  %n = arith.xori %c, %d : i1
  %0 = arith.select %n, %x, %y : i32
  return %0 : i32
}

// -----

// A choice by whether other values are equal.
// CHECK-LABEL: func.func @arith_select_of_other_comparison
// CHECK-NEXT: arith.cmpi ne, %arg0, %arg2
// CHECK-NEXT: %[[NE:.*]] = arith.select
// CHECK-NEXT: arith.cmpi eq, %arg0, %arg2
// CHECK-NEXT: %[[EQ:.*]] = arith.select
// CHECK-NEXT: return %[[NE]], %[[EQ]]
func.func @arith_select_of_other_comparison(%x: i32, %y: i32, %z: i32) -> (i32, i32) {
  %n = arith.cmpi ne, %x, %z : i32
  %0 = arith.select %n, %x, %y : i32
  %e = arith.cmpi eq, %x, %z : i32
  %1 = arith.select %e, %x, %y : i32
  return %0, %1 : i32, i32
}

// -----

// arith-select-of-select-true: an inner choice on the same condition is decided.
// CHECK-LABEL: func.func @arith_select_of_select_true
// CHECK-NEXT: arith.select %arg0, %arg1, %arg3 : i32
// CHECK-NEXT: return
func.func @arith_select_of_select_true(%c: i1, %x: i32, %y: i32, %z: i32) -> i32 {
  %0 = arith.select %c, %x, %y : i32
  %1 = arith.select %c, %0, %z : i32
  return %1 : i32
}

// -----

// A different condition is not known.
// CHECK-LABEL: func.func @arith_select_of_select_true_declines
// CHECK-NEXT: arith.select
// CHECK-NEXT: arith.select
func.func @arith_select_of_select_true_declines(%c: i1, %d: i1, %x: i32, %y: i32, %z: i32) -> i32 {
  %0 = arith.select %d, %x, %y : i32
  %1 = arith.select %c, %0, %z : i32
  return %1 : i32
}

// -----

// arith-select-of-select-false: the same for the other side.
// CHECK-LABEL: func.func @arith_select_of_select_false
// CHECK-NEXT: arith.select %arg0, %arg3, %arg2 : i32
// CHECK-NEXT: return
func.func @arith_select_of_select_false(%c: i1, %x: i32, %y: i32, %z: i32) -> i32 {
  %0 = arith.select %c, %x, %y : i32
  %1 = arith.select %c, %z, %0 : i32
  return %1 : i32
}

// -----

// arith-select-to-not: c ? false : true is not c.
// CHECK-LABEL: func.func @arith_select_to_not
// CHECK-NEXT: %[[T:.*]] = arith.constant true
// CHECK-NEXT: arith.xori %arg0, %[[T]] : i1
func.func @arith_select_to_not(%c: i1) -> i1 {
  %t = arith.constant true
  %f = arith.constant false
  %0 = arith.select %c, %f, %t : i1
  return %0 : i1
}

// -----

// One value is not constant.
// CHECK-LABEL: func.func @arith_select_to_not_declines
// CHECK: arith.select
func.func @arith_select_to_not_declines(%c: i1, %x: i1) -> i1 {
  %f = arith.constant false
  %0 = arith.select %c, %f, %x : i1
  return %0 : i1
}

// -----

// arith-select-to-extui: 1 and 0 are the condition widened, 0 and 1 its negation.
// CHECK-LABEL: func.func @arith_select_to_extui
// CHECK-NEXT: %[[T:.*]] = arith.constant true
// CHECK-NEXT: arith.extui %arg0 : i1 to i32
// CHECK-NEXT: %[[N:.*]] = arith.xori %arg0, %[[T]] : i1
// CHECK-NEXT: arith.extui %[[N]] : i1 to i32
func.func @arith_select_to_extui(%c: i1) -> (i32, i32) {
  %o = arith.constant 1 : i32
  %z = arith.constant 0 : i32
  %0 = arith.select %c, %o, %z : i32
  %1 = arith.select %c, %z, %o : i32
  return %0, %1 : i32, i32
}

// -----

// -1 and 0 are left unchanged, and an index is not the result of a widening.
// CHECK-LABEL: func.func @arith_select_to_extui_declines
// CHECK-COUNT-2: arith.select
func.func @arith_select_to_extui_declines(%c: i1) -> (i32, index) {
  %o = arith.constant -1 : i32
  %z = arith.constant 0 : i32
  %i = arith.constant 1 : index
  %j = arith.constant 0 : index
  %0 = arith.select %c, %o, %z : i32
  %1 = arith.select %c, %i, %j : index
  return %0, %1 : i32, index
}

// -----

// arith-trunci-of-extsi: 8 bits to 32 and back to 16 are 8 bits to 16.
// CHECK-LABEL: func.func @arith_trunci_of_extsi
// CHECK-NEXT: arith.extsi %arg0 : i8 to i16
func.func @arith_trunci_of_extsi(%x: i8) -> i16 {
  %0 = arith.extsi %x : i8 to i32
  %1 = arith.trunci %0 : i32 to i16
  return %1 : i16
}

// -----

// A truncation that promises something stays.
// CHECK-LABEL: func.func @arith_trunci_of_extsi_declines
// CHECK-NEXT: arith.extsi
// CHECK-NEXT: arith.trunci
func.func @arith_trunci_of_extsi_declines(%x: i8) -> i16 {
  %0 = arith.extsi %x : i8 to i32
  %1 = arith.trunci %0 overflow<nsw> : i32 to i16
  return %1 : i16
}

// -----

// arith-trunci-of-extui: 8 bits to 32 and back to 16 are 8 bits to 16.
// CHECK-LABEL: func.func @arith_trunci_of_extui
// CHECK-NEXT: arith.extui %arg0 : i8 to i16
func.func @arith_trunci_of_extui(%x: i8) -> i16 {
  %0 = arith.extui %x : i8 to i32
  %1 = arith.trunci %0 : i32 to i16
  return %1 : i16
}

// -----

// A truncation that promises something stays.
// CHECK-LABEL: func.func @arith_trunci_of_extui_declines
// CHECK-NEXT: arith.extui
// CHECK-NEXT: arith.trunci
func.func @arith_trunci_of_extui_declines(%x: i8) -> i16 {
  %0 = arith.extui %x : i8 to i32
  %1 = arith.trunci %0 overflow<nsw> : i32 to i16
  return %1 : i16
}

// -----

// arith-trunci-of-shrsi: the copies of the sign are cut off.
// CHECK-LABEL: func.func @arith_trunci_of_shrsi
// CHECK-NEXT: %[[C:.*]] = arith.constant 24 : i32
// CHECK-NEXT: %[[S:.*]] = arith.shrui %arg0, %[[C]] : i32
// CHECK-NEXT: arith.trunci %[[S]]
func.func @arith_trunci_of_shrsi(%x: i32) -> i8 {
  %c = arith.constant 24 : i32
  %0 = arith.shrsi %x, %c : i32
  %1 = arith.trunci %0 : i32 to i8
  return %1 : i8
}

// -----

// One copy of the sign is kept.
// CHECK-LABEL: func.func @arith_trunci_of_shrsi_declines
// CHECK: arith.shrsi
func.func @arith_trunci_of_shrsi_declines(%x: i32) -> i8 {
  %c = arith.constant 25 : i32
  %0 = arith.shrsi %x, %c : i32
  %1 = arith.trunci %0 : i32 to i8
  return %1 : i8
}

// -----

// arith-extsi-of-extui: a zero-extended value has sign bit 0.
// CHECK-LABEL: func.func @arith_extsi_of_extui
// CHECK-NEXT: arith.extui %arg0 : i8 to i32
// CHECK-NEXT: return
func.func @arith_extsi_of_extui(%x: i8) -> i32 {
  %0 = arith.extui %x : i8 to i16
  %1 = arith.extsi %0 : i16 to i32
  return %1 : i32
}

// -----

// In the opposite order the sign is lost.
// CHECK-LABEL: func.func @arith_extsi_of_extui_declines
// CHECK-NEXT: arith.extsi
// CHECK-NEXT: arith.extui
func.func @arith_extsi_of_extui_declines(%x: i8) -> i32 {
  %0 = arith.extsi %x : i8 to i16
  %1 = arith.extui %0 : i16 to i32
  return %1 : i32
}

// -----

// arith-index-cast-of-extsi: an index is widened with the sign by itself.
// CHECK-LABEL: func.func @arith_index_cast_of_extsi
// CHECK-NEXT: arith.index_cast %arg0 : i32 to index
func.func @arith_index_cast_of_extsi(%x: i32) -> index {
  %0 = arith.extsi %x : i32 to i64
  %1 = arith.index_cast %0 : i64 to index
  return %1 : index
}

// -----

// Zeros are something else.
// CHECK-LABEL: func.func @arith_index_cast_of_extsi_declines
// CHECK-NEXT: arith.extui
// CHECK-NEXT: arith.index_cast
func.func @arith_index_cast_of_extsi_declines(%x: i32) -> index {
  %0 = arith.extui %x : i32 to i64
  %1 = arith.index_cast %0 : i64 to index
  return %1 : index
}

// -----

// arith-index-castui-of-extui: an index is widened with zeros by itself.
// CHECK-LABEL: func.func @arith_index_castui_of_extui
// CHECK-NEXT: arith.index_castui %arg0 : i32 to index
func.func @arith_index_castui_of_extui(%x: i32) -> index {
  %0 = arith.extui %x : i32 to i64
  %1 = arith.index_castui %0 : i64 to index
  return %1 : index
}

// -----

// Signs are something else.
// CHECK-LABEL: func.func @arith_index_castui_of_extui_declines
// CHECK-NEXT: arith.extsi
// CHECK-NEXT: arith.index_castui
func.func @arith_index_castui_of_extui_declines(%x: i32) -> index {
  %0 = arith.extsi %x : i32 to i64
  %1 = arith.index_castui %0 : i64 to index
  return %1 : index
}

// -----

// arith-truncf-of-sitofp: f64 holds every i32, so both forms round once.
// CHECK-LABEL: func.func @arith_truncf_of_sitofp
// CHECK-NEXT: arith.sitofp %arg0 : i32 to f32
func.func @arith_truncf_of_sitofp(%x: i32) -> f32 {
  %0 = arith.sitofp %x : i32 to f64
  %1 = arith.truncf %0 : f64 to f32
  return %1 : f32
}

// -----

// f64 does not hold every i64: rounding twice differs from rounding once.
// CHECK-LABEL: func.func @arith_truncf_of_sitofp_declines
// CHECK-NEXT: arith.sitofp %arg0 : i64 to f64
// CHECK-NEXT: arith.truncf
func.func @arith_truncf_of_sitofp_declines(%x: i64) -> f32 {
  %0 = arith.sitofp %x : i64 to f64
  %1 = arith.truncf %0 : f64 to f32
  return %1 : f32
}

// -----

// arith-truncf-of-uitofp: f64 holds every i32, so both forms round once.
// CHECK-LABEL: func.func @arith_truncf_of_uitofp
// CHECK-NEXT: arith.uitofp %arg0 : i32 to f32
func.func @arith_truncf_of_uitofp(%x: i32) -> f32 {
  %0 = arith.uitofp %x : i32 to f64
  %1 = arith.truncf %0 : f64 to f32
  return %1 : f32
}

// -----

// f64 does not hold every i64: rounding twice differs from rounding once.
// CHECK-LABEL: func.func @arith_truncf_of_uitofp_declines
// CHECK-NEXT: arith.uitofp %arg0 : i64 to f64
// CHECK-NEXT: arith.truncf
func.func @arith_truncf_of_uitofp_declines(%x: i64) -> f32 {
  %0 = arith.uitofp %x : i64 to f64
  %1 = arith.truncf %0 : f64 to f32
  return %1 : f32
}

// -----

// arith-mulf-of-negf: two signs cancel out.
// CHECK-LABEL: func.func @arith_mulf_of_negf
// CHECK-NEXT: arith.mulf %arg0, %arg1 : f32
func.func @arith_mulf_of_negf(%x: f32, %y: f32) -> f32 {
  %0 = arith.negf %x : f32
  %1 = arith.negf %y : f32
  %2 = arith.mulf %0, %1 : f32
  return %2 : f32
}

// -----

// One sign does not.
// CHECK-LABEL: func.func @arith_mulf_of_negf_declines
// CHECK-NEXT: arith.negf
// CHECK-NEXT: arith.mulf
func.func @arith_mulf_of_negf_declines(%x: f32, %y: f32) -> f32 {
  %0 = arith.negf %x : f32
  %1 = arith.mulf %0, %y : f32
  return %1 : f32
}

// -----

// arith-divf-of-negf: two signs cancel out.
// CHECK-LABEL: func.func @arith_divf_of_negf
// CHECK-NEXT: arith.divf %arg0, %arg1 : f32
func.func @arith_divf_of_negf(%x: f32, %y: f32) -> f32 {
  %0 = arith.negf %x : f32
  %1 = arith.negf %y : f32
  %2 = arith.divf %0, %1 : f32
  return %2 : f32
}

// -----

// One sign does not.
// CHECK-LABEL: func.func @arith_divf_of_negf_declines
// CHECK-NEXT: arith.negf
// CHECK-NEXT: arith.divf
func.func @arith_divf_of_negf_declines(%x: f32, %y: f32) -> f32 {
  %0 = arith.negf %x : f32
  %1 = arith.divf %0, %y : f32
  return %1 : f32
}

// -----

// Fewer bits are cut off than copies of the sign are made.
// CHECK-LABEL: func.func @arith_trunci_of_shrsi_too_short
// CHECK: arith.shrsi
func.func @arith_trunci_of_shrsi_too_short(%x: i32) -> i8 {
  %c = arith.constant 23 : i32
  %0 = arith.shrsi %x, %c : i32
  %1 = arith.trunci %0 : i32 to i8
  return %1 : i8
}

// -----

// What was widened exactly is rounded once.
// CHECK-LABEL: func.func @truncf_below_source
// CHECK-NEXT: %[[R:.*]] = arith.truncf %arg0 : f32 to f16
// CHECK-NEXT: return %[[R]]
func.func @truncf_below_source(%x: f32) -> f16 {
  %0 = arith.extf %x : f32 to f64
  %1 = arith.truncf %0 : f64 to f16
  return %1 : f16
}

// -----

// Both differences wrap around for all x or for none: the flag is kept.
// CHECK-LABEL: func.func @arith_subi_of_subi_left_unsigned
// CHECK-NEXT: %[[C:.*]] = arith.constant -25 : i32
// CHECK-NEXT: arith.subi %[[C]], %arg0 overflow<nuw> : i32
func.func @arith_subi_of_subi_left_unsigned(%x: i32) -> i32 {
  %c17 = arith.constant 17 : i32
  %c42 = arith.constant 42 : i32
  %0 = arith.subi %c17, %x overflow<nuw> : i32
  %1 = arith.subi %0, %c42 overflow<nuw> : i32
  return %1 : i32
}

// -----

// Here 200 + 100 - 150 does not, and 44 - 150 does.
// CHECK-LABEL: func.func @arith_addi_of_subi_left_unsigned
// CHECK-NEXT: %[[C:.*]] = arith.constant 44 : i8
// CHECK-NEXT: arith.subi %[[C]], %arg0 : i8
func.func @arith_addi_of_subi_left_unsigned(%x: i8) -> i8 {
  %c200 = arith.constant 200 : i8
  %c100 = arith.constant 100 : i8
  %0 = arith.subi %c200, %x overflow<nuw> : i8
  %1 = arith.addi %0, %c100 overflow<nuw> : i8
  return %1 : i8
}

// -----

// What is shifted keeps its sign, so the truncation loses nothing signed; shifted in zeros, it would.
// CHECK-LABEL: func.func @arith_trunci_of_shrsi_promises
// CHECK: %[[S:.*]] = arith.shrsi
// CHECK-NEXT: arith.trunci %[[S]] overflow<nsw>
func.func @arith_trunci_of_shrsi_promises(%x: i32) -> i8 {
  %c = arith.constant 24 : i32
  %0 = arith.shrsi %x, %c : i32
  %1 = arith.trunci %0 overflow<nsw> : i32 to i8
  return %1 : i8
}

// -----

// An unsigned promise still holds: it is one that the sign is zero.
// CHECK-LABEL: func.func @arith_trunci_of_shrsi_unsigned_promise
// CHECK: %[[S:.*]] = arith.shrui
// CHECK-NEXT: arith.trunci %[[S]] overflow<nuw>
func.func @arith_trunci_of_shrsi_unsigned_promise(%x: i32) -> i8 {
  %c = arith.constant 24 : i32
  %0 = arith.shrsi %x, %c : i32
  %1 = arith.trunci %0 overflow<nuw> : i32 to i8
  return %1 : i8
}

// -----

// A value and its complement have no bit in common; a value with some bits inverted keeps the others.
// CHECK-LABEL: func.func @arith_andi_of_complement
// CHECK: %[[FIVE:.*]] = arith.constant 5
// CHECK: %[[INVERTED:.*]] = arith.xori %arg0, %[[FIVE]]
// CHECK-NEXT: %[[BOTH:.*]] = arith.andi %arg0, %[[INVERTED]]
// CHECK-NEXT: return %c0_i32, %[[BOTH]]
func.func @arith_andi_of_complement(%x: i32) -> (i32, i32) {
  %ones = arith.constant -1 : i32
  %five = arith.constant 5 : i32
  %complement = arith.xori %x, %ones : i32
  %inverted = arith.xori %x, %five : i32
  %0 = arith.andi %x, %complement : i32
  %1 = arith.andi %x, %inverted : i32
  return %0, %1 : i32, i32
}
