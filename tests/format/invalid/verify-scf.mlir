// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// One program for each rule of the verifiers of scf: bounds, carried values, terminators, edges.

func.func @f(%i: index, %n: i32) {
  // expected-error @+1 {{'scf.for' op failed to verify that all of {lowerBound, upperBound, step} have same type}}
  "scf.for"(%i, %i, %n) ({
  ^a(%k: index):
    "scf.yield"() : () -> ()
  }) : (index, index, i32) -> ()
  return
}

// -----

func.func @f(%i: index, %a: f32) {
  // expected-error @+1 {{'scf.for' op mismatch in number of loop-carried values and defined values}}
  "scf.for"(%i, %i, %i, %a) ({
  ^a(%k: index, %x: f32):
    "scf.yield"(%x) : (f32) -> ()
  }) : (index, index, index, f32) -> ()
  return
}

// -----

func.func @f(%i: index, %a: f32) {
  // expected-error @+1 {{'scf.for' op different number of region iter_args and yielded values: 1 != 2}}
  %0 = "scf.for"(%i, %i, %i, %a) ({
  ^a(%k: index, %x: f32):
    "scf.yield"(%x, %x) : (f32, f32) -> ()
  }) : (index, index, index, f32) -> f32
  return
}

// -----

func.func @f(%i: index, %a: f32) {
  // expected-error @+1 {{'scf.for' op 0-th init and 0-th region iter_arg have different type: 'f32' != 'f64'}}
  %0 = "scf.for"(%i, %i, %i, %a) ({
  ^a(%k: index, %x: f64):
    "scf.yield"(%x) : (f64) -> ()
  }) : (index, index, index, f32) -> f32
  return
}

// -----

