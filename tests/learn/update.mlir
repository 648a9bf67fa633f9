// The files of evidence get what was measured, and keep what the listings do not contradict.
//
// RUN: mkdir -p %t
// RUN: printf 'machine = "sm_90"\nmeasured = [\n{ cell = "general: fma -> fma", cycles = 4, pairs = [2, 3], from = "FADD R0, R1, R2", to = "FADD R3, R0, R2", in = "c" },\n{ cell = "general: alu -> fma", cycles = 5, pairs = [2, 3], from = "FADD R0, R1, R2", to = "FADD R3, R0, R2", in = "c" },\n{ cell = "general: fma -> alu", cycles = 3, pairs = [2, 3], from = "a", to = "b", in = "c" },\n]\n' > %t/sm_90.toml
// RUN: orison-learn %S/inputs/pairs.plr --update=%t
// RUN: FileCheck %s --input-file=%t/sm_90.toml

// CHECK: machine = "sm_90"
// CHECK-LABEL: measured = [
// CHECK-NEXT: { cell = "general: alu -> alu", cycles = 4, pairs = [1, 2], from = "IADD3 R0, R1, R2, RZ", to = "IADD3 R3, R0, R2, RZ", in = "pairs k 0010" },
// CHECK-NEXT: { cell = "general: fma -> fma", cycles = 4, pairs = [2, 3], from = "FADD R0, R1, R2", to = "FADD R3, R0, R2", in = "c" },
// CHECK-LABEL: stated = [
// The table has 5, so that what was measured of another number is lost.
// CHECK: { cell = "general: fma -> alu", cycles = 5, source = "{{.*}}", reason = "no pair in the code measured" },
// The pair is of another cell.
// CHECK: { cell = "general: alu -> fma", cycles = 5, source = "{{.*}}", reason = "no pair in the code measured" },
