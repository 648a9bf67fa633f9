//! What goes over into orison and comes back is the same.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{context, own_context, own_module, printed};
use melior::ir::Module;

/// All files below a folder whose names end like this.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
}

/// The parts of a test file that MLIR itself reads.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split("// -----")
}

#[test]
fn every_file_of_the_test_tree_comes_back_exactly() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for folder in ["tests", "examples"] {
        files(&root.join(folder), ".mlir", &mut found);
    }
    let (mut modules, mut refused, mut differences) = (0, 0, Vec::new());
    let refusals = [
        // Two parts have `<[1, 2]>`, which the C interface cannot set.
        "are not a dictionary",
        // Three are wrong: MLIR does not know the attribute, the parser of orison refuses it.
        "whose first register must be a multiple",
    ];
    for path in &found {
        let text = fs::read_to_string(path).unwrap_or_default();
        for (number, part) in parts(&text).enumerate() {
            let context = context();
            if part.contains("// mlir-opt 22 crashes on this part.") {
                continue;
            }
            // Broken inputs are the business of other tests.
            let id = context.attach_diagnostic_handler(|_| true);
            let module = match part.contains('\0') {
                true => None,
                false => generic(part).and_then(|text| Module::parse(&context, &text)),
            };
            context.detach_diagnostic_handler(id);
            let Some(mut module) = module else { continue };
            let before = printed(&module);
            // Properties that say nothing are none.
            let before = before.replace(" <{}>", "");
            match orison_mlir::round_trip(&mut module) {
                Ok(()) => {}
                Err(error) => {
                    let error = error.to_string();
                    match refusals.iter().any(|part| error.contains(part)) {
                        true => refused += 1,
                        false => {
                            differences.push(format!("{} part {number}: {error}", path.display()));
                        }
                    }
                    continue;
                }
            }
            modules += 1;
            let after = printed(&module);
            if after != before {
                let lines = before.lines().zip(after.lines());
                let first = lines.into_iter().find(|(a, b)| a != b);
                differences.push(format!("{} part {number}: {first:?}", path.display()));
            }
        }
    }
    println!("{modules} modules of {} files", found.len());
    assert_eq!(refused, 5);
    assert!(modules > 500, "only {modules} modules were read");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// The text in generic form; none when orison rejects it.
fn generic(text: &str) -> Option<String> {
    let mut context = own_context();
    let module = own_module(&mut context, text)?;
    Some(common::generic(&context, module))
}

#[test]
fn locations_of_every_kind_come_back() {
    let text = r#"
        "test.op"() : () -> () loc("a.mlir":1:2)
        "test.op"() : () -> () loc("a.mlir":1:2 to :9)
        "test.op"() : () -> () loc("name")
        "test.op"() : () -> () loc("name"("a.mlir":3:4))
        "test.op"() : () -> () loc(callsite("f" at "b.mlir":5:6))
        "test.op"() : () -> () loc(fused<"how">["x", "y"])
        "test.op"() : () -> () loc(fused["x", "y"])
        "test.op"() : () -> () loc(unknown)
    "#;
    same(text);
}

#[test]
fn attributes_of_every_kind_come_back() {
    let text = r##"
        "test.op"() {a = 1 : i1, b = -1 : i64, c = 7 : si8, d = 255 : ui8, e = 5 : index} : () -> ()
        "test.op"() {a = 340282366920938463463374607431768211455 : i128, b = 18446744073709551615 : ui64} : () -> ()
        "test.op"() {a = 1.5 : f32, b = 0x7FC00001 : f32, c = 1.0 : bf16, d = 2.0 : f8E4M3FN, e = 0x7FF : f80} : () -> ()
        "test.op"() {a = 1.0e-5 : f64, b = -0.0 : f16, c = 0x7F800000 : f32} : () -> ()
        "test.op"() {a = unit, b = "text\0A\FF", c = "typed" : i32, d = i32, e = [1, "x"]} : () -> ()
        "test.op"() {a = @f, b = @f::@g::@h, c = {x = 1, y = {}}, d = loc("here")} : () -> ()
        "test.op"() {a = array<i32: 1, -2>, b = array<i1: true, false>, c = array<f32: 1.0>, d = array<i8>} : () -> ()
        "test.op"() {a = dense<[1, 2, 3]> : tensor<3xi32>, b = dense<1.0> : tensor<4xf16>, c = dense<true> : tensor<2xi1>} : () -> ()
        "test.op"() {a = dense<["x", "y"]> : tensor<2x!test.s>, b = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>} : () -> ()
        "test.op"() {a = sparse<[[0, 0]], [1]> : tensor<2x2xi32>, b = dense<[]> : tensor<0xi32>} : () -> ()
        "test.op"() {a = affine_map<(d0)[s0] -> (d0 + s0)>, b = affine_set<(d0) : (d0 >= 0)>, c = strided<[1, ?], offset: 3>} : () -> ()
        "test.op"() {a = distinct[0]<"x">, b = distinct[1]<"x">, c = #test.unknown<"x" [1]>} : () -> ()
        "test.op"() {a = #llvm.loop_annotation<disableNonforced = true>, b = #gpu.block<x>} : () -> ()
    "##;
    same(text);
}

#[test]
fn types_of_every_kind_come_back() {
    let text = r#"
        "test.op"() {t = [i1, si3, ui64, index, none, f16, bf16, tf32, f32, f64, f80, f128]} : () -> ()
        "test.op"() {t = [f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E5M2, f8E4M3, f8E4M3FN, f8E5M2FNUZ, f8E4M3FNUZ, f8E4M3B11FNUZ, f8E3M4, f8E8M0FNU]} : () -> ()
        "test.op"() {t = [tuple<i32, f32>, complex<f64>, () -> (), (i32) -> (f32, i1), tensor<*xi8>, tensor<4x?xf32, "enc">]} : () -> ()
        "test.op"() {t = [vector<4xf32>, vector<[4]x2xi8>, memref<4x?xf32>, memref<*xf32, 3>, memref<4xf32, strided<[2]>, 1>, memref<2x2xf32, affine_map<(d0, d1) -> (d1, d0)>>]} : () -> ()
        "test.op"() {t = [!llvm.ptr<3>, !test.mine<"a" b>, !nv_tileas.pipeline, !nv_tileas.iter<producer, 4>]} : () -> ()
    "#;
    same(text);
}

#[test]
fn operations_nobody_knows_keep_their_properties() {
    let text = r#"
        "test.op"() <{a = 1 : i32, b = "}> {"}> {c = 2 : i32} : () -> ()
        %0:2 = "test.values"() <{k}> ({
          ^bb0(%x: i32):
            "test.br"(%x)[^bb1] <{w = [1]}> : (i32) -> ()
          ^bb1:
            "test.end"() : () -> ()
        }) : () -> (i32, i32)
        "test.use"(%0#1, %0#0) : (i32, i32) -> ()
        "nv_tileas.cga_barrier"() {left = "as it was"} : () -> ()
    "#;
    same(text);
}

#[test]
fn values_may_be_used_before_they_are_defined() {
    let text = r#"
        "test.graph"() ({
          %0 = "test.a"(%1, %1) : (i32, i32) -> i32
          %1 = "test.b"(%0) : (i32) -> i32
        }) : () -> ()
    "#;
    same(text);
}

fn same(text: &str) {
    let context = context();
    let mut module = Module::parse(&context, text).expect("MLIR reads it");
    let before = printed(&module);
    orison_mlir::round_trip(&mut module).expect("it goes over");
    assert_eq!(printed(&module), before);
}
