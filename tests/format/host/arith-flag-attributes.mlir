// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// The dialect's flag attributes can be used on other operations.
// CHECK: {a = #arith.fastmath<nnan,contract>, b = #arith.overflow<nsw, nuw>, c = #arith.fastmath<fast>, d = #arith.fastmath<none>}
"d.op"() {a = #arith.fastmath<contract, nnan>, b = #arith.overflow<nuw, nsw>, c = #arith.fastmath<fast>, d = #arith.fastmath<none>} : () -> ()
