%0="d.def"(){a=1:i32,b}:()->i32"d.use"(%0,%0){c}:(i32,i32)->()
	"d.op"   (   )   {   a   }   :   (   )   ->   (   )
module{func.func@f(%a:i32)->i32{return%a:i32}}
