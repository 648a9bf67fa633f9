"builtin.module"() ({
  "func.func"() <{arg_attrs = [{d.a}, {}], function_type = (i32, f32) -> (i1, i2), res_attrs = [{d.r = [1]}, {}], sym_name = "ext", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = ((i32) -> i32, i32) -> i32, no_inline, sym_name = "odd name", sym_visibility = "nested"}> ({
  ^bb0(%arg1: (i32) -> i32, %arg2: i32):
    %0 = "func.constant"() <{value = @self}> : () -> ((i32) -> i32)
    %1 = "func.call_indirect"(%0, %arg2) {d.q} : ((i32) -> i32, i32) -> i32
    %2 = "func.call"(%1) <{callee = @self}> : (i32) -> i32
    "func.return"(%2) : (i32) -> ()
  }) {d.z} : () -> ()
  "func.func"() <{function_type = (i32) -> i32, sym_name = "self", sym_visibility = "public"}> ({
  ^bb0(%arg0: i32):
    "func.return"(%arg0) : (i32) -> ()
  }) : () -> ()
}) : () -> ()

