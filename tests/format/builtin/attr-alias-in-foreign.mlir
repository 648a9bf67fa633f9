// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A foreign attribute's body is not searched for aliases.
#one = 1 : i8
// CHECK: {a = #d.x<#one>, b = 1 : i8}
"d.op"() {a = #d.x<#one>, b = #one} : () -> ()
