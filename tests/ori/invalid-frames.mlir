// Verifier errors of frames.
//
// RUN: orison-opt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{slot #0 requires a name, an offset, a size and an alignment that is a power of two}}
ori.func @f() target "sm_80" attributes {frame = [
    {name = "n", offset = 0 : i32, size = 4 : i32, alignment = 3 : i32}]} {
  ori.ret
}

// -----

// expected-error @+1 {{slot #1 requires a name, an offset, a size and an alignment that is a power of two}}
ori.func @f() target "sm_80" attributes {frame = [
    {name = "n", offset = 0 : i32, size = 4 : i32, alignment = 4 : i32},
    {name = "m", offset = 4 : i32, size = -4 : i32, alignment = 4 : i32}]} {
  ori.ret
}

// -----

// expected-error @+1 {{slot 'm' overlaps the previous slot}}
ori.func @f() target "sm_80" attributes {frame = [
    {name = "n", offset = 0 : i32, size = 8 : i32, alignment = 4 : i32},
    {name = "m", offset = 4 : i32, size = 4 : i32, alignment = 4 : i32}]} {
  ori.ret
}

// -----

// expected-error @+1 {{slot 'n' has the name of a previous slot}}
ori.func @f() target "sm_80" attributes {frame = [
    {name = "n", offset = 0 : i32, size = 4 : i32, alignment = 4 : i32},
    {name = "n", offset = 4 : i32, size = 4 : i32, alignment = 4 : i32}]} {
  ori.ret
}

// -----

// expected-error @+1 {{slot 'n' is not aligned to 8 bytes}}
ori.func @f() target "sm_80" attributes {frame = [
    {name = "n", offset = 4 : i32, size = 8 : i32, alignment = 8 : i32}]} {
  ori.ret
}

// -----

// expected-error @+1 {{slot 'n' exceeds the 524288 bytes of local memory of a thread}}
ori.func @f() target "sm_80" attributes {frame = [
    {name = "n", offset = 8 : i32, size = 2147483647 : i32, alignment = 8 : i32}]} {
  ori.ret
}

// -----

ori.func @f() target "sm_80" {
  // expected-error @+1 {{the frame of the function has no slot 'n'}}
  %n = ori.slot_address "n" : !ori.r
  ori.ret
}

// -----

// expected-error @+1 {{cannot be in local memory; use attribute 'frame' of the function}}
ori.memory local @m, size 4, align 4
