// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Finite and special values of the narrow types.
// CHECK: [1.000000e+00 : f8E5M2, 0x7C : f8E5M2, 4.480000e+02 : f8E4M3FN, 0x7F : f8E4M3FN, 0x80 : f8E4M3FNUZ, 0xFF : f8E8M0FNU, 5.877470e-39 : f8E8M0FNU]
"d.op"() {a = [1.0 : f8E5M2, 0x7C : f8E5M2, 448.0 : f8E4M3FN, 0x7F : f8E4M3FN, 0x80 : f8E4M3FNUZ, 0xFF : f8E8M0FNU, 0.0 : f8E8M0FNU]} : () -> ()
