"d.op"() {a = "one
two"} : () -> ()
