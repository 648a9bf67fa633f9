//! `orison-learn`: least distances between dependent instructions, and the use of scoreboards, from
//! listings of real code.
//!
//! The measuring is `orison_schedule::sass::evidence`; this reads files, prints, and writes the files of
//! evidence. `docs/latencies.md` describes the output.

mod columns;
mod input;
mod report;
mod roles;
mod update;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use orison_ir::{ColorChoice, Severity};
use orison_schedule::sass::evidence::Measured;

use report::Report;
use roles::Roles;

/// Learns latencies from listings: for each machine the least distance between dependent instructions,
/// which instructions arm scoreboards, and which orders need none.
///
/// Exit code 0: all files were read; 1: a file was not, or not to its end.
#[derive(Parser, Debug)]
#[command(name = "orison-learn", version)]
struct Arguments {
    /// Listings (`nvdisasm -c -hex`, with `-plr -lrm narrow` or without; `cuobjdump -sass`), cubins, and
    /// directories: of these all files that end with .sass, .plr or .cubin.
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// The nvdisasm that reads cubins.
    #[arg(long, value_name = "PATH")]
    nvdisasm: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Write what was measured to the files of evidence in a directory; cells that they have and the
    /// listings do not contradict stay.
    #[arg(long, value_name = "DIRECTORY")]
    update: Option<PathBuf>,
    /// The output file.
    #[arg(short = 'o', default_value = "-")]
    output: PathBuf,
    /// Colours in messages: auto, always or never; auto enables them for terminals and honours
    /// NO_COLOR and CLICOLOR_FORCE.
    #[arg(long, value_name = "when", num_args = 0..=1, require_equals = true, default_value = "auto", default_missing_value = "always")]
    color: ColorChoice,
}

/// What the listings of a machine show.
#[derive(Debug, Default)]
struct Learned {
    measured: Measured,
    roles: Roles,
}

/// An error, with the place before it: a file, or a file with line and column.
#[derive(Debug)]
struct Failure {
    place: String,
    message: String,
}

impl Failure {
    fn new(place: &dyn Display, message: &dyn Display) -> Failure {
        Failure {
            place: place.to_string(),
            message: message.to_string(),
        }
    }
}

fn write(output: &std::path::Path, text: &str) -> Result<(), Failure> {
    let written = if output.as_os_str() == "-" {
        std::io::stdout().write_all(text.as_bytes())
    } else {
        std::fs::write(output, text)
    };
    written.map_err(|error| Failure::new(&output.display(), &error))
}

fn finish(arguments: &Arguments, learned: &BTreeMap<String, Learned>) -> Result<(), Failure> {
    if let Some(directory) = &arguments.update {
        return update::directory(directory, learned);
    }
    let report = Report::new(learned);
    let text = if arguments.json {
        let text = serde_json::to_string_pretty(&report);
        text.map_err(|error| Failure::new(&"<json>", &error))? + "\n"
    } else {
        report.to_string()
    };
    write(&arguments.output, &text)
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let palette = arguments.color.palette();
    let mut code = ExitCode::SUCCESS;
    let mut complain = |failure: Failure| {
        let line = palette.headline(failure.place, Severity::Error, failure.message);
        eprint!("{line}");
        code = ExitCode::FAILURE;
    };
    let mut learned = BTreeMap::new();
    for file in input::files(&arguments.inputs) {
        let read =
            file.and_then(|file| input::learn(&mut learned, &file, arguments.nvdisasm.as_deref()));
        if let Err(failure) = read {
            complain(failure);
        }
    }
    if let Err(failure) = finish(&arguments, &learned) {
        complain(failure);
    }
    code
}
