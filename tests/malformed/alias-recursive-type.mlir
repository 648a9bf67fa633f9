!x = tuple<!x>
%0 = "d.op"() : () -> !x
