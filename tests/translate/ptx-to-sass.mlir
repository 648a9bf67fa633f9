// From PTX to machine code: levels, the machine, and what functions need of it.
//
// RUN: orison-translate --ptx-to-sass --quiet -v %S/ptx/compiled.ptx 2>%t.usage | FileCheck %s
// RUN: FileCheck --check-prefix=USAGE %s <%t.usage
// RUN: orison-translate --ptx-to-sass -O0 --quiet %S/ptx/compiled.ptx | FileCheck --check-prefix=SERIAL %s
// RUN: orison-translate --ptx-to-sass -O1 --quiet %S/ptx/compiled.ptx | orison-opt --sass-verify-schedule -o %t.mlir
// RUN: orison-translate --ptx-to-sass -O2 --quiet %S/ptx/compiled.ptx | orison-opt --sass-verify-schedule -o %t.mlir
// RUN: orison-translate --ptx-to-sass --gpu-name=sm_90 --quiet -v %S/ptx/compiled.ptx 2>&1 | FileCheck --check-prefix=LATER %s
// RUN: orison-translate --ptx-to-sass --maxrregcount=10 --quiet -v %S/ptx/compiled.ptx 2>&1 | FileCheck --check-prefix=LIMIT %s
// RUN: not orison-translate --ptx-to-sass --gpu-name=sm_75 %S/ptx/compiled.ptx 2>&1 | FileCheck --check-prefix=OLDER %s
// RUN: not orison-translate --ptx-to-sass --gpu-name=sm_81 %S/ptx/compiled.ptx 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not orison-translate --ptx-to-sass -O4 %S/ptx/compiled.ptx 2>&1 | FileCheck --check-prefix=LEVEL %s

// CHECK: sass.func @store target "sm_80"
// CHECK: S2R R{{[0-9]+}}, SR_TID.X
// CHECK: BAR.SYNC
// CHECK: sass.exit
// CHECK: sass.section ".nv.constant3"
// CHECK: sass.section ".nv.shared.store"

// Parameters are behind 0x160 bytes of bank 0; barriers 0 to 3 are four; the slot of 40 bytes is the frame.
// USAGE: ptxas info    : 40 bytes gmem, 20 bytes cmem[3]
// USAGE-NEXT: ptxas info    : Compiling entry function 'store' for 'sm_80'
// USAGE-NEXT: ptxas info    : Function properties for store
// USAGE-NEXT: 40 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// USAGE-NEXT: ptxas info    : Used {{[0-9]+}} registers, used 4 barriers, 40 bytes cumulative stack size, 100 bytes smem, 364 bytes cmem[0]

// Every instruction waits for all before.
// SERIAL: sass.func @store
// SERIAL-COUNT-8: stall = 15

// LATER: Compiling entry function 'store' for 'sm_90'
// LATER: Used {{[0-9]+}} registers, used 4 barriers, 40 bytes cumulative stack size, 100 bytes smem{{$}}
// LATER: sass.func @store target "sm_90"

// LIMIT: ptxas warning : adjusting per thread register count of 10 to 24
// LIMIT: Used {{[0-9]+}} registers

// OLDER: compiled.ptx: error: program with .target 'sm_80' cannot be compiled for 'sm_75'
// UNKNOWN: compiled.ptx: error: value 'sm_81' is not defined for option 'gpu-name'
// LEVEL: error: invalid value '4' for '--opt-level <N>': 4 is not in 0..=3
