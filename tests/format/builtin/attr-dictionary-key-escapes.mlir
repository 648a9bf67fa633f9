// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Quoted keys use the escapes of strings.
// CHECK: {"a\22b" = 1 : i64, "\C3\A9" = 2 : i64}
"d.op"() {"a\"b" = 1, "é" = 2} : () -> ()
