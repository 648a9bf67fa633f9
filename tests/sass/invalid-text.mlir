// Texts and attributes that are no output of nvdisasm, and edges that contradict the order of blocks.
//
// RUN: orison-opt --split-input-file --verify-diagnostics %s

sass.func @f target "sm_90a" {
  sass.mov "MOV  R0, R1" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{expected a mnemonic}}
  sass.mov "" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{expected a blank after the mnemonic}}
  sass.mov "MOV,R0" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{expected a label between '`(' and ')'}}
  sass.bra "BRA `()" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{unclosed '('}}
  sass.bra "BRA `(.L_x_0" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{'{7}' is not a set of scoreboards}}
  sass.depbar "DEPBAR.LE SB0, 0x0, {7}" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{'{x}' is not a set of scoreboards}}
  sass.depbar "DEPBAR {x}" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{expected '|' after the register}}
  sass.fadd "FADD R0, |R1, R2" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{expected '|' after the constant}}
  sass.fadd "FADD R0, |c[0x0][0x160], R2" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{a constant cannot have '!'}}
  sass.isetp "ISETP.GE.AND P0, PT, R0, !c[0x0][0x160], PT" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{unclosed '['}}
  sass.ldg "LDG.E R0, desc[UR4" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{'x' is not part of an address}}
  sass.ldg "LDG.E R0, [R2.64+x]" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{'Q2.64' is not part of an address}}
  sass.ldg "LDG.E R0, [Q2.64]" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{'Q4' is not a register}}
  sass.ldg "LDG.E R0, desc[Q4][R2.64]" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{expected at most one list of targets and one remark}}
  sass.brx "BRX R2 -0x10 (*\"BRANCH_TARGETS `(.L)\"*) (*\"BRANCH_TARGETS `(.L)\"*)" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{expected '[…]', found ''}}
  sass.mov "MOV R0, -c[0x0]" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{expected a slot: 'a', 'b', 'c' or 'd'}}
  sass.fadd "FADD R0, R1.reuse, R2" <stall = 4, reuse = [d2]>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{'%1' is not an operand}}
  "sass.mov"() <{control = #sass.ctrl<stall = 1>, instruction = #sass.instruction<"MOV R0, %1">}> : () -> ()
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{imported '1234567g' is not 8 hexadecimal digits}}
  sass.mov "MOV R0, R1" <stall = 1> encoding "0x00000000000000000000000000000000" imported "1234567g"
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{descriptor 'R6' is not a uniform register}}
  sass.ldg "LDG.E R0, [R2.64]" <stall = 1> descriptor "R6"
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{'descriptor' requires an address without a descriptor}}
  sass.mov "MOV R0, R1" <stall = 1> descriptor "UR6"
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{encoding '0x12' is not '0x' and 32 hexadecimal digits}}
  sass.mov "MOV R0, R1" <stall = 1> encoding "0x12"
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  sass.nop "NOP" <stall = 1>
  sass.fall_through ^a
^a:
  sass.nop "NOP" <stall = 1>
  // expected-error @+1 {{'sass.fall_through' op has a successor at the end of the function}}
  sass.fall_through ^a
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{'sass.mov' op requires attribute 'instruction'}}
  "sass.mov"() <{control = #sass.ctrl<stall = 1>}> : () -> ()
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{remark ' a' is not one nvdisasm prints}}
  sass.mov "MOV R0, R1" <stall = 1> remark " a"
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{a target register cannot have a sign}}
  sass.brx "BRX -R2 -0x10" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @f target "sm_90a" {
  // expected-error @+1 {{expected the name of a branch target}}
  sass.brx "BRX R2 -0x10 (*\"BRANCH_TARGETS \"*)" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}
