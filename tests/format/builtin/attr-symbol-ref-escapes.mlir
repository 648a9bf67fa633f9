// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Escapes in symbol names.
// CHECK: {a = @"a\22b", b = @"\0A", c = @"\C3\A9"}
"d.op"() {a = @"a\"b", b = @"\n", c = @"é"} : () -> ()
