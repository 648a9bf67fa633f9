// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Strings may hold what would otherwise be syntax.
// CHECK: {a = "", b = "// no comment", c = "%x #y !z ^w", d = "}]>", e = "'"}
"d.op"() {a = "", b = "// no comment", c = "%x #y !z ^w", d = "}]>", e = "'"} : () -> ()
