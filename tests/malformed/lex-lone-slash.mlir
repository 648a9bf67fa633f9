/ comment
"d.op"() : () -> ()
