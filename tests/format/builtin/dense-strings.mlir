// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// String elements of foreign types.
// CHECK: {a = dense<"abc"> : tensor<2x!d.s>, b = dense<["a", "b\22"]> : tensor<2x!d.s>, c = dense<{{\[\[}}"x"], ["y"]]> : tensor<2x1x!d.s>}
"d.op"() {a = dense<"abc"> : tensor<2x!d.s>, b = dense<["a", "b\""]> : tensor<2x!d.s>, c = dense<[["x"], ["y"]]> : tensor<2x1x!d.s>} : () -> ()
