// -----// IR Dump After canonicalize //----- //
func.func @symB() {
  return
}

