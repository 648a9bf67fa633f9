// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Which of several errors is reported. Operations come in the order of the text, with all that is in
// them.
func.func @f(%c: i1, %x: f32) {
  scf.if %c {
// expected-error @+1 {{'arith.addi' op operand #0 must be signless-integer-like}}
    %0 = "arith.addi"(%x, %x) : (f32, f32) -> f32
  }
  %1 = "arith.addi"(%x, %x) : (f32, f32) -> f32
  return
}

// -----

// What is wrong in a block comes before its missing terminator.
func.func @f(%x: f32) {
// expected-error @+1 {{'arith.addi' op operand #0 must be signless-integer-like}}
  %0 = "arith.addi"(%x, %x) : (f32, f32) -> f32
}

// -----

// The terminator is shown with the names around it.
func.func @f(%x: i32) {
// expected-error @+1 {{block with no terminator, has %0 = "arith.addi"(%arg0, %arg0)}}
  %0 = arith.addi %x, %x : i32
}

// -----

// Regions come before what their operation says about them.
func.func @f(%n: index) {
  "scf.for"(%n, %n, %n) ({
  ^bb0(%i: i32):
// expected-error @+1 {{'scf.yield' op expects parent op to be one of}}
    "d.op"() ({ "scf.yield"() : () -> () }) : () -> ()
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

// Symbols come last, when all operations around them are in order.
func.func @f(%x: f32) {
  func.call @missing() : () -> ()
// expected-error @+1 {{'arith.addi' op operand #0 must be signless-integer-like}}
  %0 = "arith.addi"(%x, %x) : (f32, f32) -> f32
  return
}

// -----

// Functions are checked independently of each other.
func.func @f(%x: f32) {
// expected-error @+1 {{'arith.addi' op operand #0 must be signless-integer-like}}
  %0 = "arith.addi"(%x, %x) : (f32, f32) -> f32
  return
}
func.func @g(%x: i32) {
// expected-error @+1 {{'arith.addf' op operand #0 must be floating-point-like}}
  %0 = "arith.addf"(%x, %x) : (i32, i32) -> i32
  return
}
func.func @h() {
  func.call @missing() : () -> ()
  return
}
