// Branches are canonicalized and blocks merged as mlir-opt does it.
// REQUIRES: mlir-opt
// RUN: orison-opt --allow-unregistered-dialect --canonicalize=region-simplify=aggressive %s | mlir-opt --allow-unregistered-dialect --mlir-print-op-generic -o %t.ours
// RUN: mlir-opt --allow-unregistered-dialect --canonicalize=region-simplify=aggressive --mlir-print-op-generic %s -o %t.theirs
// RUN: diff %t.theirs %t.ours

func.func @constcond(%a: i32) -> i32 {
  %t = arith.constant true
  cf.cond_br %t, ^a(%a : i32), ^b
^a(%x: i32):
  return %x : i32
^b:
  %c = arith.constant 1 : i32
  return %c : i32
}

func.func @same_target(%c: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %c, ^a(%a : i32), ^a(%b : i32)
^a(%x: i32):
  return %x : i32
}

func.func @same_target_eq(%c: i1, %a: i32, %b: i32) -> (i32, i32) {
  "t.use"() : () -> ()
  cf.cond_br %c, ^a(%a, %b : i32, i32), ^a(%b, %b : i32, i32)
^a(%x: i32, %y: i32):
  return %x, %y : i32, i32
}

func.func @merge(%a: i32) -> i32 {
  cf.br ^a(%a : i32)
^a(%x: i32):
  %0 = "t.use"(%x) : (i32) -> i32
  cf.br ^b
^b:
  return %0 : i32
}

func.func @passthrough(%c: i1, %a: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  cf.br ^c(%a : i32)
^b:
  %0 = "t.use"() : () -> i32
  cf.br ^c(%0 : i32)
^c(%x: i32):
  return %x : i32
}

func.func @passthrough_arg(%c: i1, %a: i32) -> i32 {
  cf.cond_br %c, ^a(%a : i32), ^b
^a(%y: i32):
  cf.br ^c(%y, %a : i32, i32)
^b:
  %0 = "t.use"() : () -> i32
  cf.br ^c(%0, %0 : i32, i32)
^c(%x: i32, %z: i32):
  "t.use"(%z) : (i32) -> ()
  return %x : i32
}

func.func @br_passthrough(%a: i32) -> i32 {
  %s = "t.c"() : () -> i1
  cf.cond_br %s, ^m(%a : i32), ^n
^m(%q: i32):
  "t.use"(%q) : (i32) -> ()
  cf.br ^c(%q : i32)
^n:
  "t.n"() : () -> ()
  cf.br ^c(%a : i32)
^c(%x: i32):
  cf.br ^d(%x : i32)
^d(%z: i32):
  cf.br ^c(%z : i32)
}

func.func @truth(%c: i1) -> (i1, i1) {
  cf.cond_br %c, ^a, ^b
^a:
  "t.a"(%c) : (i1) -> ()
  return %c, %c : i1, i1
^b:
  "t.b"(%c) : (i1) -> ()
  return %c, %c : i1, i1
}

func.func @same_cond(%c: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  cf.cond_br %c, ^x, ^y
^x:
  "t.x"() : () -> ()
  return %a : i32
^y:
  "t.y"() : () -> ()
  return %b : i32
^b:
  "t.b"() : () -> ()
  cf.cond_br %c, ^x, ^y
}

func.func @swconst() -> i32 {
  %f = arith.constant 1 : i32
  %a = arith.constant 10 : i32
  %b = arith.constant 20 : i32
  cf.switch %f : i32, [default: ^d(%a : i32), 0: ^d(%b : i32), 1: ^e(%b : i32)]
^d(%x: i32):
  return %x : i32
^e(%y: i32):
  "t.e"() : () -> ()
  return %y : i32
}

func.func @swconst_default() -> i32 {
  %f = arith.constant 7 : i32
  %a = arith.constant 10 : i32
  %b = arith.constant 20 : i32
  cf.switch %f : i32, [default: ^d(%a : i32), 0: ^d(%b : i32), 1: ^e(%b : i32)]
^d(%x: i32):
  return %x : i32
^e(%y: i32):
  "t.e"() : () -> ()
  return %y : i32
}

