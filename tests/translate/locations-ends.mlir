// The operations that end blocks have the locations of their instructions; a call with a guard is a block
// of its own.
//
// RUN: orison-translate --ptx-to-ori --quiet --mlir-print-debuginfo --ptx-locations %s | orison-opt --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
.version 8.0
.target sm_80
.address_size 64
.func helper() { ret; }
.visible .entry k(.param .b32 n, .param .b64 p)
{
  .reg .b32 %n; .reg .b64 %p; .reg .pred %q;
  ld.param.b32 %n, [n];
  ld.param.b64 %p, [p];
  setp.eq.u32 %q, %n, 0;
  // CHECK: ori.cond_bra {{.*}} loc("{{.*}}":[[#@LINE+1]]:{{[0-9]+}})
  @%q bra skip;
  st.global.u32 [%p], %n;
  // CHECK: ori.cond_bra {{.*}} loc("{{.*}}":[[#@LINE+1]]:{{[0-9]+}})
  @!%q call helper;
  st.global.u32 [%p+4], %n;
  // CHECK: ori.bra ^{{.*}} loc("{{.*}}":[[#@LINE+1]]:{{[0-9]+}})
  bra end;
skip:
  st.global.u32 [%p+8], %n;
end:
  // CHECK: ori.exit loc("{{.*}}":[[#@LINE+1]]:{{[0-9]+}})
  ret;
}
