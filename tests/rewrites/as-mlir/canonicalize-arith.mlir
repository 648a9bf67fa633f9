// Arithmetic is canonicalized as mlir-opt does it.
// REQUIRES: mlir-opt
// RUN: orison-opt --allow-unregistered-dialect --canonicalize %s | mlir-opt --allow-unregistered-dialect --mlir-print-op-generic -o %t.ours
// RUN: mlir-opt --allow-unregistered-dialect --canonicalize --mlir-print-op-generic %s -o %t.theirs
// RUN: diff %t.theirs %t.ours

func.func @add_add(%x: i32) -> i32 {
  %c1 = arith.constant 5 : i32
  %c2 = arith.constant 7 : i32
  %0 = arith.addi %x, %c1 : i32
  %1 = arith.addi %0, %c2 : i32
  return %1 : i32
}

func.func @add_add_nsw(%x: i32) -> i32 {
  %c1 = arith.constant 5 : i32
  %c2 = arith.constant 7 : i32
  %0 = arith.addi %x, %c1 overflow<nsw> : i32
  %1 = arith.addi %0, %c2 overflow<nsw> : i32
  return %1 : i32
}

func.func @add_add_half(%x: i32) -> i32 {
  %c1 = arith.constant 5 : i32
  %c2 = arith.constant 7 : i32
  %0 = arith.addi %x, %c1 overflow<nuw> : i32
  %1 = arith.addi %0, %c2 overflow<nsw, nuw> : i32
  return %1 : i32
}

func.func @add_sub_rhs(%x: i32) -> i32 {
  %c1 = arith.constant 5 : i32
  %c2 = arith.constant 7 : i32
  %0 = arith.subi %x, %c1 overflow<nsw, nuw> : i32
  %1 = arith.addi %0, %c2 overflow<nsw, nuw> : i32
  return %1 : i32
}

func.func @add_sub_lhs(%x: i32) -> i32 {
  %c1 = arith.constant 5 : i32
  %c2 = arith.constant 7 : i32
  %0 = arith.subi %c1, %x overflow<nsw, nuw> : i32
  %1 = arith.addi %0, %c2 overflow<nsw, nuw> : i32
  return %1 : i32
}

func.func @add_mulneg(%x: i32, %y: i32) -> (i32, i32) {
  %c1 = arith.constant -1 : i32
  %0 = arith.muli %y, %c1 : i32
  %1 = arith.addi %0, %x : i32
  %2 = arith.addi %x, %0 : i32
  return %1, %2 : i32, i32
}

func.func @mul_mul(%x: i32) -> i32 {
  %c1 = arith.constant 5 : i32
  %c2 = arith.constant 7 : i32
  %0 = arith.muli %x, %c1 overflow<nsw> : i32
  %1 = arith.muli %0, %c2 overflow<nsw> : i32
  return %1 : i32
}

func.func @sub_add(%x: i32) -> i32 {
  %c1 = arith.constant 5 : i32
  %c2 = arith.constant 7 : i32
  %0 = arith.addi %x, %c1 overflow<nsw> : i32
  %1 = arith.subi %0, %c2 overflow<nsw> : i32
  return %1 : i32
}

func.func @sub_add_l(%x: i32) -> i32 {
  %c1 = arith.constant 5 : i32
  %c2 = arith.constant 7 : i32
  %0 = arith.addi %x, %c1 overflow<nsw> : i32
  %1 = arith.subi %c2, %0 overflow<nsw> : i32
  return %1 : i32
}

func.func @sub_sub_rr(%x: i32) -> i32 {
  %c1 = arith.constant 5 : i32
  %c2 = arith.constant 7 : i32
  %0 = arith.subi %x, %c1 overflow<nsw> : i32
  %1 = arith.subi %0, %c2 overflow<nsw> : i32
  return %1 : i32
}

func.func @sub_sub_rl(%x: i32) -> i32 {
  %c1 = arith.constant 5 : i32
  %c2 = arith.constant 7 : i32
  %0 = arith.subi %c1, %x overflow<nsw> : i32
  %1 = arith.subi %0, %c2 overflow<nsw> : i32
  return %1 : i32
}

