// RUN: orison-opt --split-input-file --verify-diagnostics %s
// RUN: not orison-opt --split-input-file %s 2>&1 | FileCheck %s

func.func @f() -> i32 {
  // expected-error @below {{has 0 operands, but enclosing function (@f) returns 1}}
  return
}

// -----

nothing
// expected-error-re@-1 {{custom op '{{[a-z]+}}' is unknown (tried 'builtin.{{.*}}' as well)}}

// -----

func.func @g() -> i32 {
  return
  // expected-error @above {{enclosing function (@g) returns 1}}
}

// An error about an operation has a note with the operation.
// CHECK: error: 'func.return' op has 0 operands, but enclosing function (@f) returns 1
// CHECK: note: see current operation: "func.return"() : () -> ()
