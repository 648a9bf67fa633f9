// A file that is not understood is an error with its place, and the next file is read.
//
// RUN: not orison-learn %S/inputs/lost-line.sass %S/inputs/pairs.plr 2>&1 | FileCheck %s --check-prefix=LINE
// LINE: lost-line.sass:14:9: error: expected an instruction at 0x30, found 0x40
// LINE: sm_90: 8 instructions
//
// RUN: sed 's/ 1 ^vv / 1 ^?v /' %S/inputs/pairs.plr > %t.plr
// RUN: not orison-learn %t.plr 2>&1 | FileCheck %s --check-prefix=MARK
// MARK: .plr:12:80: error: '?' is not a mark of a register: one of '^', 'v', 'x', ':'
//
// RUN: sed 's/sm_90/sm_60/' %S/inputs/pairs.plr > %t.plr
// RUN: not orison-learn %t.plr 2>&1 | FileCheck %s --check-prefix=MACHINE
// MACHINE: .plr:5:1: error: there is no latency model of 'sm_60'
//
// RUN: printf '.target sm_90\n//---- .text.\377 ----\n' > %t.sass
// RUN: not orison-learn %t.sass 2>&1 | FileCheck %s --check-prefix=UTF
// UTF: .sass:2:14: error: invalid UTF-8
//
// RUN: printf 'nothing\n' > %t.sass
// RUN: not orison-learn %t.sass 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: .sass:1:1: error: expected an instruction, a label, a directive or a comment
//
// RUN: printf '' > %t.sass
// RUN: not orison-learn %t.sass 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: .sass:1:1: error: the listing has no '.target'
//
// RUN: printf '\177ELF' > %t.cubin
// RUN: not orison-learn %t.cubin 2>&1 | FileCheck %s --check-prefix=CUBIN
// CUBIN: .cubin: error: a cubin is read with '--nvdisasm=PATH'
// RUN: not orison-learn %t.cubin --nvdisasm=%t/none 2>&1 | FileCheck %s --check-prefix=PROGRAM
// PROGRAM: .cubin: error: '{{.*}}none': No such file or directory
// RUN: not orison-learn %t.cubin --nvdisasm=false 2>&1 | FileCheck %s --check-prefix=FAILED
// FAILED: .cubin: error: 'false' failed: no message
//
// RUN: not orison-learn %t.absent 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: .absent: error: No such file or directory
// RUN: not orison-learn %S/inputs/pairs.plr -o %t.absent/file 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: .absent/file: error: No such file or directory
//
// RUN: mkdir -p %t.evidence
// RUN: printf 'machine = "sm_60"\n' > %t.evidence/sm_60.toml
// RUN: not orison-learn %S/inputs/pairs.plr --update=%t.evidence 2>&1 | FileCheck %s --check-prefix=EVIDENCE
// EVIDENCE: sm_60.toml: error: there is no latency model of 'sm_60'
// RUN: printf 'machine = 60\n' > %t.evidence/sm_60.toml
// RUN: not orison-learn %S/inputs/pairs.plr --update=%t.evidence 2>&1 | FileCheck %s --check-prefix=MALFORMED
// MALFORMED: sm_60.toml:1:11: error: invalid type: integer `60`, expected a string
// RUN: not orison-learn %S/inputs/pairs.plr --update=%t.absent 2>&1 | FileCheck %s --check-prefix=DIRECTORY
// DIRECTORY: .absent: error: No such file or directory
