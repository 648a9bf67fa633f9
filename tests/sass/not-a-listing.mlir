// Operations that no listing contains.
//
// RUN: not orison-translate --sass-to-text %s 2>&1 | FileCheck %s

sass.section "a" ["// text"]
// CHECK: not-a-listing.mlir:[[#@LINE+1]]:1: error: 'func.func' op cannot be part of a listing
func.func @f() {
  return
}
