// RUN: orison-opt --pass-pipeline='builtin.module( func.func(cse,canonicalize{max-iterations=2}),any( cse ) )' --dump-pass-pipeline %s 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: orison-opt --cse -canonicalize='top-down=false max-iterations=3' --dump-pass-pipeline %s 2>&1 | FileCheck %s --check-prefix=FLAGS
// RUN: orison-opt --canonicalize --cse --canonicalize=max-iterations=1 --dump-pass-pipeline %s 2>&1 | FileCheck %s --check-prefix=ORDER

// A pipeline is printed with every option that has a value.
// DUMP:      Pass Manager with 2 passes:
// DUMP-NEXT: builtin.module(
// DUMP-NEXT:   func.func(
// DUMP-NEXT:     cse,
// DUMP-NEXT:     canonicalize{max-iterations=2 max-num-rewrites=-1 region-simplify=normal test-convergence=false top-down=true}
// DUMP-NEXT:   ),
// DUMP-NEXT:   any(
// DUMP-NEXT:     cse
// DUMP-NEXT:   )
// DUMP-NEXT: )

// Passes as flags, with one dash or two, run in the order of the command line.
// FLAGS:      builtin.module(
// FLAGS-NEXT:   cse,
// FLAGS-NEXT:   canonicalize{max-iterations=3 max-num-rewrites=-1 region-simplify=normal test-convergence=false top-down=false}
// FLAGS-NEXT: )

// ORDER:      canonicalize{max-iterations=10
// ORDER-NEXT: cse,
// ORDER-NEXT: canonicalize{max-iterations=1
func.func @f() {
  return
}
