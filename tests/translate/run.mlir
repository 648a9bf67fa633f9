// What the import makes of PTX computes what the PTX means: a run whose memory is not what is expected
// fails.
//
// RUN: orison-translate --run %S/run/wmma0.json %S/run/wmma.ptx
// RUN: orison-translate --run %S/run/wmma1.json %S/run/wmma.ptx
// RUN: orison-translate --run %S/run/wmma2.json %S/run/wmma.ptx
// RUN: orison-translate --run %S/run/wmma3.json %S/run/wmma.ptx
// RUN: orison-translate --run %S/run/wmma4.json %S/run/wmma.ptx
// RUN: orison-translate --run %S/run/wmma5.json %S/run/wmma.ptx
// RUN: orison-translate --run %S/run/video.json %S/run/video.ptx
// RUN: orison-translate --ptx-to-ori --counts %S/run/wmma.ptx 2>&1 | FileCheck %s
// RUN: orison-translate --ptx-to-ori --counts %S/run/video.ptx 2>&1 | FileCheck %s
// CHECK: instructions, 0 as 'ori.inst'
