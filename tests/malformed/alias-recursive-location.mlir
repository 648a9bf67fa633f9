#x = loc(callsite(#x at #x))
"d.op"() : () -> () loc(#x)
