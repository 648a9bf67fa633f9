/* comment */
"d.op"() : () -> ()
