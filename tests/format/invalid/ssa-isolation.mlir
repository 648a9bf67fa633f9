// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

%0 = "d.def"() : () -> i32
// expected-note @+1 {{required by region isolation constraints}}
func.func @f() -> i32 {
// expected-error @+1 {{'func.return' op using value defined outside the region}}
  return %0 : i32
}

// -----

func.func @f(%a: i32) {
// expected-note @+1 {{required by region isolation constraints}}
  builtin.module {
// expected-error @+1 {{'d.use' op using value defined outside the region}}
    "d.use"(%a) : (i32) -> ()
  }
  return
}
