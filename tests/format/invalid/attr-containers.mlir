// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{expected ',' or ']'}}
"d.op"() {a = [1, 2} : () -> ()

// -----

// expected-error @+1 {{expected attribute value}}
"d.op"() {a = [1,]} : () -> ()

// -----

// expected-error @+1 {{expected ',' or ']'}}
"d.op"() {a = [1 2]} : () -> ()

// -----

// expected-error @+1 {{expected attribute value}}
"d.op"() {a = {b = }} : () -> ()

// -----

// expected-error @+1 {{duplicate key 'a' in dictionary attribute}}
"d.op"() {a = 1, a = 2} : () -> ()

// -----

// expected-error @+1 {{duplicate key 'x' in dictionary attribute}}
"d.op"() {a = {x = 1, x = 2}} : () -> ()

// -----

// expected-error @+1 {{duplicate key 'a' in dictionary attribute}}
"d.op"() {"a" = 1, a = 2} : () -> ()

// -----

// expected-error @+1 {{expected attribute name}}
"d.op"() {1 = 2} : () -> ()

// -----

// expected-error @+1 {{expected attribute name}}
"d.op"() {a = 1,} : () -> ()

// -----

// expected-error @+1 {{expected valid attribute name}}
"d.op"() {"" = 1} : () -> ()

// -----

// expected-error @+1 {{expected '}' in attribute dictionary}}
"d.op"() {a 1} : () -> ()

// -----

// expected-error @+1 {{expected attribute name}}
"d.op"() {@a = 1} : () -> ()
