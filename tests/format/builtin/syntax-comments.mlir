// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Comments run to the end of the line, anywhere between tokens.
// CHECK: "d.op"(%0) {a = [1, 2]} : (i32) -> ()
%0 = "d.def"() : () -> i32 // after an operation
"d.op" // after a name
( // before an operand
  %0 // after it
) { // in a dictionary
  a = [ // in an array
    1, // one
    2 // two
  ]
} : // before the type
(i32) -> () // at the end
