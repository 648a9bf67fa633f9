// If-conversion, phase 63.
//
// RUN: orison-opt --ori-predication --remarks=text %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s <%t.remarks
// RUN: orison-opt --ori-predication='knobs=DisablePredication' %s | FileCheck --check-prefix=OFF %s
// RUN: orison-opt --ori-predication='knobs=PredicationOfPredicates=false' %s | FileCheck --check-prefix=PLAIN %s
// RUN: orison-opt --ori-predication='knobs=PredicationPasses=3' %s | FileCheck --check-prefix=AGAIN %s

// A triangle: the store is guarded, operations without side effects are executed by all threads.
// CHECK-LABEL: ori.func @triangle(
// CHECK-NEXT: %[[X:.*]] = ori.popc %arg1 : (!ori.r) -> !ori.r
// CHECK-NEXT: ori.stg <b32> [%arg0], %[[X]] if %arg2
// CHECK-NEXT: ori.bra ^[[END:.*]]
// CHECK-NEXT: ^[[END]]:
// OFF-LABEL: ori.func @triangle(
// OFF: ori.cond_bra
ori.func @triangle(%q: !ori.r64, %a: !ori.r, %p: !ori.p) target "sm_80" {
  ori.cond_bra %p, ^then, ^end : !ori.p
^then:
  %x = ori.popc %a : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  ori.bra ^end
^end:
  ori.ret
}

// An inverted condition with swapped arms: the inversions cancel.
// CHECK-LABEL: ori.func @inverted(
// CHECK-NEXT: ori.stg <b32> [%arg0], %arg1 if %arg2
ori.func @inverted(%q: !ori.r64, %a: !ori.r, %p: !ori.p) target "sm_80" {
  ori.cond_bra not %p, ^end, ^then : !ori.p
^then:
  ori.stg <b32> [%q], %a : (!ori.r64, !ori.r) -> ()
  ori.bra ^end
^end:
  ori.ret
}

// A diamond: the false arm has the inverted guard. A value that one arm computes takes the value of the
// other arm as its `else` value, so no select is needed.
// CHECK-LABEL: ori.func @diamond(
// CHECK-NEXT: %[[A:.*]] = ori.ldg <b32> [%arg0] if %arg1
// CHECK-NEXT: %[[B:.*]] = ori.ldg <b32> [%arg0 + 4] if not %arg1 else %[[A]]
// CHECK-NEXT: ori.bra ^[[END:.*]](%[[B]] : !ori.r)
ori.func @diamond(%q: !ori.r64, %p: !ori.p) -> !ori.r target "sm_80" {
  ori.cond_bra %p, ^then, ^else : !ori.p
^then:
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  ori.bra ^end(%a : !ori.r)
^else:
  %b = ori.ldg <b32> [%q + 4] : (!ori.r64) -> !ori.r
  ori.bra ^end(%b : !ori.r)
^end(%x: !ori.r):
  ori.ret %x : !ori.r
}

// Values that neither arm computes are selected: 32-bit and 64-bit registers, predicates.
// CHECK-LABEL: ori.func @selections(
// CHECK-NEXT: %[[WORD:.*]] = ori.sel %arg0, %arg1, %arg4
// CHECK: %[[LOW:.*]] = ori.sel %{{.*}}, %{{.*}}, %arg4
// CHECK: %[[HIGH:.*]] = ori.sel %{{.*}}, %{{.*}}, %arg4
// CHECK-NEXT: %[[PAIR:.*]] = ori.concat %[[LOW]], %[[HIGH]]
// CHECK-NEXT: %[[IS:.*]] = ori.plop3 <lut = 202> %arg4, %arg5, %arg6
// CHECK-NEXT: ori.bra ^{{.*}}(%[[WORD]], %[[PAIR]], %[[IS]], %arg0 :
ori.func @selections(%a: !ori.r, %b: !ori.r, %c: !ori.r64, %d: !ori.r64, %p: !ori.p, %q: !ori.p, %r: !ori.p)
    -> (!ori.r, !ori.r64, !ori.p, !ori.r) target "sm_80" {
  ori.cond_bra %p, ^then, ^else : !ori.p
^then:
  ori.bra ^end(%a, %c, %q, %a : !ori.r, !ori.r64, !ori.p, !ori.r)
^else:
  ori.bra ^end(%b, %d, %r, %a : !ori.r, !ori.r64, !ori.p, !ori.r)
^end(%w: !ori.r, %x: !ori.r64, %y: !ori.p, %z: !ori.r):
  ori.ret %w, %x, %y, %z : !ori.r, !ori.r64, !ori.p, !ori.r
}