func.func @f(%i: index, %a: f32) {
  // expected-error @+1 {{'scf.for' op 0-th region iter_arg and 0-th loop result have different type: 'f32' != 'f64'}}
  %0 = "scf.for"(%i, %i, %i, %a) ({
  ^a(%k: index, %x: f32):
    "scf.yield"(%x) : (f32) -> ()
  }) : (index, index, index, f32) -> f64
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+2 {{'scf.for' op expects regions to end with 'scf.yield', found 'd.end'}}
  // expected-note @+1 {{in custom textual format, the absence of terminator implies 'scf.yield'}}
  "scf.for"(%i, %i, %i) ({
  ^a(%k: index):
    "d.end"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'scf.for' op region #0 ('region') failed to verify constraint: region with 1 blocks}}
  "scf.for"(%i, %i, %i) ({
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'scf.for' op expects a non-empty block}}
  "scf.for"(%i, %i, %i) ({
  ^a(%k: index):
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error @+1 {{'scf.if' op region #0 should have no arguments}}
  "scf.if"(%c) ({
  ^a(%x: i32):
    "scf.yield"() : () -> ()
  }, {
  }) : (i1) -> ()
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error @+1 {{'scf.if' op region #1 should have no arguments}}
  "scf.if"(%c) ({
    "scf.yield"() : () -> ()
  }, {
  ^a(%x: i32):
    "scf.yield"() : () -> ()
  }) : (i1) -> ()
  return
}

// -----

func.func @f(%c: i1, %x: i32) {
  scf.if %c {
    %0 = arith.addi %x, %x : i32
    // expected-error @+1 {{'func.return' op expects parent op 'func.func'}}
    func.return
  }
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error @+1 {{'scf.if' op region #0 ('thenRegion') failed to verify constraint: region with 1 blocks}}
  "scf.if"(%c) ({
  }, {
  }) : (i1) -> ()
  return
}

// -----

func.func @f(%x: i32) {
  // expected-error @+1 {{'scf.execute_region' op region cannot have any arguments}}
  "scf.execute_region"() ({
  ^a(%y: i32):
    "scf.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error @+1 {{'scf.while' op expects the 'after' region to terminate with 'scf.yield'}}
  "scf.while"() ({
    "scf.condition"(%c) : (i1) -> ()
  }, {
    // expected-note @+1 {{terminator here}}
    "scf.condition"(%c) : (i1) -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%c: i1, %x: i32) {
  // expected-error @+2 {{'scf.while' op along control flow edge from parent to Region #0: successor operand type #0 'i32' should match successor input type #0 'i64'}}
  // expected-note @+1 {{region branch point}}
  %0 = "scf.while"(%x) ({
  ^a(%a: i64):
    "scf.condition"(%c, %x) : (i1, i32) -> ()
  }, {
  ^b(%b: i32):
    "scf.yield"(%b) : (i32) -> ()
  }) : (i32) -> i32
  return
}

// -----

func.func @f(%c: i1, %x: i32) {
  // expected-error @+1 {{'scf.while' op along control flow edge from Operation scf.condition to Region #1: successor operand type #0 'i32' should match successor input type #0 'i64'}}
  %0 = "scf.while"(%x) ({
  ^a(%a: i32):
    // expected-note @+1 {{region branch point}}
    "scf.condition"(%c, %x) : (i1, i32) -> ()
  }, {
  ^b(%b: i64):
    "scf.yield"(%x) : (i32) -> ()
  }) : (i32) -> i32
  return
}

// -----

func.func @f(%c: i1, %x: i32) {
  // expected-error @+1 {{'scf.while' op along control flow edge from Operation scf.yield to Region #0: successor operand type #0 'i1' should match successor input type #0 'i32'}}
  %0 = "scf.while"(%x) ({
  ^a(%a: i32):
    "scf.condition"(%c, %x) : (i1, i32) -> ()
  }, {
  ^b(%b: i32):
    // expected-note @+1 {{region branch point}}
    "scf.yield"(%c) : (i1) -> ()
  }) : (i32) -> i32
  return
}

// -----

func.func @f(%c: i1, %x: i32) {
  // expected-error @+1 {{'scf.while' op along control flow edge from Operation scf.condition to parent: successor operand type #0 'i32' should match successor input type #0 'i64'}}
  %0 = "scf.while"(%x) ({
  ^a(%a: i32):
    // expected-note @+1 {{region branch point}}
    "scf.condition"(%c, %x) : (i1, i32) -> ()
  }, {
  ^b(%b: i32):
    "scf.yield"(%b) : (i32) -> ()
  }) : (i32) -> i64
  return
}

// -----

func.func @f(%i: index, %x: i32) {
  // expected-error @+1 {{'scf.index_switch' op expected region to end with scf.yield, but got d.end}}
  "scf.index_switch"(%i) <{cases = array<i64>}> ({
    "d.end"() : () -> ()
  }) : (index) -> ()
  return
}

// -----

func.func @f(%i: index, %x: i32) {
  // expected-error @+1 {{'scf.index_switch' op expected each region to return 1 values, but default region returns 0}}
  %0 = "scf.index_switch"(%i) <{cases = array<i64>}> ({
    // expected-note @+1 {{see yield operation here}}
    "scf.yield"() : () -> ()
  }) : (index) -> i32
  return
}

// -----

func.func @f(%i: index, %x: i32) {
  // expected-error @+1 {{'scf.index_switch' op expected result #0 of each region to be 'i32'}}
  %0 = "scf.index_switch"(%i) <{cases = array<i64: 4>}> ({
    "scf.yield"(%x) : (i32) -> ()
  }, {
    // expected-note @+1 {{case region #0 returns 'index' here}}
    "scf.yield"(%i) : (index) -> ()
  }) : (index) -> i32
  return
}

// -----

func.func @f(%i: index, %x: i32) {
  // expected-error @+1 {{'scf.index_switch' op expected 1 or more regions}}
  "scf.index_switch"(%i) <{cases = array<i64>}> : (index) -> ()
  return
}

// -----

func.func @f(%i: index, %x: i32) {
  // expected-error @+1 {{'scf.index_switch' op region #0 ('defaultRegion') failed to verify constraint: region with 1 blocks}}
  "scf.index_switch"(%i) <{cases = array<i64>}> ({
  }) : (index) -> ()
  return
}

// -----

func.func @f(%c: i1) {
  "scf.if"(%c) ({
    // expected-error @+1 {{'scf.yield' op must be the last operation in the parent block}}
    "scf.yield"() : () -> ()
    "scf.yield"() : () -> ()
  }, {
  }) : (i1) -> ()
  return
}
