// What stops a program of the host dialects, and what does not.

// RUN: orison-interpret %s --entry quotient --args='[7, -2]' | FileCheck %s --check-prefix=QUOTIENT
// RUN: not orison-interpret %s --entry quotient --args='[7, 0]' 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not orison-interpret %s --entry quotient --args='[7, null]' 2>&1 | FileCheck %s --check-prefix=POISON
// RUN: not orison-interpret %s --entry quotient --args='[-2147483648, -1]' 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// QUOTIENT: -3
// ZERO: interpret-host.mlir:[[#@LINE+4]]:8: error: {{.*}}division by zero
// POISON: interpret-host.mlir:[[#@LINE+3]]:8: error: {{.*}}division of or by poison
// OVERFLOW: interpret-host.mlir:[[#@LINE+2]]:8: error: {{.*}}a division overflows
func.func @quotient(%a: i32, %b: i32) -> i32 {
  %q = arith.divsi %a, %b : i32
  return %q : i32
}

// The sum of poison is poison, and may be returned. It must not decide a branch.
// RUN: orison-interpret %s --entry chosen --args='[true, null]' | FileCheck %s --check-prefix=CHOSEN
// RUN: not orison-interpret %s --entry chosen --args='[null, 1]' 2>&1 | FileCheck %s --check-prefix=BRANCH
// CHOSEN: null
// BRANCH: interpret-host.mlir:[[#@LINE+2]]:3: error: {{.*}}a branch depends on poison
func.func @chosen(%c: i1, %a: i32) -> i32 {
  cf.cond_br %c, ^same, ^twice
^same:
  return %a : i32
^twice:
  %b = arith.addi %a, %a : i32
  return %b : i32
}

// RUN: orison-interpret %s --entry steps --args='[2]' | FileCheck %s --check-prefix=STEPS
// RUN: not orison-interpret %s --entry steps --args='[0]' 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: not orison-interpret %s --entry steps --args='[-1]' 2>&1 | FileCheck %s --check-prefix=STEP
// STEPS: 12
// STEP: interpret-host.mlir:[[#@LINE+4]]:8: error: {{.*}}the step of a loop is not positive
func.func @steps(%step: index) -> index {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %r = scf.for %i = %c0 to %c7 step %step iter_args(%sum = %c0) -> (index) {
    %next = arith.addi %sum, %i : index
    scf.yield %next : index
  }
  return %r : index
}

// RUN: orison-interpret %s --entry nest --args='[3]'
// RUN: not orison-interpret %s --entry nest --args='[0]' 2>&1 | FileCheck %s --check-prefix=NEST
// NEST: interpret-host.mlir:[[#@LINE+4]]:3: error: {{.*}}the step of a loop is not positive
func.func @nest(%step: index) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c7, %c7) step (%c7, %step) {
    scf.reduce
  }
  return
}

// RUN: orison-interpret %s --entry power --args='[2, 5]' | FileCheck %s --check-prefix=POWER
// RUN: orison-interpret %s --entry power --args='[-1, -3]' | FileCheck %s --check-prefix=INVERSE
// RUN: not orison-interpret %s --entry power --args='[0, -1]' 2>&1 | FileCheck %s --check-prefix=NEVER
// POWER: 32
// INVERSE: -1
// NEVER: interpret-host.mlir:[[#@LINE+2]]:8: error: {{.*}}zero to the power of a negative integer
func.func @power(%a: i32, %b: i32) -> i32 {
  %p = math.ipowi %a, %b : i32
  return %p : i32
}

// RUN: orison-interpret %s --entry positive --args='[1]'
// RUN: not orison-interpret %s --entry positive --args='[0]' 2>&1 | FileCheck %s --check-prefix=ASSERT
// ASSERT: interpret-host.mlir:[[#@LINE+4]]:3: error: {{.*}}assertion failed: must be positive
func.func @positive(%a: i32) {
  %c0 = arith.constant 0 : i32
  %c = arith.cmpi sgt, %a, %c0 : i32
  cf.assert %c, "must be positive"
  return
}

// RUN: not orison-interpret %s --entry calls 2>&1 | FileCheck %s --check-prefix=CALL
// CALL: interpret-host.mlir:[[#@LINE+3]]:3: error: {{.*}}function 'nowhere' has no body
func.func private @nowhere()
func.func @calls() {
  call @nowhere() : () -> ()
  return
}

// RUN: not orison-interpret %s --entry nowhere 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not orison-interpret %s --entry power --args='[1]' 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not orison-interpret %s --entry power --args='[1, 2' 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: not orison-interpret %s --entry power --args='3' 2>&1 | FileCheck %s --check-prefix=ARRAY
// ENTRY: no function 'nowhere' with a body
// FEW: --args: expected 2 values, found 1
// JSON: --args: invalid JSON
// ARRAY: --args: expected an array with one value per argument

// RUN: orison-interpret %s --entry narrow --args='[-128]' | FileCheck %s --check-prefix=NARROW
// RUN: orison-interpret %s --entry narrow --args='[128]' | FileCheck %s --check-prefix=BROKEN
// NARROW: [-128,null]
// BROKEN: [null,-128]
func.func @narrow(%a: i32) -> (i8, i8) {
  %s = arith.trunci %a overflow<nsw> : i32 to i8
  %u = arith.trunci %a overflow<nuw> : i32 to i8
  return %s, %u : i8, i8
}

// RUN: orison-interpret %s --entry halvings --args='[40]' | FileCheck %s --check-prefix=HALVINGS
// HALVINGS: 5
func.func @halvings(%a: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%x = %a, %n = %c0) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi sgt, %x, %c1 : i32
    scf.condition(%more) %x, %n : i32, i32
  } do {
  ^bb0(%x: i32, %n: i32):
    %half = arith.shrui %x, %c1 : i32
    %next = arith.addi %n, %c1 : i32
    scf.yield %half, %next : i32, i32
  }
  return %r#1 : i32
}
