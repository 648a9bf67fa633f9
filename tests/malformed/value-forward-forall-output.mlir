func.func @f(%n: index) {
  %r = scf.forall (%i) in (%n) shared_outs(%a = %late) -> (tensor<4xf32>) {
    %late = "d.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  }
  return
}
