"d.table"() ({
  "d.symbol"() {sym_name = "x", sym_visibility = "private"} : () -> ()
  "d.use"() {ref = @x::@y} : () -> ()
}) {sym_name = "table"} : () -> ()
func.func @"a b"() { return }
func.func @user() { call @"a b"() : () -> () return }
