// Knobs: for all passes of a pipeline, for one pass, for one function.
//
// RUN: orison-opt --ori-gvn --ori-predication --knob=EnableGvnCse=false,DisablePredication=true %s | FileCheck --check-prefix=OFF %s
// RUN: orison-opt --pass-pipeline='builtin.module(ori-gvn{knobs=EnableGvnCse=true})' --knob=EnableGvnCse=false %s | FileCheck --check-prefix=OWN %s
// RUN: not orison-opt --ori-gvn --knob=EnableGvn=false %s 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not orison-opt --ori-gvn --knob=GvnCseMode=all %s 2>&1 | FileCheck --check-prefix=VALUE %s
// RUN: not orison-opt --canonicalize --knob=GvnCseMode=1 %s 2>&1 | FileCheck --check-prefix=NOBODY %s
// RUN: orison-opt --ori-gvn --knob=GvnCseMode=1 --dump-pass-pipeline %s 2>&1 >/dev/null | FileCheck --check-prefix=DUMP %s
// RUN: sed 's/EnableGvnCse = true/EnableGvnCs = true/' %s > %t.mlir
// RUN: not orison-opt --ori-gvn %t.mlir 2>&1 | FileCheck --check-prefix=FUNCTION %s

// UNKNOWN: --knob: unknown knob 'EnableGvn'; did you mean 'EnableGvnCse'?
// VALUE: --knob: knob 'GvnCseMode': expected an integer, found 'all'
// NOBODY: --knob: no pass of the pipeline reads knobs
// DUMP: ori-gvn{knobs=GvnCseMode=1}
// FUNCTION: error: 'ori.func' op unknown knob 'EnableGvnCs'; did you mean 'EnableGvnCse'?

// OFF-LABEL: ori.func @f(
// OFF-COUNT-2: ori.popc
// OFF: ori.cond_bra
// OWN-LABEL: ori.func @f(
// OWN: ori.popc
// OWN-NOT: ori.popc
// OWN: ori.cond_bra
ori.func @f(%q: !ori.r64, %a: !ori.r, %p: !ori.p) target "sm_80" {
  %x = ori.popc %a : (!ori.r) -> !ori.r
  %y = ori.popc %a : (!ori.r) -> !ori.r
  ori.cond_bra %p, ^then, ^end : !ori.p
^then:
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q + 4], %y : (!ori.r64, !ori.r) -> ()
  ori.bra ^end
^end:
  ori.ret
}

// The function wins.
// OFF-LABEL: ori.func @g(
// OFF: %[[X:.*]] = ori.popc
// OFF-NEXT: ori.ret %[[X]], %[[X]]
ori.func @g(%a: !ori.r) -> (!ori.r, !ori.r) target "sm_80" attributes {ori.knobs = {EnableGvnCse = true}} {
  %x = ori.popc %a : (!ori.r) -> !ori.r
  %y = ori.popc %a : (!ori.r) -> !ori.r
  ori.ret %x, %y : !ori.r, !ori.r
}
