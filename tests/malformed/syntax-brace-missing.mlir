module {
"d.op"() : () -> ()
