// RUN: orison-opt %s --split-input-file --ori-allocate-registers=max-registers=8 --ori-verify-allocation | FileCheck %s
// RUN: orison-opt %s --split-input-file --ori-allocate-registers=max-registers=8 --mlir-pass-statistics -o %t 2>&1 | FileCheck %s --check-prefix=STATS

// Nine words are live at once, for seven registers: those whose uses are farthest are stored where they are
// defined, and loaded where they are used. What is computed from constants alone is computed again instead.
// STATS: (S) {{[1-9][0-9]*}} spilled-bytes
// CHECK-LABEL: ori.func kernel @spilled
// CHECK-SAME: frame = [{alignment = 4 : i32, name = "orison.spills", offset = 0 : i32, size = {{[0-9]+}} : i32}]
// CHECK: %[[S:.*]] = ori.slot_address "orison.spills" : !ori.r
// CHECK: ori.stl <b32> [%[[S]]{{.*}}], %{{.*}} : (!ori.r, !ori.r<{{R[0-9]}}>) -> ()
// CHECK: ori.fadd
// CHECK: ori.ldl <b32> [%{{.*}}] : (!ori.r) -> !ori.r<{{R[0-9]}}>
ori.func kernel @spilled() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %b = ori.ldg <b32> [%q + 4] : (!ori.r64) -> !ori.r
  %c = ori.ldg <b32> [%q + 8] : (!ori.r64) -> !ori.r
  %d = ori.ldg <b32> [%q + 12] : (!ori.r64) -> !ori.r
  %e = ori.ldg <b32> [%q + 16] : (!ori.r64) -> !ori.r
  %f = ori.ldg <b32> [%q + 20] : (!ori.r64) -> !ori.r
  %g = ori.ldg <b32> [%q + 24] : (!ori.r64) -> !ori.r
  %h = ori.ldg <b32> [%q + 28] : (!ori.r64) -> !ori.r
  %i = ori.ldg <b32> [%q + 32] : (!ori.r64) -> !ori.r
  %1 = ori.fadd %a, %b : (!ori.r, !ori.r) -> !ori.r
  %2 = ori.fadd %1, %c : (!ori.r, !ori.r) -> !ori.r
  %3 = ori.fadd %2, %d : (!ori.r, !ori.r) -> !ori.r
  %4 = ori.fadd %3, %e : (!ori.r, !ori.r) -> !ori.r
  %5 = ori.fadd %4, %f : (!ori.r, !ori.r) -> !ori.r
  %6 = ori.fadd %5, %g : (!ori.r, !ori.r) -> !ori.r
  %7 = ori.fadd %6, %h : (!ori.r, !ori.r) -> !ori.r
  %8 = ori.fadd %7, %i : (!ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %8 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// A special register does not change: it is read again, and nothing is stored.
// STATS: (S) 0 spilled-bytes
// CHECK-LABEL: ori.func kernel @again
// CHECK-NOT: frame
// CHECK: ori.s2r <register = "SR_TID.X">
// CHECK-NOT: ori.stl
// CHECK: ori.fadd
// CHECK: ori.s2r <register = "SR_TID.X">
// CHECK: ori.stg
ori.func kernel @again() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %t = ori.s2r <register = "SR_TID.X"> : !ori.r
  ori.stg <b32> [%q], %t : (!ori.r64, !ori.r) -> ()
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %b = ori.ldg <b32> [%q + 4] : (!ori.r64) -> !ori.r
  %c = ori.ldg <b32> [%q + 8] : (!ori.r64) -> !ori.r
  %d = ori.ldg <b32> [%q + 12] : (!ori.r64) -> !ori.r
  %e = ori.ldg <b32> [%q + 16] : (!ori.r64) -> !ori.r
  %f = ori.ldg <b32> [%q + 20] : (!ori.r64) -> !ori.r
  %g = ori.ldg <b32> [%q + 24] : (!ori.r64) -> !ori.r
  %1 = ori.fadd %a, %b : (!ori.r, !ori.r) -> !ori.r
  %2 = ori.fadd %1, %c : (!ori.r, !ori.r) -> !ori.r
  %3 = ori.fadd %2, %d : (!ori.r, !ori.r) -> !ori.r
  %4 = ori.fadd %3, %e : (!ori.r, !ori.r) -> !ori.r
  %5 = ori.fadd %4, %f : (!ori.r, !ori.r) -> !ori.r
  %6 = ori.fadd %5, %g : (!ori.r, !ori.r) -> !ori.r
  %7 = ori.fadd %6, %t : (!ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %7 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// A constant that was moved to a register is moved again: it is the same value.
// STATS: (S) 0 spilled-bytes
// CHECK-LABEL: ori.func kernel @moved_again
// CHECK-NOT: frame
// CHECK: ori.mov %[[C:.*]] : (!ori.r) -> !ori.r<
// CHECK: ori.fadd
// CHECK: ori.mov %[[C]] : (!ori.r) -> !ori.r<
// CHECK: ori.stg
ori.func kernel @moved_again() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %c = ori.cbank[0, 536] : !ori.r
  %t = ori.mov %c : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %t : (!ori.r64, !ori.r) -> ()
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %b = ori.ldg <b32> [%q + 4] : (!ori.r64) -> !ori.r
  %d = ori.ldg <b32> [%q + 12] : (!ori.r64) -> !ori.r
  %e = ori.ldg <b32> [%q + 16] : (!ori.r64) -> !ori.r
  %f = ori.ldg <b32> [%q + 20] : (!ori.r64) -> !ori.r
  %g = ori.ldg <b32> [%q + 24] : (!ori.r64) -> !ori.r
  %h = ori.ldg <b32> [%q + 28] : (!ori.r64) -> !ori.r
  %1 = ori.fadd %a, %b : (!ori.r, !ori.r) -> !ori.r
  %2 = ori.fadd %1, %d : (!ori.r, !ori.r) -> !ori.r
  %3 = ori.fadd %2, %e : (!ori.r, !ori.r) -> !ori.r
  %4 = ori.fadd %3, %f : (!ori.r, !ori.r) -> !ori.r
  %5 = ori.fadd %4, %g : (!ori.r, !ori.r) -> !ori.r
  %6 = ori.fadd %5, %h : (!ori.r, !ori.r) -> !ori.r
  %7 = ori.fadd %6, %t : (!ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %7 : (!ori.r64, !ori.r) -> ()
  ori.exit
}
