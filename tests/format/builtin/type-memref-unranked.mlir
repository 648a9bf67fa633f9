// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Unranked memrefs with and without a space.
// CHECK: [memref<*xf32>, memref<*xf32>, memref<*xi8, 3>, memref<*xi8, "global">]
"d.op"() {t = [memref<*xf32>, memref<*xf32, 0>, memref<*xi8, 3>, memref<*xi8, "global">]} : () -> ()
