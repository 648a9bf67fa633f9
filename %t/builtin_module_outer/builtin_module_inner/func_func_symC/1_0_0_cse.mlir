// -----// IR Dump After cse //----- //
func.func @symC() {
  return
}

