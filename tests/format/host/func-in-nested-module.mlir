// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Functions in nested modules, and the indentation.
// CHECK: {{^}}module {
// CHECK: {{^}}  module @inner {
// CHECK: {{^}}    func.func @f() {
// CHECK: {{^}}      return
module {
module @inner {
func.func @f() { return }
}
}
