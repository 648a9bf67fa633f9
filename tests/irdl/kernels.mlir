// Whole functions go through an mlir-opt that knows the dialects from IRDL, and come back the same:
// terminators and other operations that IRDL cannot describe are unregistered there.

// REQUIRES: mlir-opt

// RUN: orison-opt --emit-irdl=nv_tileaa,nv_tileas,ori -o %t.irdl.mlir

// RUN: orison-translate --ptx-to-ori %S/../translate/ptx/matmul_persistent_ws.sm_100a.ptx -o %t.mlir
// RUN: orison-opt %t.mlir -o %t.before
// RUN: orison-opt %t.mlir --print-irdl-form | mlir-opt --allow-unregistered-dialect --irdl-file=%t.irdl.mlir --mlir-print-op-generic | orison-opt --parse-irdl-form -o %t.after
// RUN: diff %t.before %t.after

// RUN: orison-translate --ptx-to-ori %S/../translate/ptx/control.sm_90a.ptx -o %t.mlir
// RUN: orison-opt %t.mlir -o %t.before
// RUN: orison-opt %t.mlir --print-irdl-form | mlir-opt --allow-unregistered-dialect --irdl-file=%t.irdl.mlir --mlir-print-op-generic | orison-opt --parse-irdl-form -o %t.after
// RUN: diff %t.before %t.after

// RUN: orison-translate --quiet --ptx-to-ori %S/../translate/ptx/wmma.sm_90a.ptx -o %t.mlir
// RUN: orison-opt %t.mlir -o %t.before
// RUN: orison-opt %t.mlir --print-irdl-form | mlir-opt --allow-unregistered-dialect --irdl-file=%t.irdl.mlir --mlir-print-op-generic | orison-opt --parse-irdl-form -o %t.after
// RUN: diff %t.before %t.after

// RUN: orison-opt %S/../../examples/two-gemms.mlir --tileas-generate-schedule --tileas-materialize-schedule -o %t.before
// RUN: orison-opt %t.before --print-irdl-form | mlir-opt --allow-unregistered-dialect --irdl-file=%t.irdl.mlir --mlir-print-op-generic | orison-opt --parse-irdl-form -o %t.after
// RUN: diff %t.before %t.after

// A branch, a group of operands of different types and a group of one type.
// RUN: orison-opt %s --print-irdl-form | FileCheck %s
// CHECK: "ori.func"
// CHECK:   "ori.concat"(%{{.*}}, %{{.*}}) : (!ori.r, !ori.r) -> !ori.r64
// CHECK:   "unregistered.ori.cond_bra"
// CHECK:   "unregistered.ori.inst"(%{{.*}}, %{{.*}})
// CHECK:   "unregistered.ori.ret"
ori.func @k(%r: !ori.r, %p: !ori.p) target "sm_80" {
  %pair = ori.concat %r, %r : (!ori.r, !ori.r) -> !ori.r64
  ori.cond_bra %p, ^bb1, ^bb2 : !ori.p
^bb1:
  ori.inst <mnemonic = "FOO"> inputs(%pair, %r) : (!ori.r64, !ori.r) -> ()
  ori.bra ^bb2
^bb2:
  ori.ret
}
