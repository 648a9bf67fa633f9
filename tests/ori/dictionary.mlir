// Attributes that an operation does not declare are printed behind its operands.
//
// RUN: orison-opt %s | FileCheck %s
// RUN: orison-opt %s | orison-opt | FileCheck %s

// CHECK-LABEL: ori.func @notes(
ori.func @notes(%a: !ori.r, %b: !ori.r64) target "sm_80" {
  // CHECK: ori.iadd3 %{{.*}}, %{{.*}}, %{{.*}} {t.note = 1 : i32} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x = ori.iadd3 %a, %a, %a {t.note = 1 : i32} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: ori.stg <b32> [%{{.*}}], %{{.*}} {t.note} : (!ori.r64, !ori.r) -> ()
  ori.stg [%b], %x {t.note} : (!ori.r64, !ori.r) -> ()
  // CHECK: ori.exit {t.note = "end"}
  ori.exit {t.note = "end"}
}
