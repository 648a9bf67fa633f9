// RUN: not orison-opt --split-input-file %s 2>&1 | FileCheck %s

// Every part is processed, even after errors in earlier parts; locations are those of the file.
// CHECK-DAG: split-input-file.mlir:[[@LINE+5]]:3: error: custom op 'retrn' is unknown
// CHECK-DAG: split-input-file.mlir:[[@LINE+13]]:7: warning: near miss with file split marker
// CHECK-DAG: func.func @b()
// CHECK-DAG: split-input-file.mlir:[[@LINE+16]]:3: error: custom op 'rturn' is unknown
func.func @a() {
  retrn
}

// -----

func.func @b() {
  return
}

// ----

// -----

func.func @c() {
  rturn
}
