// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Elements may be signed or unsigned, of whole bytes.
// CHECK: {a = array<ui32: 4294967295>, b = array<si8: -1>, c = array<i24: -5>, d = array<ui8: 255>}
"d.op"() {a = array<ui32: 4294967295>, b = array<si8: -1>, c = array<i24: -5>, d = array<ui8: 255>} : () -> ()
