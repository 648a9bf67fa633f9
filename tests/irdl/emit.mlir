// What IRDL says of the dialects, and the form of modules that goes with it.

// RUN: orison-opt --emit-irdl=nv_tileaa,nv_tileas,ori | FileCheck %s --check-prefix=IRDL
// RUN: orison-opt %s --print-irdl-form | FileCheck %s --check-prefix=FORM
// RUN: orison-opt %s --print-irdl-form | orison-opt --parse-irdl-form | FileCheck %s --check-prefix=BACK
// RUN: echo '"unregistered.other.op"() : () -> ()' | orison-opt --parse-irdl-form --allow-unregistered-dialect | FileCheck %s --check-prefix=OTHER
// RUN: not orison-opt --emit-irdl=arith 2>&1 | FileCheck %s --check-prefix=UPSTREAM
// RUN: not orison-opt --emit-irdl=nv_tilea 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// The prefix is a part of the name where the dialect is not declared.
// OTHER: "unregistered.other.op"()

// Types and attributes come first, with their parameters.
// IRDL:      irdl.dialect @nv_tileaa {
// IRDL:        irdl.type @ptr {
// IRDL-NEXT:     %0 = irdl.any
// IRDL-NEXT:     irdl.parameters(pointee: %0)
// IRDL:      irdl.dialect @nv_tileas {
// IRDL:        irdl.type @producer_token {
// IRDL-NEXT:   }

// A dialect may name the types of another one in the same file.
// IRDL:      irdl.base @nv_tileaa::@mem_token

// Groups and attributes that may be absent are said in comments.
// IRDL:      irdl.dialect @ori {
// IRDL:        // may be absent: modifiers
// IRDL:        irdl.operation @imad {
// IRDL:          [[R:%[0-9]+]] = irdl.base @ori::@r
// IRDL-NEXT:     [[UR:%[0-9]+]] = irdl.base @ori::@ur
// IRDL-NEXT:     [[A:%[0-9]+]] = irdl.any_of([[R]], [[UR]])
// IRDL:          irdl.operands(a: [[A]],
// IRDL-SAME:     guard: optional

// UPSTREAM: orison-opt: dialect 'arith' is built into MLIR
// UNKNOWN: orison-opt: unknown dialect 'nv_tilea'; did you mean 'nv_tileaa'?

// Attributes of own operations stand together, those of upstream ones keep their places.
// FORM:      "func.func"() <{function_type = (!nv_tileaa.ptr<f16>, !nv_tileas.pipeline) -> (), sym_name = "f"}> ({
// Dots behind the first are underscores.
// FORM:        "nv_tileas.async_pipeline_create_iterator"
// FORM-SAME:   {
// FORM-SAME:   : (!nv_tileas.pipeline) -> !nv_tileas.iter<"producer", unit, unit, 1 : i64, unit>

// BACK:      func.func @f(%{{.*}}: !nv_tileaa.ptr<f16>, %{{.*}}: !nv_tileas.pipeline)
// BACK:        !nv_tileas.iter<producer>

func.func @f(%pointer: !nv_tileaa.ptr<f16>, %pipeline: !nv_tileas.pipeline) {
  %iterator = nv_tileas.async.pipeline.create_iterator %pipeline as "producer" : !nv_tileas.iter<producer>
  return
}
