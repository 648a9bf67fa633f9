// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Empty dictionaries and empty result lists are not printed.
// CHECK: func.func private @f(){{$}}
// CHECK: func.func @g() {
func.func private @f() -> () attributes {}
func.func @g() -> () attributes {} { return {} }
