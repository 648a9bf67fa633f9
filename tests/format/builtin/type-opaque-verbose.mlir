// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Verbose foreign types hold any string, and stay verbose.
// CHECK: [!d<"x">, !d<"x<y>">, !d<"two words">, !d<"">, !d<"[">]
"d.op"() {t = [!d<"x">, !d<"x<y>">, !d<"two words">, !d<"">, !d<"[">]} : () -> ()
