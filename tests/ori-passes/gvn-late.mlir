// Late commoning, and copies.
//
// RUN: orison-opt --ori-gvn='knobs=EnableGvnCse=false,ForceLateCommoning=true' %s | FileCheck %s
// RUN: orison-opt --ori-gvn='knobs=EnableGvnCse=false' %s | FileCheck --check-prefix=OFF %s
// RUN: orison-opt --ori-gvn='knobs=EnableGvnCse=false,ForceLateCommoning=true,LateCommoningBudget=0' %s | FileCheck --check-prefix=OFF %s
// RUN: orison-opt --ori-gvn %s | FileCheck --check-prefix=MOVES %s
// RUN: orison-opt --ori-gvn='knobs=DisableMoveCommoning=true' %s | FileCheck --check-prefix=COPIES %s

// Phase 64 only looks at operations of other blocks: the one beside stays.
// CHECK-LABEL: ori.func @late(
// CHECK: %[[X:.*]] = ori.popc
// CHECK-NEXT: %[[Y:.*]] = ori.popc
// CHECK-NOT: ori.popc
// CHECK: ori.ret
// OFF-LABEL: ori.func @late(
// OFF-COUNT-3: ori.popc
ori.func @late(%a: !ori.r, %p: !ori.p) -> (!ori.r, !ori.r) target "sm_80" {
  %x = ori.popc %a : (!ori.r) -> !ori.r
  %y = ori.popc %a : (!ori.r) -> !ori.r
  ori.cond_bra %p, ^a, ^b : !ori.p
^a:
  %z = ori.popc %a : (!ori.r) -> !ori.r
  ori.ret %x, %z : !ori.r, !ori.r
^b:
  ori.ret %y, %x : !ori.r, !ori.r
}

// MOVES-LABEL: ori.func @copies(
// MOVES-COUNT-1: ori.mov
// MOVES-NOT: ori.mov
// MOVES: ori.ret
// COPIES-LABEL: ori.func @copies(
// COPIES-COUNT-2: ori.mov
ori.func @copies(%a: !ori.ur) -> (!ori.r, !ori.r) target "sm_80" {
  %x = ori.mov %a : (!ori.ur) -> !ori.r
  %y = ori.mov %a : (!ori.ur) -> !ori.r
  ori.ret %x, %y : !ori.r, !ori.r
}
