"builtin.module"() ({
  "func.func"() <{function_type = (index, f32) -> (f32, index), sym_name = "f"}> ({
  ^bb0(%arg0: index, %arg1: f32):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2:2 = "scf.for"(%0, %arg0, %1, %arg1, %0) ({
    ^bb0(%arg2: index, %arg3: f32, %arg4: index):
      %3 = "scf.for"(%arg2, %arg0, %1, %arg3) ({
      ^bb0(%arg5: index, %arg6: f32):
        %4 = "arith.mulf"(%arg6, %arg1) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "scf.yield"(%4) : (f32) -> ()
      }) {d.inner} : (index, index, index, f32) -> f32
      "scf.yield"(%3, %arg2) : (f32, index) -> ()
    }) : (index, index, index, f32, index) -> (f32, index)
    "func.return"(%2#0, %2#1) : (f32, index) -> ()
  }) : () -> ()
}) : () -> ()

