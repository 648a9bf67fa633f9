// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Strings may contain characters of the syntax.
// CHECK: {a = "", b = "// no comment", c = "%x #y !z ^w", d = "}]>", e = "'"}
"d.op"() {a = "", b = "// no comment", c = "%x #y !z ^w", d = "}]>", e = "'"} : () -> ()
