//! The command line of the interpreter, also for tools with dialects of their own.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use orison_ir::parser::check_utf8;
use orison_ir::{ColorChoice, Context, Diagnostic, Operation, Source, Type, parse_source};

use crate::tile::command::{KernelArguments, is_kernel};
use crate::tile::kernel::Kernel;
use crate::{Datum, Interpreter, Machine, Outcome, Progress, Trap, World, json};

/// Runs a function of a file and prints what it returns, as JSON.
///
/// Exit code 0: it returned; 1: the file, the function or the arguments are not usable; 2: the
/// program stopped, by an assertion or undefined behaviour; 3: its fuel was used up.
#[derive(Parser)]
#[command(name = "orison-interpret", version)]
struct Arguments {
    /// The file; `-` for standard input.
    file: PathBuf,
    /// The function to run.
    #[arg(long, default_value = "main")]
    entry: String,
    /// Its arguments: a JSON array with a number, string, array or `null` (poison) for each.
    #[arg(long, default_value = "[]")]
    args: String,
    /// The maximum number of operations.
    #[arg(long, default_value_t = 10_000_000)]
    fuel: u64,
    /// Writes each operation to standard error before it runs.
    #[arg(long)]
    trace: bool,
    /// Colours in messages: auto, always or never; auto enables them for terminals and honours
    /// NO_COLOR and CLICOLOR_FORCE.
    #[arg(long, value_name = "when", num_args = 0..=1, require_equals = true, default_value = "auto", default_missing_value = "always")]
    color: ColorChoice,
    #[command(flatten)]
    kernel: KernelArguments,
}

/// The error message of a failure before the run.
type Failure = String;

/// Runs the tool. `dialects` registers further dialects, and attaches how their operations run
/// ([`Execution`](crate::Execution)); what it attaches precedes the tool's own semantics.
pub fn main_with(dialects: fn(&mut Context)) -> ExitCode {
    match run(&Arguments::parse(), dialects) {
        Ok(code) => code,
        Err(message) => {
            eprint!("{message}");
            ExitCode::from(1)
        }
    }
}

fn run(arguments: &Arguments, dialects: fn(&mut Context)) -> Result<ExitCode, Failure> {
    let mut context = Context::new();
    context.diagnostics.palette = arguments.color.palette();
    dialects(&mut context);
    orison_host::register(&mut context);
    orison_tileas::register(&mut context);
    crate::register(&mut context);
    context.allow_unregistered_dialects(true);
    let module = load(&mut context, &arguments.file)?;
    let other = match &arguments.kernel.compare_with {
        Some(file) => Some(load(&mut context, file)?),
        None => None,
    };
    let interpreter = Interpreter::with_host_dialects(&context, module);
    if is_kernel(&interpreter, &arguments.entry) {
        return run_kernel(&context, module, other, arguments);
    }
    let values = entry_values(&context, module, arguments)?;
    let mut world = World::default();
    let mut machine = interpreter
        .start(&arguments.entry, values)
        .map_err(|trap| render(&context, &trap))?;
    let outcome = if arguments.trace {
        trace(&interpreter, &mut machine, &mut world, arguments.fuel)
    } else {
        interpreter.run(&mut machine, &mut world, arguments.fuel)
    };
    println!("{}", json::write_outcome(&outcome, &world));
    if let Outcome::Trapped(trap) = &outcome {
        eprint!("{}", render(&context, trap));
    }
    Ok(ExitCode::from(match outcome {
        Outcome::Returned(_) => 0,
        Outcome::Trapped(_) | Outcome::Stuck(_) => 2,
        Outcome::OutOfFuel => 3,
    }))
}

