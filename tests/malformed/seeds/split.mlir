#a = 1 : i8
func.func private @f()
"d.op"() {a = #a} : () -> ()
// -----
#b = 2 : i16
func.func private @f()
"d.op"() {a = #b} : () -> ()
