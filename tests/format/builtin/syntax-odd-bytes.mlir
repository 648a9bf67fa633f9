// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A string may contain raw control characters, which print as escapes. A foreign body is printed byte for byte.
// CHECK: {a = "\01\09"} : () -> !d.t<é日>
%0 = "d.op"() {a = "	"} : () -> !d.t<é日>
