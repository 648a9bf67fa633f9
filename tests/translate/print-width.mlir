// Lines have at most 80 columns and parse to the same IR as without the option.
//
// RUN: orison-translate --ptx-to-ori %S/../../examples/saxpy.ptx --quiet --print-width=80 -o %t.narrow.mlir
// RUN: not grep -E '^.{81}' %t.narrow.mlir
// RUN: orison-translate --ptx-to-ori %S/../../examples/saxpy.ptx --quiet | orison-opt -o %t.expected.mlir
// RUN: orison-opt %t.narrow.mlir -o %t.actual.mlir
// RUN: diff %t.expected.mlir %t.actual.mlir
//
// Messages are coloured on request.
// RUN: not orison-translate --ptx-to-ori --color %s 2>&1 | FileCheck %s
// RUN: not env CLICOLOR_FORCE=1 NO_COLOR=1 orison-translate --ptx-to-ori %s 2>&1 | FileCheck %s --check-prefix=PLAIN
//
// CHECK: {{^.}}[1m{{.*}}print-width.mlir:{{[0-9]+:[0-9]+:.}}[0m {{.}}[1m{{.}}[31merror:{{.}}[0m
// PLAIN: {{^[^[]*}}print-width.mlir:{{[0-9]+:[0-9]+}}: error:
module {}
