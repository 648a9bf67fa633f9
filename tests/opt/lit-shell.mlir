// Globs of the runner, and columns that FileCheck shows under tabs.

// Names that begin with a point match only a pattern that does; a pattern without a match is kept.
// RUN: rm -rf %t.dir && mkdir %t.dir && touch %t.dir/a.x %t.dir/.hidden.x %t.dir/b.y
// RUN: echo %t.dir/*.x | FileCheck %s --check-prefix=GLOB
// RUN: echo %t.dir/.*.x | FileCheck %s --check-prefix=HIDDEN
// RUN: echo %t.dir/*.z | FileCheck %s --check-prefix=NONE
// GLOB-NOT: hidden
// GLOB-NOT: b.y
// GLOB: a.x{{$}}
// HIDDEN-NOT: a.x
// HIDDEN: .hidden.x{{$}}
// NONE: .dir/*.z{{$}}

// A tab ends at the next multiple of eight columns.
// RUN: printf 'CHECK: b\nCHECK-SAME: c\n' > %t.check
// RUN: printf '\ta\tb\n' > %t.input
// RUN: not FileCheck --strict-whitespace --dump-input=never %t.check < %t.input 2>&1 | FileCheck %s --check-prefix=TABS --match-full-lines --strict-whitespace
//      TABS:<stdin>:1:5: note: scanning from here
// TABS-NEXT:        a       b
// TABS-NEXT:                 ^
func.func @f() {
  return
}
