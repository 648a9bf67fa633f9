%z = "d.one"() ({ "d.two"() ({}, { ^bb0: }, { ^bb0(%i: index): "d.end"(%i, %z) : (index, i8) -> () }) : () -> () }) : () -> i8
