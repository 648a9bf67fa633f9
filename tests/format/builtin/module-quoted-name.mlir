// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A name that is not an identifier is quoted.
// CHECK: module @"a b" {
module @"a b" {}
// -----
// CHECK: module @a.b {
module @"a.b" {}
