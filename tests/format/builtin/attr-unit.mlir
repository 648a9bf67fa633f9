// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Unit has a name of its own inside arrays.
// CHECK: {a, b = [unit, unit], c = {d}}
"d.op"() {a, b = [unit, unit], c = {d = unit}} : () -> ()
