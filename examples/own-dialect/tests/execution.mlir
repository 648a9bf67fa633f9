// RUN: poly-interpret %s --entry value --args '[2]' | FileCheck %s

// 5 + 3 * 2 * 2, and the other polynomial adds 2 at the point 2.
// CHECK: {"outcome":"returned","results":[19]}
func.func @value(%x: i64) -> i64 {
  %p = poly.constant #poly.coefficients<5, 0, 3>
  %q = poly.constant #poly.coefficients<0, 1>
  %sum = poly.add %p, %q
  %value = poly.eval %sum at %x
  return %value : i64
}
