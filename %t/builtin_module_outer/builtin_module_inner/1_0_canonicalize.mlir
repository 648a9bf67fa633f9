// -----// IR Dump After canonicalize //----- //
module @inner {
  func.func @symB() {
    return
  }
  func.func @symC() {
    return
  }
}

