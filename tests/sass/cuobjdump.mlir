// The output of cuobjdump is read as that of nvdisasm. It has addresses where nvdisasm has labels.
//
// RUN: orison-translate --nvdisasm-to-sass %S/inputs/odd.cuobjdump | FileCheck %s

// CHECK: sass.header [".target\09sm_80"]
// CHECK: sass.func @waits target "sm_80" {
// CHECK-NEXT: sass.notes [".headerflags\09@\22EF_CUDA_SM80\22"]
// CHECK-NEXT: sass.bssy "BSSY B0, `(.L_x_0)"
// CHECK-NEXT: sass.bra "@!P0 BRA `(.L_x_1)" <stall = 5> [^bb2, ^bb1]
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: sass.call "CALL.REL.NOINC `($waits$60)"
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: sass.notes [".L_x_1:"]
// CHECK-NEXT: sass.bsync
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: sass.notes [".L_x_0:"]
// CHECK-NEXT: sass.exit
// CHECK: sass.bra "BRA `(.L_x_3)" <{{.*}}> [^bb4]
// CHECK-NEXT: ^bb5:
// CHECK-NEXT: sass.notes ["$waits$60:"]
// CHECK-NEXT: sass.ret "RET.REL.NODEC R20 0x0"
// A jump out of the function keeps its address.
// CHECK: sass.bra "BRA 0x1000"
// CHECK: sass.func @next
