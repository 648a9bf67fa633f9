// RUN: orison-opt --allow-unregistered-dialect %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect %s | orison-opt --allow-unregistered-dialect | FileCheck %s

// The region of an operation in generic form reads names without a dialect as the region around it
// does; they are printed in full there.

// CHECK-LABEL: func.func @inside
func.func @inside() {
  // CHECK: "test.region"() ({
  // CHECK-NEXT: func.call @inside() : () -> ()
  // CHECK-NEXT: }) : () -> ()
  "test.region"() ({
    call @inside() : () -> ()
  }) : () -> ()
  // CHECK-NEXT: {{^ *}}return
  return
}
