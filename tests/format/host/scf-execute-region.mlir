// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Regions of several blocks in one operation; the yield is always printed.
// CHECK: %0 = scf.execute_region -> i32 {
// CHECK-NEXT: scf.yield %arg0 : i32
// CHECK-NEXT: }
// CHECK-NEXT: scf.execute_region {
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: scf.execute_region no_inline {
// CHECK-NEXT: cf.br ^bb1
// CHECK-NEXT: ^bb1:  // pred: ^bb0
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } {d.x}
// GENERIC: "scf.execute_region"() <{no_inline}> ({
func.func @f(%a: i32) {
  %0 = scf.execute_region -> i32 {
    scf.yield %a : i32
  }
  scf.execute_region {
    scf.yield
  }
  scf.execute_region no_inline {
    cf.br ^end
  ^end:
    scf.yield
  } {d.x}
  return
}
