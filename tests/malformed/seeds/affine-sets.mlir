"d.op"() {s = affine_set<(i, j)[n] : (i >= 0, n - i >= 1, j mod 4 == 0, i + j <= 2 * n)>, e = affine_set<() : ()>} : () -> ()