/// Runs a kernel in one or more orders.
fn run_kernel(
    context: &Context,
    module: Operation,
    other: Option<Operation>,
    arguments: &Arguments,
) -> Result<ExitCode, Failure> {
    let values = serde_json::from_str(&arguments.args)
        .map_err(|error| format!("--args: invalid JSON: {error}\n"))?;
    let launch = arguments.kernel.launch(&values, arguments.fuel)?;
    let interpreter_of = |module: Operation| {
        let mut interpreter = Interpreter::with_host_dialects(context, module);
        crate::tile::register(&mut interpreter);
        interpreter
    };
    let interpreter = interpreter_of(module);
    let other = other.map(interpreter_of);
    let function = arguments.entry.as_str();
    let kernel = Kernel {
        interpreter: &interpreter,
        function,
    };
    let expected = other.as_ref().map(|interpreter| Kernel {
        interpreter,
        function,
    });
    match arguments.kernel.run(&kernel, expected.as_ref(), &launch) {
        Ok(text) => {
            print!("{text}");
            Ok(ExitCode::SUCCESS)
        }
        Err(failed) => {
            print!("{}", failed.output);
            eprint!("{}", failed.errors);
            Ok(ExitCode::from(2))
        }
    }
}

/// Reads and verifies the file.
fn load(context: &mut Context, file: &Path) -> Result<Operation, Failure> {
    let mut bytes = Vec::new();
    let read = if file == Path::new("-") {
        std::io::stdin().read_to_end(&mut bytes)
    } else {
        std::fs::File::open(file).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    read.map_err(|error| format!("cannot read '{}': {error}\n", file.display()))?;
    let name = file.to_string_lossy();
    let module = check_utf8(context, &name, &bytes, 1).and_then(|text| {
        let source = Source {
            name: &name,
            text,
            first_line: 1,
        };
        let module = parse_source(context, source)?;
        context.verify(module)?;
        Ok(module)
    });
    module.map_err(|_| {
        let diagnostics = context.diagnostics.take();
        let texts = diagnostics
            .iter()
            .map(|diagnostic| diagnostic.render(context));
        texts.collect()
    })
}

/// The arguments of the function to run.
fn entry_values(
    context: &Context,
    module: Operation,
    arguments: &Arguments,
) -> Result<Vec<Datum>, Failure> {
    let entry = module
        .lookup_symbol(context, &arguments.entry)
        .and_then(|symbol| symbol.body_block(context, 0));
    let Some(entry) = entry else {
        return Err(format!("no function '{}' with a body\n", arguments.entry));
    };
    let types: Vec<Type> = entry.argument_types(context);
    let values = serde_json::from_str(&arguments.args)
        .map_err(|error| format!("--args: invalid JSON: {error}\n"))?;
    json::read_values(context, &types, &values).map_err(|error| format!("--args: {error}\n"))
}

/// Runs a machine, writing each operation before it runs.
fn trace(
    interpreter: &Interpreter<'_>,
    machine: &mut Machine,
    world: &mut World,
    fuel: u64,
) -> Outcome {
    let context = interpreter.context();
    for _ in 0..fuel {
        if let Some(operation) = machine.operation() {
            let place = operation.location(context).position(context);
            let (line, column) = place.map_or((0, 0), |(_, line, column)| (line, column));
            let operands: Vec<_> = operation
                .operands(context)
                .map(|value| {
                    machine
                        .value(value)
                        .map_or_else(String::new, Datum::to_string)
                })
                .collect();
            let name = operation.name_text(context);
            eprintln!("{line}:{column}: {name}({})", operands.join(", "));
        }
        match interpreter.step(machine, world) {
            Ok(Progress::Ran) => {}
            Ok(Progress::Waits(reason)) => return Outcome::Stuck(reason),
            Ok(Progress::Finished) => break,
            Err(trap) => return Outcome::Trapped(trap),
        }
    }
    interpreter.run(machine, world, 0)
}

fn render(context: &Context, trap: &Trap) -> String {
    match trap.operation() {
        Some(operation) => {
            let location = operation.location(context);
            let mut error = Diagnostic::error(location, trap.to_string());
            if let Trap::Undefined {
                note: Some(note), ..
            } = trap
            {
                error = error.with_note(note.0.location(context), note.1.as_str());
            }
            error.render(context)
        }
        None => format!("{trap}\n"),
    }
}
