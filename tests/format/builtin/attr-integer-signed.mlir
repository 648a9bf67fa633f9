// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Signless values print as signed, unsigned ones as unsigned.
// CHECK: [-1 : i8, 127 : i8, -128 : i8, 255 : ui8, -128 : si8, 127 : si8, 18446744073709551615 : ui64]
"d.op"() {a = [255 : i8, 127 : i8, 128 : i8, 255 : ui8, -128 : si8, 127 : si8, 18446744073709551615 : ui64]} : () -> ()
