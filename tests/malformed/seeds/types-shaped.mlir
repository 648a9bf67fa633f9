"d.op"() {t = [vector<4xi32>, vector<[2]x8xf16>, vector<f32>, tensor<?x0x4xi1>, tensor<*x!d.t>, tensor<2xf32, #d.enc<a>>, tensor<i8>]} : () -> ()
"d.op"() {t = [memref<?x4xf32, strided<[?, 1], offset: ?>, 3>, memref<*xi8, "g">, memref<2x2xf32, affine_map<(i, j) -> (j, i)>>, memref<index>]} : () -> ()
