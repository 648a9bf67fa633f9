// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-note @+1 {{prior use here}}
func.func @f(%c: i32, %a: i32) {
// expected-error @+1 {{use of value '%c' expects different type than prior uses: 'i1' vs 'i32'}}
  %0 = arith.select %c, %a, %a : i32
  return
}

// -----

func.func @f(%c: vector<4xi1>, %a: vector<8xi32>) {
// expected-error @+1 {{'arith.select' op failed to verify that condition is signless i1 or has}}
  %0 = arith.select %c, %a, %a : vector<4xi1>, vector<8xi32>
  return
}

// -----

func.func @f(%c: i1, %a: i32, %b: i64) {
// expected-error @+1 {{'arith.select' op failed to verify that all of {true_value,}}
  %0 = "arith.select"(%c, %a, %b) : (i1, i32, i64) -> i32
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{expected ','}}
  %0, %1 = arith.addui_extended %a, %a : i32
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{'arith.addui_extended' op result #1 must be bool-like, but got 'i8'}}
  %0, %1 = arith.addui_extended %a, %a : i32, i8
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{operation defines 2 results but was provided 1 to bind}}
  %0 = arith.mulsi_extended %a, %a : i32
  return
}
