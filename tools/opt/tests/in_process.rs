//! The tool run in process, with faulty passes.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use orison_ir::declare::{Assembly, DialectDefinition, UnitAttr};
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassRegistry, PassResult, source_position,
};
use orison_ir::{Context, operations};
use orison_opt::{Outcome, Streams, Tool, run};

macro_rules! test_pass {
    ($rust:ident, $name:literal, $run:expr) => {
        #[derive(Clone, Debug)]
        struct $rust;

        impl Pass for $rust {
            type Options = ();
            const DEFINITION: PassDefinition =
                PassDefinition::new::<$rust>($name, "Misbehaves.", source_position!());
            fn create((): ()) -> Self {
                $rust
            }
            fn options(&self) -> &() {
                &()
            }
            fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
                let run: fn(&mut PassContext<'_>) -> PassResult = $run;
                run(pass)
            }
        }
    };
}

test_pass!(Panics, "test-panic", |_| panic!("on purpose"));
test_pass!(Breaks, "test-break", |pass| {
    let op = pass.op();
    for region in op.regions(pass.context).collect::<Vec<_>>() {
        for block in region.blocks(pass.context).collect::<Vec<_>>() {
            block.add_argument(
                pass.context,
                orison_ir::Type::I32,
                op.location(pass.context),
            );
        }
    }
    Ok(IRStatus::Changed)
});
test_pass!(Fails, "test-fail", |pass| Err(pass
    .op()
    .op_error(pass.context, "cannot be compiled")
    .into()));

operations! {
    /// An operation whose custom form does not show its attribute.
    op Lossy = "test.lossy" {
        attributes {
            /// The attribute that is lost.
            lost = "lost": optional(UnitAttr),
        }
        with {
            assembly: Assembly::Custom { parse: |_, _| Ok(()), print: |_, _| {} },
        }
    }
}

static TEST: DialectDefinition = DialectDefinition {
    name: "test",
    operations: &[Lossy::DEFINITION],
    ..DialectDefinition::DEFAULT
};

fn dialects(context: &mut Context) {
    orison_opt::registry::register_all_dialects(context);
    context.register_dialect(&TEST);
}

fn passes(registry: &mut PassRegistry) {
    registry.register::<Panics>();
    registry.register::<Breaks>();
    registry.register::<Fails>();
    orison_opt::registry::register_all_passes(registry);
}

fn opt(arguments: &[&str], input: &str) -> (Outcome, String, String) {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let tool = Tool {
        dialects,
        passes,
        ..Tool::OPT
    };
    let arguments = std::iter::once("orison-opt").chain(arguments.iter().copied());
    let outcome = run(
        tool,
        arguments.map(str::to_owned).collect(),
        &mut Streams {
            input: &mut input.as_bytes(),
            output: &mut output,
            errors: &mut errors,
        },
    );
    let text = |bytes| String::from_utf8(bytes).expect("the tool writes UTF-8");
    (outcome, text(output), text(errors))
}

const INPUT: &str = "func.func @f() {\n  return\n}\n";

