// RUN: orison-opt --allow-unregistered-dialect %s --emit-bytecode --emit-bytecode-version=6 | orison-opt --allow-unregistered-dialect | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect %s --emit-bytecode --emit-bytecode-version=5 | orison-opt --allow-unregistered-dialect | FileCheck %s

// Before version 5 there are no properties: they are written as attributes, where both cannot be kept.
// RUN: not orison-opt --allow-unregistered-dialect %s --emit-bytecode --emit-bytecode-version=4 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: bytecode-properties.mlir:[[#@LINE+6]]:1: error: properties of an unregistered operation require bytecode version 5
module attributes {u.names} {
// CHECK: "u.op"() <{a = 1 : i32}> {a = 2 : i32} : () -> ()
// CHECK-NEXT: "u.op"() <{}> : () -> ()
// CHECK-NEXT: "u.op"() {a = 3 : i32} : () -> ()
// CHECK-NEXT: func.func private @f(i32) -> i32
"u.op"() <{a = 1 : i32}> {a = 2 : i32} : () -> ()
"u.op"() <{}> : () -> ()
"u.op"() {a = 3 : i32} : () -> ()
func.func private @f(i32) -> i32
}
