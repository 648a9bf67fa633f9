// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Scalable dimensions are in brackets, in any position.
// CHECK: [vector<[4]xf32>, vector<[2]x8xi8>, vector<8x[2]xi8>, vector<[2]x[4]xi1>, vector<1x[2]x3x[4]xf64>]
"d.op"() {t = [vector<[4]xf32>, vector<[2]x8xi8>, vector<8x[2]xi8>, vector<[2]x[4]xi1>, vector<1x[2]x3x[4]xf64>]} : () -> ()
