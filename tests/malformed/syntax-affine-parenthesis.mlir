"d.op"() {a = affine_map<(i) -> ((i + 1)>} : () -> ()
