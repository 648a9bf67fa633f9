// RUN: not orison-opt %t.does-not-exist.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not orison-opt %s -o %t/no/such/folder.mlir 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: printf 'module {\n  \377}' | not orison-opt 2>&1 | FileCheck %s --check-prefix=UTF8

// MISSING: cannot open input file '{{.*}}does-not-exist.mlir': No such file or directory
// OUTPUT: cannot open output file
// UTF8: <stdin>:2:3: error: invalid UTF-8
module {}
