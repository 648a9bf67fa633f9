// Redundant stores: phase 65.
//
// RUN: orison-opt --ori-store-elimination --remarks=text %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s <%t.remarks
// RUN: orison-opt --ori-store-elimination='knobs=RedundantStoreElimination=false' %s | FileCheck --check-prefix=OFF %s

// What was loaded is stored back to where it is; the second store of a value to a place writes nothing
// new either.
// REMARK: remark: [ori-store-elimination] Passed redundant-store: the address already holds the value
// CHECK-LABEL: ori.func @loaded(
// CHECK: ori.ldg
// CHECK-NEXT: ori.stg <b32> [%{{.*}} + 8]
// CHECK-NEXT: ori.ret
// OFF-LABEL: ori.func @loaded(
// OFF-COUNT-3: ori.stg
ori.func @loaded(%p: !ori.r64, %x: !ori.r) target "sm_80" {
  %v = ori.ldg <b32> [%p + 4] : (!ori.r64) -> !ori.r
  ori.stg <b32> [%p + 8], %x : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%p + 4], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%p + 8], %x : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// A store through another pointer in between may write to the address.
// CHECK-LABEL: ori.func @between(
// CHECK-COUNT-2: ori.stg
ori.func @between(%p: !ori.r64, %q: !ori.r64, %x: !ori.r) target "sm_80" {
  %v = ori.ldg <b32> [%p] : (!ori.r64) -> !ori.r
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%p], %v : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// Not erased: ordered with other threads, after a barrier, of a different width, at a different address.
// CHECK-LABEL: ori.func @others(
// CHECK: ori.stg <b32, strong
// CHECK: ori.stg <b32> [%{{.*}} + 4]
// CHECK: ori.stg <b64>
// CHECK: ori.membar
// CHECK: ori.stg <b32> [%{{.*}}], %
ori.func @others(%p: !ori.r64, %y: !ori.r) target "sm_80" {
  %v = ori.ldg <b32> [%p] : (!ori.r64) -> !ori.r
  ori.stg <b32, strong, gpu> [%p], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%p + 4], %v : (!ori.r64, !ori.r) -> ()
  %w = ori.ldg <b32> [%p + 16] : (!ori.r64) -> !ori.r
  %pair = ori.concat %w, %y : (!ori.r, !ori.r) -> !ori.r64
  ori.stg <b64> [%p + 16], %pair : (!ori.r64, !ori.r64) -> ()
  %u = ori.ldg <b32> [%p] : (!ori.r64) -> !ori.r
  ori.membar <sc, gpu> : () -> ()
  ori.stg <b32> [%p], %u : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// A guarded store is erased too; a guarded load covers only accesses with the same guard.
// CHECK-LABEL: ori.func @guards(
// CHECK-SAME: %{{.*}}: !ori.r64, %[[P:[a-z0-9]*]]: !ori.p, %[[Q:[a-z0-9]*]]: !ori.p)
// CHECK-COUNT-2: ori.ldg
// CHECK-NEXT: ori.stg <b32> [%{{.*}} + 4], %{{.*}} if %[[Q]]
// CHECK-NEXT: ori.ret
ori.func @guards(%p: !ori.r64, %c: !ori.p, %d: !ori.p) target "sm_80" {
  %v = ori.ldg <b32> [%p] : (!ori.r64) -> !ori.r
  %w = ori.ldg <b32> [%p + 4] if %c : (!ori.r64, !ori.p) -> !ori.r
  ori.stg <b32> [%p], %v if %c : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%p + 4], %w if %c : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%p + 4], %w if %d : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.ret
}
