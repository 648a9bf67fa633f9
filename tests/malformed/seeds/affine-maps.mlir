"d.op"() {m = affine_map<(i, j)[s] -> (i + j * 2 - s, -(i + 1), (i * 6) floordiv 3, j ceildiv s, i mod 4, 7 floordiv -2, i - (i floordiv 4) * 4)>} : () -> ()
"d.op"() {m = affine_map<() -> ()>, n = affine_map<()[n] -> (n, 1)>} : () -> ()
