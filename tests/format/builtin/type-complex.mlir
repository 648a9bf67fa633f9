// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Complex of any integer or float element.
// CHECK: [complex<f32>, complex<i8>, complex<bf16>, complex<si4>]
"d.op"() {t = [complex<f32>, complex<i8>, complex< bf16 >, complex<si4>]} : () -> ()
