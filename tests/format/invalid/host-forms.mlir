// Errors in the forms of operations of the host dialects, as in MLIR.
//
// RUN: orison-opt --split-input-file --verify-diagnostics %s

func.func @a(%x: i32) -> i1 {
  // expected-error @+1 {{custom op 'arith.cmpi' expected string or keyword containing one of the following enum values for attribute 'predicate' [eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge]}}
  %0 = arith.cmpi less, %x, %x : i32
  return %0 : i1
}

// -----

func.func @b(%x: i32) -> i32 {
  // expected-error @+2 {{custom op 'arith.addi' expected ::mlir::arith::IntegerOverflowFlags to be one of: none, nsw, nuw}}
  // expected-error @+1 {{custom op 'arith.addi' failed to parse Arith_IntegerOverflowAttr parameter 'value' which is to be a `::mlir::arith::IntegerOverflowFlags`}}
  %0 = arith.addi %x, %x overflow<fast> : i32
  return %0 : i32
}

// -----

// expected-error @+1 {{custom op 'builtin.module' 'builtin.module' op attribute 'sym_name' failed to satisfy constraint: string attribute}}
module attributes {sym_name = 3} {
}

// -----

// expected-error @+1 {{'builtin.module' op can only contain attributes with dialect-prefixed names, found: 'name'}}
module attributes {name = 3} {
}

// -----

func.func @d(%x: i32) {
  // expected-error @+1 {{'builtin.unrealized_conversion_cast' op expected at least one result for cast operation}}
  "builtin.unrealized_conversion_cast"(%x) : (i32) -> ()
  return
}

// -----

func.func @e(%x: f32) {
  // expected-error @+1 {{custom op 'cf.switch' invalid kind of type specified: expected builtin.integer, but found 'f32'}}
  cf.switch %x : f32, [default: ^a]
^a:
  return
}

// -----

// expected-error @+1 {{custom op 'func.func' expected type instead of SSA identifier}}
func.func private @f(i32, %x: i32)

// -----

// expected-error @+1 {{custom op 'func.func' 'sym_name' is an inferred attribute and should not be specified in the explicit attribute dictionary}}
func.func private @g() attributes {sym_name = "h"}

// -----

func.func @k(%x: i32) {
  // expected-error @+1 {{'scf.while' op along control flow edge from Operation scf.condition to parent: region branch point has 2 operands, but region successor needs 0 inputs}}
  "scf.while"(%x) ({
  ^bb0(%a: i32):
    %t = arith.constant true
    // expected-note @+1 {{region branch point}}
    scf.condition(%t) %a, %a : i32, i32
  }, {
  ^bb0(%a: i32):
    scf.yield %a : i32
  }) : (i32) -> ()
  return
}

// -----

func.func @l(%x: index) {
  // expected-error @+1 {{'scf.for' op expected induction variable to be same type as bounds and step}}
  "scf.for"(%x, %x, %x) ({
  ^bb0(%a: i32):
    scf.yield
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @m(%x: i32) {
  // expected-error @+1 {{'scf.while' op expects the 'before' region to terminate with 'scf.condition'}}
  "scf.while"(%x) ({
  ^bb0(%a: i32):
    // expected-note @+1 {{terminator here}}
    scf.yield %a : i32
  }, {
  ^bb0(%a: i32):
    scf.yield %a : i32
  }) : (i32) -> ()
  return
}
