// -----// IR Dump After cse //----- //
func.func @"sym/A"() {
  return
}

