// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Flat and nested references, bare and quoted names.
// CHECK: {a = @x, b = @x::@y::@z, c = @"a b"::@c, d = @"1x", e = @x.y$z, f = @"x-y", g = @_x}
"d.op"() {a = @x, b = @x::@y::@z, c = @"a b"::@"c", d = @"1x", e = @x.y$z, f = @"x-y", g = @_x} : () -> ()
