//! Reading, verifying, simplifying and writing large modules, compared with mlir-opt 22 in the
//! same run: `tools/bench [--runs=5] [operations…]`.
//!
//! For each size both tools read the same file alternately. First their outputs are compared; then
//! the medians of time and peak memory are shown, with orison's speedup and its memory ratio.
//! Without mlir-opt, only orison's measurements are shown.

mod generate;
mod measure;

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use generate::Attributes;
use measure::{Cost, Job, medians};

/// Default number of runs of each command.
const RUNS: usize = 5;
/// Default module sizes, in operations.
const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];
/// The tool to compare with.
const PEER: &str = "mlir-opt-22";

const GENERIC: [&str; 2] = ["--allow-unregistered-dialect", "--mlir-print-op-generic"];

/// A measurement: a name, the attributes of the module, and the arguments.
const TASKS: [(&str, Attributes, &[&str]); 3] = [
    ("parse, verify, print", Attributes::Repeated, &GENERIC),
    (
        "parse, verify, print; attributes that differ",
        Attributes::Distinct,
        &GENERIC,
    ),
    (
        "canonicalize, cse",
        Attributes::Repeated,
        &[
            "--allow-unregistered-dialect",
            "--mlir-print-op-generic",
            "--canonicalize",
            "--cse",
        ],
    ),
];

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: impl Iterator<Item = String>) -> io::Result<()> {
    let (mut runs, mut sizes) = (RUNS, Vec::new());
    for argument in arguments {
        let number = |text: &str| {
            let number = text.parse::<usize>().ok().filter(|number| *number > 0);
            number.ok_or_else(|| io::Error::other(format!("unknown argument '{argument}'")))
        };
        match argument.strip_prefix("--runs=") {
            Some(text) => runs = number(text)?,
            // Passed by cargo.
            None if argument == "--bench" => {}
            None => sizes.push(number(&argument)?),
        }
    }
    let sizes = if sizes.is_empty() { &SIZES } else { &sizes[..] };
    let scratch = std::env::temp_dir().join(format!("orison-bench-{}", std::process::id()));
    fs::create_dir_all(&scratch)?;
    let result = sizes
        .iter()
        .try_for_each(|size| compare(*size, runs, &scratch));
    fs::remove_dir_all(&scratch)?;
    result
}

/// Compares the tools on a module of one size.
fn compare(size: usize, runs: usize, scratch: &Path) -> io::Result<()> {
    let peer = has_peer().then(|| PathBuf::from(PEER));
    let own = PathBuf::from(env!("CARGO_BIN_EXE_orison-opt"));
    let tools: Vec<&Path> = std::iter::once(&own)
        .chain(&peer)
        .map(PathBuf::as_path)
        .collect();
    println!("\n{size} operations");
    for (task, attributes, arguments) in TASKS {
        let input = scratch.join("input.mlir");
        let mut file = BufWriter::new(fs::File::create(&input)?);
        generate::module(size, attributes, &mut file)?;
        file.flush()?;
        drop(file);
        let jobs: Vec<_> = tools
            .iter()
            .map(|tool| Job {
                tool,
                arguments,
                input: &input,
            })
            .collect();
        if let [own, peer] = &jobs[..] {
            check_equal(task, own, peer, scratch)?;
        }
        report(task, &medians(&jobs, runs, scratch)?);
    }
    Ok(())
}

fn has_peer() -> bool {
    let version = Command::new(PEER)
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    version.is_ok_and(|status| status.success())
}

/// Checks that both tools write the same IR: the same text, or the same text after a round trip
/// through the peer.
fn check_equal(task: &str, own: &Job<'_>, peer: &Job<'_>, scratch: &Path) -> io::Result<()> {
    let own = own.output(scratch.join("own.mlir"))?;
    let other = peer.output(scratch.join("peer.mlir"))?;
    let normal = |input: &Path, name: &str| {
        let job = Job {
            tool: peer.tool,
            arguments: &GENERIC,
            input,
        };
        fs::read(job.output(scratch.join(name))?)
    };
    let same = fs::read(&own)? == fs::read(&other)?
        || normal(&own, "own-normal.mlir")? == normal(&other, "peer-normal.mlir")?;
    if same {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "{task}: orison-opt and {PEER} write different IR"
    )))
}

fn report(task: &str, costs: &[Cost]) {
    let show = |cost: &Cost| {
        format!(
            "{:.3} s, {:.3} s processor, {:.0} MiB",
            cost.wall, cost.processor, cost.memory
        )
    };
    match costs {
        [own, peer] => {
            let faster = peer.wall / own.wall;
            let processor = peer.processor / own.processor.max(0.01);
            let memory = own.memory / peer.memory;
            println!("  {task}: the same output");
            println!("    orison-opt   {}", show(own));
            println!("    {PEER}  {}", show(peer));
            println!(
                "    {faster:.2} times as fast, {processor:.2} in processor time; {memory:.2} of the memory"
            );
        }
        costs => {
            println!("  {task}: {PEER} is not installed");
            for own in costs {
                println!("    orison-opt   {}", show(own));
            }
        }
    }
}
