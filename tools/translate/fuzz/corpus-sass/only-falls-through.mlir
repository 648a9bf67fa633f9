sass.func @k target "sm_90a" {
  sass.fall_through
}
