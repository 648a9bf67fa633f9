// Blocks, labels and branches; the stack; what stands around a function.
//
// RUN: orison-opt %s --convert-ori-to-sass | FileCheck %s
// RUN: orison-opt %s --convert-ori-to-sass | orison-opt | FileCheck %s

// A loop: the block before it falls through, and only targets of branches have labels. After the
// code are a loop for what is fetched ahead, and padding to 128 bytes.
// CHECK-LABEL: sass.func @loop target "sm_80"
// CHECK-SAME: attributes {resources = {kernel, registers = 4 : i32}, trailing = [".L_x_[[END:[0-9]+]]:"]} {
// CHECK-NEXT: sass.notes [".align\09128", ".global\09loop", ".type\09loop,@function", ".size\09loop,(.L_x_[[END]] - loop)", ".other\09loop,@\22STO_CUDA_ENTRY STV_DEFAULT\22", "loop:", ".text.loop:"]
// CHECK-NEXT: sass.mov "MOV R1, c[0x0][0x28]"
// CHECK-NEXT: sass.s2r "S2R R2, SR_TID.X"
// CHECK-NEXT: sass.fall_through ^bb1
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: sass.notes [".L_x_[[HEAD:[0-9]+]]:"]
// CHECK-NEXT: sass.iadd3 "IADD3 R2, R2, -0x1, RZ"
// CHECK-NEXT: sass.isetp "ISETP.GT.AND P0, PT, R2, RZ, PT"
// CHECK-NEXT: sass.bra "@P0 BRA `(.L_x_[[HEAD]])" <stall = 1> [^bb1, ^bb2]
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: sass.exit "@!P0 EXIT"
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: sass.exit "EXIT"
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: sass.notes [".L_x_[[LAST:[0-9]+]]:"]
// CHECK-NEXT: sass.bra "BRA `(.L_x_[[LAST]])"
// CHECK-NOT: sass.nop
// CHECK: }
ori.func kernel @loop() target "sm_80" {
  %first = ori.s2r <register = "SR_TID.X"> : !ori.r<R2>
  ori.bra ^bb1(%first : !ori.r<R2>)
^bb1(%count: !ori.r<R2>):
  %one = ori.imm -1 : !ori.r
  %zero = ori.imm 0 : !ori.r
  %next = ori.iadd3 %count, %one, %zero : (!ori.r<R2>, !ori.r, !ori.r) -> !ori.r<R2>
  %more = ori.isetp <gt, s32> %next, %zero : (!ori.r<R2>, !ori.r) -> !ori.p<P0>
  ori.cond_bra %more, ^bb1(%next : !ori.r<R2>), ^bb2 : !ori.p<P0>
^bb2:
  ori.exit_if not %more : !ori.p<P0>
  ori.exit
}

// Neither way is the next block: two branches. A uniform condition, a constant one.
// CHECK-LABEL: sass.func @ways target "sm_100a"
// CHECK: sass.ldc "LDC R1, c[0x0][0x37c]"
// CHECK: sass.bra "@!P0 BRA `(.L_x_[[LAST:[0-9]+]])" <stall = 1> [^bb4, ^bb1]
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: sass.bra "BRA `(.L_x_[[UNIFORM:[0-9]+]])" <stall = 1> [^bb3]
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: sass.notes [".L_x_[[EXIT:[0-9]+]]:"]
// CHECK-NEXT: sass.exit
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: sass.notes [".L_x_[[UNIFORM]]:"]
// CHECK-NEXT: sass.bra "BRA.U !UP0, `(.L_x_[[EXIT]])" <stall = 1> [^bb2, ^bb4]
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: sass.notes [".L_x_[[LAST]]:"]
// CHECK-NEXT: sass.bra "BRA `(.L_x_[[EXIT]])"
// CHECK: sass.nop "NOP"
ori.func kernel @ways() target "sm_100a" {
  %true = ori.imm 1 : !ori.p
  %zero = ori.imm 0 : !ori.r
  %none = ori.imm 0 : !ori.ur
  %t = ori.s2r <register = "SR_TID.X"> : !ori.r<R2>
  %n = ori.s2ur <register = "SR_CTAID.X"> : !ori.ur<UR4>
  %p = ori.isetp <eq, u32> %t, %zero : (!ori.r<R2>, !ori.r) -> !ori.p<P0>
  %u = ori.uisetp <eq, u32> %n, %none : (!ori.ur<UR4>, !ori.ur) -> !ori.up<UP0>
  ori.cond_bra not %p, ^bb3, ^bb2 : !ori.p<P0>
^bb1:
  ori.exit
^bb2:
  ori.cond_bra %u, ^bb3, ^bb1 : !ori.up<UP0>
^bb3:
  ori.cond_bra %true, ^bb1, ^bb2 : !ori.p
}

