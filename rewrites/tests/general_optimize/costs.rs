//! No block of any kernel becomes more expensive, and the kernels as a whole become cheaper.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use orison_ir::pass::PassManager;
use orison_ir::walk::collect;
use orison_ir::{Context, Operation};
use orison_machine::Pipe;
use orison_ori::operations::structure::Func;
use orison_rewrites::ori::general_optimize::cost::{
    Parts, costs as table, of_operation, parts_of_block,
};
use orison_translate::import::{import, register_dialects};
use orison_translate::ptx;

use crate::programs::{optimize, read, run_passes as run, text, with};

/// PTX files of the tests, and of the directory in `ORISON_PTX`.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/translate/ptx");
    let more = std::env::var_os("ORISON_PTX").map(PathBuf::from);
    let entries = [Some(folder), more].into_iter().flatten();
    let entries = entries.flat_map(|folder| fs::read_dir(folder).unwrap());
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
fn costs(context: &Context, module: Operation) -> Vec<Parts> {
    let functions = collect(context, module);
    let functions = functions
        .into_iter()
        .filter(|op| Func::of(context, *op).is_some());
    let regions = functions.flat_map(|op| op.regions(context).collect::<Vec<_>>());
    let blocks = regions.flat_map(|region| region.blocks(context).collect::<Vec<_>>());
    blocks.map(|block| parts_of_block(context, block)).collect()
}

/// The statistics that the pass reported for some kernels.
#[derive(Default)]
struct Said {
    statistics: BTreeMap<&'static str, u64>,
    rules: BTreeMap<&'static str, [u64; 3]>,
}

const STATISTICS: [&str; 6] = [
    "cost-before",
    "cost-after",
    "num-blocks-changed",
    "num-graphs",
    "num-graphs-at-iterations",
    "num-graphs-at-terms",
];

impl Said {
    fn add(&mut self, manager: &mut PassManager<'_>) {
        for name in STATISTICS {
            *self.statistics.entry(name).or_default() += manager.statistics().get(0, name);
        }
        let control = manager.control();
        for (name, counts) in control.counts() {
            let saved = control.saved(name).unwrap_or(0);
            let total = self.rules.entry(name).or_default();
            for (total, more) in total.iter_mut().zip([counts.tried, counts.applied, saved]) {
                *total += more;
            }
        }
    }
}

/// No block of any kernel is more expensive after the whole pass, and the costs that the pass
/// reports are correct.
fn compare(passes: &str, options: &str) -> [u64; 2] {
    let mut sums = [0, 0];
    let mut said = Said::default();
    for file in files() {
        let source = fs::read_to_string(&file).unwrap();
        let (mut context, module) = imported(&source);
        if !passes.is_empty() {
            run(&mut PassManager::default(), &mut context, module, passes);
        }
        let before = costs(&context, module);
        if before.is_empty() {
            continue;
        }
        let mut manager = PassManager::default();
        run(&mut manager, &mut context, module, &with(options));
        let after = costs(&context, module);
        assert_eq!(before.len(), after.len());
        for (number, (before, after)) in before.iter().zip(&after).enumerate() {
            assert!(
                after.weighed() <= before.weighed(),
                "{}: block {number}: {before:?} became {after:?}",
                file.display()
            );
        }
        for (sum, parts) in sums.iter_mut().zip([&before, &after]) {
            *sum += parts.iter().map(|parts| parts.weighed()).sum::<u64>();
        }
        said.add(&mut manager);
    }
    assert_eq!(
        [
            said.statistics["cost-before"],
            said.statistics["cost-after"]
        ],
        sums
    );
    println!("'{passes}' '{options}': {:?}", said.statistics);
    let mut rules: Vec<_> = said.rules.iter().collect();
    rules.sort_by_key(|(_, [.., saved])| std::cmp::Reverse(*saved));
    for (name, [tried, applied, saved]) in rules {
        println!("{applied:8} of {tried:8} {name}, saving {saved}");
    }
    sums
}

#[test]
fn no_block_gets_costlier() {
    let options = std::env::var("ORISON_OPTIONS").unwrap_or_default();
    let [before, after] = compare("", &options);
    assert!(after * 20 < before * 19, "{before} became {after} only");
}

#[test]
fn no_block_gets_costlier_behind_other_passes() {
    let passes = "ori.func(ori-branch-opt,ori-strength-reduce,ori-peephole,ori-gvn,\
                  ori-copy-propagation,ori-perform-live-dead)";
    let [before, after] = compare(passes, "");
    assert!(after < before, "{before} became {after}");
}

#[test]
fn no_block_gets_costlier_in_small_windows() {
    let [before, after] = compare("", "window=8 max-nodes=400");
    assert!(after < before, "{before} became {after}");
}

/// The costs that the pass reached: it may become better, and then these numbers are lowered.
#[test]
fn kernels_stay_as_cheap_as_they_became() {
    for (name, least) in [
        ("histogram_i32_256.sm_90a.ptx", 1568),
        ("stencil.sm_100a.ptx", 2465),
    ] {
        let files = files();
        let file = files.iter().find(|file| file.ends_with(name)).unwrap();
        let (mut context, module) = imported(&fs::read_to_string(file).unwrap());
        optimize(&mut context, module, "");
        let all = costs(&context, module);
        let cost: u64 = all.iter().map(|parts| parts.weighed()).sum();
        assert!(cost <= least, "{name} costs {cost}");
    }
}

/// An instruction takes one number; the others are moved to registers. The parts of a concatenation
/// are registers, and values that are passed on need no instruction.
#[test]
fn numbers_without_a_slot_are_moved() {
    let source = "
        ori.func @f(%a: !ori.r, %b: !ori.r) -> (!ori.r, !ori.r) target \"sm_90\" {
          %c = ori.imm 5 : !ori.r
          %d = ori.imm 9 : !ori.r
          %0 = ori.iadd3 %a, %b, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
          %1 = ori.iadd3 %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
          %2 = ori.iadd3 %a, %d, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
          %3 = ori.concat %a, %b : (!ori.r, !ori.r) -> !ori.r64
          %4 = ori.concat %a, %c : (!ori.r, !ori.r) -> !ori.r64
          %5 = ori.concat %d, %c : (!ori.r, !ori.r) -> !ori.r64
          ori.ret %c, %d : !ori.r, !ori.r
        }";
    let (context, module) = read(source);
    let issue = |name: &str| -> Vec<u32> {
        let all = collect(&context, module).into_iter();
        let named = all.filter(|op| op.is(&context, name));
        named
            .map(|op| of_operation(&context, op, &|value| value).issue)
            .collect()
    };
    let moved = table().of(Pipe::Alu).issue;
    let added = table().of_operation("ori.iadd3").issue;
    assert_eq!(issue("ori.iadd3"), [added, added, added + moved]);
    assert_eq!(issue("ori.concat"), [0, moved, 2 * moved]);
    let exit = table().of_operation("ori.ret").issue;
    assert_eq!(issue("ori.ret"), [exit]);
}

#[test]
fn the_same_input_gives_the_same_output() {
    for file in files().iter().take(8) {
        let source = fs::read_to_string(file).unwrap();
        let once = || {
            let (mut context, module) = imported(&source);
            optimize(&mut context, module, "");
            text(&context, module)
        };
        assert_eq!(once(), once(), "{}", file.display());
    }
}
