// The high half of an index times one is no sign extension of a bit: that has no index.
func.func @f(%x: index) -> (index, index) {
  %one = arith.constant 1 : index
  %low, %high = arith.mulsi_extended %x, %one : index
  return %low, %high : index, index
}
