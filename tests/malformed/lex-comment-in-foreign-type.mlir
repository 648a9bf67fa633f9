"d.op"() : () -> !d.t<a
b // c >
>
