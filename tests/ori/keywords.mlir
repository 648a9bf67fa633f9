// Keywords of operations are attributes of their own: in the generic form, where IRDL describes the
// dialect, and in bytecode.

// RUN: orison-opt %s | FileCheck %s
// RUN: orison-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: orison-opt %s --mlir-print-op-generic | orison-opt | FileCheck %s
// RUN: orison-opt %s --print-irdl-form | FileCheck %s --check-prefix=PLAIN
// RUN: orison-opt %s --print-irdl-form | orison-opt --parse-irdl-form | FileCheck %s
// RUN: orison-opt %s --emit-bytecode | orison-opt | FileCheck %s
// RUN: orison-opt --emit-irdl=ori | FileCheck %s --check-prefix=IRDL

// CHECK:   ori.isetp <ge, s32, and> %{{.*}}, %{{.*}} :
// GENERIC: "ori.isetp"({{.*}}) <{combine = #ori.combine<and>, compare = #ori.compare<ge>,
// GENERIC-SAME: signedness = #ori.signedness<s32>}>
// PLAIN:   compare = #ori.compare<"ge">

// IRDL:      irdl.attribute @combine {
// IRDL-NEXT:   %0 = irdl.is "and"
// IRDL-NEXT:   %1 = irdl.is "or"
// IRDL-NEXT:   %2 = irdl.is "xor"
// IRDL-NEXT:   %3 = irdl.any_of(%0, %1, %2)
// IRDL-NEXT:   irdl.parameters(keyword: %3)
// IRDL:      irdl.operation @isetp {
// IRDL:        [[COMPARE:%[0-9]+]] = irdl.base @ori::@compare
// IRDL:        irdl.attributes {"compare" = [[COMPARE]]

ori.func @f(%a: !ori.r, %b: !ori.r) -> !ori.p target "sm_80" {
  %p = ori.isetp <ge, s32> %a, %b : (!ori.r, !ori.r) -> !ori.p
  ori.ret %p : !ori.p
}
