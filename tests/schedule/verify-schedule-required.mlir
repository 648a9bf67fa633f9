// RUN: orison-opt --allow-unregistered-dialect --verify-diagnostics --tileas-verify-schedule='require=true' %s

// With the option, every loop that could be scheduled has a schedule; the outer loop could not be.
func.func @required(%n: index) {
  scf.for %i = %n to %n step %n {
    // expected-error @+1 {{has no schedule}}
    scf.for %j = %n to %n step %n {
      "test.a"() {tileas.schedule.resources = [array<i32: 7, 2, 1>]} : () -> ()
    }
  }
  scf.for %i = %n to %n step %n {
    "test.b"() : () -> ()
  }
  return
}
