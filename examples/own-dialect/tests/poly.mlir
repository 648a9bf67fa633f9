// RUN: poly-opt %s | poly-opt | FileCheck %s --check-prefix=PARSED
// RUN: poly-opt %s --canonicalize | FileCheck %s --check-prefix=RULE
// RUN: poly-opt %s --canonicalize --poly-expand-eval --canonicalize | FileCheck %s --check-prefix=PASS
// RUN: poly-opt %s --poly-expand-eval='max-coefficients=2' --remarks=text 2>&1 | FileCheck %s --check-prefix=REMARK

// PARSED-LABEL: func.func @value
// PARSED: poly.constant #poly.coefficients<5, 0, 3>
// PARSED: poly.add %{{.*}}, %{{.*}}
// PARSED: poly.eval %{{.*}} at %arg0

// RULE-LABEL: func.func @value
// RULE-NEXT: [[P:%.*]] = poly.constant #poly.coefficients<5, 0, 3>
// RULE-NEXT: [[V:%.*]] = poly.eval [[P]] at %arg0
// RULE-NEXT: return [[V]]

// 5 + x * (0 + x * 3).
// PASS-LABEL: func.func @value
// PASS-DAG: [[C5:%.*]] = arith.constant 5 : i64
// PASS-DAG: [[C3:%.*]] = arith.constant 3 : i64
// PASS: [[A:%.*]] = arith.muli %arg0, [[C3]]
// PASS: [[B:%.*]] = arith.muli [[A]], %arg0
// PASS: [[V:%.*]] = arith.addi [[B]], [[C5]]
// PASS: return [[V]]
// PASS-NOT: poly.

// REMARK: the polynomial is not known
func.func @value(%x: i64) -> i64 {
  %p = poly.constant #poly.coefficients<5, 0, 3>
  %zero = poly.constant #poly.coefficients<0>
  %sum = poly.add %p, %zero
  %value = poly.eval %sum at %x
  return %value : i64
}
