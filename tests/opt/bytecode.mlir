// RUN: orison-opt %s --emit-bytecode -o %t.mlirbc
// RUN: orison-opt %t.mlirbc | FileCheck %s
// RUN: orison-opt < %t.mlirbc --cse | FileCheck %s
// RUN: orison-opt %s --emit-bytecode --emit-bytecode-version=0 | orison-opt - | FileCheck %s
// RUN: orison-opt %t.mlirbc --split-input-file | FileCheck %s

// A version that does not exist, and a version without --emit-bytecode.
// RUN: not orison-opt %s --emit-bytecode --emit-bytecode-version=7 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: not orison-opt %s --emit-bytecode-version=3 2>&1 | FileCheck %s --check-prefix=TEXT
// VERSION: error: unsupported version requested 7, must be in range [0, 6]
// TEXT: error: bytecode version while not emitting bytecode

// Malformed files: the error is at line 0 of the file, as in MLIR, with the byte in a note.
// RUN: printf 'ML\357R\r' | not orison-opt 2>&1 | FileCheck %s --check-prefix=PRODUCER
// RUN: printf 'ML\357R\017orison\000' | not orison-opt 2>&1 | FileCheck %s --check-prefix=NEWER
// RUN: printf 'ML\357R\rorison\000\001' | not orison-opt 2>&1 | FileCheck %s --check-prefix=SECTION
// PRODUCER:      <stdin>:0:0: error: malformed null-terminated string, no null character found
// PRODUCER-NEXT: <stdin>:0:0: note: at byte 5 of the file
// NEWER:         <stdin>:0:0: error: bytecode version 7 is newer than the current version 6
// SECTION:       <stdin>:0:0: error: attempting to parse a byte at the end of the bytecode
// SECTION-NEXT:  <stdin>:0:0: note: at byte 13 of the file
// SECTION-NEXT:  <stdin>:0:0: note: in bytecode version 6 produced by: orison

// An operation that its dialect does not have.
// RUN: printf '"funk.nothing"() : () -> ()' | orison-opt --allow-unregistered-dialect --emit-bytecode -o %t.unknown.mlirbc
// RUN: sed s/funk/func/ %t.unknown.mlirbc >%t.known.mlirbc
// RUN: not orison-opt --allow-unregistered-dialect %t.known.mlirbc 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unregistered operation 'func.nothing' found in dialect ('func') that does not allow unknown operations

// CHECK: func.func @f(%arg0: i32) -> i32 {
// CHECK:   cf.br ^bb1(%arg0 : i32)
// CHECK: ^bb1(%[[A:.*]]: i32):
// CHECK:   cf.br ^bb1(%[[A]] : i32)
func.func @f(%a: i32) -> i32 {
  cf.br ^loop(%a : i32)
^loop(%b: i32):
  cf.br ^loop(%b : i32)
}
