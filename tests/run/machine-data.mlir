// A listing with data: constants, global memory that holds addresses, shared memory, parameters. What ptxas
// makes of a kernel has the results of the kernel.
//
// RUN: orison-translate --run %S/machine/data.json %S/machine/data.ptx | FileCheck %s
// RUN: orison-translate --run %S/machine/data.json %S/machine/data.sass | FileCheck %s
// RUN: orison-translate --nvdisasm-to-sass %S/machine/data.sass -o %t.mlir
// RUN: orison-translate --run %S/machine/data.json %t.mlir | FileCheck %s
// Constants may be given.
// RUN: sed 's/"block"/"constants": {"table": {"type": "s32", "values": [1, 1, 1, 1]}}, "block"/' %S/machine/data.json >%t.json
// RUN: orison-translate --run %t.json %S/machine/data.ptx | FileCheck %s --check-prefix=GIVEN
// RUN: orison-translate --run %t.json %S/machine/data.sass | FileCheck %s --check-prefix=GIVEN

// CHECK: "out": [
// CHECK-NEXT: 27,
// CHECK-NEXT: 47,
// CHECK-NEXT: 67,
// CHECK-NEXT: 87,
// CHECK-NEXT: 27,

// GIVEN: "out": [
// GIVEN-NEXT: 9,
// GIVEN-NEXT: 9,
