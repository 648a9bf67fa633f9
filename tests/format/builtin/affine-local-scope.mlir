// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-local-scope %s | FileCheck %s --check-prefix=SCOPE

// Without aliases, maps and sets are printed at their uses.
// SCOPE: {m = affine_map<(d0) -> (d0 + 1)>, s = affine_set<(d0) : (d0 >= 0)>}
"d.op"() {m = affine_map<(i) -> (i + 1)>, s = affine_set<(i) : (i >= 0)>} : () -> ()
