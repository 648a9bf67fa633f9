// RUN: orison-opt --allow-unregistered-dialect --canonicalize='region-simplify=aggressive' --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --canonicalize --split-input-file %s | FileCheck %s --check-prefix=NORMAL

// Blocks that do the same are one.
// CHECK-LABEL: func.func @same
// CHECK-NEXT: %[[R:.*]] = "d.op"(%arg1)
// CHECK-NEXT: return %[[R]]
// NORMAL-LABEL: func.func @same
// NORMAL-COUNT-2: "d.op"
func.func @same(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  %0 = "d.op"(%x) : (i32) -> i32
  return %0 : i32
^b:
  %1 = "d.op"(%x) : (i32) -> i32
  return %1 : i32
}

// -----

// Where they use different values, they are handed these.
// CHECK-LABEL: func.func @values
// CHECK: cf.switch %arg0 : i32, [
// CHECK-NEXT: default: ^bb1(%arg1 : i32),
// CHECK-NEXT: 1: ^bb1(%arg2 : i32),
// CHECK-NEXT: 2: ^bb2
// CHECK: ^bb1(%[[X:.*]]: i32):
// CHECK-NEXT: "d.op"(%[[X]])
func.func @values(%f: i32, %x: i32, %y: i32) {
  cf.switch %f : i32, [default: ^a, 1: ^b, 2: ^c]
^a:
  "d.op"(%x) : (i32) -> ()
  return
^b:
  "d.op"(%y) : (i32) -> ()
  return
^c:
  "d.other"() : () -> ()
  return
}

// -----

// Other attributes and other successors keep blocks apart; the second and the third one only differ
// in what they use.
// CHECK-LABEL: func.func @apart
// CHECK: "d.op"(%arg2) {first}
// CHECK-NEXT: cf.cond_br %arg1, ^[[BOTH:bb[0-9]+]](%{{.*}} : i32), ^bb{{[0-9]+}}
// CHECK: ^[[BOTH]](%[[X:.*]]: i32):
// CHECK-NEXT: "d.op"(%[[X]]) :
// CHECK: "d.op"(%{{.*}}) {second}
func.func @apart(%c: i1, %e: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  %0 = "d.op"(%x) {first} : (i32) -> i32
  cf.cond_br %e, ^c, ^d
^b:
  %1 = "d.op"(%x) : (i32) -> i32
  return %1 : i32
^c:
  %2 = "d.op"(%0) : (i32) -> i32
  return %2 : i32
^d:
  %3 = "d.op"(%0) {second} : (i32) -> i32
  return %3 : i32
}

// -----

// What every branch hands over needs no argument.
// CHECK-LABEL: func.func @redundant
// CHECK: ^bb3:
// CHECK-NEXT: "d.op"(%arg1)
// NORMAL-LABEL: func.func @redundant
// NORMAL: ^bb3(%{{.*}}: i32):
func.func @redundant(%c: i1, %x: i32) {
  cf.cond_br %c, ^a, ^b
^a:
  "d.a"() : () -> ()
  cf.br ^m(%x : i32)
^b:
  "d.b"() : () -> ()
  cf.br ^m(%x : i32)
^m(%y: i32):
  "d.op"(%y) : (i32) -> ()
  return
}
