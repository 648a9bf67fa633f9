// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-local-scope --mlir-print-debuginfo %s | FileCheck %s --check-prefix=LOCAL

// Names and file names are strings with escapes.
// LOCAL: loc("a\22b")
"d.op"() : () -> () loc("a\"b")
// LOCAL: loc("dir\\f.c":1:1)
"d.op"() : () -> () loc("dir\\f.c":1:1)
