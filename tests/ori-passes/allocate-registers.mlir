// RUN: orison-opt %s --split-input-file --ori-allocate-registers --ori-verify-allocation | FileCheck %s
// RUN: orison-opt %s --split-input-file --ori-allocate-registers="max-registers=255" --remarks=text --mlir-print-op-on-diagnostic=false -o %t 2>&1 | FileCheck %s --check-prefix=REMARK

// A pair begins at an even register; R1 is the stack pointer. The parts of a pair need no copies.
// CHECK-LABEL: @pairs
// REMARK: 'pairs' uses {{[0-9]+}} registers, 0 uniform registers, 0 predicates, 0 uniform predicates; 0 copies in front of instructions, 0 on edges; 0 bytes of spilled registers
ori.func kernel @pairs() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %z = ori.imm 0 : !ori.r
  // CHECK: ori.ldg <b64> {{.*}} -> !ori.r64<R[[LOW:[0-9]*[02468]]]>
  %w = ori.ldg <b64> [%q] : (!ori.r64) -> !ori.r64
  %a = ori.extract %w[0] : (!ori.r64) -> !ori.r
  %b = ori.extract %w[1] : (!ori.r64) -> !ori.r
  // CHECK-NOT: ori.mov
  // CHECK-DAG: ori.iadd3 {{.*}} : (!ori.r<R[[LOW]]>, !ori.r, !ori.r) -> !ori.r<R[[NEW:[0-9]*[02468]]]>
  %c = ori.iadd3 %a, %z, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %d = ori.iadd3 %b, %z, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %e = ori.concat %c, %d : (!ori.r, !ori.r) -> !ori.r64
  // CHECK: ori.stg <b64> [{{.*}}], {{.*}} : (!ori.r64, !ori.r64<R[[NEW]]>) -> ()
  ori.stg <b64> [%q], %e : (!ori.r64, !ori.r64) -> ()
  ori.exit
}

// -----

// The counter of a loop stays in one register.
// CHECK-LABEL: @counter
// REMARK: 'counter' uses {{.*}} 0 copies in front of instructions, 1 on edges
ori.func kernel @counter() target "sm_90" {
  %n = ori.cbank[0, 528] : !ori.r
  %z = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  // CHECK: ori.mov {{.*}} : (!ori.r) -> !ori.r<[[R:R[0-9]+]]>
  // CHECK-NEXT: ori.bra ^bb1
  ori.bra ^loop(%z : !ori.r)
// CHECK: ^bb1(%{{.*}}: !ori.r<[[R]]>):
^loop(%i: !ori.r):
  // CHECK: ori.iadd3 {{.*}} -> !ori.r<[[R]]>
  // CHECK-NOT: ori.mov
  %next = ori.iadd3 %i, %one, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^end : !ori.p
^end:
  ori.exit
}

// -----

// Two values change places in every iteration, on the edge of the loop: without a free register by exclusive
// ors. Predicates change places by one instruction.
// CHECK-LABEL: @exchange
// CHECK: ^bb1:
// CHECK: ori.lop3 <lut = 60> {{.*}} : (!ori.r<[[A:R[0-9]+]]>, !ori.r<[[B:R[0-9]+]]>, !ori.r) -> !ori.r<[[A]]>
// CHECK-NEXT: ori.lop3 <lut = 60> {{.*}} : (!ori.r<[[A]]>, !ori.r<[[B]]>, !ori.r) -> !ori.r<[[B]]>
// CHECK-NEXT: ori.lop3 <lut = 60> {{.*}} : (!ori.r<[[A]]>, !ori.r<[[B]]>, !ori.r) -> !ori.r<[[A]]>
// CHECK: ori.plop3 <lut = 204, second_lut = 240> {{.*}} : (!ori.p<[[P:P[0-9]]]>, !ori.p<[[Q:P[0-9]]]>, !ori.p) -> (!ori.p<[[P]]>, !ori.p<[[Q]]>)
// CHECK: ^bb2(%{{.*}}: !ori.r<[[A]]>, %{{.*}}: !ori.r<[[B]]>, %{{.*}}: !ori.p<[[P]]>, %{{.*}}: !ori.p<[[Q]]>):
ori.func kernel @exchange() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %b = ori.ldg <b32> [%q + 4] : (!ori.r64) -> !ori.r
  %z = ori.imm 0 : !ori.r
  %p = ori.isetp <lt, s32, and> %a, %z : (!ori.r, !ori.r) -> !ori.p
  %s = ori.isetp <lt, s32, and> %b, %z : (!ori.r, !ori.r) -> !ori.p
  ori.bra ^loop(%a, %b, %p, %s : !ori.r, !ori.r, !ori.p, !ori.p)
