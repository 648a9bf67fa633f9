// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Escapes on input: the four named ones and two hexadecimal digits.
// CHECK: {a = "q\22q", b = "back\\slash", c = "line\0Atab\09", d = "A\00\FF"}
"d.op"() {a = "q\"q", b = "back\\slash", c = "line\ntab\t", d = "\41\00\ff"} : () -> ()
