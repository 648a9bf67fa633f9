// Verifier errors of instructions and functions.
//
// RUN: orison-opt --split-input-file --verify-diagnostics %s

sass.func @f target "sm_90a" {
  // expected-error @+1 {{the register 'R255' does not exist}}
  sass.mov "MOV R0, R255" <stall = 1>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{mnemonic 'IADD3.X' is operation 'sass.iadd3'}}
  sass.imad "IADD3.X R0, R1, R2, RZ, P0, !PT" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{mnemonic 'LDG.E' is operation 'sass.ldg'}}
  sass.inst "LDG.E R0, desc[UR4][R2.64]" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{Invalid attribute `instruction` in property conversion: "MOV R0, R1"}}
  "sass.mov"() <{control = #sass.ctrl<stall = 1>, instruction = "MOV R0, R1"}> : () -> ()
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{a stall of 12 cycles requires 'yield': without it the maximum is 11}}
  sass.isetp "ISETP.GE.AND P0, PT, R5, UR4, PT" <stall = 12>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{a stall of 0 cycles requires 'yield': without it the minimum is 1}}
  sass.membar "MEMBAR.ALL.GPU" <stall = 0>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{'yield' invalidates the operand cache, which 'reuse' relies on}}
  sass.fadd "FADD R0, R1.reuse, R2" <stall = 4, yield, reuse = [a]>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{has 1 operands with '.reuse', but 0 slots in its control word}}
  sass.fmul "FMUL R0, R1.reuse, R2" <stall = 4>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{expected a stall of 0 to 15 cycles}}
  sass.nop "NOP" <stall = 16>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{expected a barrier from 0 to 5}}
  sass.s2r "S2R R0, SR_TID.X" <stall = 1, wr = 6>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{expected 'yield', 'wr', 'rd', 'wait' or 'reuse', in this order}}
  sass.lds "LDS R0, [R1]" <stall = 1, rd = 0, wr = 1>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{reads or writes R3-R4, whose first register must be a multiple of 2}}
  sass.imad "IMAD.WIDE R3, R0, 0x4, R6" <stall = 4>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{reads or writes R6-R9, whose first register must be a multiple of 4}}
  sass.hmma "HMMA.16816.F32 R4, R6, R12, R4" <stall = 4>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{reads or writes UR5-UR6, whose first register must be a multiple of 2}}
  sass.uldc "ULDC.64 UR5, c[0x0][0x208]" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{encoding '0x12' is not '0x' and 32 hexadecimal digits}}
  sass.ffma "FFMA R0, R1, R2, R3" <stall = 1> encoding "0x12"
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{'descriptor' requires an address without a descriptor}}
  sass.ldg "LDG.E R0, desc[UR4][R2.64]" <stall = 1> descriptor "UR4"
  sass.exit "EXIT" <stall = 5>
}

// -----

// expected-error @+1 {{invalid target 'sm_ninety': expected 'sm_'}}
sass.func @f target "sm_ninety" {
  sass.exit "EXIT" <stall = 5>
}

// -----

// expected-error @+1 {{undefined label '.L_x_9'}}
sass.func @f target "sm_90a" {
  sass.bra "BRA `(.L_x_9)" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{successors must match the labels and the order of the blocks: #2, #1}}
  sass.bra "@P0 BRA `(.L_x_0)" <stall = 5> [^a, ^b]
^a:
  sass.exit "EXIT" <stall = 5>
^b:
  sass.notes [".L_x_0:"]
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{successors must match the labels and the order of the blocks: none}}
  sass.exit "EXIT" <stall = 5> [^a]
^a:
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  sass.nop "NOP" <stall = 1>
  // expected-error @+1 {{must precede the instructions of its block}}
  sass.notes [".L_x_0:"]
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{'a b' is not a label, directive or comment}}
  sass.notes ["a b"]
  sass.exit "EXIT" <stall = 5>
}

// -----

// expected-error @+1 {{expects parent op 'sass.func'}}
sass.nop "NOP" <stall = 1>

// -----

// expected-error @+1 {{'sass.func' op has no instructions}}
sass.func @f target "sm_90a" {
  sass.fall_through
}

// -----

// expected-error @+1 {{'sass.func' op has no instructions}}
sass.func @f target "sm_90a" {
  sass.fall_through ^a
^a:
  sass.notes [".L_x_0:"]
  sass.fall_through
}

// -----

// expected-error @+1 {{'sass.func' op has no instructions}}
sass.func @f target "sm_90a" {
}

// -----

// expected-error @+1 {{unknown resource 'heap'}}
sass.func @f target "sm_90a" attributes {resources = {heap = 3 : i32}} {
  sass.exit "EXIT" <stall = 5>
}

// -----

// expected-error @+1 {{resource 'registers' is a number that is not negative}}
sass.func @f target "sm_90a" attributes {resources = {registers = -3 : i32}} {
  sass.exit "EXIT" <stall = 5>
}

// -----

// expected-error @+1 {{resource 'cluster' is three numbers from 1 on}}
sass.func @f target "sm_90a" attributes {resources = {cluster = array<i32: 2, 0, 1>}} {
  sass.exit "EXIT" <stall = 5>
}

// -----

// expected-error @+1 {{resource 'max_threads' is three numbers from 1 on}}
sass.func @f target "sm_90a" attributes {resources = {max_threads = array<i32: 2, 0, 1>}} {
  sass.exit "EXIT" <stall = 5>
}

// -----

// expected-error @+1 {{resource 'kernel' is a unit attribute}}
sass.func @f target "sm_90a" attributes {resources = {kernel = 1 : i32}} {
  sass.exit "EXIT" <stall = 5>
}
