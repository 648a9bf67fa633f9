//! The part of the command line that runs kernels.

use std::path::PathBuf;

use clap::Args;
use orison_ir::pass::OptionValue;
use orison_schedule::tileas::machine_choice::MachineChoice;
use orison_tileas::nv_tileaa;

use super::kernel::{Argument, Inputs, Kernel, Launch, compare};
use super::memory::Memory;
use super::tasks::Failure;
use super::timed;
use crate::Interpreter;

/// How a kernel (a `nv_tileaa.func`) is run. Its arguments come from `--args`: a number, the
/// extents of random memory (`[64, 32]`), or memory (`{"shape": [4], "values": [2, 0, 3, 3]}`);
/// `null` and omitted arguments are chosen automatically.
#[derive(Args, Clone, Debug)]
pub struct KernelArguments {
    /// Blocks of a kernel's grid.
    #[arg(long, default_value = "1,1,1", value_name = "X,Y,Z")]
    pub grid: String,
    /// Seed of random memory and of the first order of a kernel.
    #[arg(long, default_value_t = 0, value_name = "SEED")]
    pub random_inputs: u64,
    /// For arguments of a kernel that are not given: tiles along each axis of memory, and the value
    /// of numbers.
    #[arg(long, default_value_t = 4)]
    pub tiles: usize,
    /// Runs a kernel in this many orders; all must produce the same memory.
    #[arg(long, default_value_t = 1, value_name = "COUNT")]
    pub interleavings: u64,
    /// A file with the same kernel, run first: the memory it produces is the expected result.
    #[arg(long, value_name = "FILE")]
    pub compare_with: Option<PathBuf>,
    /// Explores all orders of the first block of a kernel, up to this many states.
    #[arg(long, value_name = "STATES")]
    pub explore: Option<usize>,
    /// Times the first block of a kernel under a machine model, instead of printing its memory.
    #[arg(long, value_name = "STYLE", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    pub timed: Option<timed::Style>,
    /// The machine model of a timed run; `auto` is that of the kernel's computeCapability.
    #[arg(
        long,
        value_name = "auto|blackwell|hopper|FILE.toml",
        default_value = "auto",
        requires = "timed"
    )]
    pub machine: String,
    /// Fails if the cycles that an iteration of a scheduled loop takes in the timed run differ from
    /// the schedule by more than this percentage.
    #[arg(long, value_name = "PERCENT", requires = "timed")]
    pub check_interval: Option<f64>,
    /// Writes the events of a timed run to this file, in Chrome's trace format.
    #[arg(long, value_name = "FILE", requires = "timed")]
    pub timed_trace_file: Option<PathBuf>,
}

/// The maximum number of blocks of a grid.
const MAX_BLOCKS: i64 = 1 << 16;

/// A message for the user: why nothing was run, or what failed.
type Text = String;

/// A run that failed: what it printed before, and the errors.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Failed {
    /// The output, such as the report of a timed run that was not as scheduled.
    pub output: Text,
    /// The errors.
    pub errors: Text,
}

impl From<Text> for Failed {
    fn from(errors: Text) -> Self {
        Failed {
            output: Text::new(),
            errors,
        }
    }
}

/// Whether the function is run as a kernel.
pub fn is_kernel(interpreter: &Interpreter<'_>, function: &str) -> bool {
    let symbol = interpreter
        .module()
        .lookup_symbol(interpreter.context(), function);
    symbol.is_some_and(|symbol| nv_tileaa::Func::matches(interpreter.context(), symbol))
}

impl KernelArguments {
    /// The launch parameters of the kernel.
    ///
    /// # Errors
    /// If the grid or the arguments are invalid.
    pub fn launch(&self, arguments: &serde_json::Value, fuel: u64) -> Result<Launch, Text> {
        let extents: Option<Vec<i64>> = self
            .grid
            .split(',')
            .map(|extent| extent.trim().parse().ok().filter(|extent| *extent > 0))
            .collect();
        let grid = match extents.as_deref() {
            Some([x]) => [*x, 1, 1],
            Some([x, y]) => [*x, *y, 1],
            Some([x, y, z]) => [*x, *y, *z],
            _ => return Err(format!("--grid: '{}' is not a grid of blocks\n", self.grid)),
        };
        let blocks = grid
            .iter()
            .try_fold(1i64, |all, extent| all.checked_mul(*extent));
        if blocks.is_none_or(|blocks| blocks > MAX_BLOCKS) {
            return Err(format!("--grid: more than {MAX_BLOCKS} blocks\n"));
        }
        let Some(arguments) = arguments.as_array() else {
            return Err("--args: expected an array\n".to_owned());
        };
        let read = arguments.iter().enumerate().map(|(number, value)| {
            let wrong = || format!("--args: argument {number} must be a number or memory\n");
            argument(value).ok_or_else(wrong)
        });
        Ok(Launch {
            arguments: read.collect::<Result<_, _>>()?,
            grid,
            seed: self.random_inputs,
            tiles: self.tiles,
            fuel,
        })
    }

