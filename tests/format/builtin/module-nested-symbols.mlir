// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A reference into nested modules.
// CHECK: {callee = @outer::@"in ner"::@f, note = "call @outer"}
module @outer {
  module @"in ner" {
    func.func private @f()
  }
}
"d.op"() {note = "call @outer", callee = @outer::@"in ner"::@f} : () -> ()
