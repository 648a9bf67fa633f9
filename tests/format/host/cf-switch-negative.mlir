// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// A negative case prints as its unsigned value.
// CHECK: 4294967294: ^bb1
// CHECK: 3: ^bb1
// GENERIC: case_values = dense<[-2, 3]> : vector<2xi32>
func.func @f(%a: i32) {
  cf.switch %a : i32, [default: ^end, -2: ^end, 3: ^end]
^end:
  return
}
