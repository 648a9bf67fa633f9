// What passes know about slots of a frame.
//
// RUN: orison-opt --ori-gvn %s | FileCheck %s
// RUN: orison-opt --ori-print-analysis=kind=divergence %s -o /dev/null 2>&1 | FileCheck --check-prefix=VARIES %s

// Different slots do not alias: the stored value is forwarded to the load. The address is the same in
// all blocks.
// CHECK-LABEL: ori.func @differ(
// CHECK: %[[A:.*]] = ori.slot_address "a" : !ori.r
// CHECK: %[[B:.*]] = ori.slot_address "b" : !ori.r
// CHECK-NEXT: ori.stl <b32> [%[[A]]], %arg0
// CHECK-NEXT: ori.stl <b32> [%[[B]]], %arg1
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @differ(%x: !ori.r, %y: !ori.r) -> !ori.r target "sm_80" attributes {frame = [
    {name = "a", offset = 0 : i32, size = 4 : i32, alignment = 4 : i32},
    {name = "b", offset = 4 : i32, size = 4 : i32, alignment = 4 : i32}]} {
  %a = ori.slot_address "a" : !ori.r
  %b = ori.slot_address "b" : !ori.r
  ori.stl [%a], %x : (!ori.r, !ori.r) -> ()
  ori.stl [%b], %y : (!ori.r, !ori.r) -> ()
  %again = ori.slot_address "a" : !ori.r
  %loaded = ori.ldl [%again] : (!ori.r) -> !ori.r
  ori.ret %loaded : !ori.r
}

// Accesses to one slot alias where they overlap, and an unknown address may point into a slot.
// CHECK-LABEL: ori.func @same(
// CHECK: ori.stl <b32> [%{{.*}}], %arg0
// CHECK-NEXT: ori.stl <b32> [%{{.*}} + 4], %arg1
// CHECK-NEXT: ori.stl <b32> [%arg1], %arg1
// CHECK-NEXT: %[[LOADED:.*]] = ori.ldl
// CHECK-NEXT: ori.ret %[[LOADED]]
ori.func @same(%x: !ori.r, %y: !ori.r) -> !ori.r target "sm_80" attributes {frame = [
    {name = "a", offset = 0 : i32, size = 8 : i32, alignment = 8 : i32}]} {
  %a = ori.slot_address "a" : !ori.r
  ori.stl [%a], %x : (!ori.r, !ori.r) -> ()
  ori.stl [%a + 4], %y : (!ori.r, !ori.r) -> ()
  ori.stl [%y], %y : (!ori.r, !ori.r) -> ()
  %loaded = ori.ldl [%a] : (!ori.r) -> !ori.r
  ori.ret %loaded : !ori.r
}

// A call may write a slot whose address it was passed.
// CHECK-LABEL: ori.func @called(
// CHECK: ori.call @out(
// CHECK-NEXT: %[[LOADED:.*]] = ori.ldl
// CHECK-NEXT: ori.ret %[[LOADED]]
ori.func private @out(!ori.r) target "sm_80"
ori.func @called(%x: !ori.r) -> !ori.r target "sm_80" attributes {frame = [
    {name = "a", offset = 0 : i32, size = 4 : i32, alignment = 4 : i32}]} {
  %a = ori.slot_address "a" : !ori.r
  ori.stl [%a], %x : (!ori.r, !ori.r) -> ()
  ori.call @out(%a) : (!ori.r) -> ()
  %loaded = ori.ldl [%a] : (!ori.r) -> !ori.r
  ori.ret %loaded : !ori.r
}

// All threads of a warp have the frame of a kernel at the same address, but not that of another
// function: their callers may have taken different amounts of local memory.
// VARIES: remark: %0.0: varying
// VARIES: remark: %0.0: uniform
ori.func kernel @uniform() target "sm_80" attributes {frame = [
    {name = "a", offset = 0 : i32, size = 4 : i32, alignment = 4 : i32}]} {
  %a = ori.slot_address "a" : !ori.r
  ori.stl [%a], %a : (!ori.r, !ori.r) -> ()
  ori.exit
}
