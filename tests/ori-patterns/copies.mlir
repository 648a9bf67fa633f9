// Copies, and parts of registers. Functions are named like the rules; `_not` is what a rule leaves alone.
//
// RUN: orison-opt --ori-peephole %s | FileCheck %s

// ori-mov-copy: the source is used
// CHECK-LABEL: @mov_copy(
// CHECK-NEXT: %0 = ori.iadd3 %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @mov_copy(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.mov %a : (!ori.r) -> !ori.r
  %r = ori.iadd3 %x, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-mov-copy: no match: the guard provides a result for the other threads
// CHECK-LABEL: @mov_copy_not(
// CHECK-NEXT: %0 = ori.mov %arg0 if %arg7 else %arg1 : (!ori.r, !ori.p, !ori.r) -> !ori.r
// CHECK-NEXT: %1 = ori.iadd3 %0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @mov_copy_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.mov %a if %p else %b : (!ori.r, !ori.p, !ori.r) -> !ori.r
  %r = ori.iadd3 %x, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-extract-concat-two: a part of a concatenation
// CHECK-LABEL: @extract_concat_two(
// CHECK-NEXT: ori.ret %arg1 : !ori.r
ori.func @extract_concat_two(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.concat %a, %b : (!ori.r, !ori.r) -> !ori.r64
  %r = ori.extract %x[1] : (!ori.r64) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-extract-concat-two: no match: it is a part of a different value
// CHECK-LABEL: @extract_concat_two_not(
// CHECK-NEXT: %0 = ori.extract %arg4[1] : (!ori.r64) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @extract_concat_two_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.concat %a, %b : (!ori.r, !ori.r) -> !ori.r64
  %r = ori.extract %d[1] : (!ori.r64) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-extract-concat-four: a part of a concatenation
// CHECK-LABEL: @extract_concat_four(
// CHECK-NEXT: ori.ret %arg2 : !ori.r
ori.func @extract_concat_four(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.concat %a, %b, %c, %a : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128
  %r = ori.extract %x[2] : (!ori.r128) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-extract-concat-four: no match: no part has this width
// CHECK-LABEL: @extract_concat_four_not(
// CHECK-NEXT: %0 = ori.concat %arg0, %arg1, %arg2, %arg0 : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128
// CHECK-NEXT: %1 = ori.extract %0[2] : (!ori.r128) -> !ori.r64
// CHECK-NEXT: ori.ret %1 : !ori.r64
ori.func @extract_concat_four_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r64) target "sm_100a" {
  %x = ori.concat %a, %b, %c, %a : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128
  %r = ori.extract %x[2] : (!ori.r128) -> !ori.r64
  ori.ret %r : !ori.r64
}

// ori-extract-extract: a part of a part
// CHECK-LABEL: @extract_extract(
// CHECK-NEXT: %0 = ori.extract %arg6[3] : (!ori.r128) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @extract_extract(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.extract %w[2] : (!ori.r128) -> !ori.r64
  %r = ori.extract %x[1] : (!ori.r64) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-extract-extract: no match: the source is not a part
// CHECK-LABEL: @extract_extract_not(
// CHECK-NEXT: ori.ret %arg1 : !ori.r
ori.func @extract_extract_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.concat %a, %b : (!ori.r, !ori.r) -> !ori.r64
  %r = ori.extract %x[1] : (!ori.r64) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-concat-extract-two: all parts in order
// CHECK-LABEL: @concat_extract_two(
// CHECK-NEXT: ori.ret %arg4 : !ori.r64
ori.func @concat_extract_two(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r64) target "sm_100a" {
  %x = ori.extract %d[0] : (!ori.r64) -> !ori.r
  %y = ori.extract %d[1] : (!ori.r64) -> !ori.r
  %r = ori.concat %x, %y : (!ori.r, !ori.r) -> !ori.r64
  ori.ret %r : !ori.r64
}

// ori-concat-extract-two: no match: the parts are exchanged
// CHECK-LABEL: @concat_extract_two_not(
// CHECK-NEXT: %0 = ori.extract %arg4[0] : (!ori.r64) -> !ori.r
// CHECK-NEXT: %1 = ori.extract %arg4[1] : (!ori.r64) -> !ori.r
// CHECK-NEXT: %2 = ori.concat %1, %0 : (!ori.r, !ori.r) -> !ori.r64
// CHECK-NEXT: ori.ret %2 : !ori.r64
ori.func @concat_extract_two_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r64) target "sm_100a" {
  %x = ori.extract %d[0] : (!ori.r64) -> !ori.r
  %y = ori.extract %d[1] : (!ori.r64) -> !ori.r
  %r = ori.concat %y, %x : (!ori.r, !ori.r) -> !ori.r64
  ori.ret %r : !ori.r64
}

// ori-concat-extract-four: all parts in order
// CHECK-LABEL: @concat_extract_four(
// CHECK-NEXT: ori.ret %arg6 : !ori.r128
ori.func @concat_extract_four(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r128) target "sm_100a" {
  %0 = ori.extract %w[0] : (!ori.r128) -> !ori.r
  %1 = ori.extract %w[1] : (!ori.r128) -> !ori.r
  %2 = ori.extract %w[2] : (!ori.r128) -> !ori.r
  %3 = ori.extract %w[3] : (!ori.r128) -> !ori.r
  %r = ori.concat %0, %1, %2, %3 : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128
  ori.ret %r : !ori.r128
}

// ori-concat-extract-four: no match: a part occurs twice
// CHECK-LABEL: @concat_extract_four_not(
// CHECK-NEXT: %0 = ori.extract %arg6[0] : (!ori.r128) -> !ori.r
// CHECK-NEXT: %1 = ori.extract %arg6[1] : (!ori.r128) -> !ori.r
// CHECK-NEXT: %2 = ori.extract %arg6[2] : (!ori.r128) -> !ori.r
// CHECK-NEXT: %3 = ori.concat %0, %1, %2, %2 : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128
// CHECK-NEXT: ori.ret %3 : !ori.r128
ori.func @concat_extract_four_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r128) target "sm_100a" {
  %0 = ori.extract %w[0] : (!ori.r128) -> !ori.r
  %1 = ori.extract %w[1] : (!ori.r128) -> !ori.r
  %2 = ori.extract %w[2] : (!ori.r128) -> !ori.r
  %3 = ori.extract %w[3] : (!ori.r128) -> !ori.r
  %r = ori.concat %0, %1, %2, %2 : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128
  ori.ret %r : !ori.r128
}
