//! After each pass on `ori`, the printed text of every PTX file of the repository is parsed as what
//! prints the same text, in the custom and in the generic form.

use std::fs;
use std::path::{Path, PathBuf};

use orison_ir::pass::{PassRegistry, run_pipeline};
use orison_ir::{Context, Operation, PrintFlags, Source, parse_source, print_to_string};
use orison_translate::import::import;
use orison_translate::ptx;

/// The folders with PTX of the repository.
const FOLDERS: [&str; 5] = [
    "tests/translate/ptx",
    "tests/translate/run",
    "tests/run/ptx",
    "examples",
    "dialects/sass/tests/real",
];

/// The folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The PTX files in a folder, in folders below it too.
fn files_in(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files_in(&path, files);
        // `syntax.ptx` is not a valid program.
        } else if path.extension().is_some_and(|kind| kind == "ptx")
            && !path.ends_with("syntax.ptx")
        {
            files.push(path);
        }
    }
}

fn context() -> Context {
    let mut context = Context::new();
    orison_opt::registry::register_all_dialects(&mut context);
    context
}

fn parsed(text: &str) -> Result<(Context, Operation), String> {
    let mut context = context();
    let source = Source {
        name: "a.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).and_then(|module| {
        context.verify(module)?;
        Ok(module)
    });
    let problems = context.diagnostics.take();
    let shown = problems.iter().map(|problem| problem.render(&context));
    match module {
        Ok(module) => Ok((context, module)),
        Err(_) => Err(shown.collect()),
    }
}

/// The text of a module is parsed as what prints the same text.
fn reprint(context: &Context, module: Operation) -> Result<(), String> {
    for flags in [PrintFlags::default(), PrintFlags::generic()] {
        let printed = print_to_string(context, module, &flags);
        let (other, again) = parsed(&printed)?;
        let second = print_to_string(&other, again, &flags);
        let differing = printed.lines().zip(second.lines()).find(|(a, b)| a != b);
        if let Some((line, other)) = differing {
            return Err(format!("'{line}' is printed again as '{other}'"));
        }
        if printed != second {
            return Err("the numbers of lines differ".to_owned());
        }
    }
    Ok(())
}

/// All passes on `ori`, each alone, those on any dialect, and the pipeline of all.
fn pipelines(registry: &PassRegistry) -> Vec<&'static str> {
    let alone = registry.passes().map(|pass| pass.name);
    // What one prints is not the module; others refuse a function without registers, and products in flight across a
    // call.
    let left_out = [
        "ori-print-analysis",
        "ori-verify-allocation",
        "ori-allocate-registers",
    ];
    let mut names: Vec<_> = alone
        .filter(|name| name.starts_with("ori-") && !left_out.contains(name))
        .collect();
    assert!(names.len() >= 13, "{names:?}");
    names.extend(["canonicalize", "cse", "sccp", "symbol-dce", "ori-optimize"]);
    names
}

/// What is wrong with a file after some pass.
fn problems(file: &Path, registry: &PassRegistry) -> Vec<String> {
    let text = fs::read_to_string(file).expect("PTX");
    let mut first = context();
    let Ok(parsed_ptx) = ptx::parse(&text) else {
        return vec![format!("{}: not PTX", file.display())];
    };
    let Ok((module, _)) = import(&mut first, "a.ptx", &text, &parsed_ptx) else {
        return vec![format!("{}: not imported", file.display())];
    };
    let imported = print_to_string(&first, module, &PrintFlags::default());
    let mut found = Vec::new();
    for name in pipelines(registry) {
        let pipeline = registry.parse_pipeline(&format!("builtin.module({name})"));
        let pipeline = pipeline.unwrap_or_else(|error| panic!("{name}: {error}"));
        let after = parsed(&imported).and_then(|(mut context, module)| {
            let ran = run_pipeline(&mut context, &pipeline, module);
            ran.map_err(|_| "the pass fails".to_owned())?;
            reprint(&context, module)
        });
        if let Err(problem) = after {
            found.push(format!("{}, {name}: {problem}", file.display()));
        }
    }
    found
}

/// Checks files in two threads.
fn check(files: &[PathBuf]) {
    let halves: Vec<Vec<_>> = (0..2)
        .map(|half| files.iter().skip(half).step_by(2).collect())
        .collect();
    let found: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = halves
            .into_iter()
            .map(|half| {
                scope.spawn(move || {
                    let mut registry = PassRegistry::default();
                    orison_opt::registry::register_all_passes(&mut registry);
                    let each = half.into_iter();
                    each.flat_map(|file| problems(file, &registry))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        let all = workers.into_iter();
        all.flat_map(|worker| worker.join().expect("a worker"))
            .collect()
    });
    println!("{} files", files.len());
    assert!(
        found.is_empty(),
        "{} problems:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn text_printed_after_each_pass_is_read_as_itself() {
    let mut files = Vec::new();
    for folder in FOLDERS {
        files_in(&root().join(folder), &mut files);
    }
    files.sort();
    assert!(files.len() >= 40, "{files:?}");
    // Larger files are for the campaign: the same operations, in unrolled loops.
    files.retain(|file| fs::metadata(file).is_ok_and(|data| data.len() < 40_000));
    check(&files);
}

/// The same for the PTX in the folder `ORISON_PTX`; see docs/testing.md.
#[test]
#[ignore = "a campaign: see docs/testing.md"]
fn campaign_of_ptx_printed_after_each_pass() {
    let folder = std::env::var("ORISON_PTX").unwrap_or_else(|_| root().display().to_string());
    let mut files = Vec::new();
    files_in(Path::new(&folder), &mut files);
    files.sort();
    check(&files);
}

/// A pass that builds an operation leaves no default unset: `ori.fsetp` with its `and`.
#[test]
fn created_operations_have_their_defaults() {
    let text = "ori.func @k(%a: !ori.r, %b: !ori.r) -> !ori.r target \"sm_80\" {\n\
                %p = ori.fsetp <lt, and> %a, %b : (!ori.r, !ori.r) -> !ori.p\n\
                %n = ori.sel %b, %a, not %p : (!ori.r, !ori.r, !ori.p) -> !ori.r\n\
                %z = ori.imm 0 : !ori.r\n\
                %s = ori.iadd3 %n, %z, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
                ori.ret %s : !ori.r\n}";
    let (mut context, module) = parsed(text).expect("a module");
    let mut registry = PassRegistry::default();
    orison_opt::registry::register_all_passes(&mut registry);
    let pipeline = registry.parse_pipeline("builtin.module(ori-general-optimize)");
    run_pipeline(&mut context, &pipeline.expect("a pipeline"), module).expect("a run");
    let printed = print_to_string(&context, module, &PrintFlags::default());
    assert!(printed.contains("ori.fsetp <lt, and>"), "{printed}");
    assert_eq!(reprint(&context, module), Ok(()));
}
