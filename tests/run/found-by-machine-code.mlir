// What differed from the machine code of ptxas: a conversion to 16 bits in a register of 32 is extended, and
// shared memory without a size is behind the other one.
//
// RUN: orison-translate --run %S/machine/narrow.json %S/machine/narrow.ptx | FileCheck %s

// 0x1234fedc
// CHECK: "out": [
// CHECK-NEXT: 4294967004,
// CHECK-NEXT: 65244,
// CHECK-NEXT: 305463004
