%0 = unrealized_conversion_cast to i32
%1:2 = unrealized_conversion_cast %0 : i32 to !d.a<b>, !d<"c">
%2 = builtin.unrealized_conversion_cast %1#0, %1#1 : !d.a<b>, !d<"c"> to tuple<i1, none> {d.q}
