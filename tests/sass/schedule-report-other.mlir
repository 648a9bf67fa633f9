// Two listings of one kernel, which differ in their control words: those of code that waits for everything, and
// those of ptxas (1,210 cycles, docs/sass-simulate.md). No instruction moved.
//
// RUN: orison-translate --nvdisasm-to-sass %S/inputs/histogram.sass | orison-opt --sass-process-o0-waits --sass-schedule-report='other=%S/inputs/histogram.sass budget=24' -o %t.mlir | FileCheck %s
// RUN: orison-translate --nvdisasm-to-sass %S/inputs/histogram.sass | orison-opt --sass-process-o0-waits --sass-schedule-report='file=%t.html other=%S/inputs/histogram.sass budget=24' -o %t.mlir
// RUN: FileCheck %s --check-prefix=HTML --input-file=%t.html
//
// CHECK: @histogram for sm_80
// CHECK-NOT: The versions have
// CHECK: cycles  issue  stalls  results  operands  groups  instructions  registers  moved
// CHECK-NEXT: {{^}}  this  {{ *[0-9]+}}    120  {{.*}}  120      20/24      -
// CHECK-NEXT: {{^}} other  1210 (0.{{[0-9]+}})    120     202      888         0       0           120      20/24      0
//
// A page without network access, whose versions are chosen without a script; with the budget, which is near.
//
// HTML: <!DOCTYPE html>
// HTML: <meta http-equiv="Content-Security-Policy" content="default-src 'none';
// HTML: prefers-color-scheme:dark
// HTML: body:has(#v1:checked) .version:not(.v1){display:none}
// HTML-NOT: {{<link|src=|href="[^#]|@import|url\(}}
// HTML: <input type="radio" name="version" id="v1"> other</label>
// HTML: <h2>@histogram for sm_80</h2>
// HTML: <caption>Static cycles</caption>
// HTML: <td>other</td><td>1210 (0.{{[0-9]+}})</td><td>120</td>
// HTML: <p>Most cycles: <a href="#b0.0">block 0, histogram</a> {{[0-9]+}}%;
// HTML: <section id="b0.0">
// HTML-NEXT: <h3>block 0, histogram</h3>
// HTML: <figure class="version v0"><figcaption>this</figcaption>
// HTML: <svg xmlns="http://www.w3.org/2000/svg" class="schedule block" {{.*}} role="img" tabindex="0" aria-label="histogram: block 0, histogram, this">
// HTML: <line class="budget"
// HTML: <g class="mark critical" tabindex="-1" id="i0.0.1" data-p=""><title>1 S2R R0, SR_TID.X
// HTML: <figure class="version v1"><figcaption>other</figcaption>
//
// The address waits for the thread's number; both are on the critical path.
//
// HTML: <g class="mark critical" tabindex="-1" id="i0.1.7" data-p="0.1.1" data-t="0.0.7"><title>7 LOP3.LUT R0, R0, 0x7f, RZ, 0xc0, !PT
// HTML-NEXT: cycle 22, stall 4, waits 14 results SB0; unit int32
// HTML-NEXT: needs 1
// HTML-NEXT: on the critical path</title><rect class="f-results"
// HTML: <polyline class="chain"
// HTML: <summary>Instructions, other</summary><pre>
// HTML: <script>
// HTML-NOT: <script
// HTML: </html>