^loop(%x: !ori.r, %y: !ori.r, %u: !ori.p, %v: !ori.p):
  ori.stg <b32> [%q], %x if %u : (!ori.r64, !ori.r, !ori.p) -> ()
  %t = ori.isetp <lt, s32, and> %x, %y : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %t, ^loop(%y, %x, %v, %u : !ori.r, !ori.r, !ori.p, !ori.p), ^end : !ori.p
^end:
  ori.exit
}

// -----

// A part of two tuples is copied for one of them; a constant in a tuple is set in place.
// CHECK-LABEL: @tuples
// CHECK: ori.concat
// CHECK: ori.stg <b64>
// CHECK: ori.mov {{.*}} : (!ori.r) -> !ori.r<R[[#HIGH:]]>
// CHECK: ori.stg <b64> {{.*}} !ori.r64<R[[#HIGH-1]]>) -> ()
ori.func kernel @tuples() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %seven = ori.imm 7 : !ori.r
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %two = ori.concat %a, %a : (!ori.r, !ori.r) -> !ori.r64
  ori.stg <b64> [%q], %two : (!ori.r64, !ori.r64) -> ()
  %more = ori.concat %a, %seven : (!ori.r, !ori.r) -> !ori.r64
  ori.stg <b64> [%q + 8], %more : (!ori.r64, !ori.r64) -> ()
  ori.exit
}

// -----

// A result has the register of its value where the guard does not hold; that is copied if it is used later.
// CHECK-LABEL: @otherwise
// CHECK: %[[OLD:.*]] = ori.ldg <b32> [%{{.*}}] : (!ori.r64) -> !ori.r<[[OLD_R:R[0-9]+]]>
// CHECK: %[[COPY:.*]] = ori.mov %[[OLD]] : (!ori.r<[[OLD_R]]>) -> !ori.r<[[R:R[0-9]+]]>
// CHECK: ori.ldg <b32> [{{.*}}] if %{{.*}} else %[[COPY]] : (!ori.r64, !ori.p<{{P[0-9]}}>, !ori.r<[[R]]>) -> !ori.r<[[R]]>
// CHECK: ori.stg {{.*}}, %[[OLD]]
ori.func kernel @otherwise() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %z = ori.imm 0 : !ori.r
  %old = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %p = ori.isetp <lt, s32, and> %old, %z : (!ori.r, !ori.r) -> !ori.p
  %new = ori.ldg <b32> [%q + 4] if %p else %old : (!ori.r64, !ori.p, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %old : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q + 4], %new : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// Of nine predicates two are computed where they are used: their operands live until then.
// CHECK-LABEL: @predicates
// CHECK-COUNT-7: ori.isetp
// CHECK: ori.stg
// CHECK-COUNT-2: ori.isetp
// CHECK-NOT: ori.isetp
// REMARK: 'predicates' uses {{[0-9]+}} registers, 0 uniform registers, 7 predicates
ori.func kernel @predicates() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %i0 = ori.imm 0 : !ori.r
  %i1 = ori.imm 1 : !ori.r
  %i2 = ori.imm 2 : !ori.r
  %i3 = ori.imm 3 : !ori.r
  %i4 = ori.imm 4 : !ori.r
  %i5 = ori.imm 5 : !ori.r
  %i6 = ori.imm 6 : !ori.r
  %i7 = ori.imm 7 : !ori.r
  %i8 = ori.imm 8 : !ori.r
  %p0 = ori.isetp <eq, s32, and> %a, %i0 : (!ori.r, !ori.r) -> !ori.p
  %p1 = ori.isetp <eq, s32, and> %a, %i1 : (!ori.r, !ori.r) -> !ori.p
  %p2 = ori.isetp <eq, s32, and> %a, %i2 : (!ori.r, !ori.r) -> !ori.p
  %p3 = ori.isetp <eq, s32, and> %a, %i3 : (!ori.r, !ori.r) -> !ori.p
  %p4 = ori.isetp <eq, s32, and> %a, %i4 : (!ori.r, !ori.r) -> !ori.p
  %p5 = ori.isetp <eq, s32, and> %a, %i5 : (!ori.r, !ori.r) -> !ori.p
  %p6 = ori.isetp <eq, s32, and> %a, %i6 : (!ori.r, !ori.r) -> !ori.p
  %p7 = ori.isetp <eq, s32, and> %a, %i7 : (!ori.r, !ori.r) -> !ori.p
  %p8 = ori.isetp <eq, s32, and> %a, %i8 : (!ori.r, !ori.r) -> !ori.p
  ori.stg <b32> [%q], %a if %p0 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 4], %a if %p1 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 8], %a if %p2 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 12], %a if %p3 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 16], %a if %p4 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 20], %a if %p5 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 24], %a if %p6 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 28], %a if %p7 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 32], %a if %p8 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.exit
}

