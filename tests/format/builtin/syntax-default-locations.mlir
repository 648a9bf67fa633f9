// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-local-scope --mlir-print-debuginfo %s | FileCheck %s --check-prefix=LOCAL

// An operation without a location has that of its first token; split parts count lines from the file's start.
// LOCAL: "d.op"() : () -> () loc("{{.*}}syntax-default-locations.mlir":[[@LINE+1]]:3)
  "d.op"() : () -> ()
// LOCAL: %0 = "d.op"() : () -> i32 loc("{{.*}}":[[@LINE+1]]:8)
  %x = "d.op"() : () -> i32
