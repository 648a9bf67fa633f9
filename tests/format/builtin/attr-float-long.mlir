// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Values that six digits cannot represent use as many digits as needed.
// CHECK: [0.33333333333333331, 3.14159265358979, 0.333333343 : f32, 3.14159274 : f32]
"d.op"() {a = [0.3333333333333333, 3.14159265358979, 0.33333334 : f32, 3.14159274 : f32]} : () -> ()
