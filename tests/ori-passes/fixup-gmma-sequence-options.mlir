// RUN: orison-opt --ori-fixup-gmma-sequence='max-registers=33' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not orison-opt --ori-fixup-gmma-sequence='max-registers=29' %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: orison-opt --ori-fixup-gmma-sequence='max-registers=34' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ENOUGH
// RUN: orison-opt --ori-fixup-gmma-sequence='rules=page' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=PAGE
// RUN: orison-opt --ori-gmma --diagnostics=page %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=PAGE
// RUN: orison-opt --ori-gmma=rules=ptxas --diagnostics=page %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TOLD
// RUN: orison-opt --ori-optimize --ori-loop-unrolling --ori-general-optimize --diagnostics=page --dump-pass-pipeline %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: orison-opt --ori-fixup-gmma-sequence='knobs=GmmaInjectArrive=false' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ARRIVE
// RUN: orison-opt --ori-fixup-gmma-sequence='knobs=GmmaInjectWait=false' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: orison-opt --ori-fixup-gmma-sequence='knobs=GmmaSerialize=true' --diagnostics=ptxas %s 2>&1 | FileCheck %s --check-prefix=SERIAL
// RUN: orison-opt --ori-fixup-gmma-sequence='knobs=GmmaMode=0' %s 2>/dev/null | FileCheck %s --check-prefix=OFF
// RUN: orison-opt --ori-gmma --diagnostics=ptxas %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=PTXAS
// RUN: not orison-opt --diagnostics=gcc %s 2>&1 | FileCheck %s --check-prefix=FORM
//
// Options and knobs of phase 87, and the form of its reports.

// Two accumulators of four registers need 24 + 8 + 2 registers, one product 24 + 4 + 2.
// FEW: warning: (C7512) Potential Performance Loss: wgmma.mma_async instructions are serialized due to insufficient register resources for the function 'two'
// ENOUGH-NOT: warning
// NONE: error: (C7602) Insufficient registers (29) to compile instruction at line [[LINE:[0-9]+]] in function two. Try to compile with register target of 30 or higher.
// By the page's rules, a read after the commit breaks the stage; ptxas injects a wait.
// PAGE: warning: (C7514) Potential Performance Loss: wgmma.mma_async instructions are serialized due to non wgmma instructions reading accumulator registers of  a wgmma between start and end of the pipeline stage in the function 'two'
// What is set explicitly stays.
// TOLD: remark: (C7517) warpgroup.wait is injected in around line {{[0-9]+}} by compiler to allow use of registers defined by GMMA in function 'two'
// TOLD-NOT: C7514
// Every pass that has the choice, and no other one, takes the page's rules.
// ALL: ori-fixup-gmma-sequence{max-registers=0 relocatable=false rules=page}
// ALL: ori-loop-unrolling{rules=page}
// ALL: ori-general-optimize
// ALL-NOT: rules
// ALL: warning: (C7514)
// What may not be injected is not reported as injected; other injections are, whatever follows.
// ARRIVE: (C7517) {{.*}} 'two'
// ARRIVE-NOT: C7519
// ARRIVE: warning: (C7516) Potential Performance Loss: wgmma.mma_async instructions are serialized due to ill formed pipeline stage in the function 'missing'
// WAIT-NOT: C7517
// WAIT: options.mlir:{{[0-9]+}}:3: warning: (C7516) Potential Performance Loss: wgmma.mma_async instructions are serialized due to ill formed pipeline stage in the function 'two'
// WAIT-NOT: C7516
// WAIT: (C7519) {{.*}} 'missing'
// WAIT-NOT: C751
// SERIAL-NOT: is injected
// SERIAL: ptxas info    : (C7516) Potential Performance Loss: {{.*}} 'two'
// SERIAL: ori.func kernel @two() {{.*}}ori.gmma = {cause = 7516 : i32
// SERIAL-COUNT-2: ori.warpgroup.arrive
// OFF-NOT: ori.warpgroup
// PTXAS: {{^}}ptxas info    : (C7517) warpgroup.wait is injected in around line {{[0-9]+}} by compiler to allow use of registers defined by GMMA in function 'two'{{$}}
// PTXAS: {{^}}ptxas info    : (C7519) warpgroup.arrive is injected in around line {{[0-9]+}} by compiler to allow use of registers in GMMA in function 'missing'{{$}}
// FORM: invalid value 'gcc' for '--diagnostics <form>'
ori.func kernel @two() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  %q = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %a : (!ori.r64, !ori.r64) -> !ori.acc<4>
  ori.wgmma.commit
  %sp0 = ori.extract %p[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1024], %sp0 : (!ori.r64, !ori.r) -> ()
  ori.wgmma.wait <count = 0> : () -> ()
  %sp4 = ori.extract %p[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1028], %sp4 : (!ori.r64, !ori.r) -> ()
  %sq8 = ori.extract %q[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1032], %sq8 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

ori.func kernel @missing() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  %sw0 = ori.extract %w[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1024], %sw0 : (!ori.r64, !ori.r) -> ()
  ori.exit
}
