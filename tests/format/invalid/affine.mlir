// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{non-affine expression: at least one of the multiply operands has to be}}
"d.op"() {a = affine_map<(i) -> (i * i)>} : () -> ()

// -----

// expected-error @+1 {{non-affine expression: right operand of floordiv has to be either a}}
"d.op"() {a = affine_map<(i, j) -> (i floordiv j)>} : () -> ()

// -----

// expected-error @+1 {{non-affine expression: right operand of mod has to be either a constant}}
"d.op"() {a = affine_map<(i, j) -> (i mod j)>} : () -> ()

// -----

// expected-error @+1 {{non-affine expression: right operand of ceildiv has to be either a}}
"d.op"() {a = affine_map<(i, j) -> (i ceildiv j)>} : () -> ()

// -----

// expected-error @+1 {{redefinition of identifier 'i'}}
"d.op"() {a = affine_map<(i, i) -> (i)>} : () -> ()

// -----

// expected-error @+1 {{redefinition of identifier 'i'}}
"d.op"() {a = affine_map<(i)[i] -> (i)>} : () -> ()

// -----

// expected-error @+1 {{use of undeclared identifier}}
"d.op"() {a = affine_map<(i) -> (j)>} : () -> ()

// -----

// expected-error @+1 {{missing right operand of binary operator}}
"d.op"() {a = affine_map<(i) -> (i + )>} : () -> ()

// -----

// expected-error @+1 {{missing left operand of binary operator}}
"d.op"() {a = affine_map<(i) -> (+ i)>} : () -> ()

// -----

// expected-error @+1 {{expected ')' in affine map range}}
"d.op"() {a = affine_map<(i) -> (i i)>} : () -> ()

// -----

// expected-error @+1 {{expected ')' in affine map range}}
"d.op"() {a = affine_map<(i) -> ((i)>} : () -> ()

// -----

// expected-error @+1 {{expected '->' or ':'}}
"d.op"() {a = affine_map<(i) (i)>} : () -> ()

// -----

// expected-error @+1 {{expected '(' in dimensional identifier list}}
"d.op"() {a = affine_map<i -> (i)>} : () -> ()

// -----

// expected-error @+1 {{expected '(' in affine map range}}
"d.op"() {a = affine_map<(i) -> i>} : () -> ()

// -----

// expected-error @+1 {{expected bare identifier}}
"d.op"() {a = affine_map<(i,) -> (i)>} : () -> ()

// -----

// expected-error @+1 {{expected bare identifier}}
"d.op"() {a = affine_map<(1) -> (1)>} : () -> ()

// -----

// expected-error @+1 {{constant too large for index}}
"d.op"() {a = affine_map<(i) -> (i + 99999999999999999999)>} : () -> ()

// -----

// expected-error @+1 {{missing right operand of binary operator}}
"d.op"() {a = affine_map<(i) -> (i + 1.5)>} : () -> ()

// -----

// expected-error @+1 {{expected '== affine-expr' or '>= affine-expr' at end of affine}}
"d.op"() {a = affine_set<(i) : (i > 0)>} : () -> ()

// -----

// expected-error @+1 {{expected '== affine-expr' or '>= affine-expr' at end of affine}}
"d.op"() {a = affine_set<(i) : (i)>} : () -> ()

// -----

// expected-error @+1 {{expected ')' in affine map range}}
"d.op"() {a = affine_set<(i) -> (i >= 0)>} : () -> ()

// -----

// expected-error @+1 {{expected affine expression}}
"d.op"() {a = affine_set<(i) : (i >= 0, )>} : () -> ()

// -----

// expected-error @+1 {{expected '(' in integer set constraint list}}
"d.op"() {a = affine_set<(i) : i >= 0>} : () -> ()

// -----

// expected-error @+1 {{expected AffineMap, but got IntegerSet}}
"d.op"() {a = affine_map<(i) : (i >= 0)>} : () -> ()
