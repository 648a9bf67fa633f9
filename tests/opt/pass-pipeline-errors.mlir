// RUN: not orison-opt --pass-pipeline='builtin.module(csee)' %s 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not orison-opt --pass-pipeline='builtin.module(canonicalize{max-iteration=3})' %s 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not orison-opt --canonicalize='top-down=perhaps' %s 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not orison-opt --canonicalize='region-simplify=agressive' %s 2>&1 | FileCheck %s --check-prefix=CHOICE
// RUN: not orison-opt --pass-pipeline='builtin.module(cse' %s 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not orison-opt --pass-pipeline=cse %s 2>&1 | FileCheck %s --check-prefix=ANCHOR
// RUN: not orison-opt --pass-pipeline='builtin.module(cse)' --cse %s 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not orison-opt --pass-pipeline='func.func(cse)' %s 2>&1 | FileCheck %s --check-prefix=ROOT
// RUN: not orison-opt --pass-pipeline='builtin.module(canonicalize{=3})' %s 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not orison-opt --pass-pipeline='builtin.module(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(any(cse))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))' %s 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: not orison-opt --mlir-print-ir-after=csd %s 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: not orison-opt --verify-eech %s 2>&1 | FileCheck %s --check-prefix=FLAG

// PASS:      1:16: error: 'csee' does not refer to a registered pass or pass pipeline; did you mean 'cse'?
// PASS-NEXT: builtin.module(csee)
// PASS-NEXT: {{^               \^$}}
// OPTION: 1:29: error: pass 'canonicalize': no such option 'max-iteration'; did you mean 'max-iterations'?
// VALUE: error: pass 'canonicalize': option 'top-down': 'perhaps' is invalid value for boolean argument! Try 0 or 1
// CHOICE: error: pass 'canonicalize': option 'region-simplify': no such value 'agressive'; did you mean 'aggressive'?
// OPEN: 1:15: error: expected ')' to match the '(' here
// ANCHOR: error: expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'
// BOTH: '--pass-pipeline' can't be used with individual pass options
// ROOT: error: can't run 'func.func' pass manager on 'builtin.module' op
// NAME: 1:29: error: expected the name of an option
// The first parenthesis is at column 15, each of the other 64 four columns further.
// DEEP: 1:271: error: pipelines nest deeper than 64 levels
// AFTER: 'csd' does not refer to a registered pass or pass pipeline; did you mean 'cse'?
// FLAG: unexpected argument '--verify-eech'
// FLAG: a similar argument exists: '--verify-each'
func.func @f() {
  return
}
