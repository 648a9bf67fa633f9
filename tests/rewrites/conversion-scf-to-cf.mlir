// Loops and conditionals become branches; as-mlir/convert-scf-to-cf.mlir compares all of it with mlir-opt.
//
// RUN: orison-opt --convert-scf-to-cf %s | FileCheck %s
// RUN: orison-opt --convert-scf-to-cf --mlir-pass-statistics %s -o %t 2>&1 | FileCheck %s --check-prefix=STATISTICS
// RUN: orison-opt --convert-scf-to-cf --debug-only=dialect-conversion %s -o %t 2>&1 | FileCheck %s --check-prefix=DEBUG

// STATISTICS: 1 of 2 scf-do-while-to-cf
// STATISTICS: 2 of 2 scf-for-to-cf

// DEBUG: Legalizing operation : 'scf.for' {
// DEBUG: * Pattern : 'scf.for -> ()' {
// DEBUG-NEXT: scf-for-to-cf
// DEBUG: ** Insert  : 'arith.addi'
// DEBUG: ** Replace : 'scf.for'
// DEBUG: Legalizing operation : 'cf.br' {
// DEBUG-NEXT: } -> SUCCESS : operation marked legal by the target
// DEBUG: } -> SUCCESS : pattern applied successfully

// The block that decides has the arguments; the body counts and branches back to it.
// CHECK-LABEL: @for
// CHECK-NEXT: cf.br ^bb1(%arg0, %arg3 : index, i32)
// CHECK-NEXT: ^bb1(%[[I:.*]]: index, %[[A:.*]]: i32):
// CHECK-NEXT: %[[C:.*]] = arith.cmpi slt, %[[I]], %arg1 : index
// CHECK-NEXT: cf.cond_br %[[C]], ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[A]], %[[A]] : i32
// CHECK-NEXT: %[[N:.*]] = arith.addi %[[I]], %arg2 : index
// CHECK-NEXT: cf.br ^bb1(%[[N]], %[[S]] : index, i32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: return %[[A]] : i32
func.func @for(%lower: index, %upper: index, %step: index, %init: i32) -> i32 {
  %r = scf.for %i = %lower to %upper step %step iter_args(%a = %init) -> (i32) {
    %s = arith.addi %a, %a : i32
    scf.yield %s : i32
  }
  return %r : i32
}

// A loop whose second region only yields its arguments needs no block for it.
// CHECK-LABEL: @do_while
// CHECK: ^bb1(%[[A:.*]]: i32):
// CHECK: cf.cond_br %{{.*}}, ^bb1(%{{.*}} : i32), ^bb2
func.func @do_while(%x: i32, %n: i32) -> i32 {
  %r = scf.while (%a = %x) : (i32) -> i32 {
    %b = arith.addi %a, %n : i32
    %c = arith.cmpi slt, %b, %n : i32
    scf.condition(%c) %b : i32
  } do {
  ^bb0(%a: i32):
    scf.yield %a : i32
  }
  return %r : i32
}

// CHECK-LABEL: @while
// CHECK: cf.cond_br %{{.*}}, ^bb2(%{{.*}} : i32), ^bb3
// CHECK: ^bb2(%[[B:.*]]: i32):
// CHECK: cf.br ^bb1
func.func @while(%x: i32, %n: i32) -> i32 {
  %r = scf.while (%a = %x) : (i32) -> i32 {
    %c = arith.cmpi slt, %a, %n : i32
    scf.condition(%c) %a : i32
  } do {
  ^bb0(%a: i32):
    %b = arith.addi %a, %n : i32
    scf.yield %b : i32
  }
  return %r : i32
}

// CHECK-LABEL: @unsigned
// CHECK: arith.cmpi ult, %{{.*}}, %arg1 : i32
func.func @unsigned(%lower: i32, %upper: i32, %step: i32) {
  scf.for unsigned %i = %lower to %upper step %step : i32 {
  }
  return
}

// The branch is on what was negated, to the second region first.
// CHECK-LABEL: @negated
// CHECK: cf.cond_br %arg0, ^[[ELSE:bb[0-9]+]], ^[[THEN:bb[0-9]+]]
// CHECK: ^[[ELSE]]:
// CHECK-NEXT: cf.br ^[[END:bb[0-9]+]](%arg2 : i32)
// CHECK: ^[[THEN]]:
// CHECK-NEXT: cf.br ^[[END]](%arg1 : i32)
func.func @negated(%c: i1, %x: i32, %y: i32) -> i32 {
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  %r = scf.if %n -> i32 {
    scf.yield %x : i32
  } else {
    scf.yield %y : i32
  }
  return %r : i32
}

// Each case leads to its region, and everything else to the default one.
// CHECK-LABEL: @switch
// CHECK: cf.switch %{{.*}} : i32, [
// CHECK-NEXT: default: ^[[DEFAULT:bb[0-9]+]],
// CHECK-NEXT: 4: ^[[FOUR:bb[0-9]+]],
// CHECK-NEXT: 2: ^[[TWO:bb[0-9]+]]
// CHECK-NEXT: ]
// CHECK: ^[[FOUR]]:
// CHECK-NEXT: cf.br ^[[END:bb[0-9]+]](%arg1 : i32)
// CHECK: ^[[TWO]]:
// CHECK-NEXT: cf.br ^[[END]](%arg2 : i32)
// CHECK: ^[[DEFAULT]]:
// CHECK-NEXT: cf.br ^[[END]](%arg3 : i32)
func.func @switch(%i: index, %x: i32, %y: i32, %z: i32) -> i32 {
  %r = scf.index_switch %i -> i32
  case 4 {
    scf.yield %x : i32
  }
  case 2 {
    scf.yield %y : i32
  }
  default {
    scf.yield %z : i32
  }
  return %r : i32
}