// A guarded operation in an arm: the conjunction of both guards is computed once.
// CHECK-LABEL: ori.func @guards(
// CHECK-NEXT: %[[BOTH:.*]] = ori.plop3 <lut = 192> %arg2, not %arg3, %arg2
// CHECK-NEXT: ori.stg <b32> [%arg0], %arg1 if %[[BOTH]]
// CHECK-NEXT: ori.stg <b32> [%arg0 + 4], %arg1 if %[[BOTH]]
// CHECK-NEXT: ori.bra
// PLAIN-LABEL: ori.func @guards(
// PLAIN: ori.cond_bra
ori.func @guards(%q: !ori.r64, %a: !ori.r, %p: !ori.p, %r: !ori.p) target "sm_80" {
  ori.cond_bra %p, ^then, ^end : !ori.p
^then:
  ori.stg <b32> [%q], %a if not %r : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 4], %a if not %r : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.bra ^end
^end:
  ori.ret
}

// What looks at other lanes, orders memory, is atomic, or is not modelled stays where it is.
// CHECK-LABEL: ori.func @stay(
// CHECK-COUNT-4: ori.cond_bra
// REMARK: predication.mlir:[[#@LINE+20]]:3: remark: [ori-predication] Missed if-conversion: an arm has an unmodelled operation
// REMARK: predication.mlir:[[#@LINE+14]]:3: remark: [ori-predication] Missed if-conversion: an operation of an arm cannot be guarded
// REMARK: predication.mlir:[[#@LINE+8]]:3: remark: [ori-predication] Missed if-conversion: an arm has a convergent operation
// REMARK: predication.mlir:[[#@LINE+2]]:3: remark: [ori-predication] Missed if-conversion: an arm has a convergent operation
ori.func @stay(%q: !ori.r64, %a: !ori.r, %p: !ori.p) target "sm_80" {
  ori.cond_bra %p, ^shuffles, ^one : !ori.p
^shuffles:
  %s = ori.shfl <idx> %a, %a, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^one
^one:
  ori.cond_bra %p, ^waits, ^two : !ori.p
^waits:
  ori.bar <sync, index = 0>
  ori.bra ^two
^two:
  ori.cond_bra %p, ^adds, ^three : !ori.p
^adds:
  ori.redg <add, u32> [%q], %a : (!ori.r64, !ori.r) -> ()
  ori.bra ^three
^three:
  ori.cond_bra %p, ^unknown, ^four : !ori.p
^unknown:
  ori.inst <mnemonic = "FROBNICATE">
  ori.bra ^four
^four:
  ori.ret
}

// Loops and arms that do not join are not converted.
// CHECK-LABEL: ori.func @loop(
// CHECK: ori.cond_bra
// REMARK: remark: [ori-predication] Missed if-conversion: the arms do not join after at most two blocks without other predecessors
ori.func @loop(%a: !ori.r, %p: !ori.p) target "sm_80" {
  ori.bra ^head(%a : !ori.r)
^head(%i: !ori.r):
  %x = ori.popc %i : (!ori.r) -> !ori.r
  ori.cond_bra %p, ^head(%x : !ori.r), ^out : !ori.p
^out:
  ori.ret
}

// An arm that is too long.
// CHECK-LABEL: ori.func @long(
// CHECK: ori.cond_bra
// REMARK: remark: [ori-predication] Missed if-conversion: the arms together are too long; PredicationCombinedLimit
ori.func @long(%q: !ori.r64, %a: !ori.r, %p: !ori.p) target "sm_80" {
  ori.cond_bra %p, ^then, ^end : !ori.p
^then:
  ori.stg <b32> [%q], %a : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q + 4], %a : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q + 8], %a : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q + 12], %a : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q + 16], %a : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q + 20], %a : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q + 24], %a : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q + 28], %a : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q + 32], %a : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q + 36], %a : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q + 40], %a : (!ori.r64, !ori.r) -> ()
  ori.bra ^end
^end:
  ori.ret
}

