func.func @f(%a: f32, %v: vector<4xbf16>) -> f16 {
  %inf = arith.constant 0x7F800000 : f32
  %0 = arith.addf %a, %inf fastmath<nnan,contract> : f32
  %1 = arith.cmpf ueq, %0, %a fastmath<fast> : f32
  %2 = arith.truncf %0 to_nearest_even fastmath<nsz> : f32 to f16
  %3 = arith.negf %v : vector<4xbf16>
  %4 = arith.extf %3 : vector<4xbf16> to vector<4xf64>
  return %2 : f16
}
