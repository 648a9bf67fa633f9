"d.op"() {a = affine_map<(i, i) -> (i)>} : () -> ()
