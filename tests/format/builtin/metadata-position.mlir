// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Metadata may come first; it is printed last.
{-# external_resources: { t: { k: "v" } } #-}
// CHECK: "d.op"() : () -> ()
// CHECK: {-#
// CHECK: k: "v"
"d.op"() : () -> ()
