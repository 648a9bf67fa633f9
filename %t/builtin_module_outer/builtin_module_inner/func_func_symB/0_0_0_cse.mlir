// -----// IR Dump Before cse //----- //
func.func @symB() {
  return
}

