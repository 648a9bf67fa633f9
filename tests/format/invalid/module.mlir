// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{@ identifier expected to start with letter or '_'}}
module @ {}

// -----

// expected-error @+1 {{expected '{' to begin a region}}
module @a @b {}

// -----

// expected-error @+1 {{expected attribute name}}
module attributes {

// -----

// expected-error @+1 {{expected operation name in quotes}}
module {} {}

// -----

// expected-error @+1 {{expected '{' to begin a region}}
module private @x {}

// -----

// expected-error @+1 {{custom op 'builtin.module' 'builtin.module' op attribute 'sym_name'}}
module attributes {sym_name = 1} {}

// -----

// expected-error @+1 {{'builtin.module' op can only contain attributes with dialect-prefixed}}
module attributes {bare = 1} {}

// -----

// expected-error @+1 {{'builtin.module' op region #0 ('bodyRegion') failed to verify}}
"builtin.module"() ({}) : () -> ()

// -----

// expected-error @+1 {{'builtin.module' op expects region #0 to have 0 or 1 blocks}}
"builtin.module"() ({
^a:
  "d.op"() : () -> ()
^b:
  "d.op"() : () -> ()
}) : () -> ()

// -----

// expected-error @+1 {{'builtin.module' op region should have no arguments}}
"builtin.module"() ({
^a(%x: i32):
}) : () -> ()

// -----

// expected-error @+1 {{'builtin.module' op requires one region}}
"builtin.module"() : () -> ()

// -----

module {
// expected-note @+1 {{see existing symbol definition here}}
  func.func private @f()
// expected-error @+1 {{redefinition of symbol named 'f'}}
  func.func private @f()
}

// -----

// expected-note @+1 {{see existing symbol definition here}}
module @a {}
// expected-error @+1 {{redefinition of symbol named 'a'}}
module @a {}
