// A switch over a value that is the same in all lanes: `BRXU` ends a block with an edge to each place
// in its table.
//
// RUN: orison-translate --nvdisasm-to-sass %S/inputs/uniform-switch.sass | orison-opt | FileCheck %s
// RUN: orison-translate --nvdisasm-to-sass %S/inputs/uniform-switch.sass | orison-translate --sass-to-text - | FileCheck %s --check-prefix=TEXT

// CHECK: sass.brxu "BRXU UR4 -0xb0" <stall = 2> [^[[first:.*]], ^[[second:.*]], ^[[third:.*]]] targets [".L_x_4", ".L_x_5", ".L_x_6"] encoding
// CHECK: ^[[first]]:
// CHECK-NEXT: sass.notes [".L_x_4:"]
// CHECK: ^[[second]]:
// CHECK-NEXT: sass.notes [".L_x_5:"]
// CHECK: ^[[third]]:
// CHECK-NEXT: sass.notes [".L_x_6:"]

// TEXT: BRXU UR4 -0xb0 (*"BRANCH_TARGETS .L_x_4,.L_x_5,.L_x_6"*)
