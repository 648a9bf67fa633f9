// The pass runs on symbol tables only.
//
// RUN: not orison-opt %s --pass-pipeline='builtin.module(func.func(symbol-dce))' 2>&1 | FileCheck %s

// CHECK: symbol-dce-anchor.mlir:[[#@LINE+1]]:1: error: 'func.func' op was scheduled to run under SymbolDCE, but does not define a symbol table
func.func @f() {
  return
}
