// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Signed, unsigned and signless integers of one width are three types.
// CHECK: "d.op"() : () -> (i8, si8, ui8)
%0:3 = "d.op"() : () -> (i8, si8, ui8)
// CHECK: "d.use"(%0#0, %0#1, %0#2) : (i8, si8, ui8) -> ()
"d.use"(%0#0, %0#1, %0#2) : (i8, si8, ui8) -> ()
// CHECK: si1, ui1, si128, ui333
"d.op"() {t = [si1, ui1, si128, ui333]} : () -> ()
