// Errors in PTX are reported before it is imported; loop hints are kept, and '--strict' rejects
// instructions that are not modelled.
//
// RUN: not orison-translate --ptx-check %s 2>&1 | FileCheck %s
// RUN: not orison-translate --ptx-to-ori %s 2>&1 | FileCheck %s
// RUN: orison-translate --ptx-to-ori --no-check --quiet %S/ptx/calls.ptx | FileCheck --check-prefix=UNCHECKED %s
// RUN: not orison-translate --ptx-to-ori --strict %S/ptx/calls.ptx 2>&1 | FileCheck --check-prefix=STRICT %s
// RUN: orison-translate --ptx-to-ori %S/ptx/pragmas.ptx 2>%t.warnings | FileCheck --check-prefix=PRAGMA %s
// RUN: FileCheck --check-prefix=WARNING %s <%t.warnings
// RUN: orison-translate --ptx-to-ori --quiet %S/ptx/pragmas.ptx 2>%t.warnings | orison-opt | FileCheck --check-prefix=PRAGMA %s
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .b64 p)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  // CHECK: check.mlir:[[#@LINE+1]]:3: error: operand #0 of 'ld.param.b32' is '%r3', which is not declared
  ld.param.b32 %r3, [p];
  // CHECK: check.mlir:[[#@LINE+1]]:3: error: operand #0 of 'add.u32' must be .u32, but register '%rd0' has type .b64
  add.u32 %rd0, %r1, %r2;
  // CHECK: check.mlir:[[#@LINE+1]]:3: error: unknown modifier '.globl' in 'ld.globl.u32'
  ld.globl.u32 %r1, [%rd1];
  // CHECK: check.mlir:[[#@LINE+1]]:3: error: 'wgmma.fence.sync.aligned' requires sm_90a, but the target is sm_80
  wgmma.fence.sync.aligned;
  ret;
}

// UNCHECKED: ori.inst
// STRICT: calls.ptx:{{[0-9]+}}:{{[0-9]+}}: error: '{{[a-z.0-9]+}}' is not modelled

// PRAGMA-LABEL: ori.func kernel @rolled()
// PRAGMA: ori.cond_bra {{.*}} {ori.pragmas = ["nounroll"]}
// PRAGMA-LABEL: ori.func kernel @hot()
// PRAGMA-SAME: ori.pragmas = ["nounroll"]
// WARNING: pragmas.ptx:17:2: warning: ignoring unknown pragma 'invented'