// -----

// Arguments and results are in R4 and the registers behind it; what lives across the call is copied
// to a register that the function does not change.
// CHECK-LABEL: ori.func kernel @caller
// CHECK: ori.mov {{.*}} : (!ori.r<R4>) -> !ori.r<[[KEPT:R[0-9]+]]>
// CHECK: ori.call @callee(%{{.*}}) : (!ori.r<R4>, !ori.r<R5>) -> !ori.r<R4>
// CHECK: ori.iadd3 {{.*}} : (!ori.r<R4>, !ori.r<[[KEPT]]>, !ori.r)
// CHECK: ori.func private @callee(%{{.*}}: !ori.r<R4>, %{{.*}}: !ori.r<R5>) -> !ori.r<R4>
ori.func kernel @caller() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %z = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %kept = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %r = ori.call @callee(%kept, %one) : (!ori.r, !ori.r) -> !ori.r
  %s = ori.iadd3 %r, %kept, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %s : (!ori.r64, !ori.r) -> ()
  ori.exit
}
ori.func private @callee(%a: !ori.r, %b: !ori.r) -> !ori.r target "sm_90" {
  %z = ori.imm 0 : !ori.r
  %c = ori.iadd3 %a, %b, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %c : !ori.r
}

// -----

// A function that is not known changes all registers but R2 and R16 to R31, and all uniform ones. A uniform pair that
// a constant bank has is loaded again; another uniform value is kept in a general register.
// CHECK-LABEL: ori.func private @unknown(!ori.r<R4>) -> !ori.r<R4>
// CHECK-LABEL: ori.func kernel @calls_unknown
// CHECK: %[[U:.*]] = ori.r2ur {{.*}} -> !ori.ur<[[UR:UR[0-9]+]]>
// CHECK: ori.mov %[[U]] : (!ori.ur<[[UR]]>) -> !ori.r<[[WORD:R(2|1[6-9]|2[2-9]|3[01])]]>
// CHECK: ori.call @unknown({{.*}}) : (!ori.r<R4>) -> !ori.r<R4>
// CHECK-DAG: ori.uldc {{.*}} : !ori.ur64<
// CHECK-DAG: ori.r2ur {{.*}} : (!ori.r<[[WORD]]>) -> !ori.ur<
// CHECK: ori.exit
ori.func private @unknown(!ori.r) -> !ori.r target "sm_90"
ori.func kernel @calls_unknown() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %z = ori.imm 0 : !ori.r
  %d = ori.uldc <b64, bank = 0> [520] : !ori.ur64
  %a = ori.s2r <register = "SR_TID.X"> : !ori.r
  %u = ori.r2ur %a : (!ori.r) -> !ori.ur
  %s = ori.iadd3 %a, %u, %z : (!ori.r, !ori.ur, !ori.r) -> !ori.r
  %r = ori.call @unknown(%s) : (!ori.r) -> !ori.r
  %t = ori.iadd3 %r, %u, %z : (!ori.r, !ori.ur, !ori.r) -> !ori.r
  ori.stg <b32> [%q] descriptor(%d), %t : (!ori.r64, !ori.ur64, !ori.r) -> ()
  ori.exit
}

// -----

