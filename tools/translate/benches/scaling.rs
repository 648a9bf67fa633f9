//! How the time of parsing and importing PTX grows with its length.
//!
//! The texts repeat the functions of `tests/translate/ptx` under new names. The minimum of several
//! runs is reported.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use orison_ir::Context;
use orison_translate::import::{import, register_dialects};
use orison_translate::ptx;
use orison_translate::ptx::ast::{Item, Module};

const SIZES: [usize; 3] = [100_000, 1_000_000, 10_000_000];

fn texts() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/translate/ptx");
    let entries = fs::read_dir(folder).expect("the folder of PTX");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    // `syntax.ptx` is not a valid program.
    files.retain(|file| {
        file.extension().is_some_and(|extension| extension == "ptx")
            && !file.ends_with("syntax.ptx")
    });
    files.sort();
    let read = |file| fs::read_to_string(file).expect("text");
    files.iter().map(read).collect()
}

/// Repeats the functions of all files until the text has this many bytes.
fn repeated(modules: &[Module<'_>], bytes: usize) -> String {
    let mut text = String::from(".version 8.8\n.target sm_90a\n.address_size 64\n");
    let mut variables = Vec::new();
    let mut bodies = Vec::new();
    for item in modules.iter().flat_map(|module| &module.items) {
        let alone = |item: &Item<'_>| {
            let items = vec![item.clone()];
            let module = Module {
                items,
                ..Module::default()
            };
            module.to_string()
        };
        match item {
            Item::Variable(declaration) => {
                let name = declaration.names[0].name;
                if !variables.contains(&name) {
                    variables.push(name);
                    text += &alone(item);
                }
            }
            Item::Function(function)
                if (function.body.is_none() || !function.is_kernel)
                    && !variables.contains(&function.name) =>
            {
                variables.push(function.name);
                text += &alone(item);
            }
            Item::Function(function) if function.body.is_none() || !function.is_kernel => {}
            Item::Function(function) => bodies.push((function.name, alone(item))),
            _ => {}
        }
    }
    for number in 0.. {
        for (name, body) in &bodies {
            if text.len() >= bytes {
                return text;
            }
            // The name occurs first at its declaration; its parameters are local.
            text += &body.replacen(name, &format!("{name}_{number}"), 1);
        }
    }
    text
}

fn timed<T>(times: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let made = work();
    *times = (*times).min(start.elapsed());
    made
}

fn main() {
    let texts = texts();
    let parsed = texts.iter().map(|text| ptx::parse(text).expect("PTX"));
    let modules: Vec<_> = parsed.collect();
    println!("| MB | instructions | parse ms | import ms | verify ms | all ms | ms per MB |");
    println!("|--:|--:|--:|--:|--:|--:|--:|");
    for size in SIZES {
        let text = repeated(&modules, size);
        let [mut parsing, mut importing, mut verifying] = [Duration::MAX; 3];
        let mut instructions = 0;
        for _ in 0..if size > 1_000_000 { 1 } else { 3 } {
            let module = timed(&mut parsing, || ptx::parse(&text).expect("PTX"));
            let mut context = Context::new();
            register_dialects(&mut context);
            let imported = timed(&mut importing, || {
                import(&mut context, "bench.ptx", &text, &module).expect("labels are defined")
            });
            instructions = imported.1.instructions;
            let valid = timed(&mut verifying, || context.verify(imported.0).is_ok());
            assert!(valid, "{:?}", context.diagnostics.take().last());
        }
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let all = ms(parsing + importing + verifying);
        #[allow(clippy::cast_precision_loss)]
        let megabytes = text.len() as f64 / 1e6;
        println!(
            "| {megabytes:.1} | {instructions} | {:.1} | {:.1} | {:.1} | {all:.1} | {:.0} |",
            ms(parsing),
            ms(importing),
            ms(verifying),
            all / megabytes
        );
    }
}
