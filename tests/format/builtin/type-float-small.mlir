// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Float types of eight bits and fewer.
// CHECK: [f8E5M2, f8E4M3, f8E4M3FN, f8E5M2FNUZ, f8E4M3FNUZ, f8E4M3B11FNUZ, f8E3M4, f8E8M0FNU]
"d.op"() {t = [f8E5M2, f8E4M3, f8E4M3FN, f8E5M2FNUZ, f8E4M3FNUZ, f8E4M3B11FNUZ, f8E3M4, f8E8M0FNU]} : () -> ()
// CHECK: [f6E2M3FN, f6E3M2FN, f4E2M1FN]
"d.op"() {t = [f6E2M3FN, f6E3M2FN, f4E2M1FN]} : () -> ()
