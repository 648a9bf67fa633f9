// -----// IR Dump After canonicalize //----- //
func.func @symC() {
  return
}

