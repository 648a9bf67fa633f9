// A register that a product writes is written while the product is in flight. The PTX is wrong; in SSA
// form the two values have registers of their own.
//
// RUN: orison-translate --ptx-to-ori --quiet --ptx-locations --mlir-print-debuginfo %S/run/in-flight.ptx -o %t.mlir
// RUN: not orison-translate --run %S/run/in-flight.json %t.mlir 2>&1 | FileCheck %s
// RUN: orison-translate --run %S/run/not-checked.json %t.mlir
// CHECK: in-flight.ptx:23:{{.*}}: error: 'ori.ldg' op writes %d1, which a product in flight uses
