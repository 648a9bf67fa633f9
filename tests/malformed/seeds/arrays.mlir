"d.op"() {a = array<i32: 1, -2>, b = array<i1: true>, c = array<f64: 0.5, 0x7FF0000000000000>, d = array<i8>, e = array<ui16: 7>} : () -> ()
"d.op"() {a = strided<[?, 1], offset: ?>, b = strided<[]>, c = distinct[3]<1>, d = distinct[4]<>, e = distinct[3]<1>} : () -> ()
