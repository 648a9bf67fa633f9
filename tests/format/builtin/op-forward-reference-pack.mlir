// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Forward references into a pack.
// CHECK:      "d.use"(%0#1, %0#0) : (i2, i1) -> ()
// CHECK-NEXT: %0:2 = "d.def"() : () -> (i1, i2)
"d.use"(%later#1, %later#0) : (i2, i1) -> ()
%later:2 = "d.def"() : () -> (i1, i2)
