// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Identity, not value: IDs are renumbered on output.
// CHECK:      #distinct = distinct[0]<1 : i64>
// CHECK-NEXT: #distinct1 = distinct[1]<1 : i64>
// CHECK-NEXT: #distinct2 = distinct[2]<#d.x>
// CHECK: {a = #distinct, b = #distinct1, c = #distinct, d = #distinct2}
"d.op"() {a = distinct[3]<1>, b = distinct[7]<1>, c = distinct[3]<1>, d = distinct[5]<#d.x>} : () -> ()
