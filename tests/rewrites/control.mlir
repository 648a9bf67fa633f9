// RUN: orison-opt --canonicalize --fuel=1 --mlir-pass-statistics %s 2>&1 | FileCheck %s --check-prefix=FUEL
// RUN: orison-opt --canonicalize --fuel=0 %s | FileCheck %s --check-prefix=NONE
// RUN: orison-opt --canonicalize --only=erase-dead@13 %s | FileCheck %s --check-prefix=ONLY
// RUN: not orison-opt --canonicalize --only=erase-dead@x %s 2>&1 | FileCheck %s --check-prefix=WRONG

// FUEL: 1 of 1 erase-dead
// FUEL-COUNT-2: arith.
// NONE-COUNT-3: arith.
// ONLY: arith.addi
// ONLY-NOT: arith.muli
// ONLY: arith.subi
func.func @f(%a: i32, %b: i32) {
  %1 = arith.muli %a, %b : i32
  %0 = arith.addi %a, %b : i32
  %2 = arith.subi %a, %b : i32
  return
}
// WRONG: 'x' is not a line or column number
