// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-local-scope --mlir-print-debuginfo %s | FileCheck %s --check-prefix=LOCAL

// Metadata is any attribute.
// LOCAL: loc(fused<{k = 1 : i64}>["a", "b"])
"d.op"() : () -> () loc(fused<{k = 1}>["a", "b"])
// LOCAL: loc(fused<#d.x<y>>["a"])
"d.op"() : () -> () loc(fused<#d.x<y>>["a"])
