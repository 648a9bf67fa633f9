// -----// IR Dump After cse //----- //
func.func @"sym\\backslash"() {
  return
}