#[test]
fn a_panic_is_an_internal_error_with_a_reproducer() {
    let path = std::env::temp_dir().join(format!("orison-in-process-{}.mlir", std::process::id()));
    let flag = format!("--mlir-pass-pipeline-crash-reproducer={}", path.display());
    let (outcome, output, errors) = opt(&["--cse", "--test-panic", &flag], INPUT);
    assert_eq!((outcome, output.as_str()), (Outcome::Failure, ""));
    assert!(
        errors.contains("internal error in pass 'test-panic': on purpose"),
        "{errors}"
    );
    let reproducer = std::fs::read_to_string(&path).unwrap();
    assert!(
        reproducer.contains("pipeline: \"builtin.module(cse,test-panic)\""),
        "{reproducer}"
    );
    let (outcome, _, errors) = opt(&["--run-reproducer", &flag], &reproducer);
    assert_eq!(outcome, Outcome::Failure);
    assert!(
        errors.contains("internal error in pass 'test-panic'"),
        "{errors}"
    );
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn every_pass_is_verified_unless_told_otherwise() {
    let (outcome, output, errors) = opt(&["--test-break", "--mlir-print-ir-after-failure"], INPUT);
    assert_eq!((outcome, output.as_str()), (Outcome::Failure, ""));
    assert!(errors.contains("error: "), "{errors}");
    assert!(
        errors.contains("IR Dump After Failed test-break"),
        "{errors}"
    );
    // Unverified IR is printed in generic form if it is invalid.
    let (outcome, output, _) = opt(&["--test-break", "--verify-each=false"], INPUT);
    assert_eq!(outcome, Outcome::Success);
    assert!(output.starts_with("\"builtin.module\""), "{output}");
}

/// A reproducer says whether each pass is verified; it does so against the options of the run.
#[test]
fn a_reproducer_keeps_whether_passes_are_verified() {
    let reproducer = |verify_each: bool| {
        format!(
            "{INPUT}{{-#\n  external_resources: {{\n    mlir_reproducer: {{\n      pipeline: \
             \"builtin.module(test-break)\",\n      disable_threading: true,\n      verify_each: \
             {verify_each}\n    }}\n  }}\n#-}}\n"
        )
    };
    let (outcome, _, errors) = opt(&["--run-reproducer"], &reproducer(false));
    assert_eq!(outcome, Outcome::Success, "{errors}");
    let (outcome, _, errors) = opt(&["--run-reproducer"], &reproducer(true));
    assert_eq!(outcome, Outcome::Failure);
    assert!(errors.contains("error: "), "{errors}");
}

#[test]
fn a_round_trip_that_gives_other_ir_is_an_error() {
    let input = "\"test.lossy\"() <{lost}> : () -> ()\n";
    let (outcome, output, errors) = opt(&["--verify-roundtrip"], input);
    assert_eq!((outcome, output.as_str()), (Outcome::Failure, ""));
    assert!(
        errors.contains("error: roundtrip testing roundtrip failed: printed IR parses to other IR"),
        "{errors}"
    );
    // Nothing is lost: the attribute is not there.
    let (outcome, _, errors) = opt(&["--verify-roundtrip"], "test.lossy\n");
    assert_eq!((outcome, errors.as_str()), (Outcome::Success, ""));
}

#[test]
fn a_failing_pass_ends_the_run() {
    let pipeline = "--pass-pipeline=builtin.module(func.func(test-fail,test-panic))";
    let (outcome, output, errors) = opt(&[pipeline], INPUT);
    assert_eq!((outcome, output.as_str()), (Outcome::Failure, ""));
    assert!(
        errors.starts_with("<stdin>:1:1: error: 'func.func' op cannot be compiled\n"),
        "{errors}"
    );
    let expected = format!("// expected-error@+1 {{{{cannot be compiled}}}}\n{INPUT}");
    let (outcome, _, errors) = opt(&[pipeline, "--verify-diagnostics"], &expected);
    assert_eq!((outcome, errors.as_str()), (Outcome::Success, ""));
}

/// A reader that closed the stream.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_output_is_a_quiet_failure() {
    for arguments in [&["orison-opt"][..], &["orison-opt", "--help"]] {
        let mut errors = Vec::new();
        let outcome = run(
            Tool::OPT,
            arguments.iter().map(|&a| a.to_owned()).collect(),
            &mut Streams {
                input: &mut INPUT.as_bytes(),
                output: &mut Closed,
                errors: &mut errors,
            },
        );
        assert_eq!(outcome, Outcome::Failure);
        assert!(errors.is_empty());
    }
}

/// An input file in a separate folder inside the temporary folder.
fn file_of(test: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("orison-{}-{test}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("input.mlir");
    fs::write(&path, text).expect("a file");
    path
}

#[test]
fn an_input_is_replaced_by_its_output_or_stays() {
    let path = file_of("replaced", INPUT);
    let folder = path.parent().expect("a folder").to_owned();
    let hard = folder.join("hard.mlir");
    fs::hard_link(&path, &hard).expect("a link");
    let mut outputs = vec![path.clone(), hard, folder.join(".").join("input.mlir")];
    #[cfg(unix)]
    {
        let soft = folder.join("soft.mlir");
        std::os::unix::fs::symlink(&path, &soft).expect("a link");
        outputs.push(soft);
    }
    let input = path.to_str().expect("UTF-8");
    for output in &outputs {
        let output = output.to_str().expect("UTF-8");
        for (broken, flags) in [
            ("func.func @f() {\n  return\n", &[][..]),
            ("\"func.func\"() : () -> ()\n", &[]),
            (
                INPUT,
                &["--pass-pipeline=builtin.module(func.func(test-fail))"],
            ),
        ] {
            fs::write(&path, broken).expect("written");
            let arguments = [&[input, "-o", output][..], flags].concat();
            let (outcome, _, errors) = opt(&arguments, "");
            assert_eq!(outcome, Outcome::Failure);
            assert!(errors.contains("error: "), "{errors}");
            assert_eq!(fs::read_to_string(&path).expect("it is there"), broken);
        }
        fs::write(&path, INPUT).expect("written");
        let (outcome, _, errors) = opt(&[input, "-o", output], "");
        assert_eq!((outcome, errors.as_str()), (Outcome::Success, ""));
        let text = fs::read_to_string(&path).expect("it is there");
        assert_eq!(text, opt(&[], INPUT).1);
    }
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn every_rule_has_a_name_of_its_own() {
    let mut context = orison_ir::Context::new();
    orison_opt::registry::register_all_dialects(&mut context);
    let mut registry = PassRegistry::default();
    orison_opt::registry::register_all_passes(&mut registry);
    let operations = context.dialects().iter().flat_map(|d| d.operations);
    let mut rules: Vec<_> = operations
        .flat_map(|op| op.rules.iter().copied())
        .chain(registry.rules())
        .map(|rule| (rule.name, rule.file, rule.line))
        .collect();
    rules.sort_unstable();
    rules.dedup();
    for pair in rules.windows(2) {
        assert_ne!(pair[0].0, pair[1].0, "{pair:?}");
    }
}
