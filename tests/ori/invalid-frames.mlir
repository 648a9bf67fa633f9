// Verifier errors of frames.
//
// RUN: orison-opt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{slot #0 must have name, offset, size and an alignment that is a power of two}}
ori.func @f() target "sm_80" attributes {frame = [
    {name = "n", offset = 0 : i32, size = 4 : i32, alignment = 3 : i32}]} {
  ori.ret
}

// -----

// expected-error @+1 {{slot #1 must have name, offset, size and an alignment that is a power of two}}
ori.func @f() target "sm_80" attributes {frame = [
    {name = "n", offset = 0 : i32, size = 4 : i32, alignment = 4 : i32},
    {name = "m", offset = 4 : i32, size = -4 : i32, alignment = 4 : i32}]} {
  ori.ret
}

// -----

// expected-error @+1 {{slot 'm' overlaps the one before}}
ori.func @f() target "sm_80" attributes {frame = [
    {name = "n", offset = 0 : i32, size = 8 : i32, alignment = 4 : i32},
    {name = "m", offset = 4 : i32, size = 4 : i32, alignment = 4 : i32}]} {
  ori.ret
}

// -----

// expected-error @+1 {{slot 'n' has the name of one before}}
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

// expected-error @+1 {{slot 'n' ends beyond the 524288 bytes of local memory that a thread has}}
ori.func @f() target "sm_80" attributes {frame = [
    {name = "n", offset = 8 : i32, size = 2147483647 : i32, alignment = 8 : i32}]} {
  ori.ret
}

// -----

ori.func @f() target "sm_80" {
  // expected-error @+1 {{there is no slot 'n' in the frame of the function}}
  %n = ori.slot_address "n" : !ori.r
  ori.ret
}

// -----

// expected-error @+1 {{is in local memory, which is in slots of frames, the attribute 'frame' of functions}}
ori.memory local @m, size 4, align 4
