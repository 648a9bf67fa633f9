// Reasons for which a branch is not replaced by guards.
//
// RUN: orison-opt --ori-predication --remarks=text %s 2>&1 | FileCheck %s
// RUN: orison-opt --ori-predication='knobs=PredicationOfPredicates=false' --remarks=text %s 2>&1 | FileCheck --check-prefix=PLAIN %s
// RUN: orison-opt --ori-predication='knobs=PredicationBaseLimit=0,PredicationFallThroughLimit=0,PredicationMovThreshold=0,PredicationRejectBothLatency=false' --remarks=text %s 2>&1 | FileCheck --check-prefix=LIMIT %s

// A switch has no predicate.
// CHECK: predication-refusals.mlir:[[#@LINE+2]]:3: remark: [ori-predication] Missed if-conversion: the branch has no condition to use as a guard{{$}}
ori.func @switch(%x: !ori.r) target "sm_80" {
  ori.brx %x, [^a, ^b] : !ori.r
^a:
  ori.ret
^b:
  ori.ret
}

// The loop ends where it begins.
// CHECK: predication-refusals.mlir:[[#@LINE+4]]:3: remark: [ori-predication] Missed if-conversion: an arm leads back to the branch{{$}}
ori.func @loop(%c: !ori.p) target "sm_80" {
  ori.bra ^head
^head:
  ori.cond_bra %c, ^body, ^other : !ori.p
^body:
  ori.bra ^head
^other:
  ori.bra ^head
}

// One arm returns.
// CHECK: predication-refusals.mlir:[[#@LINE+2]]:3: remark: [ori-predication] Missed if-conversion: the arms do not join after at most two blocks without other predecessors; ori-branch-opt merges blocks{{$}}
ori.func @returns(%c: !ori.p) target "sm_80" {
  ori.cond_bra %c, ^a, ^b : !ori.p
^a:
  ori.ret
^b:
  ori.ret
}

// An arm that writes a predicate, with the knob that rejects it.
// PLAIN: predication-refusals.mlir:[[#@LINE+2]]:3: remark: [ori-predication] Missed if-conversion: an arm writes predicates or has guards; PredicationOfPredicates=true{{$}}
ori.func @predicates(%c: !ori.p, %x: !ori.r) -> !ori.p target "sm_80" {
  ori.cond_bra %c, ^a, ^end(%c : !ori.p) : !ori.p
^a:
  %p = ori.isetp <lt, u32> %x, %x : (!ori.r, !ori.r) -> !ori.p
  ori.bra ^end(%p : !ori.p)
^end(%value: !ori.p):
  ori.ret %value : !ori.p
}

// A per-thread condition cannot choose a value that all threads share.
// CHECK: predication-refusals.mlir:[[#@LINE+2]]:3: remark: [ori-predication] Missed if-conversion: the arms pass different uniform registers; a uniform condition{{$}}
ori.func @uniform_registers(%c: !ori.p, %x: !ori.ur, %y: !ori.ur) -> !ori.ur target "sm_80" {
  ori.cond_bra %c, ^a, ^end(%x : !ori.ur) : !ori.p
^a:
  ori.bra ^end(%y : !ori.ur)
^end(%value: !ori.ur):
  ori.ret %value : !ori.ur
}

// A uniform predicate selects no per-thread predicate.
// CHECK: predication-refusals.mlir:[[#@LINE+2]]:3: remark: [ori-predication] Missed if-conversion: a uniform condition cannot select a per-thread predicate{{$}}
ori.func @predicate_by_uniform(%c: !ori.up, %x: !ori.p, %y: !ori.p) -> !ori.p target "sm_80" {
  ori.cond_bra %c, ^a, ^end(%x : !ori.p) : !ori.up
^a:
  ori.bra ^end(%y : !ori.p)
^end(%value: !ori.p):
  ori.ret %value : !ori.p
}

// A store is guarded by a per-thread predicate.
// CHECK: predication-refusals.mlir:[[#@LINE+2]]:3: remark: [ori-predication] Missed if-conversion: the condition and an operation are in different datapaths{{$}}
ori.func @datapaths(%c: !ori.up, %x: !ori.r) target "sm_80" {
  ori.cond_bra %c, ^a, ^end : !ori.up
^a:
  ori.sts <b32> [%x], %x : (!ori.r, !ori.r) -> ()
  ori.bra ^end
^end:
  ori.ret
}

// No instruction selects convergence barriers.
// CHECK: predication-refusals.mlir:[[#@LINE+2]]:3: remark: [ori-predication] Missed if-conversion: the arms pass different convergence barriers{{$}}
ori.func @barriers(%c: !ori.p, %x: !ori.b, %y: !ori.b) target "sm_80" {
  ori.cond_bra %c, ^a, ^end(%x : !ori.b) : !ori.p
^a:
  ori.bra ^end(%y : !ori.b)
^end(%value: !ori.b):
  ori.bsync %value : (!ori.b) -> ()
  ori.ret
}

// Both arms round doubles.
// CHECK: predication-refusals.mlir:[[#@LINE+3]]:3: remark: [ori-predication] Missed if-conversion: both arms have operations of extra latency; PredicationRejectBothLatency=false{{$}}
// LIMIT: predication-refusals.mlir:[[#@LINE+2]]:3: remark: [ori-predication] Missed if-conversion: the fall-through arm is too long; PredicationFallThroughLimit{{$}}
ori.func @slow(%c: !ori.p, %x: !ori.r64) -> !ori.r64 target "sm_80" {
  ori.cond_bra %c, ^a, ^b : !ori.p
^a:
  %r = ori.frnd <f64, ceil, double> %x : (!ori.r64) -> !ori.r64
  ori.bra ^end(%r : !ori.r64)
^b:
  %s = ori.frnd <f64, floor, double> %x : (!ori.r64) -> !ori.r64
  ori.bra ^end(%s : !ori.r64)
^end(%value: !ori.r64):
  ori.ret %value : !ori.r64
}
