// The cycles of an iteration that materialization predicts, by which it chooses orders and `strategy=joint` agents,
// are those of a timed run. On Blackwell the factors that a loop carries are in registers: a product of attention
// reads 8,192 bytes of shared memory in 64 cycles instead of 24,576 in 192.

// RUN: orison-opt --machine=hopper %S/../../examples/attention.mlir --tileas-generate-schedule --tileas-materialize-schedule --remarks=text -o %t.mlir 2> %t.hopper.txt
// RUN: orison-interpret %t.mlir --entry attention --tiles 16 --timed --machine=hopper >> %t.hopper.txt
// RUN: FileCheck %s < %t.hopper.txt

// RUN: orison-opt --machine=blackwell %S/../../examples/attention.mlir --tileas-generate-schedule --tileas-materialize-schedule --remarks=text -o %t.mlir 2> %t.blackwell.txt
// RUN: orison-interpret %t.mlir --entry attention --tiles 16 --timed --machine=blackwell >> %t.blackwell.txt
// RUN: FileCheck %s < %t.blackwell.txt

// RUN: orison-opt --machine=blackwell %S/../../examples/attention-backward.mlir --tileas-generate-schedule --tileas-materialize-schedule --remarks=text -o %t.mlir 2> %t.backward.txt
// RUN: orison-interpret %t.mlir --entry attention_backward --tiles 16 --timed --machine=blackwell >> %t.backward.txt
// RUN: FileCheck %s < %t.backward.txt

// CHECK: Analysis predicted-interval: predicted cycles of an iteration in the agents; cycles=[[CYCLES:[0-9]+]];
// CHECK: agent 0 {{.*}} [[CYCLES]].00 {{[0-9.]+}}
// CHECK-NEXT: agent 1 {{.*}} [[CYCLES]].00 {{[0-9.]+}}

// Six agents that pass tiles and rows to each other, and exclude each other from tensor memory. One iteration
// follows the other; regions that read slots are nested, so some are released later than predicted: less than 1%.

// RUN: orison-opt %S/five-roles.mlir --tileas-use-tensor-memory --tileas-generate-schedule='exact-work=1000 ejection-work=1000' --tileas-materialize-schedule --remarks=text -o %t.mlir 2> %t.roles.txt
// RUN: orison-interpret %t.mlir --entry attention --tiles 4 --args='[null, null, null, null, 16]' --timed >> %t.roles.txt
// RUN: FileCheck %s --check-prefix=ROLES < %t.roles.txt

// ROLES: Analysis predicted-interval: {{.*}}; cycles=48{{[0-4][0-9]}};
// ROLES: agent 1 {{.*}} 48{{[0-4][0-9]}}.00 {{[0-9.]+}}
