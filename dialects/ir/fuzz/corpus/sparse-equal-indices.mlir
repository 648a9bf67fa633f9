"d.op"() {a = sparse<[0, 0], [1, 2]> : tensor<3xi32>, b = sparse<[[1, 1], [1, 1]], ["x", "y"]> : tensor<3x4x!d.s>} : () -> ()