// Threads that part at BSSY meet at BSYNC; its place is that of the next instruction.
// CHECK-LABEL: sass.func @meet target "sm_90"
// CHECK: sass.bssy "BSSY B0, `(.L_x_[[END:[0-9]+]])"
// CHECK: sass.break "@P0 BREAK B0"
// CHECK: sass.bsync "BSYNC B0"
// CHECK-SAME: [^bb[[NEXT:[0-9]+]]]
// CHECK-NEXT: ^bb[[NEXT]]:
// CHECK-NEXT: sass.notes [".L_x_[[END]]:"]
// CHECK-NEXT: sass.exit
ori.func kernel @meet() target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %t = ori.s2r <register = "SR_TID.X"> : !ori.r<R2>
  %p = ori.isetp <eq, u32> %t, %zero : (!ori.r<R2>, !ori.r) -> !ori.p<P0>
  %b = ori.bssy : !ori.b<B0>
  ori.cond_bra %p, ^bb1, ^bb2(%b : !ori.b<B0>) : !ori.p<P0>
^bb1:
  %rest = ori.break %b if %p : (!ori.b<B0>, !ori.p<P0>) -> !ori.b<B0>
  ori.bra ^bb2(%rest : !ori.b<B0>)
^bb2(%all: !ori.b<B0>):
  ori.bsync %all : (!ori.b<B0>) -> ()
  ori.exit
}

// A table of distances from the start of the function, in constant bank 2: that of the next
// instruction is subtracted.
// CHECK-LABEL: sass.func @table target "sm_80"
// CHECK: sass.brx "BRX R2 -0x50"
// CHECK-SAME: targets [".L_x_[[A:[0-9]+]]", ".L_x_[[B:[0-9]+]]", ".L_x_[[A]]"]
// CHECK: sass.notes [".L_x_[[A]]:"]
// CHECK: sass.notes [".L_x_[[B]]:"]
ori.func kernel @table() target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %place = ori.s2r <register = "SR_TID.X"> : !ori.r<R2>
  %low = ori.ldc <bank = 2> [%place] : (!ori.r<R2>) -> !ori.r<R2>
  %high = ori.mov %zero : (!ori.r) -> !ori.r<R3>
  %to = ori.concat %low, %high : (!ori.r<R2>, !ori.r<R3>) -> !ori.r64<R2>
  ori.brx %to, [^bb1, ^bb2, ^bb1] : !ori.r64<R2>
^bb1:
  ori.exit
^bb2:
  ori.exit
}

// A frame of two slots is 16 bytes; the address of the second one; memory that is allocated later.
// CHECK-LABEL: sass.func @frame target "sm_80"
// CHECK: sass.iadd3 "IADD3 R1, R1, -0x10, RZ"
// CHECK-NEXT: sass.mov "MOV R4, R1"
// CHECK-NEXT: sass.iadd3 "IADD3 R5, R1, 0x8, RZ"
// CHECK-NEXT: sass.mov "MOV R6, R1"
// CHECK-NEXT: sass.iadd3 "IADD3 R1, R1, -R5, RZ"
// CHECK-NEXT: sass.lop3 "LOP3.LUT R1, R1, 0xffffffe0, RZ, 0xc0, !PT"
// CHECK-NEXT: sass.mov "MOV R7, R1"
// CHECK-NEXT: sass.mov "MOV R1, R6"
// CHECK-NEXT: sass.iadd3 "IADD3 R1, R1, 0x10, RZ"
// CHECK-NEXT: sass.ret "RET.ABS.NODEC R20 0x0"
ori.func @frame() target "sm_80" attributes {frame = [
    {name = "a", offset = 0 : i32, size = 4 : i32, alignment = 4 : i32},
    {name = "b", offset = 8 : i32, size = 4 : i32, alignment = 8 : i32}]} {
  %a = ori.slot_address "a" : !ori.r<R4>
  %b = ori.slot_address "b" : !ori.r<R5>
  %end = ori.stack_save : !ori.r<R6>
  %more = ori.alloca <alignment = 32> %b : (!ori.r<R5>) -> !ori.r<R7>
  ori.stack_restore %end : (!ori.r<R6>) -> ()
  ori.ret
}

// Addresses that the linker knows, and a call: the return address is in R20 and R21.
// CHECK-LABEL: sass.func @caller target "sm_90"
// CHECK: sass.mov "MOV R4, 32@lo(data)"
// CHECK-NEXT: sass.mov "MOV R5, 32@hi(data)"
// CHECK-NEXT: sass.mov "MOV R20, 32@lo((caller + .L_x_[[BACK:[0-9]+]]@srel))"
// CHECK-NEXT: sass.mov "MOV R21, 32@hi((caller + .L_x_[[BACK]]@srel))"
// CHECK-NEXT: sass.call "CALL.ABS.NOINC `(frame)"
// CHECK: sass.notes [".L_x_[[BACK]]:"]
ori.memory global @data, size 4, align 4
ori.func kernel @caller() target "sm_90" {
  %data = ori.address_of @data : !ori.r64<R4>
  ori.call @frame() : () -> ()
  ori.exit
}

