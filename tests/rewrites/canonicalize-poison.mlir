// A conditional in a conditional becomes one on both conditions. If the inner one may be poison, a
// choice ignores it where the outer one is false; a conjunction would be poison there.
//
// RUN: orison-opt --allow-unregistered-dialect --canonicalize --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @parameter
// CHECK: %[[B:.*]] = arith.andi %arg0, %arg1 : i1
// CHECK-NEXT: scf.if %[[B]]
func.func @parameter(%a: i1, %b: i1) {
  scf.if %a {
    scf.if %b {
      "d.op"() : () -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @sum
// CHECK: arith.andi
// CHECK-NEXT: scf.if
func.func @sum(%a: i1, %x: i32, %y: i32) {
  %0 = arith.addi %x, %y : i32
  %b = arith.cmpi slt, %0, %x : i32
  scf.if %a {
    scf.if %b {
      "d.op"() : () -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @sum_with_unsigned_promise
// CHECK: arith.select %arg0, %{{.*}}, %false : i1
// CHECK-NEXT: scf.if
func.func @sum_with_unsigned_promise(%a: i1, %x: i32, %y: i32) {
  %0 = arith.addi %x, %y overflow<nuw> : i32
  %b = arith.cmpi slt, %0, %x : i32
  scf.if %a {
    scf.if %b {
      "d.op"() : () -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @sum_with_signed_promise
// CHECK: arith.select %arg0, %{{.*}}, %false : i1
// CHECK-NEXT: scf.if
func.func @sum_with_signed_promise(%a: i1, %x: i32, %y: i32) {
  %0 = arith.addi %x, %y overflow<nsw> : i32
  %b = arith.cmpi slt, %0, %x : i32
  scf.if %a {
    scf.if %b {
      "d.op"() : () -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @shift_by_a_known_amount
// CHECK: arith.andi
// CHECK-NEXT: scf.if
func.func @shift_by_a_known_amount(%a: i1, %x: i32) {
  %c31 = arith.constant 31 : i32
  %0 = arith.shli %x, %c31 : i32
  %b = arith.cmpi slt, %0, %x : i32
  scf.if %a {
    scf.if %b {
      "d.op"() : () -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @shift_by_the_width
// CHECK: arith.select %arg0, %{{.*}}, %false : i1
// CHECK-NEXT: scf.if
func.func @shift_by_the_width(%a: i1, %x: i32) {
  %c32 = arith.constant 32 : i32
  %0 = arith.shrui %x, %c32 : i32
  %b = arith.cmpi slt, %0, %x : i32
  scf.if %a {
    scf.if %b {
      "d.op"() : () -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @shift_by_an_unknown_amount
// CHECK: arith.select %arg0, %{{.*}}, %false : i1
// CHECK-NEXT: scf.if
func.func @shift_by_an_unknown_amount(%a: i1, %x: i32, %y: i32) {
  %0 = arith.shrsi %x, %y : i32
  %b = arith.cmpi slt, %0, %x : i32
  scf.if %a {
    scf.if %b {
      "d.op"() : () -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @exact
// CHECK: arith.select %arg0, %{{.*}}, %false : i1
// CHECK-NEXT: scf.if
func.func @exact(%a: i1, %x: i32) {
  %c2 = arith.constant 2 : i32
  %0 = arith.divui %x, %c2 exact : i32
  %b = arith.cmpi slt, %0, %x : i32
  scf.if %a {
    scf.if %b {
      "d.op"() : () -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @conversion
// CHECK: arith.select %arg0, %{{.*}}, %false : i1
// CHECK-NEXT: scf.if
func.func @conversion(%a: i1, %x: f32) {
  %b = arith.fptosi %x : f32 to i1
  scf.if %a {
    scf.if %b {
      "d.op"() : () -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @no_nan
// CHECK: arith.select %arg0, %{{.*}}, %false : i1
// CHECK-NEXT: scf.if
func.func @no_nan(%a: i1, %x: f32, %y: f32) {
  %0 = arith.addf %x, %y fastmath<nnan> : f32
  %b = arith.cmpf olt, %0, %x : f32
  scf.if %a {
    scf.if %b {
      "d.op"() : () -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @result_of_something_else
// CHECK: arith.select %arg0, %{{.*}}, %false : i1
// CHECK-NEXT: scf.if
func.func @result_of_something_else(%a: i1) {
  %b = "d.def"() : () -> i1
  scf.if %a {
    scf.if %b {
      "d.op"() : () -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @block_argument
// CHECK: ^bb1(%[[B:.*]]: i1):
// CHECK: arith.select %arg0, %[[B]], %false : i1
// CHECK-NEXT: scf.if
func.func @block_argument(%a: i1, %x: i1) {
  cf.br ^loop(%x : i1)
^loop(%b: i1):
  scf.if %a {
    scf.if %b {
      "d.op"() : () -> ()
    }
  }
  %next = "d.def"() : () -> i1
  cf.cond_br %a, ^loop(%next : i1), ^exit
^exit:
  return
}

// -----

// The argument of the entry block of a region that is no function.
// CHECK-LABEL: func.func @region_argument
// CHECK: ^bb0(%[[B:.*]]: i1):
// CHECK: %[[BOTH:.*]] = arith.select %arg0, %[[B]], %false : i1
// CHECK-NEXT: scf.if %[[BOTH]]
func.func @region_argument(%a: i1) {
  "d.region"() ({
  ^bb0(%b: i1):
    scf.if %a {
      scf.if %b {
        "d.op"() : () -> ()
      }
    }
    "d.end"() : () -> ()
  }) : () -> ()
  return
}
