// Files that FileCheck cannot read.
//
// RUN: not FileCheck 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not FileCheck %t.absent --input-file=%s 2>&1 | FileCheck %s --check-prefix=CHECKS
// RUN: not FileCheck %s --check-prefix=NONE --input-file=%t.absent 2>&1 | FileCheck %s --check-prefix=INPUT
// NONE: <check-file> not specified
// CHECKS: Could not open check file '{{.*}}.absent': No such file or directory
// INPUT: Could not open input file '{{.*}}.absent': No such file or directory
