// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Elements that do not fill their bytes, and elements wider than 64 bits.
// CHECK: {a = dense<[-4, 3]> : tensor<2xi3>, b = dense<[1208925819614629174706176, -1]> : tensor<2xi100>, c = dense<[7, 0]> : tensor<2xui3>}
"d.op"() {a = dense<[-4, 3]> : tensor<2xi3>, b = dense<[1208925819614629174706176, -1]> : tensor<2xi100>, c = dense<[7, 0]> : tensor<2xui3>} : () -> ()
