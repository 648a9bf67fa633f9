// Instructions that the import does not model are kept as text, with a remark.
//
// RUN: orison-translate --ptx-to-ori --counts --mlir-print-debuginfo %S/ptx/calls.ptx 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s <%t.remarks
// RUN: not orison-translate --ptx-to-ori %s 2>&1 | FileCheck --check-prefix=BROKEN %s
// RUN: orison-translate --ptx-to-ptx %S/ptx/syntax.ptx | orison-translate --ptx-to-ptx | FileCheck --check-prefix=SYNTAX %s

// CHECK: ori.inst <mnemonic = "{{[a-z.0-9]+}}", text = "{{.*}};"> inputs(
// CHECK-SAME: loc(
// REMARK: calls.ptx:{{[0-9]+}}:{{[0-9]+}}: remark: '{{[a-z.0-9]+}}' is not modelled; kept as 'ori.inst'
// REMARK: calls.ptx: {{[0-9]+}} instructions, {{[0-9]+}} as 'ori.inst'
// BROKEN: unmodelled.mlir:[[#@LINE+5]]:1: error: expected a directive, found 'what'
// SYNTAX: .visible .global .align 4 .f32 table[2][3] = {{[{][{]}}0f3F800000, 0d3FF8000000000000}
// SYNTAX: .global .attribute(.managed) .u64 pointers[]
// SYNTAX: .global .attribute(.unified(19, 95)) .b8 unified;
// SYNTAX: mov.u32 %r3, 1 == 2 ? 3 : WARP_SZ >= 32 && 1 != 0 || 0;
what follows is no PTX
