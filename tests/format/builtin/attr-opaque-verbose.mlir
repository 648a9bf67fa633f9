// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Verbose foreign attributes hold strings.
// CHECK: {a = #d<"x">, b = #d<"]x[">, c = #d<"">, d = #d<"a b">}
"d.op"() {a = #d<"x">, b = #d<"]x[">, c = #d<"">, d = #d<"a b">} : () -> ()
