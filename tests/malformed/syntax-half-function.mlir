func.func @f(%a: i32
