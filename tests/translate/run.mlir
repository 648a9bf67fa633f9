// The imported IR has the semantics of the PTX: a run fails if its memory differs from the expected
// values.
//
// RUN: orison-translate --run %S/run/wmma0.json %S/run/wmma.ptx
// RUN: orison-translate --run %S/run/wmma1.json %S/run/wmma.ptx
// RUN: orison-translate --run %S/run/wmma2.json %S/run/wmma.ptx
// RUN: orison-translate --run %S/run/wmma3.json %S/run/wmma.ptx
// RUN: orison-translate --run %S/run/wmma4.json %S/run/wmma.ptx
// RUN: orison-translate --run %S/run/wmma5.json %S/run/wmma.ptx
// RUN: orison-translate --run %S/run/video.json %S/run/video.ptx
// RUN: orison-translate --run %S/run/frames.json %S/run/frames.ptx
// RUN: orison-translate --run %S/run/stack.json %S/run/frames.ptx
// RUN: orison-translate --run %S/run/parameters.json %S/run/parameters.ptx
// RUN: orison-translate --run %S/run/guarded.json %S/run/guarded.ptx
// RUN: sed 's/sm_80/sm_90/' %S/run/parameters.ptx >%t.90.ptx
// RUN: orison-translate --run %S/run/parameters.json %t.90.ptx
// RUN: sed 's/sm_80/sm_100/' %S/run/parameters.ptx >%t.100.ptx
// RUN: orison-translate --run %S/run/parameters.json %t.100.ptx
// The kernels compute the same after passes.
// RUN: orison-translate --ptx-to-ori --quiet %S/run/frames.ptx | orison-opt --canonicalize --ori-branch-opt --ori-strength-reduce --ori-copy-propagation --ori-gvn --ori-reassociate --ori-predication --ori-gvn --ori-store-elimination --ori-perform-live-dead -o %t.frames.mlir
// RUN: orison-translate --run %S/run/frames.json %t.frames.mlir
// RUN: orison-translate --run %S/run/stack.json %t.frames.mlir
// RUN: orison-translate --ptx-to-ori --quiet %S/run/parameters.ptx | orison-opt --canonicalize --ori-branch-opt --ori-strength-reduce --ori-copy-propagation --ori-gvn --ori-reassociate --ori-predication --ori-gvn --ori-store-elimination --ori-perform-live-dead -o %t.parameters.mlir
// RUN: orison-translate --run %S/run/parameters.json %t.parameters.mlir
// RUN: orison-translate --ptx-to-ori --counts %S/run/frames.ptx 2>&1 | FileCheck %s
// RUN: orison-translate --ptx-to-ori --counts %S/run/parameters.ptx 2>&1 | FileCheck %s
// RUN: orison-translate --ptx-to-ori --counts %S/run/wmma.ptx 2>&1 | FileCheck %s
// RUN: orison-translate --ptx-to-ori --counts %S/run/video.ptx 2>&1 | FileCheck %s
// CHECK: instructions, 0 as 'ori.inst'