// A left matrix in registers is read until the wait: what is loaded between has other registers, what is loaded behind
// may have the same ones. The constant in it has a register of its own.
// CHECK-LABEL: @left_matrix
// CHECK: ori.wgmma.mma {{.*}} : (!ori.acc<4, R[[#LEFT:]]>,
// CHECK-NOT: -> !ori.r<R[[#LEFT]]>
// CHECK-NOT: -> !ori.r<R[[#LEFT+1]]>
// CHECK-NOT: -> !ori.r<R[[#LEFT+2]]>
// CHECK-NOT: -> !ori.r<R[[#LEFT+3]]>
// CHECK: ori.wgmma.wait
// CHECK: ori.exit
ori.func kernel @left_matrix() target "sm_90a" {
  %q = ori.cbank[0, 528] : !ori.r64
  %d = ori.undef : !ori.ur64
  %zero = ori.imm 0 : !ori.r
  %a0 = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %a1 = ori.ldg <b32> [%q + 4] : (!ori.r64) -> !ori.r
  %a2 = ori.ldg <b32> [%q + 8] : (!ori.r64) -> !ori.r
  %a = ori.concat %a0, %a1, %a2, %zero : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  %c = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %a, %d : (!ori.acc<4>, !ori.ur64) -> !ori.acc<4>
  ori.wgmma.commit
  %l0 = ori.ldg <b32> [%q + 12] : (!ori.r64) -> !ori.r
  %l1 = ori.ldg <b32> [%q + 16] : (!ori.r64) -> !ori.r
  %l2 = ori.ldg <b32> [%q + 20] : (!ori.r64) -> !ori.r
  %l3 = ori.ldg <b32> [%q + 24] : (!ori.r64) -> !ori.r
  ori.stg <b32> [%q + 12], %l3 : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q + 16], %l2 : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q + 20], %l1 : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q + 24], %l0 : (!ori.r64, !ori.r) -> ()
  %w = ori.wgmma.wait <count = 0> accumulators(%c) : (!ori.acc<4>) -> !ori.acc<4>
  %x = ori.extract %w[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// The result of a guarded load is in the registers of an undefined value of four words: nothing that is read later may
// be there, also if the address is brought into a pair for the load.
// CHECK-LABEL: @undefined_otherwise
// CHECK: ori.ldg <b128> {{.*}} if {{.*}} : (!ori.r64<[[AT:R[0-9]+]]>, !ori.p<P0>, !ori.r128<[[TO:R[0-9]+]]>) -> !ori.r128<[[TO]]>
// CHECK: ori.ldg <b128> {{.*}} if {{.*}} : (!ori.r64<[[AT]]>, !ori.p<P0>, !ori.r128<[[TO]]>) -> !ori.r128<[[TO]]>
ori.func kernel @undefined_otherwise() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %z = ori.imm 0 : !ori.r
  %x = ori.s2r <register = "SR_TID.X"> : !ori.r
  %low = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %other = ori.ldg <b32> [%q + 4] : (!ori.r64) -> !ori.r
  %high = ori.ldg <b32> [%q + 8] : (!ori.r64) -> !ori.r
  %p = ori.isetp <lt, u32, and> %x, %other : (!ori.r, !ori.r) -> !ori.p
  %at = ori.concat %low, %high : (!ori.r, !ori.r) -> !ori.r64
  %u = ori.undef : !ori.r128
  %a = ori.ldg <b128> [%at] if %p else %u : (!ori.r64, !ori.p, !ori.r128) -> !ori.r128
  ori.stg <b128> [%q], %a if %p : (!ori.r64, !ori.r128, !ori.p) -> ()
  %b = ori.ldg <b128> [%at + 16] if %p else %a : (!ori.r64, !ori.p, !ori.r128) -> !ori.r128
  ori.stg <b128> [%q + 16], %b if %p : (!ori.r64, !ori.r128, !ori.p) -> ()
  ori.exit
}

// -----

