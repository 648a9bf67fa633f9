// Symbol linkage and function aliases.
//
// RUN: orison-translate --ptx-to-ori %s | FileCheck %s
// RUN: printf '.version 8.8\n.target sm_90\n.func f() { ret; }\n.alias g, h;\n' | not orison-translate --ptx-to-ori 2>&1 | FileCheck --check-prefix=NOTHING %s
// RUN: printf '.version 8.8\n.target sm_90\n.func f() { ret; }\n.func g() { ret; }\n.alias g, f;\n' | not orison-translate --ptx-to-ori 2>&1 | FileCheck --check-prefix=TAKEN %s
// RUN: printf '.version 8.8\n.target sm_90\n.func f() { ret; }\n.global .b32 f;\n' | not orison-translate --ptx-to-ori --no-check 2>&1 | FileCheck --check-prefix=FUNCTION %s
// FUNCTION: <stdin>:4:14: error: 'f' is also the name of a function
// NOTHING: <stdin>:4:1: error: 'g' is not a function declared before
// TAKEN: error: alias 'g' redefines a function
.version 8.8
.target sm_90
.address_size 64
// CHECK: ori.memory global @elsewhere, size 16, align 4 {linkage = #ori.linkage<extern>}
.extern .global .align 4 .b8 elsewhere[16];
// CHECK: ori.memory global @seen, size 4, align 4 {initial = array<i8: 5, 0, 0, 0>, linkage = #ori.linkage<visible>}
.visible .global .b32 seen = 5;
// CHECK: ori.memory global @replaced, size 4, align 4 {linkage = #ori.linkage<weak>}
.weak .global .b32 replaced;
// CHECK: ori.memory global @shared, size 16, align 4 {linkage = #ori.linkage<common>}
.common .global .b32 shared[4];
// A definition overrides an earlier declaration; a later declaration has no effect.
// CHECK: ori.memory global @defined, size 4, align 4 {initial = array<i8: 7, 0, 0, 0>}
.extern .global .b32 defined;
.global .b32 defined = 7;
.extern .global .b32 defined;
// An address of an alias is that of the function.
// CHECK: ori.memory global @both, size 16, align 8 {addresses = [{{.*}}symbol = @one}, {{.*}}symbol = @one}]
.visible .func (.param .b32 r) one(.param .b32 x);
.visible .func (.param .b32 r) other(.param .b32 x);
.global .u64 both[2] = {other, one};
// CHECK-NOT: @other
// CHECK: ori.func @one(
.visible .func (.param .b32 r) one(.param .b32 x) {
  .reg .b32 %r;
  ld.param.b32 %r, [x];
  st.param.b32 [r], %r;
  ret;
}
// CHECK: ori.func @weak() {{.*}} attributes {linkage = #ori.linkage<weak>}
.weak .func weak() { ret; }
// The host launches kernels, also those that no other module sees.
// CHECK: ori.func kernel @unseen()
.entry unseen() { ret; }
// CHECK: ori.func kernel @k
.visible .entry k(.param .u64 out) {
  .reg .b64 %o; .reg .b32 %r;
  ld.param.u64 %o, [out];
  {
    .param .b32 a; .param .b32 v;
    st.param.b32 [a], 3;
    // CHECK: ori.call @one(
    call.uni (v), other, (a);
    ld.param.b32 %r, [v];
  }
  st.global.u32 [%o], %r;
  ret;
}
// CHECK: ori.alias @other = @one
.alias other, one;
