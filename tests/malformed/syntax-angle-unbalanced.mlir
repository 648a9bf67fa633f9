"d.op"() : () -> tuple<tuple<i32>
