// When one operation cannot be converted, nothing is: the error names it, the IR stays.
//
// RUN: not orison-opt --convert-scf-to-cf %s 2>&1 | FileCheck %s
// RUN: not orison-opt --convert-scf-to-cf --mlir-print-ir-after-failure %s 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: not orison-opt --convert-scf-to-cf --remarks=text %s 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK: conversion-scf-to-cf-failure.mlir:[[#@LINE+13]]:8: error: failed to legalize operation 'scf.forall' that was explicitly marked illegal

// The loop was converted before, and is as it was.
// AFTER: IR Dump After Failed convert-scf-to-cf
// AFTER: scf.for %
// AFTER-NOT: cf.br

// REMARK: remark: [convert-scf-to-cf] Missed scf-forall-to-parallel: the operation has shared tensors

func.func @f(%n: index, %s: index, %t: tensor<4xf32>) -> tensor<4xf32> {
  scf.for %i = %s to %n step %s {
  }
  // Shared tensors prevent the conversion.
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<4xf32>) {
  }
  return %0 : tensor<4xf32>
}
