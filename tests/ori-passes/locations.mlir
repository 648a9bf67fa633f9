// Each pass keeps the location, of every kind, and the attributes that no dialect knows of the operations
// that it keeps, also if they move, or get or lose a guard or a result. Each function is of one pass.
//
// DEFINE: %{opt} = orison-opt %s --mlir-print-debuginfo --mlir-print-local-scope
// RUN: %{opt} --ori-replace-uniforms-with-imm='known=0:360=9' | FileCheck %s --check-prefix=UNIFORMS
// RUN: %{opt} --ori-switch-opt='knobs=SwitchOptChainLimit=1' | FileCheck %s --check-prefix=SWITCH
// RUN: %{opt} --ori-branch-opt | FileCheck %s --check-prefix=BRANCH
// RUN: %{opt} --ori-strength-reduce | FileCheck %s --check-prefix=PRODUCT
// RUN: %{opt} --ori-peephole | FileCheck %s --check-prefix=PRODUCT
// RUN: %{opt} --ori-copy-propagation | FileCheck %s --check-prefix=COPY
// RUN: %{opt} --ori-optimize-uniform-atomic | FileCheck %s --check-prefix=ATOMIC
// RUN: %{opt} --ori-gvn | FileCheck %s --check-prefix=EQUAL
// RUN: %{opt} --ori-reassociate | FileCheck %s --check-prefix=SUM
// RUN: %{opt} --ori-predication | FileCheck %s --check-prefix=ARMS
// RUN: %{opt} --ori-store-elimination | FileCheck %s --check-prefix=STORE
// RUN: %{opt} --ori-perform-live-dead | FileCheck %s --check-prefix=DEAD
// RUN: %{opt} --ori-general-optimize | FileCheck %s --check-prefix=TERM
// RUN: %{opt} --ori-print-analysis='kind=flow' 2>%t.remarks | FileCheck %s --check-prefix=READ
// RUN: %{opt} --ori-optimize | FileCheck %s --check-prefix=ALL

// UNIFORMS-LABEL: ori.func kernel @uniforms() target "sm_80" attributes {team = "a"} {
// UNIFORMS-NEXT: ori.cbank[0, 368] {note = 1 : i32} : !ori.r64 loc("k.cu":1:1)
// UNIFORMS-NEXT: ori.imm 9 : !ori.r loc(callsite("f.cu":2:2 at "k.cu":2:1))
// UNIFORMS-NEXT: ori.stg {{.*}} {note = 3 : i32} : {{.*}} loc("store"("k.cu":3:1))
// UNIFORMS-NEXT: ori.exit {note = 4 : i32} loc(fused<"inlined">["k.cu":4:1, "f.cu":4:4])
// UNIFORMS-NEXT: } loc("k.cu":9:1)
// READ-LABEL: ori.func kernel @uniforms() target "sm_80" attributes {team = "a"} {
// READ-NEXT: ori.cbank[0, 368] {note = 1 : i32} : !ori.r64 loc("k.cu":1:1)
// READ-NEXT: ori.cbank[0, 360] {note = 2 : i32} : !ori.r loc(callsite("f.cu":2:2 at "k.cu":2:1))
// READ-NEXT: ori.stg {{.*}} {note = 3 : i32} : {{.*}} loc("store"("k.cu":3:1))
// READ-NEXT: ori.exit {note = 4 : i32} loc(fused<"inlined">["k.cu":4:1, "f.cu":4:4])
// ALL-LABEL: ori.func kernel @uniforms() target "sm_80" attributes {team = "a"} {
// ALL-NEXT: ori.cbank[0, 368] {note = 1 : i32} : !ori.r64 loc("k.cu":1:1)
// ALL-NEXT: ori.cbank[0, 360] {note = 2 : i32} : !ori.r loc(callsite("f.cu":2:2 at "k.cu":2:1))
// ALL-NEXT: ori.stg {{.*}} {note = 3 : i32} : {{.*}} loc("store"("k.cu":3:1))
// ALL-NEXT: ori.exit {note = 4 : i32} loc(fused<"inlined">["k.cu":4:1, "f.cu":4:4])
ori.func kernel @uniforms() target "sm_80" attributes {team = "a"} {
  %p = ori.cbank[0, 368] {note = 1 : i32} : !ori.r64 loc("k.cu":1:1)
  %word = ori.cbank[0, 360] {note = 2 : i32} : !ori.r loc(callsite("f.cu":2:2 at "k.cu":2:1))
  ori.stg <b32> [%p], %word {note = 3 : i32} : (!ori.r64, !ori.r) -> () loc("store"("k.cu":3:1))
  ori.exit {note = 4 : i32} loc(fused<"inlined">["k.cu":4:1, "f.cu":4:4])
} loc("k.cu":9:1)

