%0 = "d.op"() : () -> tuple<memref<?xvector<4xf32>, 1>, complex<f64>, (none, i1) -> (() -> i8), tuple<>>
"d.use"(%0) {f = (i32) -> (f32, f64), g = () -> (() -> ())} : (tuple<memref<?xvector<4xf32>, 1>, complex<f64>, (none, i1) -> (() -> i8), tuple<>>) -> ()
