// RUN: orison-opt --pass-pipeline='builtin.module(func.func(cse),cse)' --mlir-pass-statistics -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=STATISTICS
// RUN: orison-opt --pass-pipeline='builtin.module(func.func(cse),cse)' --mlir-pass-statistics --mlir-pass-statistics-display=list -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: orison-opt --pass-pipeline='builtin.module(func.func(cse),cse)' --mlir-timing -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=TIMING

// STATISTICS:      ... Pass statistics report ...
// STATISTICS:      'builtin.module' Pipeline
// STATISTICS-NEXT:   'func.func' Pipeline
// STATISTICS-NEXT:     cse
// STATISTICS-NEXT:       (S) 1 num-cse'd - Number of operations CSE'd
// STATISTICS-NEXT:       (S) 0 num-dce'd - Number of operations DCE'd
// STATISTICS-NEXT:   cse
// STATISTICS-NEXT:     (S) 0 num-cse'd - Number of operations CSE'd

// LIST:      {{^}}cse
// LIST-NEXT:   (S) 1 num-cse'd - Number of operations CSE'd

// TIMING:      ... Execution time report ...
// TIMING:      Total Execution Time:
// TIMING:      ----Wall Time----  ----Name----
// TIMING-NEXT: %) Parser
// TIMING-NEXT: %) 'func.func' Pipeline
// TIMING-NEXT: %)   cse
// TIMING-NEXT: %) cse
// TIMING-NEXT: %) Output
// TIMING-NEXT: %) Rest
// TIMING-NEXT: (100.0%) Total
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
