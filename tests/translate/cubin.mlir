// Cubins: of PTX, of machine code, as text, and back.
//
// RUN: orison-translate --ptx-to-cubin --quiet -O1 --gpu-name=sm_90 %S/ptx/compiled.ptx -o %t.cubin
// RUN: orison-translate --ptx-to-sass --quiet -O1 --gpu-name=sm_90 %S/ptx/compiled.ptx -o %t.mlir
// RUN: orison-translate --sass-to-cubin %t.mlir -o %t.same.cubin
// RUN: orison-translate --cubin-to-sass %t.cubin | FileCheck %s
// RUN: orison-translate --cubin-to-sass %t.same.cubin | FileCheck %s
// RUN: orison-translate --disassemble %t.cubin -o %t.sass
// RUN: FileCheck --check-prefix=TEXT %s <%t.sass
// RUN: orison-translate --assemble %t.sass -o %t.again.cubin
// RUN: cmp %t.cubin %t.again.cubin
// RUN: not orison-translate --disassemble %s 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not orison-translate --assemble %s 2>&1 | FileCheck --check-prefix=UNREAD %s

// CHECK: sass.func @store target "sm_90"
// CHECK: S2R R{{[0-9]+}}, SR_TID.X
// CHECK: EXIT

// Sections are in the order of the file, with all that their headers say.
// TEXT: .target{{[[:space:]]}}sm_90
// TEXT-NEXT: .elftype{{[[:space:]]}}@"ET_EXEC"
// TEXT-NEXT: .headerflags{{[[:space:]]}}0x6005a04, 8, 1
// TEXT: .section{{[[:space:]]}}.symtab,"",@symtab
// TEXT-NEXT: .sectionlink{{[[:space:]]}}.strtab
// TEXT: .symbol{{[[:space:]]}}"store", 0x12, 0x10, .text.store, store, (.L_{{.*}} - store)
// TEXT: .section{{[[:space:]]}}.nv.info.store,"",@0x70000000
// TEXT-NEXT: .sectionflags{{[[:space:]]}}0x40
// TEXT-NEXT: .sectionlink{{[[:space:]]}}.symtab
// TEXT-NEXT: .sectioninfo{{[[:space:]]}}@section .text.store
// TEXT: .nvinfo{{[[:space:]]}}EXIT_INSTR_OFFSETS, words .L_
// TEXT: .section{{[[:space:]]}}.text.store,"ax",@progbits
// TEXT: store:
// TEXT: /*0000*/{{.*}} ;{{.*}}/* B

// NONE: cubin.mlir: error: not a cubin
// UNREAD: cubin.mlir:{{[0-9]+}}:{{[0-9]+}}: error:
