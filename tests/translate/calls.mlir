// Parameters and results of functions are registers; '.param' variables of calls are not memory.
//
// RUN: orison-translate --ptx-to-ori %S/ptx/calls.ptx 2>%t.remarks | FileCheck %s
// RUN: orison-translate --ptx-to-ori --quiet %S/ptx/calls.ptx | orison-opt | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s <%t.remarks

// CHECK: ori.func private @vprintf(!ori.r64, !ori.r64) -> !ori.r target "sm_90a"
// The size of its last parameter is open, so the calling convention is unknown.
// CHECK: ori.func private @any() target "sm_90a"

// A scalar is one register, an array one register per 32 bits.
// CHECK: ori.func private @leaf(%[[X:.*]]: !ori.r, %[[S0:.*]]: !ori.r, %[[S1:.*]]: !ori.r, %[[S2:.*]]: !ori.r) -> !ori.r
// CHECK: %[[OUT:.*]] = ori.concat %[[S0]], %[[S1]]
// Bytes 2 and 3 of the last 32-bit value, and the sign of byte 3 twice.
// CHECK: %[[SIGNED:.*]] = ori.imm 47922 : !ori.r
// CHECK: %[[HALF:.*]] = ori.prmt <idx> %[[S2]], %[[SIGNED]]
// CHECK: %[[SUM:.*]] = ori.iadd3 %[[X]], %[[HALF]]
// CHECK: ori.ret %[[SUM]] : !ori.r

// CHECK: ori.func @registers(%[[A:.*]]: !ori.r, %[[P:.*]]: !ori.p) -> !ori.r
// CHECK: %[[CHOSEN:.*]] = ori.sel %{{.*}}, %[[A]], %[[P]]
// CHECK: ori.ret %[[CHOSEN]] : !ori.r

// CHECK: ori.func @nothing() target
// CHECK-NEXT: ori.exit

// CHECK: ori.func kernel @kernel()
// CHECK: %[[POINTER:.*]] = ori.cbank[0, 528] : !ori.r64
// CHECK: %[[THREAD:.*]] = ori.s2r <register = "SR_TID.X">
// CHECK: %[[IS3:.*]] = ori.isetp <eq, u32, and> %[[THREAD]]
// CHECK: %[[LOW:.*]] = ori.extract %[[POINTER]][0]
// CHECK: %[[HIGH:.*]] = ori.extract %[[POINTER]][1]
// One byte is in the lowest byte, two are in the highest.
// CHECK: %[[BYTE:.*]] = ori.imm 12820 : !ori.r
// CHECK: %[[WORD:.*]] = ori.prmt <idx> %{{.*}}, %[[BYTE]], %[[THREAD]]
// CHECK: %[[HALVES:.*]] = ori.imm 21520 : !ori.r
// CHECK: %[[REST:.*]] = ori.prmt <idx> %[[WORD]], %[[HALVES]], %[[THREAD]]
// CHECK: %[[RETURNED:.*]] = ori.call @leaf(%[[THREAD]], %[[LOW]], %[[HIGH]], %[[REST]])
// A guarded call is branched around.
// CHECK: ori.cond_bra %[[IS3]], ^[[CALL:.*]], ^[[NEXT:bb[0-9]+]](
// CHECK: ^[[CALL]]:
// CHECK: %[[FIVE:.*]] = ori.imm 5 : !ori.r
// CHECK: %[[THIRD:.*]] = ori.call @registers(%[[FIVE]], %[[IS3]])
// CHECK: ori.bra ^[[NEXT]](
// CHECK: ^[[NEXT]](
// CHECK: %[[LEAF:.*]] = ori.address_of @leaf : !ori.r64
// CHECK: %[[STORED:.*]] = ori.sel %[[RETURNED]], %{{.*}}, not %[[IS3]]
// CHECK: %[[FOURTH:.*]] = ori.call_indirect %[[LEAF]](%[[STORED]], %[[THREAD]], %[[RETURNED]], %[[THREAD]], %[[RETURNED]])
// CHECK: %[[FIFTH:.*]] = ori.call_indirect %[[LEAF]](%[[FOURTH]], %[[IS3]])
// CHECK: ori.call @nothing() : () -> ()
// An instruction that is not modelled still has the registers it reads as operands.
// CHECK: ori.inst <mnemonic = "call", text = "call any, (count, rest);"> inputs(%[[THREAD]], %
// CHECK: ori.inst <mnemonic = "st.param.b32", text = "st.param.b32 [seen], %r1;"> inputs(%[[THREAD]])
// CHECK: ori.inst <mnemonic = "mov.u64", text = "mov.u64 %rd3, seen;">
// CHECK: ori.stg <b32> [%[[POINTER]]], %[[FIFTH]]
// CHECK: ori.bpt <trap>
// CHECK-NEXT: ori.exit

// REMARK: calls.ptx:76:3: remark: 'call' is not modelled; kept as 'ori.inst'
// REMARK: calls.ptx:81:3: remark: 'st.param.b32' is not modelled; kept as 'ori.inst'
