"d.op"() : () -> () loc(#x)
