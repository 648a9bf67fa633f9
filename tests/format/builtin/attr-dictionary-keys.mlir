// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A key that is a valid identifier is bare, others are quoted; keywords are identifiers.
// CHECK: {"1x" = 1 : i64, a$b = 2 : i64, "a-b" = 3 : i64, a.b = 4 : i64, i32 = 5 : i64, if = 6 : i64, true = 8 : i64, "two words" = 7 : i64}
"d.op"() {"1x" = 1, a$b = 2, "a-b" = 3, "a.b" = 4, i32 = 5, if = 6, "two words" = 7, true = 8} : () -> ()
