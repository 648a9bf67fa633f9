// Variables, constants and shared memory are sections in the notation of nvdisasm.
//
// RUN: orison-opt %s --convert-ori-to-sass | FileCheck %s

ori.memory constant @first, size 1, align 1 {initial = array<i8: 7>}
ori.memory constant @second, size 8, align 4 {initial = array<i8: 1, 0, 0, 0>}
ori.memory shared @tile, size 256, align 16
ori.memory shared @open, size 0, align 16
ori.memory global @sum, size 4, align 4
ori.memory global @where, size 16, align 8 {addresses = [{bytes = 8 : i64, generic, offset = 0 : i64, symbol = @sum}], initial = array<i8: 0, 0, 0, 0, 0, 0, 0, 0, 2>}

// CHECK-LABEL: sass.func @one
ori.func kernel @one() target "sm_80" {
  ori.exit
}

// CHECK-LABEL: sass.func @two
ori.func kernel @two() target "sm_90a" {
  ori.exit
}

// CHECK-NOT: ori.memory
// CHECK: sass.section ".nv.constant3" [{{.*}}".size\09first,1", "first:", ".byte\090x07", ".zero\093", ".type\09second,@object", ".size\09second,8", "second:", ".byte\090x01, 0x00, 0x00, 0x00", ".zero\094"]
// CHECK: sass.section ".nv.global.init" [{{.*}}"where:", ".dword\09fun@R_CUDA_G64(sum)", ".byte\090x02", ".zero\097"]
// CHECK: sass.section ".nv.global" [{{.*}}"sum:", ".zero\094"]
// CHECK: sass.section ".nv.shared.one" [{{.*}}".zero\09256"]
// CHECK: sass.section ".nv.shared.two" [{{.*}}".zero\091280"]
// CHECK-NOT: ori.memory
