// Functions, memory symbols, branches and calls.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// CHECK: ori.memory shared @tile, size 1024, align 16
ori.memory shared @tile, size 1024, align 16
// CHECK: ori.memory shared @dynamic, size 0, align 128 {sym_visibility = "private"}
ori.memory shared @dynamic, size 0, align 128 {sym_visibility = "private"}
// CHECK: ori.memory constant @table, size 8, align 4 {initial = array<i8: 1, 0, 0, 0, -1, -1, -1, -1>}
ori.memory constant @table, size 8, align 4 {initial = array<i8: 1, 0, 0, 0, -1, -1, -1, -1>}
// CHECK: ori.memory global @pointers, size 16, align 8 {addresses = [{bytes = 8 : i64, offset = 8 : i64, symbol = @table}], initial = array<i8: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
ori.memory global @pointers, size 16, align 8 {addresses = [{bytes = 8 : i64, offset = 8 : i64, symbol = @table}], initial = array<i8: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}

// CHECK: ori.func private @twice(!ori.r) -> !ori.r target "sm_80"
ori.func private @twice(!ori.r) -> !ori.r target "sm_80"

// CHECK: ori.func @thrice(%[[A:.*]]: !ori.r) -> !ori.r target "sm_80" {
ori.func @thrice(%a: !ori.r) -> !ori.r target "sm_80" {
  // CHECK: %[[B:.*]] = ori.call @twice(%[[A]]) : (!ori.r) -> !ori.r
  %b = ori.call @twice(%a) : (!ori.r) -> !ori.r
  %c = ori.iadd3 %a, %b, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: ori.ret %{{.*}} : !ori.r
  ori.ret %c : !ori.r
}

// A loop: the counter is an argument of its block, where ptxas has MovPhi.
// CHECK: ori.func kernel @loop() target "sm_90a" attributes {
// CHECK-SAME: max_threads = array<i32: 256>
// CHECK-SAME: parameters = [{alignment = 4 : i32, name = "n", offset = 0 : i32, size = 4 : i32}, {alignment = 8 : i32, name = "p", offset = 8 : i32, size = 8 : i32}]
ori.func kernel @loop() target "sm_90a" attributes {
    max_threads = array<i32: 256>,
    parameters = [
      {name = "n", offset = 0 : i32, size = 4 : i32, alignment = 4 : i32},
      {name = "p", offset = 8 : i32, size = 8 : i32, alignment = 8 : i32}]} {
  %n = ori.cbank[0, 528] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  // CHECK: %[[ADDRESS:.*]] = ori.address_of @tile : !ori.r
  %address = ori.address_of @tile : !ori.r
  // CHECK: = ori.address_of @table : !ori.r64
  %table = ori.address_of @table : !ori.r64
  // CHECK: ori.bra ^[[HEAD:.*]](%{{.*}} : !ori.r)
  ori.bra ^head(%zero : !ori.r)
  // CHECK: ^[[HEAD]](%[[I:.*]]: !ori.r):
^head(%i: !ori.r):
  ori.sts <b32> [%address], %i : (!ori.r, !ori.r) -> ()
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  // CHECK: ori.cond_bra <uniform> not %{{.*}}, ^[[OUT:.*]], ^[[HEAD]](%{{.*}} : !ori.r) : !ori.p
  ori.cond_bra <uniform> not %more, ^out, ^head(%next : !ori.r) : !ori.p
  // CHECK: ^[[OUT]]:
^out:
  // CHECK: ori.exit_if not %{{.*}} : !ori.p
  ori.exit_if not %more : !ori.p
  // CHECK: ori.exit_if %{{.*}} : !ori.p
  ori.exit_if %more : !ori.p
  // CHECK: ori.brx %{{.*}}, [^[[ONE:.*]], ^[[TWO:.*]](%{{.*}}, %{{.*}} : !ori.r, !ori.r)] : !ori.r
  ori.brx %n, [^one, ^two(%n, %one : !ori.r, !ori.r)] : !ori.r
  // CHECK: ^[[ONE]]:
^one:
  // CHECK: = ori.call_indirect %{{.*}}(%{{.*}}) : (!ori.r64, !ori.r) -> !ori.r
  %called = ori.call_indirect %table(%n) : (!ori.r64, !ori.r) -> !ori.r
  // CHECK: ori.bra <uniform> ^[[TWO]]
  ori.bra <uniform> ^two(%called, %n : !ori.r, !ori.r)
  // CHECK: ^[[TWO]](
^two(%x: !ori.r, %y: !ori.r):
  // CHECK: ori.exit
  ori.exit
}

// CHECK: ori.func kernel private @shader() target "sm_75" {
ori.func kernel private @shader() target "sm_75" {
  // CHECK-NEXT: ori.kill
  ori.kill
}
