// Errors in operands, calls and directives of PTX.
//
// RUN: not orison-translate --ptx-check %s 2>&1 | FileCheck %s
// RUN: printf '.version 8.0\n.target debug\n' > %t.ptx
// RUN: not orison-translate --ptx-check %t.ptx 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: printf '.version 8.0\n.target sm_80, debug\n' > %t.ptx
// RUN: orison-translate --ptx-check %t.ptx
// TARGET: :2:1: error: unknown target 'debug'
// RUN: printf '.version 8.0\n.target sm_80\n.entry k() {\n  .reg .b32 r;\n  mov.u32 r, 1\n  ret;\n}\n' > %t.ptx
// RUN: not orison-translate --ptx-check %t.ptx 2>&1 | FileCheck %s --check-prefix=END
// END: :6:3: error: expected ',' or ';' after an instruction, found 'ret'
.version 8.6
.target sm_90a
.address_size 64
.global .align 16 .b32 table[64];
.const .align 16 .b32 fixed[4];
.shared .align 16 .b32 tile[64];
.func (.param .b32 r) callee (.param .b32 a);
// CHECK: check-operands.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: this directive is only allowed at the beginning of a file
.address_size 64
// CHECK: check-operands.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'nowhere' is not declared
.global .u32 place = nowhere;
.global .u32 known = table;
// CHECK: check-operands.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: '.noreturn' is only allowed on functions
.entry returning() .noreturn { ret; }
// CHECK: check-operands.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: '.maxntid' is only allowed on kernels
.func counted() .maxntid 32 { ret; }
// CHECK: check-operands.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: '.blocksareclusters' requires '.reqntid' and '.reqnctapercluster'
.entry clustered() .reqntid 32 .blocksareclusters { ret; }
// CHECK: check-operands.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: '.maxntid' and '.reqntid' are mutually exclusive
.entry bounded() .reqntid 32 .maxntid 64 { ret; }
// CHECK: check-operands.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: expected positive integers after '.reqntid'
.entry empty() .reqntid 0 { ret; }
// CHECK: check-operands.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: kernel 'together' cannot be common
.common .entry together() { ret; }
// CHECK: check-operands.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: parameter 'open' of a kernel has no size
.entry sized(.param .b32 open[]) { ret; }
.visible .entry k(.param .b64 p)
{
  .reg .pred %p<3>;
  .reg .b16 %h<3>;
  .reg .b32 %r<5>;
  .reg .u32 %u;
  .reg .b64 %rd<5>;
  .reg .f32 %f<3>;
  .reg .v4 .b32 %v;
  .reg .v2 .b32 %w;
  ld.param.b64 %rd1, [p];
  // CHECK: [[#@LINE+1]]:3: error: operand #0 of 'ld.global.v4.u32' must be a vector, found '%w'
  ld.global.v4.u32 %w, [%rd1];
  // CHECK: [[#@LINE+1]]:3: error: operand #0 of 'ld.global.v4.u32' must be a vector
  ld.global.v4.u32 7, [%rd1];
  // CHECK: [[#@LINE+1]]:3: error: operand #0 of 'ld.global.v4.u32' must have 4 elements, found 2
  ld.global.v4.u32 {%r1, %r2}, [%rd1];
  // CHECK: [[#@LINE+1]]:3: error: operand #1 of 'add.u32' must not be a vector, found '%v'
  add.u32 %r1, %v, %r2;
  // CHECK: [[#@LINE+1]]:3: error: operand #1 of 'add.u32' cannot be negated
  add.u32 %r1, !%r2, %r3;
  // CHECK: [[#@LINE+1]]:3: error: operand #2 of 'add.u32' cannot be '_'
  add.u32 %r1, %r2, _;
  // CHECK: [[#@LINE+1]]:3: error: operand #0 of 'mov.u32' cannot be '%tid', which is read only
  mov.u32 %tid.x, %r1;
  // CHECK: [[#@LINE+1]]:3: error: operand #1 of 'mov.u32' must be an element of '%tid', such as '%tid.x'
  mov.u32 %r1, %tid;
  // CHECK: [[#@LINE+1]]:3: error: operand #1 of 'mov.u16' must be {{.*}}, found the address of 'table'
  mov.u16 %h1, table;
  // CHECK: [[#@LINE+1]]:3: error: operand #1 of 'ld.global.u32' has variable 'tile' in .shared, but the access is to .global
  ld.global.u32 %r1, [tile];
  // CHECK: [[#@LINE+1]]:3: error: operand #1 of 'ld.u32' has variable 'fixed' in .const, but the address is generic
  ld.u32 %r1, [fixed];
  // CHECK: [[#@LINE+1]]:3: error: operand #1 of 'ld.global.u32' has an offset that is not an integer
  ld.global.u32 %r1, [%rd1+%r2];
  // CHECK: [[#@LINE+1]]:3: error: operand #1 of 'vadd.u32.u32.u32' must be a 32-bit integer register, found '%rd1'
  vadd.u32.u32.u32 %r1, %rd1, %r2;
  // CHECK: [[#@LINE+1]]:3: error: 'call' has too many operands
  call (%r1), callee, (%r2), %r3, %r4;
  // CHECK: [[#@LINE+1]]:3: error: the call of '%rd1' requires a prototype or a list of targets
  call (%r1), %rd1, (%r2);
  // CHECK: [[#@LINE+1]]:3: error: 'table' is not a prototype or list of targets
  call (%r1), %rd1, (%r2), table;
  // CHECK: [[#@LINE+1]]:3: error: operand #3 of 'call' is 'nowhere', which is not declared
  call (%r1), %rd1, (%r2), nowhere;
  // CHECK: [[#@LINE+1]]:3: error: 'empty' is a kernel and cannot be called
  call empty;
  // CHECK: [[#@LINE+1]]:3: error: 'table' is not a function
  call table;
  // CHECK: [[#@LINE+1]]:3: error: result #0 of the call of 'callee' must be a register or a parameter
  call (7), callee, (%r2);
  // CHECK: [[#@LINE+1]]:3: error: unknown instruction 'frobnicate'
  frobnicate.u32 %r1;
  // CHECK: [[#@LINE+1]]:3: error: unknown modifier '.nothing' of 'cp'
  cp.nothing %r1;
  // CHECK: [[#@LINE+1]]:3: error: 'cp' has no form that starts with 'cp.u32'
  cp.u32 %r1;
  // CHECK: [[#@LINE+1]]:3: error: 'add' requires a type
  add %r1, %r1, %r2;
  // CHECK: [[#@LINE+1]]:3: error: 'add.pred' is not defined for '.pred'
  add.pred %p1, %p1, %p2;
  // CHECK: [[#@LINE+1]]:3: error: operand #0 of 'ld.global.v2.b32' has registers of different types: '%f1' is .f32, others are .u32
  ld.global.v2.b32 {%u, %f1}, [%rd1];
  // CHECK: [[#@LINE+1]]:3: error: operand #1 of 'ld.global.u32' must have 1 part in the brackets
  ld.global.u32 %r1, [%rd1, %rd2];
  // CHECK: [[#@LINE+1]]:3: error: operand #0 of 'cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group' must have 2 parts in the brackets
  cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%rd1], [%r1];
  // CHECK: [[#@LINE+1]]:3: error: operand #0 of 'cp.async.bulk.wait_group' must be an integer constant
  cp.async.bulk.wait_group %r1;
  // CHECK: [[#@LINE+1]]:3: error: operand #2 of 'add.u32' must be a register, found 'end'
  add.u32 %r1, %r2, end;
  // CHECK: [[#@LINE+1]]:3: error: operand #1 of 'mov.u32' is '%r2.x', but '%r2' has no element '.x'
  mov.u32 %r1, %r2.x;
  // CHECK: [[#@LINE+1]]:3: error: operand #1 of 'mov.u32' is '%w.z', but '%w' has no element '.z'
  mov.u32 %r1, %w.z;
  // CHECK-NOT: error
  mov.u32 %r1, %w.y;
  mov.u32 %r1, %v.a;
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: error: 'table' in '.calltargets' is not a function
list: .calltargets table;
  // CHECK: [[#@LINE+1]]:3: error: 'list' lists an entry that is not a function
  call (%r1), %rd1, (%r2), list;
end:
  ret;
}