// A load and what depends on it: 13 instructions, which are guarded where a divergent branch would keep the load from
// overlapping with others, but not by a uniform branch.
// CHECK-LABEL: ori.func @loads(
// CHECK-NOT: ori.cond_bra
// CHECK: ori.ldg {{.*}} if %arg2
// CHECK-LABEL: ori.func @uniform_loads(
// CHECK: ori.cond_bra
ori.func @loads(%q: !ori.r64, %a: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  ori.cond_bra %p, ^then, ^end(%a : !ori.r) : !ori.p
^then:
  %s0 = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %s1 = ori.fadd %s0, %a : (!ori.r, !ori.r) -> !ori.r
  %s2 = ori.fadd %s1, %a : (!ori.r, !ori.r) -> !ori.r
  %s3 = ori.fadd %s2, %a : (!ori.r, !ori.r) -> !ori.r
  %s4 = ori.fadd %s3, %a : (!ori.r, !ori.r) -> !ori.r
  %s5 = ori.fadd %s4, %a : (!ori.r, !ori.r) -> !ori.r
  %s6 = ori.fadd %s5, %a : (!ori.r, !ori.r) -> !ori.r
  %s7 = ori.fadd %s6, %a : (!ori.r, !ori.r) -> !ori.r
  %s8 = ori.fadd %s7, %a : (!ori.r, !ori.r) -> !ori.r
  %s9 = ori.fadd %s8, %a : (!ori.r, !ori.r) -> !ori.r
  %s10 = ori.fadd %s9, %a : (!ori.r, !ori.r) -> !ori.r
  %s11 = ori.fadd %s10, %a : (!ori.r, !ori.r) -> !ori.r
  %s12 = ori.fadd %s11, %a : (!ori.r, !ori.r) -> !ori.r
  ori.bra ^end(%s12 : !ori.r)
^end(%r: !ori.r):
  ori.ret %r : !ori.r
}
ori.func @uniform_loads(%q: !ori.r64, %a: !ori.r, %p: !ori.up) -> !ori.r target "sm_80" {
  ori.cond_bra %p, ^then, ^end(%a : !ori.r) : !ori.up
^then:
  %s0 = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %s1 = ori.fadd %s0, %a : (!ori.r, !ori.r) -> !ori.r
  %s2 = ori.fadd %s1, %a : (!ori.r, !ori.r) -> !ori.r
  %s3 = ori.fadd %s2, %a : (!ori.r, !ori.r) -> !ori.r
  %s4 = ori.fadd %s3, %a : (!ori.r, !ori.r) -> !ori.r
  %s5 = ori.fadd %s4, %a : (!ori.r, !ori.r) -> !ori.r
  %s6 = ori.fadd %s5, %a : (!ori.r, !ori.r) -> !ori.r
  %s7 = ori.fadd %s6, %a : (!ori.r, !ori.r) -> !ori.r
  %s8 = ori.fadd %s7, %a : (!ori.r, !ori.r) -> !ori.r
  %s9 = ori.fadd %s8, %a : (!ori.r, !ori.r) -> !ori.r
  %s10 = ori.fadd %s9, %a : (!ori.r, !ori.r) -> !ori.r
  %s11 = ori.fadd %s10, %a : (!ori.r, !ori.r) -> !ori.r
  %s12 = ori.fadd %s11, %a : (!ori.r, !ori.r) -> !ori.r
  ori.bra ^end(%s12 : !ori.r)
^end(%r: !ori.r):
  ori.ret %r : !ori.r
}

// Nested branches: the inner one is converted first, then the outer one.
// CHECK-LABEL: ori.func @nested(
// CHECK-NEXT: %[[BOTH:.*]] = ori.plop3 <lut = 192> %arg2, %arg3, %arg2
// CHECK-NEXT: ori.stg <b32> [%arg0], %arg1 if %[[BOTH]]
// CHECK-NEXT: ori.bra ^{{.*}}
// AGAIN-LABEL: ori.func @nested(
// AGAIN-NOT: ori.cond_bra
ori.func @nested(%q: !ori.r64, %a: !ori.r, %p: !ori.p, %r: !ori.p) target "sm_80" {
  ori.cond_bra %p, ^outer, ^end : !ori.p
^outer:
  ori.cond_bra %r, ^inner, ^end : !ori.p
^inner:
  ori.stg <b32> [%q], %a : (!ori.r64, !ori.r) -> ()
  ori.bra ^end
^end:
  ori.ret
}

// A constant bank at an address that may be wrong in the other threads is read under the guard too.
// CHECK-LABEL: ori.func @constant(
// CHECK-NEXT: %[[C:.*]] = ori.ldc <b32, bank = 0> [%arg1] if %arg2
// CHECK-NEXT: ori.stg <b32> [%arg0], %[[C]] if %arg2
ori.func @constant(%q: !ori.r64, %a: !ori.r, %p: !ori.p) target "sm_80" {
  ori.cond_bra %p, ^then, ^end : !ori.p
^then:
  %c = ori.ldc <b32> [%a] : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %c : (!ori.r64, !ori.r) -> ()
  ori.bra ^end
^end:
  ori.ret
}

// A value that is passed twice, with different counterparts in the other arm.
// CHECK-LABEL: ori.func @twice(
// CHECK-NEXT: %[[X:.*]] = ori.popc %arg0 if %arg3 else %arg1
// CHECK-NEXT: %[[Y:.*]] = ori.sel %[[X]], %arg2, %arg3
// CHECK-NEXT: ori.bra ^{{.*}}(%[[X]], %[[Y]] : !ori.r, !ori.r)
ori.func @twice(%a: !ori.r, %b: !ori.r, %c: !ori.r, %p: !ori.p) -> (!ori.r, !ori.r) target "sm_80" {
  ori.cond_bra %p, ^then, ^end(%b, %c : !ori.r, !ori.r) : !ori.p
^then:
  %x = ori.popc %a : (!ori.r) -> !ori.r
  ori.bra ^end(%x, %x : !ori.r, !ori.r)
^end(%y: !ori.r, %z: !ori.r):
  ori.ret %y, %z : !ori.r, !ori.r
}
