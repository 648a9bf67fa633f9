// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Aliases of attributes are expanded; only maps, sets, distinct attributes and locations get aliases on output.
#one = 1 : i8
#list = [#one, #one]
#dict = {k = #list}
// CHECK-NOT: #one
// CHECK: "d.op"() {a = 1 : i8, b = [1 : i8, 1 : i8], c = {k = [1 : i8, 1 : i8]}} : () -> ()
"d.op"() {a = #one, b = #list, c = #dict} : () -> ()
