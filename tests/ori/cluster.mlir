// Cluster and multi-device memory, the stack of a thread, function aliases.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// CHECK: ori.memory global @seen, size 4, align 4 {linkage = #ori.linkage<weak>}
ori.memory global @seen, size 4, align 4 {linkage = #ori.linkage<weak>}
// CHECK: ori.alias @other = @cluster
ori.alias @other = @cluster

ori.func @cluster(%r: !ori.r, %d: !ori.r64, %q: !ori.r128, %u: !ori.ur, %v: !ori.ur64, %p: !ori.p) target "sm_100a" {
  // CHECK: ori.stas <b128> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r128) -> ()
  ori.stas <b128> %r, %r, %q : (!ori.r, !ori.r, !ori.r128) -> ()
  // CHECK: ori.redas <add, u64> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} if not %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r64, !ori.p) -> ()
  ori.redas <add, u64> %r, %r, %d if not %p : (!ori.r, !ori.r, !ori.r64, !ori.p) -> ()
  // CHECK: = ori.ldgmc <width = b128, add, f16x2, strong, sys, wide_sums> [%{{[a-z0-9]+}} + 16] : (!ori.r64) -> !ori.r128
  %x0 = ori.ldgmc <width = b128, add, f16x2, strong, sys, wide_sums> [%d + 16] : (!ori.r64) -> !ori.r128
  // CHECK: ori.ugetnextworkid <broadcast> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur, !ori.ur) -> ()
  ori.ugetnextworkid <broadcast> %u, %u : (!ori.ur, !ori.ur) -> ()
  // CHECK: %[[PLACE:.*]] = ori.stack_save : !ori.r
  %x1 = ori.stack_save : !ori.r
  // CHECK: = ori.alloca <alignment = 16> %{{[a-z0-9]+}} : (!ori.r) -> !ori.r
  %x2 = ori.alloca <alignment = 16> %r : (!ori.r) -> !ori.r
  // CHECK: ori.stack_restore %[[PLACE]] : (!ori.r) -> ()
  ori.stack_restore %x1 : (!ori.r) -> ()
  // CHECK: = ori.createpolicy_range <eviction = evict_last, other_eviction = evict_first> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r64, !ori.r, !ori.r) -> !ori.r64
  %x3 = ori.createpolicy_range <eviction = evict_last, other_eviction = evict_first> %d, %r, %r : (!ori.r64, !ori.r, !ori.r) -> !ori.r64
  // CHECK: = ori.f2fp_rs <e4m3, relu, satfinite> values(
  %x4 = ori.f2fp_rs <e4m3, relu, satfinite> values(%r, %r, %r, %r) %r : (!ori.r, !ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.ldsm <x2, transposed, m16n16, b4x16_p64> [%{{[a-z0-9]+}}] : (!ori.r) -> !ori.r128
  %x5 = ori.ldsm <x2, transposed, m16n16, b4x16_p64> [%r] : (!ori.r) -> !ori.r128
  // CHECK: ori.utmastg <dimensions = 2, scatter4>
  ori.utmastg <dimensions = 2, scatter4> %v, %u coordinates(%u, %u, %u, %u, %u) : (!ori.ur64, !ori.ur, !ori.ur, !ori.ur, !ori.ur, !ori.ur, !ori.ur) -> ()
  // CHECK: ori.ublkpf {{.*}} policy(%{{[a-z0-9]+}})
  ori.ublkpf %v, %u policy(%v) : (!ori.ur64, !ori.ur, !ori.ur64) -> ()
  ori.ret
}
