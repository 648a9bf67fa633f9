// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-debuginfo %s | FileCheck %s --check-prefix=DEBUG

// Block arguments carry locations; their printed form is never an alias.
// DEBUG: ^bb0(%arg0: i32 loc("first"), %arg1: f32 loc("f.c":2:3)):
"d.op"() ({
^bb0(%a: i32 loc("first"), %b: f32 loc("f.c":2:3)):
}) : () -> ()