func.func @sub_sub_lr(%x: i32) -> i32 {
  %c1 = arith.constant 5 : i32
  %c2 = arith.constant 7 : i32
  %0 = arith.subi %x, %c1 overflow<nsw> : i32
  %1 = arith.subi %c2, %0 overflow<nsw> : i32
  return %1 : i32
}

func.func @sub_sub_ll(%x: i32) -> i32 {
  %c1 = arith.constant 5 : i32
  %c2 = arith.constant 7 : i32
  %0 = arith.subi %c1, %x overflow<nsw> : i32
  %1 = arith.subi %c2, %0 overflow<nsw> : i32
  return %1 : i32
}

func.func @sub_sub_self(%x: i32, %y: i32) -> i32 {
  %0 = arith.subi %x, %y overflow<nsw> : i32
  %1 = arith.subi %0, %x overflow<nsw> : i32
  return %1 : i32
}

func.func @addext(%x: i32, %y: i32) -> i32 {
  %0, %1 = arith.addui_extended %x, %y : i32, i1
  return %0 : i32
}

func.func @mulsext(%x: i32, %y: i32) -> i32 {
  %0, %1 = arith.mulsi_extended %x, %y : i32
  return %0 : i32
}

func.func @muluext(%x: i32, %y: i32) -> i32 {
  %0, %1 = arith.mului_extended %x, %y : i32
  return %0 : i32
}

func.func @mulsext1(%x: i32) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %0, %1 = arith.mulsi_extended %x, %c1 : i32
  return %0, %1 : i32, i32
}

func.func @muluext1(%x: i32) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %0, %1 = arith.mului_extended %x, %c1 : i32
  return %0, %1 : i32, i32
}

func.func @mulsext_1bit(%x: i1) -> (i1, i1) {
  %c1 = arith.constant true
  %0, %1 = arith.mulsi_extended %x, %c1 : i1
  return %0, %1 : i1, i1
}

func.func @xor_cmp(%x: i32, %y: i32) -> i1 {
  %t = arith.constant true
  %0 = arith.cmpi slt, %x, %y : i32
  %1 = arith.xori %0, %t : i1
  return %1 : i1
}

func.func @xor_ext(%x: i8, %y: i8) -> (i32, i32, i32, i32, i32, i32) {
  %a = arith.extui %x : i8 to i32
  %b = arith.extui %y : i8 to i32
  %c = arith.extsi %x : i8 to i32
  %d = arith.extsi %y : i8 to i32
  %0 = arith.xori %a, %b : i32
  %1 = arith.xori %c, %d : i32
  %2 = arith.andi %a, %b : i32
  %3 = arith.andi %c, %d : i32
  %4 = arith.ori %a, %b : i32
  %5 = arith.ori %c, %d : i32
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
}

func.func @cmp_ext(%x: i8, %y: i8) -> (i1, i1, i1, i1, i1, i1) {
  %a = arith.extui %x : i8 to i32
  %b = arith.extui %y : i8 to i32
  %c = arith.extsi %x : i8 to i32
  %d = arith.extsi %y : i8 to i32
  %0 = arith.cmpi slt, %a, %b : i32
  %1 = arith.cmpi slt, %c, %d : i32
  %2 = arith.cmpi ult, %a, %b : i32
  %3 = arith.cmpi ult, %c, %d : i32
  %4 = arith.cmpi eq, %a, %b : i32
  %5 = arith.cmpi eq, %c, %d : i32
  return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
}

func.func @sel_not(%p: i1, %x: i32, %y: i32) -> i32 {
  %t = arith.constant true
  %n = arith.xori %p, %t : i1
  %0 = arith.select %n, %x, %y : i32
  return %0 : i32
}

func.func @sel_red(%p: i1, %x: i32, %y: i32, %z: i32) -> (i32, i32) {
  %0 = arith.select %p, %x, %y : i32
  %1 = arith.select %p, %0, %z : i32
  %2 = arith.select %p, %z, %0 : i32
  return %1, %2 : i32, i32
}

