"d.op"() : () -> (!d.-, tensor<2x!d.a->)
