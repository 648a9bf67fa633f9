// before
%0 = "d.def"() : () -> i32 // after
"d.op" // a name
( // an operand
  %0
) { // a dictionary
  a = [ // an array
    1, // one
    2
  ]
} :
(i32) -> () // done
