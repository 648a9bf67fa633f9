// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// One operation's results under several names and packs are one pack on output.
// CHECK:      %0:3 = "d.def"() : () -> (i1, i2, i3)
// CHECK-NEXT: "d.use"(%0#1, %0#2, %0#0, %0#1) : (i2, i3, i1, i2) -> ()
%a, %b:2 = "d.def"() : () -> (i1, i2, i3)
"d.use"(%b#0, %b#1, %a, %b) : (i2, i3, i1, i2) -> ()