func.func @sw_only_default(%f: i32, %a: i32) -> i32 {
  cf.switch %f : i32, [default: ^d(%a : i32)]
^d(%x: i32):
  return %x : i32
}

func.func @sw_dup(%f: i32, %a: i32, %b: i32) -> i32 {
  cf.switch %f : i32, [default: ^d(%a : i32), 0: ^d(%a : i32), 1: ^d(%b : i32), 2: ^e]
^d(%x: i32):
  return %x : i32
^e:
  "t.e"() : () -> ()
  return %a : i32
}

func.func @sw_all_dup(%f: i32, %a: i32, %b: i32) -> i32 {
  cf.switch %f : i32, [default: ^d(%a : i32), 0: ^d(%a : i32), 1: ^d(%a : i32)]
^d(%x: i32):
  return %x : i32
}

func.func @sw_pass(%f: i32, %a: i32, %b: i32) -> i32 {
  cf.switch %f : i32, [default: ^d(%a : i32), 0: ^p(%b : i32), 1: ^q]
^p(%k: i32):
  cf.br ^e(%k : i32)
^q:
  "t.q"() : () -> ()
  cf.br ^e(%a : i32)
^d(%x: i32):
  cf.br ^e(%x : i32)
^e(%y: i32):
  "t.e"() : () -> ()
  return %y : i32
}

func.func @sw_same(%f: i32, %a: i32, %b: i32) -> i32 {
  cf.switch %f : i32, [default: ^d, 0: ^p, 1: ^q]
^p:
  cf.switch %f : i32, [default: ^q, 0: ^d, 1: ^q]
^q:
  "t.q"() : () -> ()
  return %b : i32
^d:
  "t.d"() : () -> ()
  return %a : i32
}

func.func @sw_same_default(%f: i32, %a: i32, %b: i32) -> i32 {
  cf.switch %f : i32, [default: ^p, 0: ^d, 1: ^q]
^p:
  cf.switch %f : i32, [default: ^q, 0: ^d, 2: ^r]
^q:
  "t.q"() : () -> ()
  return %b : i32
^r:
  "t.r"() : () -> ()
  return %b : i32
^d:
  "t.d"() : () -> ()
  return %a : i32
}

func.func @assert_true(%c: i1) {
  %t = arith.constant true
  %f = arith.constant false
  cf.assert %t, "x"
  cf.assert %f, "y"
  cf.assert %c, "z"
  return
}

func.func @self_loop() {
  cf.br ^a
^a:
  cf.br ^a
}

func.func @inf(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  cf.br ^a
^b:
  return
}

func.func @two_loop(%c: i1) {
  cf.br ^a
^a:
  cf.br ^b
^b:
  cf.br ^a
}

func.func @condinf(%c: i1) {
  cf.br ^a
^a:
  cf.cond_br %c, ^a, ^b
^b:
  return
}

func.func @deadargs(%c: i1, %f: i32) -> i32 {
  cf.switch %f : i32, [default: ^a(%f, %f : i32, i32), 0: ^b(%f : i32)]
^a(%x: i32, %y: i32):
  "t.a"() : () -> ()
  return %y : i32
^b(%z: i32):
  "t.b"() : () -> ()
  cf.br ^a(%z, %f : i32, i32)
}

func.func @identical(%c: i1) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  %0 = "t.op"() : () -> i32
  return %0 : i32
^b:
  %1 = "t.op"() : () -> i32
  return %1 : i32
}

func.func @identical_arg(%c: i1, %p: i32, %q: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  return %p : i32
^b:
  return %q : i32
}

func.func @redundant(%c: i1, %p: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  "t.a"() : () -> ()
  cf.br ^m(%p, %p : i32, i32)
^b:
  "t.b"() : () -> ()
  cf.br ^m(%p, %p: i32, i32)
^m(%x: i32, %y: i32):
  "t.m"(%x) : (i32) -> ()
  return %y : i32
}
