// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Vectors of narrow elements.
// CHECK: [vector<16xf8E4M3FN>, vector<32xf4E2M1FN>, vector<8xi1>, vector<3xsi7>]
"d.op"() {t = [vector<16xf8E4M3FN>, vector<32xf4E2M1FN>, vector<8xi1>, vector<3xsi7>]} : () -> ()
