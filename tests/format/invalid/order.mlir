// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Which of several errors is reported. Operations are verified in textual order, with everything nested
// in them.
func.func @f(%c: i1, %x: f32) {
  scf.if %c {
// expected-error @+1 {{'arith.addi' op operand #0 must be signless-integer-like}}
    %0 = "arith.addi"(%x, %x) : (f32, f32) -> f32
  }
  %1 = "arith.addi"(%x, %x) : (f32, f32) -> f32
  return
}

// -----

// Errors in a block are reported before its missing terminator.
func.func @f(%x: f32) {
// expected-error @+1 {{'arith.addi' op operand #0 must be signless-integer-like}}
  %0 = "arith.addi"(%x, %x) : (f32, f32) -> f32
}

// -----

// The terminator is printed with the value names of its context.
func.func @f(%x: i32) {
// expected-error @+1 {{block with no terminator, has %0 = "arith.addi"(%arg0, %arg0)}}
  %0 = arith.addi %x, %x : i32
}

// -----

// Regions are verified before their operation's own checks of them.
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

// Symbols are verified last, if all operations around them are valid.
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
