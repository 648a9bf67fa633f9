; ModuleID = "x"
define void @f() {
  ret void
}
