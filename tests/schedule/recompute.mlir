// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-recompute %s 2>&1 | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-recompute --remarks=text -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=REMARK
// The pass changes nothing when it runs again:
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-recompute %s -o %t.once.mlir 2> %t.warnings
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-recompute %t.once.mlir -o %t.twice.mlir 2> %t.warnings
// RUN: diff %t.once.mlir %t.twice.mlir
// RUN: not orison-opt %S/Inputs/recompute-type.txt --tileas-recompute 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-recompute -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE

// TYPE: attribute 'tileas.recomputable' must be a unit attribute
// NONE: warning: pass 'tileas-recompute' found nothing to do: no operation is marked 'tileas.recomputable'

// Every reader but the first gets a copy, also one that reads it in its region. The copies belong to
// no group.
// CHECK-LABEL: @each_reader
// CHECK: scf.for
// CHECK: %[[FIRST:.+]] = arith.addf %{{.+}}, %{{.+}} {tileas.recomputable, tileas.schedule.constraint.gid = 1 : i32}
// CHECK-NEXT: "test.one"(%[[FIRST]], %[[FIRST]])
// CHECK-NEXT: %[[SECOND:.+]] = arith.addf %{{[^ ]+}}, %{{[^ ]+}} : tensor<64xf32>
// CHECK-NEXT: "test.two"(%[[SECOND]])
// CHECK-NEXT: %[[THIRD:.+]] = arith.addf %{{[^ ]+}}, %{{[^ ]+}} : tensor<64xf32>
// CHECK-NEXT: scf.if
// CHECK-NEXT: "test.three"(%[[THIRD]])
// REMARK: Passed recompute: computed again for other readers; copies=2
func.func @each_reader(%n: index, %x: tensor<64xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = arith.addf %x, %x {tileas.recomputable, tileas.schedule.constraint.gid = 1 : i32} : tensor<64xf32>
    "test.one"(%a, %a) : (tensor<64xf32>, tensor<64xf32>) -> ()
    "test.two"(%a) : (tensor<64xf32>) -> ()
    scf.if %c {
      "test.three"(%a) : (tensor<64xf32>) -> ()
    }
  }
  return
}

// -----

// One copy is allowed: the third reader reads the original. The limit is used up.
// CHECK-LABEL: @limited
// CHECK: %[[FIRST:.+]] = arith.negf %{{.+}} {tileas.max_num_of_recomputations = 0 : i32, tileas.recomputable}
// CHECK-NEXT: "test.one"(%[[FIRST]])
// CHECK-NEXT: %[[SECOND:.+]] = arith.negf
// CHECK-NEXT: "test.two"(%[[SECOND]])
// CHECK-NEXT: "test.three"(%[[FIRST]])
// REMARK: Missed recompute: more readers than copies allowed
func.func @limited(%x: tensor<64xf32>) {
  %a = arith.negf %x {tileas.recomputable, tileas.max_num_of_recomputations = 1 : i32} : tensor<64xf32>
  "test.one"(%a) : (tensor<64xf32>) -> ()
  "test.two"(%a) : (tensor<64xf32>) -> ()
  "test.three"(%a) : (tensor<64xf32>) -> ()
  return
}

// -----

// Unmarked operations, those with one reader, and a limit of 0: nothing changes.
// CHECK-LABEL: @unchanged
// CHECK-COUNT-3: arith.negf
// CHECK-NOT: arith.negf
func.func @unchanged(%x: tensor<64xf32>) {
  %a = arith.negf %x : tensor<64xf32>
  %b = arith.negf %x {tileas.recomputable} : tensor<64xf32>
  %c = arith.negf %x {tileas.recomputable, tileas.max_num_of_recomputations = 0 : i32} : tensor<64xf32>
  "test.one"(%a, %b, %c) : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> ()
  "test.two"(%a, %c) : (tensor<64xf32>, tensor<64xf32>) -> ()
  return
}

// -----

// The conversion makes 128 bytes of 256: repeating it would keep the source alive instead, so it is
// left out; the opposite conversion is repeated. A source that is read later anyway costs nothing.
// CHECK-LABEL: @liveness
// CHECK: "test.source"
// CHECK: arith.truncf
// CHECK: "test.two"
// CHECK-NOT: arith.truncf
// CHECK: "test.source"
// CHECK: arith.extf
// CHECK: arith.extf
// CHECK: "test.source"
// CHECK: arith.truncf
// CHECK: arith.truncf
// REMARK: Missed recompute: a copy would keep more bytes alive than the result takes
func.func @liveness() {
  %wide = "test.source"() : () -> tensor<64xf32>
  %a = arith.truncf %wide {tileas.recomputable, tileas.enable_defusion_if_fusion_extending_liveness} : tensor<64xf32> to tensor<64xf16>
  "test.one"(%a) : (tensor<64xf16>) -> ()
  "test.two"(%a) : (tensor<64xf16>) -> ()
  %narrow = "test.source"() : () -> tensor<64xf16>
  %b = arith.extf %narrow {tileas.recomputable, tileas.enable_defusion_if_fusion_extending_liveness} : tensor<64xf16> to tensor<64xf32>
  "test.one"(%b) : (tensor<64xf32>) -> ()
  "test.two"(%b) : (tensor<64xf32>) -> ()
  %read = "test.source"() : () -> tensor<64xf32>
  %c = arith.truncf %read {tileas.recomputable, tileas.enable_defusion_if_fusion_extending_liveness} : tensor<64xf32> to tensor<64xf16>
  "test.one"(%c) : (tensor<64xf16>) -> ()
  "test.two"(%c) : (tensor<64xf16>) -> ()
  "test.three"(%read) : (tensor<64xf32>) -> ()
  return
}

// -----

// The operand is from outside the loop, in which it is alive anyway.
// CHECK-LABEL: @alive_throughout
// CHECK-COUNT-2: arith.truncf
// REMARK: Passed recompute: computed again for other readers; copies=1
func.func @alive_throughout(%n: index, %wide: tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = arith.truncf %wide {tileas.recomputable, tileas.enable_defusion_if_fusion_extending_liveness} : tensor<64xf32> to tensor<64xf16>
    "test.one"(%a) : (tensor<64xf16>) -> ()
    "test.two"(%a) : (tensor<64xf16>) -> ()
  }
  return
}

// -----

// Operations with effects, and those of loops that are scheduled already, are left alone.
// CHECK: warning: 'test.effect' op is not recomputed: it has effects
// CHECK: warning: 'arith.negf' op is not recomputed: its loop is already scheduled; run tileas-recompute before tileas-generate-schedule
// CHECK-LABEL: @declined
// CHECK-COUNT-1: "test.effect"
// CHECK-NOT: "test.effect"
// CHECK-COUNT-1: arith.negf
// CHECK-NOT: arith.negf
func.func @declined(%n: index, %x: tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = "test.effect"() {tileas.recomputable} : () -> tensor<64xf32>
  "test.one"(%a) : (tensor<64xf32>) -> ()
  "test.two"(%a) : (tensor<64xf32>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %b = arith.negf %x {tileas.recomputable} : tensor<64xf32>
    "test.one"(%b) : (tensor<64xf32>) -> ()
    "test.two"(%b) : (tensor<64xf32>) -> ()
  } {tileas.schedule = {}}
  return
}
