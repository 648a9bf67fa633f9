// A timed run in the report of the schedule that it executes. The loops of agents that are printed with their
// locations are found in the scheduled file.
//
// RUN: orison-opt --machine=hopper %S/../../examples/gemm.mlir --tileas-generate-schedule -o %t.scheduled.mlir
// RUN: orison-opt --machine=hopper %t.scheduled.mlir --tileas-materialize-schedule --mlir-print-debuginfo -o %t.agents.mlir
// RUN: orison-interpret %t.agents.mlir --entry gemm --tiles 16 --machine=hopper --timed=json > %t.json
// RUN: orison-opt --machine=hopper %t.scheduled.mlir --tileas-schedule-report='timed=%t.json width=200' -o %t.mlir | FileCheck %s
// RUN: orison-opt --machine=hopper %t.scheduled.mlir --tileas-schedule-report='timed=%t.json file=%t.html' -o %t.mlir
// RUN: FileCheck %s --check-prefix=HTML --input-file=%t.html
//
// The loads hold TMA for all of the 512 cycles of an iteration, the product the tensor cores too. What is
// executed has a prologue and an epilogue as well, and the product waits for its stage in each iteration.
//
// CHECK: initiation interval 512 {{.*}} executed:
// CHECK-SAME: in agent 0 ({{1\.[0-9]+}}),
// CHECK-SAME: in agent 1 ({{1\.[0-9]+}})
// CHECK: Reservation table modulo 512
// CHECK: Timed run: {{[0-9]+}} cycles on machine 'hopper'
// CHECK-NEXT: unit  scheduled  executed
// CHECK: tc_and_mma     100.0%{{ +}}{{[6-9][0-9]\.[0-9]}}%
// CHECK-NEXT: tma     100.0%{{ +}}{{[6-9][0-9]\.[0-9]}}%
// CHECK: Agents
// CHECK: the program
// CHECK: agent 0
// CHECK: agent 1
// CHECK: Where they wait
// CHECK: agent 0 {{.*}} producer_acquire  a free stage
// CHECK: agent 1 {{.*}} consumer_wait  a full stage
//
// HTML: executed: {{.*}} in agent 0
// HTML: <caption>Timed run: {{[0-9]+}} cycles on machine 'hopper'</caption>
// HTML: <tr><td>tma</td><td>100.0%</td>
// HTML: <caption>Agents</caption>
// HTML: <caption>Where they wait</caption>
//
// Without locations no loop is found.
//
// RUN: orison-opt --machine=hopper %t.scheduled.mlir --tileas-materialize-schedule -o %t.agents.mlir
// RUN: orison-interpret %t.agents.mlir --entry gemm --tiles 16 --machine=hopper --timed=json > %t.json
// RUN: orison-opt --machine=hopper %t.scheduled.mlir --tileas-schedule-report='timed=%t.json width=200' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=APART
//
// APART: warning: no loop of the timed run is at the line and column of a scheduled loop; materialize with --mlir-print-debuginfo, and time enough iterations
//
// RUN: not orison-opt --machine=hopper %t.scheduled.mlir --tileas-schedule-report='timed=%t.missing' 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not orison-opt --machine=hopper %t.scheduled.mlir --tileas-schedule-report='timed=%s' 2>&1 | FileCheck %s --check-prefix=FORM
//
// MISSING: error: {{.*}}cannot read timed run '{{.*}}.missing': No such file or directory
// FORM: error: {{.*}}report-timed.mlir' is not a timed run: expected value at line 1 column 1