// The tests move before the branch, and the table has its location.
// SWITCH-LABEL: ori.func @switch(
// SWITCH-SAME: loc("k.cu":1:9), {{.*}} loc("y")
// SWITCH: ori.isetp <eq, {{.*}} {note = 2 : i32} : {{.*}} loc("k.cu":2:1)
// SWITCH-NEXT: ori.isetp <eq, {{.*}} {note = 3 : i32} : {{.*}} loc(fused<"inlined">["k.cu":3:1, "f.cu":3:3])
// SWITCH: ori.brx {{.*}} loc("k.cu":2:9)
// SWITCH: ori.popc %{{.*}} {note = 5 : i32} : {{.*}} loc("named"("k.cu":5:1))
// SWITCH: ori.flo <u32> %{{.*}} {note = 6 : i32} : {{.*}} loc(callsite("f.cu":6:6 at "k.cu":6:1))
// SWITCH: (%{{.*}}: !ori.r loc("z")):
ori.func @switch(%x: !ori.r loc("k.cu":1:9), %y: !ori.r loc("y")) -> !ori.r target "sm_80" {
  %c10 = ori.imm 10 : !ori.r
  %c11 = ori.imm 11 : !ori.r
  %c12 = ori.imm 12 : !ori.r
  %p = ori.isetp <eq, s32, and> %x, %c10 {note = 2 : i32} : (!ori.r, !ori.r) -> !ori.p loc("k.cu":2:1)
  ori.cond_bra %p, ^a, ^t1 : !ori.p loc("k.cu":2:9)
^t1:
  %q = ori.isetp <eq, s32, and> %x, %c11 {note = 3 : i32} : (!ori.r, !ori.r) -> !ori.p loc(fused<"inlined">["k.cu":3:1, "f.cu":3:3])
  ori.cond_bra %q, ^b, ^t2 : !ori.p
^t2:
  %r = ori.isetp <eq, s32, and> %x, %c12 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %r, ^c, ^d : !ori.p
^a:
  %va = ori.popc %y {note = 5 : i32} : (!ori.r) -> !ori.r loc("named"("k.cu":5:1))
  ori.bra ^e(%va : !ori.r)
^b:
  %vb = ori.flo <u32> %y {note = 6 : i32} : (!ori.r) -> !ori.r loc(callsite("f.cu":6:6 at "k.cu":6:1))
  ori.bra ^e(%vb : !ori.r)
^c:
  ori.bra ^e(%x : !ori.r)
^d:
  ori.bra ^e(%y : !ori.r)
^e(%z: !ori.r loc("z")):
  ori.ret %z : !ori.r
}

// The blocks become one.
// BRANCH-LABEL: ori.func @branches(
// BRANCH: ori.popc %{{.*}} {note = 1 : i32} : {{.*}} loc("named"("k.cu":3:1))
// BRANCH-NEXT: ori.stg {{.*}} {note = 2 : i32} : {{.*}} loc(callsite("f.cu":4:4 at "k.cu":4:1))
// BRANCH-NEXT: ori.ret loc(fused<"inlined">["k.cu":6:1, "f.cu":6:6])
ori.func @branches(%q: !ori.r64, %a: !ori.r) target "sm_80" {
  %true = ori.imm 1 : !ori.p
  ori.cond_bra %true, ^next(%a : !ori.r), ^end : !ori.p
^next(%x: !ori.r):
  %y = ori.popc %x {note = 1 : i32} : (!ori.r) -> !ori.r loc("named"("k.cu":3:1))
  ori.stg <b32> [%q], %y {note = 2 : i32} : (!ori.r64, !ori.r) -> () loc(callsite("f.cu":4:4 at "k.cu":4:1))
  ori.bra ^end
^end:
  ori.ret loc(fused<"inlined">["k.cu":6:1, "f.cu":6:6])
}

