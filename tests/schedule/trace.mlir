// RUN: orison-opt --allow-unregistered-dialect --tileas-generate-schedule='trace=%t.json' %s -o %t.traced
// RUN: orison-opt --allow-unregistered-dialect --tileas-generate-schedule %s -o %t.plain
// RUN: diff %t.traced %t.plain
// RUN: orison-opt --allow-unregistered-dialect --tileas-generate-schedule='schedule-trace-file=%t.other.json' %s -o /dev/null
// RUN: diff %t.json %t.other.json
// RUN: FileCheck %s < %t.json
// RUN: not orison-opt --allow-unregistered-dialect --tileas-generate-schedule='trace=%t.json/below' %s 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: {{.*}}cannot write the schedule trace

// The second operation has the longer path to the end and is placed first. The first holds slot 7 for 3
// cycles as well and is placed after it, 3 cycles later than its inputs allow. The constraint
// record of the second is shown, and the dependence on it.
// CHECK: "name": "decisions for the loop at {{.*}}trace.mlir:[[#@LINE+32]]:3"
// CHECK: "arm": "PERMUTE"
// CHECK-NEXT: "committed": true
// CHECK-NEXT: "cost": {
// CHECK-NEXT:   "bank": 0
// CHECK-NEXT:   "distance": 0
// CHECK-NEXT:   "gate": 0
// CHECK-NEXT:   "pipe slot": 0
// CHECK-NEXT:   "spill": 0
// CHECK-NEXT: }
// CHECK-NEXT: "cycle": 0
// CHECK-NEXT: "gate": null
// CHECK-NEXT: "group of operation": 1
// CHECK-NEXT: "ii": 6
// CHECK-NEXT: "operation": 1
// CHECK-NEXT: "round": 1
// CHECK: "arm": "PERMUTE"
// CHECK: "pipe slot": 3
// CHECK: "cycle": 3
// CHECK: "operation": 0
// CHECK: "name": "cost-based at II 6: scheduled"
// CHECK: "name": "schedule of the loop at {{.*}}: II 6, {{[12]}} stages"
// CHECK: "gid": 3
// CHECK: "recomputable": true
// CHECK: "cat": "operation"
// CHECK: "name": "test.b"
// CHECK: "actual latency": 4
// CHECK: "minimal latency": 4
// CHECK: "cat": "dependence"
func.func @two(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "test.a"() {tileas.schedule.latency = 9 : i32, tileas.schedule.resources = [array<i32: 7, 3, 1>]} : () -> ()
    %b = "test.b"() {tileas.recomputable, tileas.schedule.constraint.gid = 3 : i32, tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 3, 1>]} : () -> i32
    "test.c"(%b) {tileas.schedule.latency = 1 : i32, tileas.schedule.resources = [array<i32: 9, 1, 1>]} : (i32) -> ()
  }
  return
}