// The accumulator of products of a warp group is in one place; the wait gives its registers back.
// CHECK-LABEL: @accumulator
// CHECK: ori.wgmma.mma {{.*}} accumulator({{.*}}) : {{.*}}!ori.acc<4, [[R:R[0-9]+]]>) -> !ori.acc<4, [[R]]>
// CHECK: ori.wgmma.wait {{.*}} : (!ori.acc<4, [[R]]>) -> !ori.acc<4, [[R]]>
ori.func kernel @accumulator() target "sm_90a" {
  %q = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  %w = ori.ldg <b128> [%q] : (!ori.r64) -> !ori.r128
  %x0 = ori.extract %w[0] : (!ori.r128) -> !ori.r
  %x1 = ori.extract %w[1] : (!ori.r128) -> !ori.r
  %x2 = ori.extract %w[2] : (!ori.r128) -> !ori.r
  %x3 = ori.extract %w[3] : (!ori.r128) -> !ori.r
  %c = ori.concat %x0, %x1, %x2, %x3 : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  %d = ori.ldg <b64> [%q + 16] : (!ori.r64) -> !ori.r64
  ori.warpgroup.arrive
  %m = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%c) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  ori.wgmma.commit
  %f = ori.wgmma.wait <count = 0> accumulators(%m) : (!ori.acc<4>) -> !ori.acc<4>
  %y = ori.extract %f[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// What a product overwrites is needed later, so that it is copied in front of the product: behind the fence,
// which orders what is written before it. An arrive orders the copies.
// CHECK-LABEL: @arrive
// CHECK: ori.wgmma.fence
// CHECK-COUNT-4: ori.mov
// CHECK-NOT: ori.mov
// CHECK: ori.warpgroup.arrive
// CHECK-NEXT: ori.wgmma.mma
ori.func kernel @arrive() target "sm_90a" {
  %q = ori.cbank[0, 528] : !ori.r64
  %w = ori.ldg <b128> [%q] : (!ori.r64) -> !ori.r128
  %x0 = ori.extract %w[0] : (!ori.r128) -> !ori.r
  %x1 = ori.extract %w[1] : (!ori.r128) -> !ori.r
  %x2 = ori.extract %w[2] : (!ori.r128) -> !ori.r
  %x3 = ori.extract %w[3] : (!ori.r128) -> !ori.r
  %c = ori.concat %x0, %x1, %x2, %x3 : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  %d = ori.ldg <b64> [%q + 16] : (!ori.r64) -> !ori.r64
  ori.wgmma.fence
  %m = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%c) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  ori.wgmma.commit
  %f = ori.wgmma.wait <count = 0> accumulators(%m) : (!ori.acc<4>) -> !ori.acc<4>
  %y = ori.extract %f[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  ori.stg <b128> [%q + 32], %w : (!ori.r64, !ori.r128) -> ()
  ori.exit
}

// -----

// The wait passes no accumulator on: the left matrix stays in its registers until it all the same. In the loop,
// the wait is in front of the product, and another one is at the end of the block.
// CHECK-LABEL: @left_in_loop
// CHECK: ori.wgmma.mma {{.*}} : (!ori.r128<[[L:R[0-9]+]]>
// CHECK-NOT: !ori.r128<[[L]]>
// CHECK: ori.warpgroup.wait <count = 0>
// CHECK: ori.cond_bra
ori.func kernel @left_in_loop() target "sm_90a" {
  %q = ori.cbank[0, 528] : !ori.r64
  %d = ori.ldg <b64> [%q + 16] : (!ori.r64) -> !ori.r64
  %z = ori.imm 0 : !ori.r
  %c = ori.concat %z, %z, %z, %z : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  ori.bra ^bb1(%c : !ori.acc<4>)
^bb1(%a: !ori.acc<4>):
  %l = ori.ldg <b128, strong, sys> [%q] : (!ori.r64) -> !ori.r128
  ori.wgmma.wait <count = 0>
  ori.wgmma.fence
  %m = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %l, %d accumulator(%a) : (!ori.r128, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  ori.wgmma.commit
  %n = ori.ldg <b128, strong, sys> [%q + 48] : (!ori.r64) -> !ori.r128
  ori.stg <b128> [%q + 64], %n : (!ori.r64, !ori.r128) -> ()
  %x = ori.extract %n[0] : (!ori.r128) -> !ori.r
  %more = ori.isetp <ne, u32, and> %x, %z : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^bb1(%m : !ori.acc<4>), ^bb2 : !ori.p
^bb2:
  %f = ori.wgmma.wait <count = 0> accumulators(%m) : (!ori.acc<4>) -> !ori.acc<4>
  %y = ori.extract %f[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// Four words that a load keeps where its guard does not hold are one zero: it is set in each of them, and in
// no other register.
// CHECK-LABEL: @zeros
// CHECK: ori.isetp
// CHECK-NEXT: %[[Z0:.*]] = ori.imm 0
// CHECK-NEXT: ori.mov %[[Z0]]
// CHECK-NEXT: %[[Z1:.*]] = ori.imm 0
// CHECK-NEXT: ori.mov %[[Z1]]
// CHECK-NEXT: %[[Z2:.*]] = ori.imm 0
// CHECK-NEXT: ori.mov %[[Z2]]
// CHECK-NEXT: %[[Z3:.*]] = ori.imm 0
// CHECK-NEXT: ori.mov %[[Z3]]
// CHECK-NEXT: ori.concat
// CHECK-NEXT: ori.ldg <b128>
ori.func kernel @zeros() target "sm_90a" {
  %q = ori.cbank[0, 528] : !ori.r64
  %x = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %z = ori.imm 0 : !ori.r
  %m = ori.mov %z : (!ori.r) -> !ori.r
  %p = ori.isetp <ne, u32, and> %x, %z : (!ori.r, !ori.r) -> !ori.p
  %c = ori.concat %m, %m, %m, %m : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128
  %v = ori.ldg <b128> [%q + 16] if %p else %c : (!ori.r64, !ori.p, !ori.r128) -> !ori.r128
  ori.stg <b128> [%q + 32], %v : (!ori.r64, !ori.r128) -> ()
  ori.exit
}

// -----

// What a load keeps and something reads later is copied once, to the registers of the result.
// CHECK-LABEL: @kept_twice
// CHECK-COUNT-4: ori.mov
// CHECK-NOT: ori.mov
// CHECK: ori.ldg <b128>
ori.func kernel @kept_twice() target "sm_90a" {
  %q = ori.cbank[0, 528] : !ori.r64
  %x = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %z = ori.imm 0 : !ori.r
  %p = ori.isetp <ne, u32, and> %x, %z : (!ori.r, !ori.r) -> !ori.p
  %c = ori.concat %x, %x, %x, %x : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128
  %v = ori.ldg <b128> [%q + 16] if %p else %c : (!ori.r64, !ori.p, !ori.r128) -> !ori.r128
  ori.stg <b128> [%q + 32], %v : (!ori.r64, !ori.r128) -> ()
  ori.stg <b32> [%q + 48], %x : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// The four words that a guarded load keeps are copies of one register, which stays where it is: it is needed again.
// CHECK-LABEL: @kept_words
// CHECK: %[[Z:[0-9]+]] = ori.s2r <register = "SR_TID.X"> : !ori.r<[[R:R[0-9]+]]>
// CHECK-COUNT-4: ori.mov %[[Z]] : (!ori.r<[[R]]>)
// CHECK-NOT: ori.mov
// CHECK: ori.ldg <b128>
// CHECK-COUNT-4: ori.mov %[[Z]] : (!ori.r<[[R]]>)
// CHECK-NOT: ori.mov
// CHECK: ori.ldg <b128>
ori.func @kept_words(%q: !ori.r64, %p: !ori.p) target "sm_90" {
  %z = ori.s2r <register = "SR_TID.X"> : !ori.r
  %w = ori.concat %z, %z, %z, %z : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128
  %a = ori.ldg <b128> [%q] if %p else %w : (!ori.r64, !ori.p, !ori.r128) -> !ori.r128
  %b = ori.ldg <b128> [%q + 16] if %p else %w : (!ori.r64, !ori.p, !ori.r128) -> !ori.r128
  ori.stg <b128> [%q + 32], %a : (!ori.r64, !ori.r128) -> ()
  ori.stg <b128> [%q + 48], %b : (!ori.r64, !ori.r128) -> ()
  ori.stg <b32> [%q + 64], %z : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// -----

// The threads of a warp execute both ways, one behind the other, with the same uniform registers: that of %u is
// not used again on the way that does not read it.
// CHECK-LABEL: ori.func kernel @parted
// CHECK: ori.uldc {{.*}} : !ori.ur<[[KEPT:UR[0-9]+]]>
// CHECK: ori.cond_bra
// CHECK-NOT: -> !ori.ur<[[KEPT]]>
// CHECK-NOT: : !ori.ur<[[KEPT]]>
// CHECK: ori.bra
// CHECK: ori.iadd3 {{.*}}, !ori.ur<[[KEPT]]>,
// CHECK: ori.bsync
ori.func kernel @parted() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %z = ori.imm 0 : !ori.r
  %a = ori.s2r <register = "SR_TID.X"> : !ori.r
  %p = ori.isetp <lt, s32, and> %a, %z : (!ori.r, !ori.r) -> !ori.p
  %u = ori.uldc <b32, bank = 0> [520] : !ori.ur
  %b = ori.bssy : !ori.b
  ori.cond_bra %p, ^one, ^two : !ori.p
^one:
  %v = ori.uldc <b32, bank = 0> [524] : !ori.ur
  %c = ori.iadd3 %a, %v, %z : (!ori.r, !ori.ur, !ori.r) -> !ori.r
  ori.bra ^both(%c : !ori.r)
^two:
  %d = ori.iadd3 %a, %u, %z : (!ori.r, !ori.ur, !ori.r) -> !ori.r
  ori.bra ^both(%d : !ori.r)
^both(%e: !ori.r):
  ori.bsync %b : (!ori.b) -> ()
  ori.stg <b32> [%q], %e : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// The same where the ways do not meet.
// CHECK-LABEL: ori.func kernel @never_met
// CHECK: ori.uldc {{.*}} : !ori.ur<[[KEPT:UR[0-9]+]]>
// CHECK: ori.cond_bra
// CHECK-NOT: : !ori.ur<[[KEPT]]>
// CHECK: ori.exit
// CHECK: ori.iadd3 {{.*}}, !ori.ur<[[KEPT]]>,
ori.func kernel @never_met() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %z = ori.imm 0 : !ori.r
  %a = ori.s2r <register = "SR_TID.X"> : !ori.r
  %p = ori.isetp <lt, s32, and> %a, %z : (!ori.r, !ori.r) -> !ori.p
  %u = ori.uldc <b32, bank = 0> [520] : !ori.ur
  ori.cond_bra %p, ^one, ^two : !ori.p
^one:
  %v = ori.uldc <b32, bank = 0> [524] : !ori.ur
  %c = ori.iadd3 %a, %v, %z : (!ori.r, !ori.ur, !ori.r) -> !ori.r
  ori.stg <b32> [%q + 4], %c : (!ori.r64, !ori.r) -> ()
  ori.exit
^two:
  %d = ori.iadd3 %a, %u, %z : (!ori.r, !ori.ur, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %d : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// %a is in the second register of the pair that the call reads, belongs into the first, and is needed behind the call.
// CHECK-LABEL: ori.func kernel @in_own_place
// CHECK: ori.mov {{.*}} : (!ori.r<R7>) -> !ori.r<R6>
// CHECK: ori.mov {{.*}} : (!ori.r<R7>) -> !ori.r<[[KEPT:R[0-9]+]]>
// CHECK: ori.call @pair
// CHECK: ori.mov {{.*}} : (!ori.r<[[KEPT]]>) -> !ori.r<R7>
// CHECK: ori.stg <b32> {{.*}}, !ori.r<R7>)
ori.func kernel @in_own_place() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %x = ori.ldg <b64> [%q] : (!ori.r64) -> !ori.r64
  %a = ori.ldg <b32> [%q + 8] : (!ori.r64) -> !ori.r<R7>
  %b = ori.ldg <b32> [%q + 12] : (!ori.r64) -> !ori.r
  %w = ori.concat %a, %b : (!ori.r<R7>, !ori.r) -> !ori.r64
  %r = ori.call @pair(%x, %w) : (!ori.r64, !ori.r64) -> !ori.r64
  ori.stg <b64> [%q], %r : (!ori.r64, !ori.r64) -> ()
  ori.stg <b32> [%q + 8], %a : (!ori.r64, !ori.r<R7>) -> ()
  ori.exit
}
ori.func private @pair(%x: !ori.r64, %y: !ori.r64) -> !ori.r64 target "sm_90" {
  ori.ret %y : !ori.r64
}

// -----

// Nine predicates are passed to a block: five of them in words.
// CHECK-LABEL: ori.func kernel @many_passed
// CHECK: ^bb3({{(%[0-9a-z]+: !ori.p<P[0-6]>, ){4}(%[0-9a-z]+: !ori.r<R[0-9]+>(, )?)+}}):
// CHECK-COUNT-5: ori.isetp <ne, u32, and>
ori.func kernel @many_passed() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %z = ori.imm 0 : !ori.r
  %true = ori.imm 1 : !ori.p
  %a = ori.s2r <register = "SR_TID.X"> : !ori.r
  %c = ori.isetp <lt, s32, and> %a, %z : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %c, ^one, ^two : !ori.p
^one:
  %n0 = ori.imm 1 : !ori.r
  %p0 = ori.isetp <gt, s32, and> %a, %n0 : (!ori.r, !ori.r) -> !ori.p
  %n1 = ori.imm 2 : !ori.r
  %p1 = ori.isetp <gt, s32, and> %a, %n1 : (!ori.r, !ori.r) -> !ori.p
  %n2 = ori.imm 3 : !ori.r
  %p2 = ori.isetp <gt, s32, and> %a, %n2 : (!ori.r, !ori.r) -> !ori.p
  %n3 = ori.imm 4 : !ori.r
  %p3 = ori.isetp <gt, s32, and> %a, %n3 : (!ori.r, !ori.r) -> !ori.p
  %n4 = ori.imm 5 : !ori.r
  %p4 = ori.isetp <gt, s32, and> %a, %n4 : (!ori.r, !ori.r) -> !ori.p
  %n5 = ori.imm 6 : !ori.r
  %p5 = ori.isetp <gt, s32, and> %a, %n5 : (!ori.r, !ori.r) -> !ori.p
  %n6 = ori.imm 7 : !ori.r
  %p6 = ori.isetp <gt, s32, and> %a, %n6 : (!ori.r, !ori.r) -> !ori.p
  %n7 = ori.imm 8 : !ori.r
  %p7 = ori.isetp <gt, s32, and> %a, %n7 : (!ori.r, !ori.r) -> !ori.p
  %n8 = ori.imm 9 : !ori.r
  %p8 = ori.isetp <gt, s32, and> %a, %n8 : (!ori.r, !ori.r) -> !ori.p
  ori.bra ^both(%p0, %p1, %p2, %p3, %p4, %p5, %p6, %p7, %p8 : !ori.p, !ori.p, !ori.p, !ori.p, !ori.p, !ori.p, !ori.p, !ori.p, !ori.p)
^two:
  ori.bra ^both(%true, %true, %true, %true, %true, %true, %true, %true, %true : !ori.p, !ori.p, !ori.p, !ori.p, !ori.p, !ori.p, !ori.p, !ori.p, !ori.p)
^both(%x0: !ori.p, %x1: !ori.p, %x2: !ori.p, %x3: !ori.p, %x4: !ori.p, %x5: !ori.p, %x6: !ori.p, %x7: !ori.p, %x8: !ori.p):
  ori.stg <b32> [%q + 0], %a if %x0 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 4], %a if %x1 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 8], %a if %x2 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 12], %a if %x3 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 16], %a if %x4 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 20], %a if %x5 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 24], %a if %x6 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 28], %a if %x7 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 32], %a if %x8 : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.exit
}

