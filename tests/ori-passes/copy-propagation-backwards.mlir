// Copies propagated backwards, which is off unless a knob allows it.
//
// RUN: orison-opt --ori-copy-propagation='knobs=BackCopyPropBudget=-1' %s | FileCheck %s
// RUN: orison-opt --ori-copy-propagation %s | FileCheck --check-prefix=OFF %s
// RUN: orison-opt --ori-copy-propagation='knobs=BackCopyPropBudget=1' --remarks=text %s 2>%t.remarks | FileCheck --check-prefix=ONE %s
// RUN: FileCheck --check-prefix=REMARK %s <%t.remarks

// REMARK: remark: [ori-copy-propagation] Missed backward-copy: the budget is exhausted; a larger BackCopyPropBudget

// What only the copy needs is made under its guard, where the copy stood.
// CHECK-LABEL: ori.func @merge(
// CHECK-SAME: %[[A:[a-z0-9]*]]: !ori.r, %[[B:[a-z0-9]*]]: !ori.r, %[[P:[a-z0-9]*]]: !ori.p)
// CHECK-NEXT: %[[OTHER:.*]] = ori.popc %[[B]]
// CHECK-NEXT: %[[X:.*]] = ori.iadd3 %[[A]], neg %[[B]], %[[B]] if not %[[P]] else %[[OTHER]]
// CHECK-NEXT: %[[Y:.*]] = ori.brev %[[A]] if %[[P]] else %[[X]]
// CHECK-NEXT: ori.ret %[[Y]]
// OFF-LABEL: ori.func @merge(
// OFF-COUNT-2: ori.mov
// ONE-LABEL: ori.func @merge(
// ONE-COUNT-1: ori.mov
// ONE-NOT: ori.mov
// ONE-LABEL: ori.func @stays(
ori.func @merge(%a: !ori.r, %b: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %sum = ori.iadd3 %a, neg %b, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %back = ori.brev %a : (!ori.r) -> !ori.r
  %other = ori.popc %b : (!ori.r) -> !ori.r
  %x = ori.mov %sum if not %p else %other : (!ori.r, !ori.p, !ori.r) -> !ori.r
  %y = ori.mov %back if %p else %x : (!ori.r, !ori.p, !ori.r) -> !ori.r
  ori.ret %y : !ori.r
}

// Not propagated: the source has other uses, reads memory, has a guard, or is in another block.
// CHECK-LABEL: ori.func @stays(
// CHECK-COUNT-4: ori.mov
ori.func @stays(%a: !ori.r, %q: !ori.r64, %p: !ori.p) -> (!ori.r, !ori.r) target "sm_80" {
  %far = ori.popc %a : (!ori.r) -> !ori.r
  ori.bra ^next
^next:
  %shared = ori.brev %a : (!ori.r) -> !ori.r
  %loaded = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %guarded = ori.iabs %a if %p else %shared : (!ori.r, !ori.p, !ori.r) -> !ori.r
  %w = ori.mov %shared if %p else %a : (!ori.r, !ori.p, !ori.r) -> !ori.r
  %x = ori.mov %loaded if %p else %w : (!ori.r, !ori.p, !ori.r) -> !ori.r
  %y = ori.mov %guarded if %p else %x : (!ori.r, !ori.p, !ori.r) -> !ori.r
  %z = ori.mov %far if %p else %y : (!ori.r, !ori.p, !ori.r) -> !ori.r
  ori.ret %z, %shared : !ori.r, !ori.r
}