    /// Runs a kernel; returns the output to print.
    ///
    /// # Errors
    /// The failure.
    pub fn run(
        &self,
        kernel: &Kernel<'_, '_>,
        expected: Option<&Kernel<'_, '_>>,
        launch: &Launch,
    ) -> Result<Text, Failed> {
        let context = kernel.interpreter.context();
        let shown = |failure: Failure| failure.render(context);
        let launch = &match expected {
            Some(other) => launch.with_memory_of(other.interpreter, other.function),
            None => launch.clone(),
        };
        let inputs = Inputs::new(kernel.interpreter, kernel.function, launch).map_err(shown)?;
        if let Some(style) = self.timed {
            return self.time(kernel, &inputs, launch, style);
        }
        let first = self.random_inputs;
        let reference = match expected {
            Some(other) => reference(other, launch, first)?,
            None => kernel.run(&inputs, launch, first).map_err(shown)?.0,
        };
        let mut text = String::new();
        for (name, digest) in inputs.digests(&reference) {
            text.push_str(&format!("{name}: {digest:016x}\n"));
        }
        if expected.is_some() || self.interleavings > 1 {
            let found = compare(kernel, &inputs, launch, &reference, self.interleavings);
            let found = found.map_err(|(seed, failure)| {
                format!("{}in the interleaving of seed {seed}\n", shown(failure))
            })?;
            text.push_str(&format!(
                "{} interleavings, {} distinct: same memory\n",
                found.runs, found.different
            ));
        }
        if let Some(bound) = self.explore {
            let report = kernel
                .explore(&inputs, launch, None, bound)
                .map_err(shown)?;
            let extent = if report.complete {
                "all orders"
            } else {
                "the limit was reached"
            };
            text.push_str(&format!(
                "explored {} states, {} choices, {} endings, longest run {}: {extent}\n",
                report.states, report.choices, report.endings, report.longest
            ));
        }
        Ok(text)
    }
}

impl KernelArguments {
    /// Times the first block; returns the report.
    fn time(
        &self,
        kernel: &Kernel<'_, '_>,
        inputs: &Inputs,
        launch: &Launch,
        style: timed::Style,
    ) -> Result<Text, Failed> {
        let context = kernel.interpreter.context();
        let choice = MachineChoice::read(&self.machine).map_err(|e| format!("--machine: {e}\n"))?;
        let symbol = kernel
            .interpreter
            .module()
            .lookup_symbol(context, kernel.function);
        // Inputs were found for it, so the function exists.
        let machine = choice.model(context, symbol.unwrap_or(kernel.interpreter.module()));
        let record = kernel.timed(inputs, launch, machine);
        let record = record.map_err(|failure| failure.render(context))?;
        if let Some(file) = &self.timed_trace_file {
            std::fs::write(file, timed::trace(context, &record))
                .map_err(|error| format!("error: cannot write '{}': {error}\n", file.display()))?;
        }
        let text = timed::render(context, &record, style);
        let percent = self.check_interval;
        let checked = percent.map(|percent| timed::check_intervals(context, &record, percent));
        match checked.unwrap_or(Ok(())) {
            Ok(()) => Ok(text),
            Err(errors) => Err(Failed {
                output: text,
                errors,
            }),
        }
    }
}

/// The memory that another kernel produces.
fn reference(kernel: &Kernel<'_, '_>, launch: &Launch, seed: u64) -> Result<Memory, Text> {
    let shown = |failure: Failure| failure.render(kernel.interpreter.context());
    let inputs = Inputs::new(kernel.interpreter, kernel.function, launch).map_err(shown)?;
    let (memory, _) = kernel.run(&inputs, launch, seed).map_err(shown)?;
    Ok(memory)
}

/// An argument; inner `None` if it is to be chosen, outer `None` if the JSON is invalid.
fn argument(value: &serde_json::Value) -> Option<Option<Argument>> {
    if value.is_null() {
        return Some(None);
    }
    let shape = |value: &serde_json::Value| -> Option<Vec<usize>> {
        let extents = value.as_array()?.iter();
        extents
            .map(|extent| usize::try_from(extent.as_u64()?).ok())
            .collect()
    };
    if let Some(number) = value.as_i64() {
        return Some(Some(Argument::Number(number)));
    }
    if let Some(shape) = shape(value) {
        return Some(Some(Argument::Random(shape)));
    }
    let values = value.get("values")?.as_array()?.iter();
    let values: Option<Vec<f64>> = values.map(serde_json::Value::as_f64).collect();
    let shape = shape(value.get("shape")?)?;
    Some(Some(Argument::Numbers {
        shape,
        values: values?,
    }))
}
