// RUN: orison-opt --allow-unregistered-dialect %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect %s | orison-opt --allow-unregistered-dialect | FileCheck %s

// The region of an operation in generic form inherits the default dialect of the region around it;
// names are printed in full there.

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
