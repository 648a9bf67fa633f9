// -----// IR Dump After cse //----- //
func.func @symB() {
  return
}

