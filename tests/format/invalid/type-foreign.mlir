// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{unbalanced '<' character in pretty dialect name}}
"d.op"() {t = !d.t<} : () -> ()

// -----

// expected-error @+1 {{unbalanced '[' character in pretty dialect name}}
"d.op"() {t = !d.t<[>} : () -> ()

// -----

// expected-error @+1 {{unbalanced '(' character in pretty dialect name}}
"d.op"() {t = !d.t<(]>} : () -> ()

// -----

// expected-error @+1 {{undefined symbol alias id 'undefined'}}
"d.op"() {t = !undefined} : () -> ()

// -----

// expected-error @+1 {{invalid type identifier}}
"d.op"() {t = !} : () -> ()

// -----

// expected-error @+1 {{expected '"' in string literal}}
"d.op"() {t = !d.t<"unterminated>} : () -> ()

// -----

// expected-error @+1 {{dialect 'builtin' provides no type parsing hook}}
"d.op"() {t = !builtin.nothing} : () -> ()

// -----

// expected-error @+1 {{invalid dialect namespace '""'}}
"d.op"() {c = !.0e10} : () -> ()

// -----

// expected-error @+1 {{invalid dialect namespace '"a-b"'}}
"d.op"() {c = #a-b<"x">} : () -> ()
