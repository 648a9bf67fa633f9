// -----// IR Dump After cse //----- //
module @inner {
  func.func @symB() {
    return
  }
  func.func @symC() {
    return
  }
}

