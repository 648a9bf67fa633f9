// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Spaces within a pretty body are part of the type.
// CHECK: [!d.a<  b ,c  >, !d.a<b, c>]
"d.op"() {t = [!d.a<  b ,c  >, !d.a<b, c>]} : () -> ()
