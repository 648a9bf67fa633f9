// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Names that need quotes, and calls of them.
// CHECK: func.func @"a b"() {
// CHECK: func.func @a.b$c_1() {
// CHECK: func.func @"1st"() {
// CHECK: call @"a b"() : () -> ()
// CHECK: call @a.b$c_1() : () -> ()
// CHECK: call @"1st"() : () -> ()
func.func @"a b"() { return }
func.func @"a.b$c_1"() { return }
func.func @"1st"() {
  call @"a b"() : () -> ()
  call @a.b$c_1() : () -> ()
  call @"1st"() : () -> ()
  return
}