// The first product becomes a shift and a sum.
// PRODUCT-LABEL: ori.func @products(
// PRODUCT: ori.lea {{.*}} loc(callsite("f.cu":2:2 at "k.cu":2:1))
// PRODUCT-NEXT: ori.imad {{.*}} {note = 3 : i32} : {{.*}} loc("named"("k.cu":3:1))
// PRODUCT-NEXT: ori.popc {{.*}} {note = 4 : i32} : {{.*}} loc(fused<"inlined">["k.cu":4:1, "f.cu":4:4])
// PRODUCT-NEXT: ori.ret {{.*}} loc("k.cu":5:1)
ori.func @products(%a: !ori.r, %b: !ori.r) -> (!ori.r, !ori.r, !ori.r) target "sm_80" {
  %sixteen = ori.imm 16 : !ori.r
  %x = ori.imad %a, %sixteen, %b {note = 2 : i32} : (!ori.r, !ori.r, !ori.r) -> !ori.r loc(callsite("f.cu":2:2 at "k.cu":2:1))
  %y = ori.imad %a, %b, %b {note = 3 : i32} : (!ori.r, !ori.r, !ori.r) -> !ori.r loc("named"("k.cu":3:1))
  %z = ori.popc %x {note = 4 : i32} : (!ori.r) -> !ori.r loc(fused<"inlined">["k.cu":4:1, "f.cu":4:4])
  ori.ret %x, %y, %z : !ori.r, !ori.r, !ori.r loc("k.cu":5:1)
}

// Operands are replaced, and guards that hold are removed.
// COPY-LABEL: ori.func @copies(
// COPY-NEXT: ori.imm 1 {note = 1 : i32} : !ori.p loc("k.cu":1:1)
// COPY-NEXT: ori.iadd3 %arg1, neg %arg2, %arg1 {note = 3 : i32} : {{.*}} loc(callsite("f.cu":3:3 at "k.cu":3:1))
// COPY-NEXT: ori.stg <b32> [%arg0], %{{[0-9]+}} {note = 4 : i32} : {{.*}} loc("named"("k.cu":4:1))
// COPY-NEXT: ori.ret %arg1 : !ori.r loc(fused<"inlined">["k.cu":5:1, "f.cu":5:5])
ori.func @copies(%q: !ori.r64, %a: !ori.r, %b: !ori.r) -> !ori.r target "sm_80" {
  %true = ori.imm 1 {note = 1 : i32} : !ori.p loc("k.cu":1:1)
  %c = ori.mov %a {note = 2 : i32} : (!ori.r) -> !ori.r loc("k.cu":2:1)
  %d = ori.iadd3 %c, neg %b, %c if %true {note = 3 : i32} : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r loc(callsite("f.cu":3:3 at "k.cu":3:1))
  ori.stg <b32> [%q], %d if %true {note = 4 : i32} : (!ori.r64, !ori.r, !ori.p) -> () loc("named"("k.cu":4:1))
  ori.ret %c : !ori.r loc(fused<"inlined">["k.cu":5:1, "f.cu":5:5])
}

// The atomic operation gets a guard; what is inserted for it has its location.
// ATOMIC-LABEL: ori.func kernel @atomics()
// ATOMIC-NEXT: ori.s2r {{.*}} {note = 1 : i32} : !ori.r loc("named"("k.cu":1:1))
// ATOMIC-NEXT: ori.cbank{{.*}} loc("k.cu":1:9)
// ATOMIC-NEXT: ori.redux {{.*}} loc(callsite("f.cu":2:2 at "k.cu":2:1))
// ATOMIC: ori.redg {{.*}} if %{{.*}} {note = 2 : i32} : {{.*}} loc(callsite("f.cu":2:2 at "k.cu":2:1))
// ATOMIC-NEXT: ori.exit loc(fused<"inlined">["k.cu":3:1, "f.cu":3:3])
ori.func kernel @atomics() target "sm_90a" {
  %tid = ori.s2r <register = "SR_TID.X"> {note = 1 : i32} : !ori.r loc("named"("k.cu":1:1))
  %p = ori.cbank[0, 528] : !ori.r64 loc("k.cu":1:9)
  ori.redg <add, u32> [%p], %tid {note = 2 : i32} : (!ori.r64, !ori.r) -> () loc(callsite("f.cu":2:2 at "k.cu":2:1))
  ori.exit loc(fused<"inlined">["k.cu":3:1, "f.cu":3:3])
}

