// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// The value is rounded to its type before it is printed.
// CHECK: [9.997550e-02 : f16, 1.000980e-01 : bf16, 1.001360e-05 : f16, 6.550400e+04 : f16, 9.997550e-02 : tf32]
"d.op"() {a = [0.1 : f16, 0.1 : bf16, 1.0e-5 : f16, 65504.0 : f16, 0.1 : tf32]} : () -> ()
