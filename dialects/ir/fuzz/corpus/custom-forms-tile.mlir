nv_tileaa.func @control(%tile: tensor<8xf16>) {
  %0 = nv_tileas.pragma -> tensor<8xf16> attributes {ocgEnterDirectives = ["a"], ocgLeaveDirectives = ["b"]} {
    nv_tileas.yield %tile : tensor<8xf16>
  }
  nv_tileaa.return
}
