// Initial values of variables: numbers are bytes, addresses are kept; other forms are kept as text.
//
// RUN: orison-translate --ptx-to-ori --no-check %S/ptx/initial.ptx 2>%t.remarks | FileCheck %s
// RUN: orison-translate --ptx-to-ori --no-check --quiet %S/ptx/initial.ptx | orison-opt | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s <%t.remarks

// Elements missing from a row are zero.
// CHECK: ori.memory global @rows, size 16, align 4 {initial = array<i8: 0, 0, -128, 63, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 32, 64>}
// CHECK: ori.memory constant @quad, size 8, align 8 {initial = array<i8: 1, 0, -1, -1, 0, -128>}
// 13, -3 (towards zero), 1, -1, 32; an open extent is the number of values.
// CHECK: ori.memory global @numbers, size 40, align 8 {initial = array<i8: 13, 0, 0, 0, 0, 0, 0, 0, -3, -1, -1, -1, -1, -1, -1, -1, 1, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, 32, 0, 0, 0, 0, 0, 0, 0>}
// CHECK: ori.memory global @pointers, size 32, align 8 {addresses = [
// CHECK-SAME: {addend = 4 : i64, bytes = 8 : i64, generic, offset = 0 : i64, symbol = @rows},
// CHECK-SAME: {addend = -8 : i64, bytes = 8 : i64, offset = 8 : i64, symbol = @numbers},
// CHECK-SAME: {bytes = 8 : i64, offset = 16 : i64, symbol = @leaf}]
// CHECK: ori.memory global @bytes, size 3, align 1 {addresses = [
// CHECK-SAME: {bytes = 1 : i64, mask = 255 : i64, offset = 0 : i64, symbol = @rows},
// CHECK-SAME: {bytes = 1 : i64, generic, mask = 65280 : i64, offset = 1 : i64, symbol = @leaf}], initial = array<i8: 0, 0, -1>}
// CHECK: ori.memory global @lost, size 8, align 8 {initial_text = "nowhere"}
// CHECK: ori.memory global @divided, size 4, align 4 {initial_text = "1 / 0"}

// A name in a function shadows that of the module and is distinct in each function.
// CHECK: ori.memory shared @leaf.rows, size 4, align 4
// CHECK: ori.func private @leaf()
// CHECK: ori.address_of @leaf.rows : !ori.r
// CHECK: ori.memory shared @kernel.rows, size 8, align 8
// CHECK: ori.func kernel @kernel()
// CHECK: ori.address_of @kernel.rows : !ori.r

// REMARK: initial.ptx:11:1: remark: the initial value of 'lost' is not modelled; kept as text
// REMARK: initial.ptx:12:1: remark: the initial value of 'divided' is not modelled; kept as text