// A private function that is only called has the return address in R2 and R3, and keeps nothing for its caller. It
// calls another one, so that it keeps its own return address.
// CHECK-LABEL: sass.func @inner target "sm_90"
// CHECK: sass.iadd3 "IADD3 R1, R1, -0x8, RZ"
// CHECK-NEXT: sass.stl "STL [R1], R2"
// CHECK-NEXT: sass.stl "STL [R1+0x4], R3"
// CHECK-NEXT: sass.mov "MOV R20, 32@lo((inner
// CHECK: sass.call "CALL.ABS.NOINC `(outer)"
// CHECK: sass.mov "MOV R16, R4"
// CHECK-NEXT: sass.ldl "LDL R2, [R1]"
// CHECK-NEXT: sass.ldl "LDL R3, [R1+0x4]"
// CHECK-NEXT: sass.iadd3 "IADD3 R1, R1, 0x8, RZ"
// CHECK-NEXT: sass.ret "RET.ABS.NODEC R2 0x0"
ori.func private @inner(%a: !ori.r<R4>) target "sm_90" {
  ori.call @outer() : () -> ()
  %b = ori.mov %a : (!ori.r<R4>) -> !ori.r<R16>
  ori.ret
}
// The kernel has the registers of the functions that it reaches, and the longest chain of frames.
// CHECK-LABEL: sass.func @calls_inner target "sm_90"
// CHECK-SAME: resources = {kernel, registers = 22 : i32, stack = 24 : i32}
ori.func kernel @calls_inner() target "sm_90" {
  %a = ori.s2r <register = "SR_TID.X"> : !ori.r<R4>
  ori.call @inner(%a) : (!ori.r<R4>) -> ()
  ori.exit
}

// A function that others may call keeps R2, R16 to R31 and B6 to B15: those of them that it changes.
// CHECK-LABEL: sass.func @outer target "sm_90"
// CHECK-SAME: resources = {frame = 16 : i32, registers = 22 : i32, stack = 16 : i32}
// CHECK: sass.iadd3 "IADD3 R1, R1, -0x10, RZ"
// CHECK-NEXT: sass.stl "STL [R1], R2"
// CHECK-NEXT: sass.stl "STL [R1+0x4], R17"
// CHECK-NEXT: sass.bmov "BMOV.32.CLEAR R0, B6"
// CHECK-NEXT: sass.stl "STL [R1+0x8], R0"
// CHECK-NEXT: sass.s2r "S2R R2, SR_TID.X"
// CHECK: sass.ldl "LDL R2, [R1]"
// CHECK-NEXT: sass.ldl "LDL R17, [R1+0x4]"
// CHECK-NEXT: sass.ldl "LDL R0, [R1+0x8]"
// CHECK-NEXT: sass.bmov "BMOV.32 B6, R0"
// CHECK-NEXT: sass.iadd3 "IADD3 R1, R1, 0x10, RZ"
// CHECK-NEXT: sass.ret "RET.ABS.NODEC R20 0x0"
ori.func @outer() target "sm_90" {
  %a = ori.s2r <register = "SR_TID.X"> : !ori.r<R2>
  %b = ori.mov %a : (!ori.r<R2>) -> !ori.r<R17>
  %barrier = ori.bssy : !ori.b<B6>
  ori.bsync %barrier : (!ori.b<B6>) -> ()
  ori.ret
}

// Private functions that call themselves, or whose address is taken, have callers that do not know what they change.
// CHECK-LABEL: sass.func @recursive target "sm_90"
// CHECK: sass.ret "RET.ABS.NODEC R20 0x0"
// CHECK-LABEL: sass.func @pointed_to target "sm_90"
// CHECK: sass.ret "RET.ABS.NODEC R20 0x0"
ori.func private @recursive() target "sm_90" {
  ori.call @recursive() : () -> ()
  ori.ret
}
ori.func private @pointed_to() target "sm_90" {
  ori.ret
}
ori.func kernel @calls_by_address() target "sm_90" {
  %to = ori.address_of @pointed_to : !ori.r64<R2>
  ori.call_indirect %to() : (!ori.r64<R2>) -> ()
  ori.call @recursive() : () -> ()
  ori.exit
}

// Parts of wider values are in place: no instruction.
// CHECK-LABEL: sass.func @parts target "sm_90"
// CHECK: ".text.parts:"]
// CHECK-NEXT: sass.ret
ori.func @parts(%a: !ori.r<R4>, %b: !ori.r<R5>) target "sm_90" {
  %pair = ori.concat %a, %b : (!ori.r<R4>, !ori.r<R5>) -> !ori.r64<R4>
  %high = ori.extract %pair[1] : (!ori.r64<R4>) -> !ori.r<R5>
  ori.ret
}

// The table of the branch of @table.
// CHECK: sass.section ".nv.constant2" [{{.*}}".word\090x00000050", ".word\090x00000060", ".word\090x00000050"]
