"d.op"() ({
  "d.inner"() : () -> ()
