// Bounds, statistics, single rules, fuel and debug counters, of windows that are replaced. In windows of
// one operation others of the block are looked into.
//
// RUN: orison-opt --ori-general-optimize --mlir-pass-statistics %s 2>&1 | FileCheck %s --check-prefix=STATISTICS --implicit-check-not='of 0 ori'
// RUN: orison-opt --ori-general-optimize='max-iterations=0' %s | FileCheck %s --check-prefix=NOTHING
// RUN: orison-opt --ori-general-optimize='window=1' %s | FileCheck %s --check-prefix=ONLY
// RUN: orison-opt --ori-general-optimize --only=ori-general-linear-form %s | FileCheck %s --check-prefix=ONLY
// RUN: orison-opt --ori-general-optimize --fuel=0 %s | FileCheck %s --check-prefix=NOTHING
// RUN: orison-opt --ori-general-optimize --fuel=1 %s | FileCheck %s --check-prefix=ONLY
// RUN: orison-opt --ori-general-optimize --mlir-debug-counter=ori-general-replace-count=0 %s | FileCheck %s --check-prefix=NOTHING
// RUN: orison-opt --ori-general-optimize --mlir-debug-counter=ori-general-replace-count=1 %s | FileCheck %s --check-prefix=ONLY
// RUN: orison-opt --ori-general-optimize='work=1' --remarks=text %s 2>&1 | FileCheck %s --check-prefix=WORK
// RUN: orison-opt --ori-general-optimize='work=100000' --remarks=text %s 2>&1 | FileCheck %s --check-prefix=ENOUGH --implicit-check-not='Missed work'
// RUN: orison-opt --list-rules | FileCheck %s --check-prefix=LIST

// The cost before and after, and for each rule how many of its terms are in the result, how often it
// found something, and what that saved.
// STATISTICS: (S) [[BEFORE:[0-9]+]] cost-before
// STATISTICS: (S) {{[0-9]+}} cost-after
// STATISTICS: (S) 1 num-blocks-changed
// STATISTICS: (S) 1 num-graphs
// STATISTICS: Rewrite rules: applied of tried
// STATISTICS: {{ +[1-9]}} of {{ *[0-9]+}} ori-general-{{[a-z0-9-]+}}, saving {{[1-9]}}

// WORK: remark: [ori-general-optimize] Missed work: the work limit ended the search in 1 graphs; a larger 'work'
// ENOUGH: ori.func @sum

// LIST: ori-general-add-zero
// LIST: ori-general-truth-table

// NOTHING: ori.iadd3
// NOTHING: ori.iadd3
// ONLY: ori.iadd3
// ONLY-NOT: ori.iadd3
ori.func @sum(%a: !ori.r, %b: !ori.r) -> !ori.r target "sm_90a" {
  %zero = ori.imm 0 : !ori.r
  %x = ori.iadd3 %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.iadd3 %x, neg %b, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %y : !ori.r
}
