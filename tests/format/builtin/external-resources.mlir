// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// External resources: strings, Booleans and blobs, grouped by their owner.
"d.op"() : () -> ()
// CHECK:      {-#
// CHECK-NEXT:   external_resources: {
// CHECK-NEXT:     owner: {
// CHECK-NEXT:       text: "a string",
// CHECK-NEXT:       flag: true,
// CHECK-NEXT:       off: false,
// CHECK-NEXT:       blob: "0x04000000AB"
// CHECK-NEXT:     },
// CHECK-NEXT:     other: {
// CHECK-NEXT:       x: "y"
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: #-}
{-#
  external_resources: {
    owner: { text: "a string", flag: true, off: false, blob: "0x04000000ab" },
    other: { x: "y" }
  }
#-}
