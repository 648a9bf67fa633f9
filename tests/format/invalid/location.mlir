// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{expected '(' in location}}
"d.op"() : () -> () loc

// -----

// expected-error @+1 {{expected location instance}}
"d.op"() : () -> () loc()

// -----

// expected-error @+1 {{expected integer column number in FileLineColRange}}
"d.op"() : () -> () loc("f":1:)

// -----

// expected-error @+1 {{expected integer line number in FileLineColRange}}
"d.op"() : () -> () loc("f":x)

// -----

// expected-error @+1 {{expected 'at' in callsite location}}
"d.op"() : () -> () loc(callsite("a"))

// -----

// expected-error @+1 {{expected location instance}}
"d.op"() : () -> () loc(callsite("a" at))

// -----

// expected-error @+1 {{expected ']' in fused location}}
"d.op"() : () -> () loc(fused["a")

// -----

// expected-error @+1 {{expected '>' after fused location metadata}}
"d.op"() : () -> () loc(fused<1]["a"])

// -----

// expected-error @+1 {{expected location instance}}
"d.op"() : () -> () loc(nowhere)

// -----

// expected-error @+1 {{expected ')' in location}}
"d.op"() : () -> () loc("a"("b")

// -----

// expected-error @+1 {{expected either integer or `:` post `to` in FileLineColRange}}
"d.op"() : () -> () loc("f":1:2 to)

// -----

#x = 1
// expected-error @+1 {{expected location, but found '1 : i64'}}
"d.op"() : () -> () loc(#x)

// -----

// expected-error @+1 {{expected location instance}}
"d.op"() : () -> () loc(1)
