"d.op"() : () -> !d<a<b>c<d>>