// -----

// The callee changes all predicates. What the condition is computed from is in a uniform register, of which there are
// enough: it lives across the call, and the condition is computed again, instead of being in a word.
// CHECK-LABEL: ori.func kernel @uniform_condition
// CHECK: %[[U:.*]] = ori.ldcu
// CHECK: ori.sel {{.*}} -> !ori.r<R4>
// CHECK-NEXT: ori.call @many
// CHECK-NEXT: %[[P:.*]] = ori.isetp <ne, u32, and> %{{.*}}, %[[U]]
// CHECK-NEXT: ori.cond_bra %[[P]]
// CHECK-LABEL: ori.func private @many
ori.func kernel @uniform_condition() target "sm_120" {
  %zero = ori.imm 0 : !ori.r
  %u = ori.ldcu <b32, bank = 0> [528] : !ori.ur
  %x = ori.s2r <register = "SR_TID.X"> : !ori.r
  %c = ori.isetp <ne, u32, and> %zero, %u : (!ori.r, !ori.ur) -> !ori.p
  %y = ori.sel %x, %zero, %c : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %r = ori.call @many(%y) : (!ori.r) -> !ori.r
  ori.cond_bra %c, ^bb1, ^bb2 : !ori.p
^bb1:
  %p = ori.ldc <b64, bank = 0> [536] : !ori.r64
  ori.stg <b32> [%p], %r : (!ori.r64, !ori.r) -> ()
  ori.exit
^bb2:
  ori.exit
}
ori.func private @many(%a: !ori.r) -> !ori.r target "sm_120" {
  %one = ori.imm 1 : !ori.r
  %two = ori.imm 2 : !ori.r
  %true = ori.imm 1 : !ori.p
  %p0 = ori.isetp <ne, u32, and> %a, %one : (!ori.r, !ori.r) -> !ori.p
  %p1 = ori.isetp <gt, u32, and> %a, %one : (!ori.r, !ori.r) -> !ori.p
  %p2 = ori.isetp <lt, u32, and> %a, %two : (!ori.r, !ori.r) -> !ori.p
  %p3 = ori.isetp <eq, u32, and> %a, %two : (!ori.r, !ori.r) -> !ori.p
  %p4 = ori.isetp <le, s32, and> %a, %two : (!ori.r, !ori.r) -> !ori.p
  %p5 = ori.isetp <ge, s32, and> %a, %one : (!ori.r, !ori.r) -> !ori.p
  %p6 = ori.isetp <gt, s32, and> %a, %two : (!ori.r, !ori.r) -> !ori.p
  %q0 = ori.plop3 <lut = 150> %p0, %p1, %p2 : (!ori.p, !ori.p, !ori.p) -> !ori.p
  %q1 = ori.plop3 <lut = 150> %p3, %p4, %p5 : (!ori.p, !ori.p, !ori.p) -> !ori.p
  %q2 = ori.plop3 <lut = 150> %q0, %q1, %p6 : (!ori.p, !ori.p, !ori.p) -> !ori.p
  %r = ori.sel %a, %one, %q2 : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}
