// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// f80 and f128.
// CHECK: [1.000000e+00 : f80, 0x7FFF8000000000000000 : f80, 1.000000e+00 : f128, 0x7FFF0000000000000000000000000000 : f128]
"d.op"() {a = [1.0 : f80, 0x7FFF8000000000000000 : f80, 1.0 : f128, 0x7FFF0000000000000000000000000000 : f128]} : () -> ()
