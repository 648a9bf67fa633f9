// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Parts of a split file share neither aliases nor symbols, and are printed with the separator between them.
#a = 1 : i8
// CHECK: {a = 1 : i8}
"d.op"() {a = #a} : () -> ()
func.func private @f()
// CHECK: // {{-----}}
// -----
#a = 2 : i16
// CHECK: {a = 2 : i16}
"d.op"() {a = #a} : () -> ()
func.func private @f()