func.func @sel_i1(%p: i1) -> (i1, i1) {
  %t = arith.constant true
  %f = arith.constant false
  %0 = arith.select %p, %f, %t : i1
  %1 = arith.select %p, %t, %f : i1
  return %0, %1 : i1, i1
}

func.func @sel_ext(%p: i1) -> (i32, i32, i32) {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %m1 = arith.constant -1 : i32
  %0 = arith.select %p, %c1, %c0 : i32
  %1 = arith.select %p, %c0, %c1 : i32
  %2 = arith.select %p, %m1, %c0 : i32
  return %0, %1, %2 : i32, i32, i32
}

func.func @sel_and(%a: i1, %b: i1, %x: i32, %y: i32) -> (i32, i32, i32, i32) {
  %s = arith.select %b, %x, %y : i32
  %0 = arith.select %a, %s, %y : i32
  %1 = arith.select %a, %s, %x : i32
  %2 = arith.select %a, %x, %s : i32
  %3 = arith.select %a, %y, %s : i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

func.func @trunc_ext(%x: i8) -> (i16, i16) {
  %a = arith.extui %x : i8 to i32
  %c = arith.extsi %x : i8 to i32
  %0 = arith.trunci %a : i32 to i16
  %1 = arith.trunci %c : i32 to i16
  return %0, %1 : i16, i16
}

func.func @trunc_shr(%x: i32) -> (i8, i8) {
  %c = arith.constant 24 : i32
  %d = arith.constant 25 : i32
  %0 = arith.shrsi %x, %c : i32
  %1 = arith.trunci %0 : i32 to i8
  %2 = arith.shrsi %x, %d : i32
  %3 = arith.trunci %2 : i32 to i8
  return %1, %3 : i8, i8
}

func.func @trunc_mul(%x: i32, %y: i32) -> (i32, i32) {
  %a = arith.extui %x : i32 to i64
  %b = arith.extui %y : i32 to i64
  %c = arith.extsi %x : i32 to i64
  %d = arith.extsi %y : i32 to i64
  %s = arith.constant 32 : i64
  %0 = arith.muli %a, %b : i64
  %1 = arith.shrui %0, %s : i64
  %2 = arith.trunci %1 : i64 to i32
  %3 = arith.muli %c, %d : i64
  %4 = arith.shrsi %3, %s : i64
  %5 = arith.trunci %4 : i64 to i32
  return %2, %5 : i32, i32
}

func.func @ext_ext(%x: i8) -> (i32, i32, i32, i32) {
  %a = arith.extui %x : i8 to i16
  %b = arith.extsi %x : i8 to i16
  %0 = arith.extui %a : i16 to i32
  %1 = arith.extsi %a : i16 to i32
  %2 = arith.extui %b : i16 to i32
  %3 = arith.extsi %b : i16 to i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

func.func @bitcast(%x: i32) -> (i32, f32, i32) {
  %a = arith.bitcast %x : i32 to f32
  %b = arith.bitcast %a : f32 to i32
  %c = arith.bitcast %b : i32 to f32
  %d = arith.bitcast %x : i32 to i32
  return %b, %c, %d : i32, f32, i32
}

func.func @trunc_tofp(%x: i32) -> (f32, f32) {
  %a = arith.sitofp %x : i32 to f64
  %b = arith.truncf %a : f64 to f32
  %c = arith.uitofp %x : i32 to f64
  %d = arith.truncf %c : f64 to f32
  return %b, %d : f32, f32
}

func.func @negs(%x: f32, %y: f32) -> (f32, f32, f32, f32) {
  %a = arith.negf %x : f32
  %b = arith.negf %y : f32
  %0 = arith.mulf %a, %b : f32
  %1 = arith.divf %a, %b : f32
  %2 = arith.addf %a, %b : f32
  %3 = arith.subf %a, %b : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

func.func @cmpf_int(%x: i8) -> (i1, i1, i1, i1) {
  %c = arith.constant 1.5 : f32
  %d = arith.constant 1000.0 : f32
  %e = arith.constant 3.0 : f32
  %a = arith.sitofp %x : i8 to f32
  %b = arith.uitofp %x : i8 to f32
  %0 = arith.cmpf olt, %a, %c : f32
  %1 = arith.cmpf ogt, %b, %d : f32
  %2 = arith.cmpf oeq, %b, %e : f32
  %3 = arith.cmpf uge, %c, %b : f32
  return %0, %1, %2, %3 : i1, i1, i1, i1
}

func.func @divmul(%x: i32, %y: i32) -> (i32, i32, i32, i32) {
  %a = arith.muli %x, %y overflow<nuw, nsw> : i32
  %0 = arith.divui %a, %y : i32
  %1 = arith.divsi %a, %y : i32
  %2 = arith.divui %a, %x : i32
  %3 = arith.divsi %a, %x : i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

func.func @cmpconst(%x: i32) -> (i1, i1, i1, i1, i1, i1) {
  %c0 = arith.constant 0 : i32
  %m = arith.constant -1 : i32
  %min = arith.constant -2147483648 : i32
  %max = arith.constant 2147483647 : i32
  %0 = arith.cmpi ult, %x, %c0 : i32
  %1 = arith.cmpi uge, %x, %c0 : i32
  %2 = arith.cmpi ule, %x, %m : i32
  %3 = arith.cmpi slt, %x, %min : i32
  %4 = arith.cmpi sle, %x, %max : i32
  %5 = arith.cmpi sgt, %c0, %x : i32
  return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
}

func.func @cmpf_nan(%x: f32) -> (i1, i1) {
  %c = arith.constant 0x7FC00000 : f32
  %0 = arith.cmpf olt, %x, %c : f32
  %1 = arith.cmpf ult, %x, %c : f32
  return %0, %1 : i1, i1
}

func.func @ori_not(%x: i32) -> (i32, i32, i32) {
  %m = arith.constant -1 : i32
  %n = arith.xori %x, %m : i32
  %0 = arith.ori %x, %n : i32
  %1 = arith.andi %x, %n : i32
  %2 = arith.xori %n, %m : i32
  return %0, %1, %2 : i32, i32, i32
}

func.func @andand(%x: i32, %y: i32) -> (i32, i32) {
  %c = arith.constant 12 : i32
  %d = arith.constant 10 : i32
  %a = arith.andi %x, %c : i32
  %0 = arith.andi %a, %d : i32
  %b = arith.ori %x, %c : i32
  %1 = arith.ori %b, %d : i32
  return %0, %1 : i32, i32
}

func.func @extf_truncf(%x: f32) -> (f32, f32) {
  %a = arith.truncf %x fastmath<contract> : f32 to f16
  %b = arith.extf %a fastmath<contract> : f16 to f32
  %c = arith.truncf %x : f32 to f16
  %d = arith.extf %c : f16 to f32
  return %b, %d : f32, f32
}

func.func @truncf_extf(%x: f16) -> (f16, bf16, f32) {
  %a = arith.extf %x : f16 to f64
  %b = arith.truncf %a : f64 to f16
  %e = arith.truncf %a : f64 to f32
  %d = arith.extf %x : f16 to f32
  %c = arith.truncf %d : f32 to bf16
  return %b, %c, %e : f16, bf16, f32
}

func.func @self(%x: i32, %f: f32) -> (i32, i32, i32, i32, f32, i1) {
  %0 = arith.divsi %x, %x : i32
  %1 = arith.remsi %x, %x : i32
  %2 = arith.remui %x, %x : i32
  %3 = arith.divui %x, %x : i32
  %4 = arith.subf %f, %f : f32
  %5 = arith.cmpf oeq, %f, %f : f32
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, f32, i1
}

func.func @zero_div(%x: i32) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %0 = arith.divsi %c0, %x : i32
  %1 = arith.shli %c0, %x : i32
  %2 = arith.remui %c0, %x : i32
  return %0, %1, %2 : i32, i32, i32
}

func.func @shift_big(%x: i32) -> (i32, i32) {
  %c = arith.constant 32 : i32
  %0 = arith.shli %x, %c : i32
  %1 = arith.shrui %x, %c : i32
  return %0, %1 : i32, i32
}

func.func @sel_cmp(%x: i32, %y: i32, %c: i1) -> (i32, i32, i1, i1) {
  %t = arith.constant true
  %f = arith.constant false
  %0 = arith.cmpi eq, %x, %y : i32
  %1 = arith.select %0, %x, %y : i32
  %2 = arith.cmpi ne, %x, %y : i32
  %3 = arith.select %2, %x, %y : i32
  %4 = arith.select %c, %t, %0 : i1
  %5 = arith.select %c, %0, %f : i1
  return %1, %3, %4, %5 : i32, i32, i1, i1
}

func.func @ext_cmp(%x: i1) -> (i1, i1, i1, i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %e = arith.extui %x : i1 to i32
  %s = arith.extsi %x : i1 to i32
  %0 = arith.cmpi ne, %e, %c0 : i32
  %1 = arith.cmpi eq, %e, %c0 : i32
  %2 = arith.cmpi eq, %e, %c1 : i32
  %3 = arith.cmpi ne, %s, %c0 : i32
  return %0, %1, %2, %3 : i1, i1, i1, i1
}

func.func @sub_add2(%x: i32) -> i32 {
  %c1 = arith.constant 7 : i32
  %c2 = arith.constant 5 : i32
  %0 = arith.addi %x, %c1 overflow<nsw> : i32
  %1 = arith.subi %0, %c2 overflow<nsw> : i32
  return %1 : i32
}

func.func @sub_add3(%x: i32) -> i32 {
  %c1 = arith.constant 7 : i32
  %c2 = arith.constant 5 : i32
  %0 = arith.addi %x, %c1 overflow<nuw> : i32
  %1 = arith.subi %0, %c2 overflow<nuw> : i32
  return %1 : i32
}

func.func @add_multi(%x: i32) -> (i32, i32) {
  %c1 = arith.constant 7 : i32
  %c2 = arith.constant 5 : i32
  %0 = arith.addi %x, %c1 : i32
  %1 = arith.addi %0, %c2 : i32
  return %0, %1 : i32, i32
}

func.func @sel_and1(%a: i1, %b: i1, %x: i32, %y: i32) -> (i32) {
  %s = arith.select %b, %x, %y : i32
  %0 = arith.select %a, %s, %y : i32
  return %0 : i32
}

func.func @sel_and2(%a: i1, %b: i1, %x: i32, %y: i32) -> (i32) {
  %s = arith.select %b, %x, %y : i32
  %1 = arith.select %a, %s, %x : i32
  return %1 : i32
}

func.func @sel_and3(%a: i1, %b: i1, %x: i32, %y: i32) -> (i32) {
  %s = arith.select %b, %x, %y : i32
  %2 = arith.select %a, %x, %s : i32
  return %2 : i32
}

func.func @sel_and4(%a: i1, %b: i1, %x: i32, %y: i32) -> (i32) {
  %s = arith.select %b, %x, %y : i32
  %3 = arith.select %a, %y, %s : i32
  return %3 : i32
}

func.func @sel_i1s(%a: i1, %b: i1, %x: i1, %y: i1) -> (i1, i1, i1) {
  %t = arith.constant true
  %f = arith.constant false
  %0 = arith.select %a, %b, %f : i1
  %1 = arith.select %a, %t, %b : i1
  %2 = arith.select %a, %f, %b : i1
  return %0, %1, %2 : i1, i1, i1
}

func.func @xor_one(%x: i32) -> i32 {
  %c1 = arith.constant 7 : i32
  %c2 = arith.constant 5 : i32
  %0 = arith.xori %x, %c1 : i32
  %1 = arith.xori %0, %c2 : i32
  return %1 : i32
}

func.func @shl2(%x: i32) -> (i32, i32, i32) {
  %c1 = arith.constant 3 : i32
  %c2 = arith.constant 5 : i32
  %0 = arith.shli %x, %c1 : i32
  %1 = arith.shli %0, %c2 : i32
  %2 = arith.shrui %x, %c1 : i32
  %3 = arith.shrui %2, %c2 : i32
  %4 = arith.shrui %0, %c1 : i32
  return %1, %3, %4 : i32, i32, i32
}

func.func @mul_trunc1(%x: i32, %y: i32) -> (i32) {
  %a = arith.extui %x : i32 to i64
  %b = arith.extui %y : i32 to i64
  %s = arith.constant 32 : i64
  %0 = arith.muli %a, %b : i64
  %1 = arith.shrui %0, %s : i64
  %2 = arith.trunci %1 : i64 to i32
  return %2 : i32
}

func.func @mul_trunc2(%x: i32, %y: i32) -> (i32, i32) {
  %a = arith.extsi %x : i32 to i64
  %b = arith.extsi %y : i32 to i64
  %s = arith.constant 32 : i64
  %0 = arith.muli %a, %b : i64
  %1 = arith.shrui %0, %s : i64
  %2 = arith.trunci %1 : i64 to i32
  %3 = arith.trunci %0 : i64 to i32
  return %2, %3 : i32, i32
}

func.func @maxmin(%x: i32, %f: f32) -> (i32, i32, f32, f32, f32, f32) {
  %c1 = arith.constant 3 : i32
  %c2 = arith.constant 5 : i32
  %0 = arith.maxsi %x, %c1 : i32
  %1 = arith.maxsi %0, %c2 : i32
  %2 = arith.maxsi %x, %x : i32
  %inf = arith.constant 0x7F800000 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %3 = arith.maxnumf %f, %ninf : f32
  %4 = arith.minnumf %f, %inf : f32
  %5 = arith.maximumf %f, %ninf : f32
  %6 = arith.minimumf %f, %inf : f32
  return %1, %2, %3, %4, %5, %6 : i32, i32, f32, f32, f32, f32
}

func.func @cmp_add(%x: i32) -> (i1, i1) {
  %c1 = arith.constant 3 : i32
  %c2 = arith.constant 5 : i32
  %0 = arith.addi %x, %c1 : i32
  %1 = arith.cmpi eq, %0, %c2 : i32
  %2 = arith.cmpi sgt, %c1, %x : i32
  return %1, %2 : i1, i1
}

func.func @cmp_i1(%x: i1) -> (i1, i1, i1, i1) {
  %t = arith.constant true
  %f = arith.constant false
  %0 = arith.cmpi eq, %x, %t : i1
  %1 = arith.cmpi eq, %x, %f : i1
  %2 = arith.cmpi ne, %x, %t : i1
  %3 = arith.cmpi ne, %x, %f : i1
  return %0, %1, %2, %3 : i1, i1, i1, i1
}

func.func @ext_ext2(%x: i8) -> (i32) {
  %a = arith.extui %x : i8 to i16
  %0 = arith.extsi %a : i16 to i32
  return %0 : i32
}

func.func @mulf_zero(%x: f32) -> (f32, f32, f32) {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %m1 = arith.constant -1.0 : f32
  %0 = arith.mulf %x, %m1 : f32
  %1 = arith.subf %z, %x : f32
  %2 = arith.divf %x, %m1 : f32
  return %0, %1, %2 : f32, f32, f32
}

func.func @muli_neg(%x: i32) -> (i32, i32) {
  %z = arith.constant 0 : i32
  %m1 = arith.constant -1 : i32
  %0 = arith.muli %x, %m1 : i32
  %1 = arith.subi %z, %x : i32
  %2 = arith.subi %z, %1 : i32
  return %0, %2 : i32, i32
}

func.func @consts_order(%x: i32) -> (i32) {
  %c7 = arith.constant 7 : i32
  %0 = arith.addi %c7, %x : i32
  %1 = arith.muli %c7, %0 : i32
  %2 = arith.addi %1, %c7 : i32
  return %2 : i32
}