// The first of two equal operations stays.
// EQUAL-LABEL: ori.func @equal(
// EQUAL-NEXT: ori.iadd3 {{.*}} {note = 1 : i32} : {{.*}} loc(callsite("f.cu":1:1 at "k.cu":1:1))
// EQUAL-NEXT: ori.popc {{.*}} {note = 3 : i32} : {{.*}} loc("named"("k.cu":3:1))
// EQUAL-NEXT: ori.ret {{.*}} loc(fused<"inlined">["k.cu":4:1, "f.cu":4:4])
ori.func @equal(%a: !ori.r, %b: !ori.r) -> (!ori.r, !ori.r) target "sm_80" {
  %x = ori.iadd3 %a, %b, %b {note = 1 : i32} : (!ori.r, !ori.r, !ori.r) -> !ori.r loc(callsite("f.cu":1:1 at "k.cu":1:1))
  %y = ori.iadd3 %b, %a, %b {note = 1 : i32} : (!ori.r, !ori.r, !ori.r) -> !ori.r loc("k.cu":2:1)
  %z = ori.popc %y {note = 3 : i32} : (!ori.r) -> !ori.r loc("named"("k.cu":3:1))
  ori.ret %x, %z : !ori.r, !ori.r loc(fused<"inlined">["k.cu":4:1, "f.cu":4:4])
}

// Two sums become one, with the location of the last.
// SUM-LABEL: ori.func @sums(
// SUM: ori.iadd3 %arg0, %arg1, %arg2 : {{.*}} loc(callsite("f.cu":3:3 at "k.cu":3:1))
// SUM-NEXT: ori.popc {{.*}} {note = 4 : i32} : {{.*}} loc("named"("k.cu":4:1))
// SUM-NEXT: ori.ret {{.*}} loc(fused<"inlined">["k.cu":5:1, "f.cu":5:5])
ori.func @sums(%a: !ori.r, %b: !ori.r, %c: !ori.r, %d: !ori.r) -> (!ori.r, !ori.r) target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %ab = ori.iadd3 %b, %a, %zero {note = 2 : i32} : (!ori.r, !ori.r, !ori.r) -> !ori.r loc("k.cu":2:1)
  %x = ori.iadd3 %c, %ab, %zero {note = 3 : i32} : (!ori.r, !ori.r, !ori.r) -> !ori.r loc(callsite("f.cu":3:3 at "k.cu":3:1))
  %y = ori.popc %d {note = 4 : i32} : (!ori.r) -> !ori.r loc("named"("k.cu":4:1))
  ori.ret %x, %y : !ori.r, !ori.r loc(fused<"inlined">["k.cu":5:1, "f.cu":5:5])
}

// Operations move out of the arm, and get a guard.
// ARMS-LABEL: ori.func @arms(
// ARMS-NEXT: ori.popc {{.*}} if {{.*}} {note = 1 : i32} : {{.*}} loc("named"("k.cu":2:1))
// ARMS-NEXT: ori.stg {{.*}} if {{.*}} {note = 2 : i32} : {{.*}} loc(callsite("f.cu":3:3 at "k.cu":3:1))
// ARMS-NEXT: ori.bra {{.*}} loc("k.cu":1:1)
// ARMS-NEXT: ^bb1(%{{.*}}: !ori.r loc("y")):
// ARMS-NEXT: ori.ret {{.*}} loc(fused<"inlined">["k.cu":5:1, "f.cu":5:5])
ori.func @arms(%q: !ori.r64, %a: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  ori.cond_bra %p, ^then, ^end(%a : !ori.r) : !ori.p loc("k.cu":1:1)
^then:
  %x = ori.popc %a {note = 1 : i32} : (!ori.r) -> !ori.r loc("named"("k.cu":2:1))
  ori.stg <b32> [%q], %a {note = 2 : i32} : (!ori.r64, !ori.r) -> () loc(callsite("f.cu":3:3 at "k.cu":3:1))
  ori.bra ^end(%x : !ori.r) loc("k.cu":4:1)
^end(%y: !ori.r loc("y")):
  ori.ret %y : !ori.r loc(fused<"inlined">["k.cu":5:1, "f.cu":5:5])
}

