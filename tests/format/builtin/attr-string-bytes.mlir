// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Bytes outside printable ASCII are escaped one by one.
// CHECK: {a = "\C3\A9", b = "\E6\97\A5", c = "\7F"}
"d.op"() {a = "é", b = "日", c = "\7f"} : () -> ()
