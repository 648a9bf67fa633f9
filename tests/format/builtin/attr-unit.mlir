// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Inside arrays, unit is written out.
// CHECK: {a, b = [unit, unit], c = {d}}
"d.op"() {a, b = [unit, unit], c = {d = unit}} : () -> ()
