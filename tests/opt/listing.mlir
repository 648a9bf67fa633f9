// RUN: orison-opt --list-passes | FileCheck %s --check-prefix=PASSES
// RUN: orison-opt --list-ops | FileCheck %s --check-prefix=OPS
// RUN: orison-opt --list-patterns | FileCheck %s --check-prefix=PATTERNS
// RUN: orison-opt --list-rules | FileCheck %s --check-prefix=PATTERNS
// RUN: orison-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS
// RUN: orison-opt --emit-dialect-docs=func | FileCheck %s --check-prefix=DOCS
// RUN: orison-opt --emit-dialect-docs=nv_tileas | FileCheck %s --check-prefix=PARTS
// RUN: orison-opt --emit-dialect-overview=ori | FileCheck %s --check-prefix=TABLES
// RUN: orison-opt --emit-dialect-overview=cf | FileCheck %s --check-prefix=SMALL
// RUN: not orison-opt --emit-dialect-docs=fnc 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not orison-opt --emit-dialect-overview=fnc 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: orison-opt --version | FileCheck %s --check-prefix=VERSION
// RUN: orison-opt --help | FileCheck %s --check-prefix=HELP

// PASSES: canonicalize {{.*}}canonicalize.rs:{{[0-9]+}}
// PASSES-NEXT: top-down bool = true
// PASSES: {{^}}cse {{.*}}cse.rs:{{[0-9]+}}
// OPS: arith.addi {{.*}}:{{[0-9]+}}
// PATTERNS: nv-tileas-{{.*}}.rs:{{[0-9]+}} {{.*}}: {{.*}} (benefit {{[0-9]+}}; canonicalize)
// PATTERNS: ori-iadd3-zeros {{.*}}.rs:{{[0-9]+}} {{.*}}ori.iadd3: iadd3(x, 0, 0) => x (benefit 4; canonicalize, ori-peephole)
// PATTERNS: scf-for-to-cf {{.*}}.rs:{{[0-9]+}} {{.*}}scf.for: {{.*}} (benefit 1; convert-scf-to-cf)
// DIALECTS: Available Dialects: arith,builtin,cf,func,{{.*}}scf
// DOCS: # `func`
// A list has a heading if it is not empty.
// DOCS: ## Operations
// DOCS-NOT: ## Types
// DOCS-NOT: ## Attributes
// PARTS: {{^}}## Operations
// PARTS: {{^}}## Types
// PARTS-EMPTY:
// PARTS-NEXT: ### `!nv_tileas.pipeline`
// PARTS: {{^}}| `role` | `producer` or `consumer` |
// PARTS: {{^}}## Attributes
// PARTS-EMPTY:
// PARTS-NEXT: ### `#nv_tileas.atom`
// What most operations have is described once; the others have all of theirs in their rows.
// TABLES: `orison-opt --emit-dialect-docs=ori` prints each operation with all its parts.
// TABLES: All operations but {{.*}}`ori.cbank`{{.*}} have these, which the tables leave out:
// TABLES: {{^}}| `guard` | predicate, optionally inverted | optional; Predicate of the threads
// TABLES: {{^}}### Float
// TABLES: {{^}}### Integer
// TABLES-EMPTY:
// TABLES-NEXT: | operation | operands | results | attributes | memory | |
// TABLES: | `ori.iadd3` | `a`, `b`, `c`: 32-bit register, optionally negated; `carry`…: predicate, optionally inverted | `result`: 32-bit register; `carries`…: predicate | `extended` | no effects | The sum of three integers, each negated or not, with carries in and out. |
// TABLES: {{^}}## Attributes of operations
// TABLES-NOT: | `guard`
// TABLES: {{^}}## Types
// Nothing is common to two of four operations, and no operation has a result.
// SMALL: {{^}}## Operations
// SMALL-EMPTY:
// SMALL-NEXT: {{^}}### {{.+}}
// SMALL: | operation | operands | attributes | memory | |
// SMALL: | `cf.assert` | `arg`: 1-bit signless integer | `msg` | writes | Aborts the program with a message if the condition is false. |
// SMALL: | `cf.br` | `dest_operands`…: any type |
// UNKNOWN: unknown dialect 'fnc'; did you mean 'func'?
// VERSION: orison-opt {{[0-9]}}
// HELP: General options:
// HELP: --split-input-file
// HELP: Passes, in the order of the command line:
// HELP: --canonicalize
// HELP: max-iterations=<long = 10>
