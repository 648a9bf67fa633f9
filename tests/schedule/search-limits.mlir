// What ends the search for a smaller II, and what is recorded of it.
//
// The slots are held for up to 15 cycles. A schedule of 15 cycles does not exist, which the exact search
// shows; the ejection search finds one of 16, and the heuristics find none below 18.
//
// RUN: orison-opt --allow-unregistered-dialect %s --tileas-generate-schedule --tileas-verify-schedule=require=true | FileCheck %s --check-prefix=PROVEN
// RUN: orison-opt --allow-unregistered-dialect %s --tileas-generate-schedule=exact-work=1 --remarks=text 2>&1 | FileCheck %s --check-prefix=WORK
// RUN: orison-opt --allow-unregistered-dialect %s --tileas-generate-schedule=exact-work=0 --remarks=text 2>&1 | FileCheck %s --check-prefix=NO-PROOF
// RUN: orison-opt --allow-unregistered-dialect %s --tileas-generate-schedule='exact-work=0 ejection-work=0' --remarks=text 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: orison-opt --allow-unregistered-dialect %s --tileas-generate-schedule=ejection-work=0 | FileCheck %s --check-prefix=EXACT-ONLY
// RUN: orison-opt --allow-unregistered-dialect %s --tileas-generate-schedule=strategy=fast | FileCheck %s --check-prefix=FAST
// RUN: orison-opt --allow-unregistered-dialect %S/Inputs/search-size.txt --tileas-generate-schedule --remarks=text 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: orison-opt --allow-unregistered-dialect %S/../../schedule/tests/modulo/loop002.mlir --tileas-generate-schedule | FileCheck %s --check-prefix=REFINED
// RUN: orison-opt --allow-unregistered-dialect %S/../../schedule/tests/modulo/loop002.mlir --tileas-generate-schedule=max-constraint-iterations=1 | FileCheck %s --check-prefix=CUT-SHORT
//
// PROVEN: tileas.schedule = {generator = {{.*}}, ii = 16 : i32, mii = {{.*}}resource = 15 : i32{{.*}}}, proven = true, stages = {{[0-9]+}} : i32}
//
// WORK: modulo-schedule{{.*}}the search for a smaller II ended at its limit of work
// WORK: ii = 16 : i32, limit = "work", lower_bound = 15 : i32, {{.*}}proven = false
//
// Without a proof the ejection search still finds 16.
// NO-PROOF: the options turn off the search for a smaller II
// NO-PROOF: ii = 16 : i32, limit = "disabled", lower_bound = 15 : i32, {{.*}}proven = false
//
// OFF: the options turn off the search for a smaller II
// OFF: ii = 18 : i32, limit = "disabled", lower_bound = 15 : i32
// FAST: ii = 18 : i32, limit = "disabled", lower_bound = 15 : i32
//
// EXACT-ONLY: ii = 16 : i32, {{.*}}proven = true
//
// The same loop with distances that are too large for the searches: the heuristics choose the II.
// SIZE: the loop, or the distances between its operations, are too large for a search
// SIZE: ii = 16 : i32, limit = "size", lower_bound = 15 : i32, {{.*}}proven = false
//
// In this loop, one iteration of refinement is too few.
// REFINED-NOT: budget_exceeded
// CUT-SHORT: tileas.schedule = {budget_exceeded, generator

module {
  func.func @limits(%n: index, %init: i32) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %r:3 = scf.for %i = %zero to %n step %one iter_args(%four_1 = %init, %five_1 = %init, %five_2 = %init) -> (i32, i32, i32) {
      %v0 = "test.op"() {tileas.schedule.latency = 3 : i32, tileas.schedule.resources = [array<i32: 4, 3, 1>, array<i32: 10, 1, 1>, array<i32: 13, 1, 1>]} : () -> i32
      %v1 = "test.op"(%v0, %five_2) {tileas.schedule.latency = 5 : i32, tileas.schedule.resources = [array<i32: 10, 5, 1>]} : (i32, i32) -> i32
      %v2 = "test.op"(%v0, %v1) {tileas.schedule.latency = 3 : i32, tileas.schedule.resources = [array<i32: 13, 3, 1>]} : (i32, i32) -> i32
      %v3 = "test.op"(%v2, %four_1) {tileas.schedule.latency = 6 : i32, tileas.schedule.resources = [array<i32: 4, 4, 1>, array<i32: 10, 3, 1>]} : (i32, i32) -> i32
      %v4 = "test.op"(%v0, %v1) {tileas.schedule.latency = 7 : i32, tileas.schedule.resources = [array<i32: 4, 1, 1>, array<i32: 13, 4, 1>]} : (i32, i32) -> i32
      %v5 = "test.op"(%v1, %v4) {tileas.schedule.latency = 10 : i32, tileas.schedule.resources = [array<i32: 4, 1, 1>, array<i32: 7, 5, 1>, array<i32: 10, 3, 1>]} : (i32, i32) -> i32
      %v6 = "test.op"(%v1, %v4) {tileas.schedule.latency = 9 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>, array<i32: 10, 1, 1>, array<i32: 13, 4, 1>]} : (i32, i32) -> i32
      %v7 = "test.op"(%v4, %v6) {tileas.schedule.latency = 6 : i32, tileas.schedule.resources = [array<i32: 4, 6, 1>, array<i32: 13, 3, 1>]} : (i32, i32) -> i32
      scf.yield %v4, %v5, %five_1 : i32, i32, i32
    }
    return
  }
}
