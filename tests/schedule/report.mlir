// Reports of the GEMM's schedule, with abstract cycles. Its loads hold tma and tp_smem_wr for 8 of 16 cycles each, the
// product tc_and_mma and tp_mma for 8; iterations start 16 cycles apart.
//
// RUN: orison-opt --machine=page %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-schedule-report='width=64' -o %t.mlir | FileCheck %s --match-full-lines --strict-whitespace
// RUN: orison-opt --machine=page-hopper %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-schedule-report='width=64' -o %t.mlir | FileCheck %s --match-full-lines --strict-whitespace
// RUN: orison-opt --machine=page %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-schedule-report='file=%t.txt width=64' -o %t.mlir
// RUN: FileCheck %s --match-full-lines --strict-whitespace --input-file=%t.txt
//
// The picture in the documentation is current:
// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-schedule-report=%t.svg -o %t.mlir
// RUN: diff %t.svg %S/../../docs/gemm-schedule.svg
//
// RUN: orison-opt --machine=page %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-assign-buffers='depth=3' --tileas-schedule-report='file=%t.html' -o %t.mlir
// RUN: FileCheck %s --check-prefix=HTML --input-file=%t.html
//
//CHECK:{{@gemm, loop at gemm.mlir:[0-9]+:10}}
//CHECK-NEXT:initiation interval 16 (proven minimal), 2 stages, 3 operations,
//CHECK-NEXT:by the {{.*}} generator
//CHECK-EMPTY:
//CHECK-NEXT:A tiled_load  B tiled_load  C dot
//CHECK-EMPTY:
//CHECK-NEXT:What bounds the interval
//CHECK-NEXT:   resource 16 ████████████████████████████████████████ ◀
//CHECK-NEXT: recurrence 16 ████████████████████████████████████████ ◀
//CHECK-NEXT:       fine  1 ██▌
//CHECK-NEXT: dependency  2 █████
//CHECK-NEXT:       self  8 ████████████████████
//CHECK-EMPTY:
//CHECK-NEXT:Reservation table modulo 16
//CHECK-NEXT:               0           4           8           12
//CHECK-NEXT:              ┌────────────────────────────────────────────────┐
//CHECK-NEXT:   tc_and_mma │CCCCCCCCCCCCCCCCCCCCCCCC························│
//CHECK-NEXT:          tma │AAAAAAAAAAAAAAAAAAAAAAAABBBBBBBBBBBBBBBBBBBBBBBB│
//CHECK-NEXT:   tp_smem_wr │AAAAAAAAAAAAAAAAAAAAAAAABBBBBBBBBBBBBBBBBBBBBBBB│
//CHECK-NEXT:       tp_mma │CCCCCCCCCCCCCCCCCCCCCCCC························│
//CHECK-NEXT:              └────────────────────────────────────────────────┘
//CHECK:Iterations overlap
//CHECK:  iteration 1 │         AAAAA{{B+C+}} {{ *}}│
//CHECK:Ring slots: the iteration each holds
//CHECK-NEXT:98352 of 232448 bytes of shared memory
//CHECK: Pipe_0: 3 slots of 32768 bytes at smem 0
//
// A self-contained page, with the data as tables.
//
// HTML: <!DOCTYPE html>
// HTML-NOT: {{<script|<link|src=|@import|url\(}}
// HTML: prefers-color-scheme:dark
// HTML: <svg {{.*}}role="img" aria-labelledby="t0" aria-describedby="d0">
// HTML: <title>A tiled_load: stage 0, order 0, start 0, latency 8
// HTML: <title>Pipe_0 slot 2 holds iteration 2, cycles 32 to 64</title>
// HTML: <caption>Operations</caption>
// HTML: <td>C dot</td><td>1</td><td>0</td><td>16</td><td>16</td><td>tc_and_mma 8, tp_mma 8</td>
// HTML: <td>Pipe_0</td><td>3</td><td>32768</td><td>smem 0</td>
// HTML: </html>
