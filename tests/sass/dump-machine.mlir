// RUN: orison-opt --dump-machine=sm_90 | FileCheck %s
// RUN: orison-opt --dump-machine=sm_90a | FileCheck %s
// RUN: orison-opt --dump-machine=sm_121a | FileCheck %s --check-prefix=VARIANT
// RUN: not orison-opt --dump-machine=sm_91 2>&1 | FileCheck %s --check-prefix=NONE

// Each value with its source.

// CHECK: machine sm_90 [
// CHECK: scoreboards 6, visible after 2 cycles
// CHECK: between products of HGMMA, QGMMA, columns / 8 - 4, at least 4 cycles [
// CHECK: unit fp64: 64 lanes, a warp every 2 cycles [
// CHECK: special (class 52): latency 48, inverse throughput 19
// CHECK: general registers, read after write: reader <- alu, dispatch64, fma,
// CHECK-NEXT: alu{{ +}}4 6 5 3 5 5 10 10 13 13 24 25 1 [
// CHECK: predicate registers, read after write:
// CHECK: guard{{ +}}13 13 13 14 13 1 [
// CHECK: write after write
// CHECK: write after read
// CHECK: class special: Variable, group decoupled, unit special, operands in order of special, results in order of special, typically 24 cycles

// VARIANT: machine sm_120 [

// NONE: unknown machine model 'sm_91'; did you mean 'sm_90'?; known are {{.*}}, sm_86, sm_87, sm_88, sm_89, sm_90, 
