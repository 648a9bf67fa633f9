// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Pretty foreign types: the body is kept byte for byte.
// CHECK: [!d.a, !d.a.b.c, !d.a<b>, !d.a<b<c>, d<e<f>>>, !d.a<"str<", [1, 2], {k = (v)}>, !d.a<i32 -> f32>, !d.a<>]
"d.op"() {t = [!d.a, !d.a.b.c, !d.a<b>, !d.a<b<c>, d<e<f>>>, !d.a<"str<", [1, 2], {k = (v)}>, !d.a<i32 -> f32>, !d.a<>]} : () -> ()
