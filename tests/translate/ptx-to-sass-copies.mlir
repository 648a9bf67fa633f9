// The size of a copy becomes a predicate; nothing computes the size any more.
//
// RUN: orison-translate --ptx-to-sass --quiet %S/ptx/sized-copy.ptx | FileCheck %s

// CHECK: sass.func @copy
// CHECK-NOT: SEL
// CHECK: LDGSTS.E.BYPASS.128 [R{{[0-9Z]+}}], {{.*}}, P{{[0-6]}}"
// CHECK-NOT: SEL
// CHECK: sass.exit
