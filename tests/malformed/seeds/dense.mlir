"d.op"() {a = dense<[[1, -2], [3, 4]]> : tensor<2x2xi32>, b = dense<1.5> : vector<4xf16>, c = dense<[true, false]> : tensor<2xi1>, d = dense<> : tensor<0x2xi8>} : () -> ()
"d.op"() {a = dense<"0x0000803F000000C0"> : tensor<2xf32>, b = dense<[(1, 2), (3, -4)]> : tensor<2xcomplex<i32>>, c = dense<["a", "b\0A"]> : tensor<2x!d.s>} : () -> ()
"d.op"() {a = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>, b = sparse<> : tensor<3xf32>} : () -> ()
