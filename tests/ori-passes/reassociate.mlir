// One order for sums, products and functions of bits: phase 50. Each function is one rule.
//
// RUN: orison-opt --ori-reassociate %s | FileCheck %s
// RUN: orison-opt --ori-reassociate --ori-reassociate %s | FileCheck %s
// RUN: orison-opt --ori-reassociate='knobs=AllowReassociateCSE=false' %s | FileCheck --check-prefix=OFF %s
// RUN: orison-opt --ori-reassociate='knobs=ReassociateCSEBudget=0' --remarks=text %s 2>%t.remarks | FileCheck --check-prefix=OFF %s
// RUN: FileCheck --check-prefix=BUDGET %s <%t.remarks
// RUN: orison-opt --ori-reassociate='knobs=ReassociateCSEWindow=1' %s | FileCheck --check-prefix=NEAR %s
// RUN: orison-opt --ori-reassociate='knobs=ReassociateCSESkip=2' %s | FileCheck --check-prefix=SKIP %s
// RUN: orison-opt --ori-reassociate='knobs=DistributeAndReassociateMulBudget=0' %s | FileCheck --check-prefix=APART %s

// BUDGET: remark: [ori-reassociate] Missed reassociate: the budget is exhausted; a larger ReassociateCSEBudget

// (a + b) + c, and c + a + b with another term: both start with the same three terms.
// CHECK-LABEL: ori.func @order(
// CHECK-SAME: %[[A:[a-z0-9]*]]: !ori.r, %[[B:[a-z0-9]*]]: !ori.r, %[[C:[a-z0-9]*]]: !ori.r, %[[D:[a-z0-9]*]]: !ori.r, %[[E:[a-z0-9]*]]: !ori.r)
// CHECK: %[[SUM:.*]] = ori.iadd3 %[[A]], %[[B]], %[[C]] :
// CHECK: %[[MORE:.*]] = ori.iadd3 %[[SUM]], %[[D]], %[[E]] :
// CHECK-NOT: ori.iadd3
// CHECK: ori.ret %[[SUM]], %[[MORE]]
// OFF-LABEL: ori.func @order(
// OFF-COUNT-5: ori.iadd3
// SKIP-LABEL: ori.func @order(
// SKIP-COUNT-5: ori.iadd3
ori.func @order(%a: !ori.r, %b: !ori.r, %c: !ori.r, %d: !ori.r, %e: !ori.r) -> (!ori.r, !ori.r) target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %ab = ori.iadd3 %b, %a, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x = ori.iadd3 %c, %ab, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %ce = ori.iadd3 %c, %e, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %cea = ori.iadd3 %ce, %a, %d : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.iadd3 %b, %cea, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %x, %y : !ori.r, !ori.r
}

// a - (b - c) + 5 - 3 + b: what is taken away from what is taken away is added, b goes, constants are
// one and last.
// CHECK-LABEL: ori.func @differences(
// CHECK-SAME: %[[A:[a-z0-9]*]]: !ori.r, %[[B:[a-z0-9]*]]: !ori.r, %[[C:[a-z0-9]*]]: !ori.r)
// CHECK: %[[TWO:.*]] = ori.imm 2 : !ori.r
// CHECK: %[[SUM:.*]] = ori.iadd3 %[[A]], %[[C]], %[[TWO]]
// CHECK-NEXT: ori.ret %[[SUM]]
ori.func @differences(%a: !ori.r, %b: !ori.r, %c: !ori.r) -> !ori.r target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %five = ori.imm 5 : !ori.r
  %three = ori.imm 3 : !ori.r
  %bc = ori.iadd3 %b, neg %c, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %abc = ori.iadd3 %a, neg %bc, %five : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %sum = ori.iadd3 %abc, neg %three, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %sum : !ori.r
}

// a*b - a*c + d*a: one product. Products by constants may be shifts, and stay.
// CHECK-LABEL: ori.func @factor(
// CHECK-SAME: %[[A:[a-z0-9]*]]: !ori.r, %[[B:[a-z0-9]*]]: !ori.r, %[[C:[a-z0-9]*]]: !ori.r, %[[D:[a-z0-9]*]]: !ori.r)
// CHECK: %[[SUM:.*]] = ori.iadd3
// CHECK: %[[PRODUCT:.*]] = ori.imad %[[A]], %[[SUM]],
// CHECK-NEXT: ori.ret %[[PRODUCT]]
// APART-LABEL: ori.func @factor(
// APART-COUNT-3: ori.imad
ori.func @factor(%a: !ori.r, %b: !ori.r, %c: !ori.r, %d: !ori.r) -> !ori.r target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %ab = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %ac = ori.imad %a, %c, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %da = ori.imad %d, %a, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %sum = ori.iadd3 %ab, neg %ac, %da : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %sum : !ori.r
}

// Bits: x ^ y ^ x is y; a & b & a needs a once, and is known the second time.
// CHECK-LABEL: ori.func @bits(
// CHECK-SAME: %[[X:[a-z0-9]*]]: !ori.r, %[[Y:[a-z0-9]*]]: !ori.r)
// CHECK: %[[AND:.*]] = ori.lop3 <lut = 192> %[[X]], %[[Y]]
// CHECK-NOT: ori.lop3
// CHECK: ori.ret %[[Y]], %[[AND]], %[[AND]]
// NEAR-LABEL: ori.func @bits(
// NEAR-COUNT-2: ori.lop3 <lut = 192>
// NEAR: ori.ret
ori.func @bits(%x: !ori.r, %y: !ori.r) -> (!ori.r, !ori.r, !ori.r) target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %first = ori.lop3 <lut = 192> %x, %y, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %xor = ori.lop3 <lut = 60> %x, %y, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %back = ori.lop3 <lut = 60> %xor, %x, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %yx = ori.lop3 <lut = 192> %y, %x, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %all = ori.lop3 <lut = 192> %y, %yx, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %back, %first, %all : !ori.r, !ori.r, !ori.r
}

// A guarded operation, one with another use, one of another block: not split into terms.
// CHECK-LABEL: ori.func @terms(
// CHECK: %[[GUARDED:.*]] = ori.iadd3 %{{.*}} if %
// CHECK: %[[USED:.*]] = ori.iadd3
// CHECK: ori.iadd3 %[[GUARDED]], %[[USED]], %
// CHECK: ori.ret
ori.func @terms(%a: !ori.r, %b: !ori.r, %p: !ori.p) -> (!ori.r, !ori.r) target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %guarded = ori.iadd3 %a, %b, %zero if %p else %a : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.r) -> !ori.r
  %used = ori.iadd3 %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %sum = ori.iadd3 %guarded, %used, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %sum, %used : !ori.r, !ori.r
}

// Nothing to add, nothing left.
// CHECK-LABEL: ori.func @nothing(
// CHECK-SAME: %[[A:[a-z0-9]*]]: !ori.r)
// CHECK: %[[ZERO:.*]] = ori.imm 0 : !ori.r
// CHECK-NOT: ori.iadd3
// CHECK: ori.ret %{{.*}}, %[[A]]
ori.func @nothing(%a: !ori.r) -> (!ori.r, !ori.r) target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %none = ori.iadd3 %a, neg %a, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %up = ori.iadd3 %a, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %down = ori.iadd3 %up, neg %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %none, %down : !ori.r, !ori.r
}
