"d.op"() {a = dense<[0x7FC00000, 0x7F800001, 0xFF800000, -0.0]> : tensor<4xf32>, b = array<f32: 0x7FC00001>} : () -> ()
%0 = arith.constant 0xFFC0 : bf16
%1 = arith.constant dense<0x7E00> : vector<2xf16>
