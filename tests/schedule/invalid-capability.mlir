// RUN: not orison-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false --allow-unregistered-dialect --tileas-generate-schedule %s 2>&1 | FileCheck %s

// The verifier rejects such a specification; this is the error if verification is skipped.
// CHECK: error: 'scf.for' op failed to get compute capability
nv_tileaa.func @old(%n: index) attributes {nv_tileaa.kernel_spec = {computeCapability = "new"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "test.a"() {tileas.schedule.resources = [array<i32: 7, 5, 1>]} : () -> ()
  }
  nv_tileaa.return
}
