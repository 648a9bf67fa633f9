// RUN: not orison-opt %s --color 2>&1 | FileCheck %s
// RUN: not orison-opt %s --color=true 2>&1 | FileCheck %s
// RUN: not env CLICOLOR_FORCE=1 orison-opt %s 2>&1 | FileCheck %s
// RUN: not env CLICOLOR_FORCE=1 NO_COLOR=1 orison-opt %s 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not env CLICOLOR_FORCE=1 orison-opt %s --color=never 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not orison-opt %s 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not orison-opt %s --color=blue 2>&1 | FileCheck %s --check-prefix=OTHER

//      CHECK: {{^.}}[1m{{.*}}color.mlir:19:3:{{.}}[0m {{.}}[1m{{.}}[31merror:{{.}}[0m {{.}}[1m'func.return' op has 1 operands, but enclosing function (@f) returns 0{{.}}[0m
// CHECK-NEXT: {{^}}  return %x : i32
// CHECK-NEXT: {{^}}  {{.}}[1m{{.}}[32m^{{.}}[0m
// CHECK-NEXT: {{.}}[1m{{.}}[90mnote:{{.}}[0m {{.}}[1msee current operation

//      PLAIN: {{^.*}}color.mlir:19:3: error: 'func.return' op has 1 operands, but enclosing function (@f) returns 0
// PLAIN-NEXT: {{^}}  return %x : i32
// PLAIN-NEXT: {{^  \^$}}
// OTHER: invalid value 'blue' for '--color[=<when>]': expected auto, always or never
func.func @f(%x: i32) {
  return %x : i32
}
