module @outer attributes {d.x = 1 : i8} {
  module @"in ner" {
    func.func private @f()
  }
  module attributes {a.b = @outer::@"in ner"::@f} {}
  builtin.module {}
}
