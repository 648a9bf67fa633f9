// -----// IR Dump Before cse //----- //
func.func @symC() {
  return
}