// STORE-LABEL: ori.func @stores(
// STORE-NEXT: ori.ldg {{.*}} {note = 1 : i32} : {{.*}} loc("named"("k.cu":1:1))
// STORE-NEXT: ori.stg {{.*}} {note = 2 : i32} : {{.*}} loc(callsite("f.cu":2:2 at "k.cu":2:1))
// STORE-NEXT: ori.ret loc(fused<"inlined">["k.cu":4:1, "f.cu":4:4])
ori.func @stores(%p: !ori.r64) target "sm_80" {
  %v = ori.ldg <b32> [%p + 4] {note = 1 : i32} : (!ori.r64) -> !ori.r loc("named"("k.cu":1:1))
  ori.stg <b32> [%p + 8], %v {note = 2 : i32} : (!ori.r64, !ori.r) -> () loc(callsite("f.cu":2:2 at "k.cu":2:1))
  ori.stg <b32> [%p + 4], %v {note = 3 : i32} : (!ori.r64, !ori.r) -> () loc("k.cu":3:1)
  ori.ret loc(fused<"inlined">["k.cu":4:1, "f.cu":4:4])
}

// The sum loses its carry.
// DEAD-LABEL: ori.func @dead(
// DEAD-NEXT: ori.iadd3 {{.*}} {note = 2 : i32} : {{.*}} -> !ori.r loc(callsite("f.cu":2:2 at "k.cu":2:1))
// DEAD-NEXT: ori.popc {{.*}} {note = 3 : i32} : {{.*}} loc("named"("k.cu":3:1))
// DEAD-NEXT: ori.ret {{.*}} loc(fused<"inlined">["k.cu":4:1, "f.cu":4:4])
ori.func @dead(%a: !ori.r, %b: !ori.r) -> (!ori.r, !ori.r) target "sm_80" {
  %dead = ori.popc %a {note = 1 : i32} : (!ori.r) -> !ori.r loc("k.cu":1:1)
  %x:2 = ori.iadd3 %a, %b, %b {note = 2 : i32} : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p) loc(callsite("f.cu":2:2 at "k.cu":2:1))
  %y = ori.popc %b {note = 3 : i32} : (!ori.r) -> !ori.r loc("named"("k.cu":3:1))
  ori.ret %x#0, %y : !ori.r, !ori.r loc(fused<"inlined">["k.cu":4:1, "f.cu":4:4])
}

// Four bitwise operations become one, whose location is fused: first that of the value, then those of what
// only it used. The product gets another addend and is the same instruction, as is its constant; the
// counts of bits differ in their operands alone.
// TERM-LABEL: ori.func @terms(
// TERM: ori.imm 5 {note = 2 : i32} : !ori.r loc("five")
// TERM: ori.lop3 <lut = 202> {{.*}}: {{.*}} loc(fused["or", "zero", "and", "not", "and not"])
// TERM: ori.imad {{.*}} {note = 7 : i32} : {{.*}} loc("product")
// TERM: ori.popc %arg1 {note = 8 : i32} : {{.*}} loc(callsite("f.cu":3:3 at "k.cu":3:1))
// TERM: ori.popc %arg2 {note = 8 : i32} : {{.*}} loc("named"("k.cu":4:1))
// TERM: ori.ret {{.*}} loc(fused<"inlined">["k.cu":5:1, "f.cu":5:5])
ori.func @terms(%a: !ori.r, %b: !ori.r, %c: !ori.r) -> (!ori.r, !ori.r, !ori.r) target "sm_90a" {
  %zero = ori.imm 0 {note = 1 : i32} : !ori.r loc("zero")
  %five = ori.imm 5 {note = 2 : i32} : !ori.r loc("five")
  %ab = ori.lop3 <lut = 192> %a, %b, %zero {note = 3 : i32} : (!ori.r, !ori.r, !ori.r) -> !ori.r loc("and")
  %na = ori.lop3 <lut = 15> %a, %zero, %zero {note = 4 : i32} : (!ori.r, !ori.r, !ori.r) -> !ori.r loc("not")
  %nac = ori.lop3 <lut = 192> %na, %c, %zero {note = 5 : i32} : (!ori.r, !ori.r, !ori.r) -> !ori.r loc("and not")
  %or = ori.lop3 <lut = 252> %ab, %nac, %zero {note = 6 : i32} : (!ori.r, !ori.r, !ori.r) -> !ori.r loc("or")
  %y = ori.imad %a, %five, %or {note = 7 : i32} : (!ori.r, !ori.r, !ori.r) -> !ori.r loc("product")
  %z = ori.popc %b {note = 8 : i32} : (!ori.r) -> !ori.r loc(callsite("f.cu":3:3 at "k.cu":3:1))
  %u = ori.popc %c {note = 8 : i32} : (!ori.r) -> !ori.r loc("named"("k.cu":4:1))
  ori.ret %y, %z, %u : !ori.r, !ori.r, !ori.r loc(fused<"inlined">["k.cu":5:1, "f.cu":5:5])
}
