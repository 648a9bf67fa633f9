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

// Different operands become block arguments.
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

// A value that every branch passes needs no argument.
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

// -----

// A branch of which nothing is known can lead elsewhere as long as it passes no more values.
// CHECK-LABEL: func.func @unknown_branch
// CHECK-NEXT: "d.branch"()[^bb1, ^bb1]
// CHECK: ^bb1(%[[X:.*]]: i32):
// CHECK-NEXT: return %[[X]]
// CHECK-NOT: ^bb2
func.func @unknown_branch() -> i32 {
  "d.branch"()[^a, ^b] : () -> ()
^a(%x: i32):
  return %x : i32
^b(%y: i32):
  return %y : i32
}

// -----

// CHECK-LABEL: func.func @unknown_branch_declines
// CHECK-NEXT: "d.branch"()[^bb1, ^bb2]
func.func @unknown_branch_declines(%x: i32, %y: i32) -> i32 {
  "d.branch"()[^a, ^b] : () -> ()
^a:
  return %x : i32
^b:
  return %y : i32
}

// -----

// Blocks that branch to one of themselves: each edge passes what the block that it led to used.
// CHECK-LABEL: func.func @differing_loop
// CHECK-NEXT: %[[C:.*]] = "d.condition"()
// CHECK-NEXT: cf.cond_br %arg0, ^bb1(%arg1 : i1), ^bb2
// CHECK: ^bb1(%[[X:.*]]: i1):
// CHECK-NEXT: cf.cond_br %[[X]], ^bb1(%[[C]] : i1), ^bb2
// CHECK: ^bb2:
// CHECK-NEXT: return
func.func @differing_loop(%a: i1, %b: i1) {
  %c = "d.condition"() : () -> i1
  cf.cond_br %a, ^second, ^exit
^first:
  cf.cond_br %c, ^first, ^exit
^second:
  cf.cond_br %b, ^first, ^exit
^exit:
  return
}
