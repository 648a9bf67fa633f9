//! No block of any kernel gets costlier, and the kernels as a whole get cheaper.

use std::fs;
use std::path::{Path, PathBuf};

use orison_ir::walk::collect;
use orison_ir::{Context, Operation};
use orison_ori::operations::structure::Func;
use orison_rewrites::ori::general_optimize::cost::of_block;
use orison_translate::import::{import, register_dialects};
use orison_translate::ptx;

use crate::programs::{optimize, text};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/translate/ptx");
    let entries = fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| {
        file.extension().is_some_and(|extension| extension == "ptx")
            && !file.ends_with("syntax.ptx")
    });
    files.sort();
    assert!(files.len() >= 10, "{files:?}");
    files
}

fn imported(text: &str) -> (Context, Operation) {
    let mut context = Context::new();
    register_dialects(&mut context);
    let module = ptx::parse(text).unwrap();
    let (module, _) = import(&mut context, "a.ptx", text, &module).unwrap();
    (context, module)
}

/// The costs of all blocks, in order.
fn costs(context: &Context, module: Operation) -> Vec<u64> {
    let functions = collect(context, module);
    let functions = functions
        .into_iter()
        .filter(|op| Func::of(context, *op).is_some());
    let regions = functions.flat_map(|op| op.regions(context).collect::<Vec<_>>());
    let blocks = regions.flat_map(|region| region.blocks(context).collect::<Vec<_>>());
    blocks.map(|block| of_block(context, block)).collect()
}

#[test]
fn no_block_gets_costlier() {
    let (mut sum_before, mut sum_after) = (0, 0);
    for file in files() {
        let source = fs::read_to_string(&file).unwrap();
        let (mut context, module) = imported(&source);
        let before = costs(&context, module);
        optimize(&mut context, module, "");
        let after = costs(&context, module);
        assert_eq!(before.len(), after.len());
        for (number, (before, after)) in before.iter().zip(&after).enumerate() {
            assert!(
                after <= before,
                "{}: block {number}: {before} became {after}",
                file.display()
            );
        }
        sum_before += before.iter().sum::<u64>();
        sum_after += after.iter().sum::<u64>();
        // The same input gives the same output.
        let (mut other, again) = imported(&source);
        optimize(&mut other, again, "");
        assert_eq!(
            text(&context, module),
            text(&other, again),
            "{}",
            file.display()
        );
    }
    assert!(
        sum_after * 20 < sum_before * 19,
        "{sum_before} became {sum_after} only"
    );
}
