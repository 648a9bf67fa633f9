//! One run: read, split, process each part, print.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use orison_ir::pass::PassRegistry;
use orison_ir::{ColorChoice, Context, Palette};

use crate::arguments::normalize;
use crate::configuration::{Failure, Input, Run, cannot_open};
use crate::input::Part;
use crate::pass_settings::{PassSettings, add_arguments};
use crate::session::Session;
use crate::settings::{Settings, command, is_set, text};
use crate::split::{Chunk, near_misses, split};
use crate::{Caller, Outcome, Streams, Tool, listing};

/// Runs a tool.
pub(crate) fn run(
    tool: Tool,
    arguments: Vec<String>,
    streams: &mut Streams<'_>,
    caller: Caller,
) -> Outcome {
    let mut registry = PassRegistry::default();
    (tool.passes)(&mut registry);
    let command = add_arguments(command(tool.name), &registry);
    let arguments = normalize(&command, arguments);
    let matches = match command.try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => return command_line_message(&error, streams, caller.color()),
    };
    let result = match listing(tool, &registry, &matches) {
        Some(Ok(text)) => write_listing(&text, &matches, streams),
        Some(Err(message)) => Err(Failure::Message(message)),
        None => process(tool, &registry, &matches, streams, caller),
    };
    match result {
        Ok(()) => Outcome::Success,
        Err(Failure::Reported | Failure::OutputClosed) => Outcome::Failure,
        Err(Failure::Message(message)) => {
            // If standard error is closed, the failure cannot be reported.
            let _ = writeln!(streams.errors, "{}: {message}", tool.name);
            Outcome::Failure
        }
    }
}

/// Writes a listing to the output file, or to standard output.
fn write_listing(
    listing: &str,
    matches: &ArgMatches,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    match text(matches, "output").filter(|path| path != "-") {
        Some(path) => std::fs::write(&path, listing)
            .map_err(|error| cannot_open_output(Path::new(&path), &error)),
        None => write!(streams.output, "{listing}").map_err(Failure::from),
    }
}

/// The requested listing, if any.
fn listing(
    tool: Tool,
    registry: &PassRegistry,
    matches: &ArgMatches,
) -> Option<Result<String, String>> {
    if is_set(matches, "list-passes") {
        return Some(Ok(listing::passes(registry)));
    }
    if let Some(name) = text(matches, "dump-machine") {
        return Some(listing::machine(&name));
    }
    let mut context = Context::new();
    (tool.dialects)(&mut context);
    if is_set(matches, "list-patterns") {
        Some(Ok(listing::patterns(&context, registry)))
    } else if is_set(matches, "list-ops") {
        Some(Ok(listing::operations(&context)))
    } else if is_set(matches, "show-dialects") {
        Some(Ok(listing::dialects(&context)))
    } else if let Some(names) = matches.get_many::<String>("emit-irdl") {
        let names: Vec<_> = names.map(String::as_str).collect();
        Some(listing::irdl(&context, &names))
    } else if let Some(name) = text(matches, "emit-dialect-overview") {
        Some(listing::overview(&context, &name))
    } else {
        let name = text(matches, "emit-dialect-docs")?;
        Some(listing::documentation(&context, &name))
    }
}

/// Help and version are written to the output, command-line errors to the error stream.
fn command_line_message(
    error: &clap::Error,
    streams: &mut Streams<'_>,
    color: ColorChoice,
) -> Outcome {
    let text = error.render();
    if error.use_stderr() {
        let _ = match color.palette() == Palette::PLAIN {
            true => write!(streams.errors, "{text}"),
            false => write!(streams.errors, "{}", text.ansi()),
        };
        return Outcome::Failure;
    }
    match write!(streams.output, "{text}") {
        Ok(()) => Outcome::Success,
        Err(_) => Outcome::Failure,
    }
}

fn process(
    tool: Tool,
    registry: &PassRegistry,
    matches: &ArgMatches,
    streams: &mut Streams<'_>,
    caller: Caller,
) -> Result<(), Failure> {
    let settings = Settings::new(matches, caller);
    let passes = PassSettings::new(matches, registry, &settings.print).map_err(Failure::Message)?;
    let input = open_input(&settings, streams)?;
    let run = Run {
        tool,
        registry,
        settings: &settings,
        passes: &passes,
        input: &input,
    };
    let Some(path) = settings.output_path() else {
        return process_text(run, streams);
    };
    if is_input_written(&settings) {
        return replace_input(run, streams, &path);
    }
    let open = |error: io::Error| cannot_open_output(&path, &error);
    let mut file = io::BufWriter::new(std::fs::File::create(&path).map_err(open)?);
    let mut streams = Streams {
        input: &mut *streams.input,
        output: &mut file,
        errors: &mut *streams.errors,
    };
    let result = process_text(run, &mut streams);
    let result = result.and_then(|()| file.flush().map_err(Failure::from));
    if result.is_err() && path.is_file() {
        // A partial output is removed; a failure to remove it is ignored.
        let _ = std::fs::remove_file(&path);
    }
    result
}

/// Writes the output over the input, which is replaced only if there is an output.
fn replace_input(run: Run<'_>, streams: &mut Streams<'_>, path: &Path) -> Result<(), Failure> {
    let mut output = Vec::new();
    let mut streams = Streams {
        input: &mut *streams.input,
        output: &mut output,
        errors: &mut *streams.errors,
    };
    process_text(run, &mut streams)?;
    std::fs::write(path, output).map_err(|error| cannot_open_output(path, &error))
}

fn cannot_open_output(path: &Path, error: &io::Error) -> Failure {
    let path = path.display();
    Failure::Message(format!("cannot open output file '{path}': {error}"))
}

fn open_input(settings: &Settings, streams: &mut Streams<'_>) -> Result<Input, Failure> {
    let path = &settings.input;
    if path == "-" {
        let mut text = Vec::new();
        streams.input.read_to_end(&mut text)?;
        return Ok(Input::Text(text.into()));
    }
    if may_be_streamed(settings) {
        return Ok(Input::File(PathBuf::from(path)));
    }
    let text = std::fs::read(path).map_err(|error| cannot_open(path, &error))?;
    Ok(Input::Text(text.into()))
}

/// Whether the input can be parsed while it is read: a file that can be read again, is not
/// written, and is used only for parsing.
fn may_be_streamed(settings: &Settings) -> bool {
    let path = Path::new(&settings.input);
    let whole = settings.split_marker.is_some() || settings.verify_diagnostics.is_some();
    path.is_file() && !is_input_written(settings) && !whole
}

/// Whether the output may be written to the input file.
fn is_input_written(settings: &Settings) -> bool {
    let input = Path::new(match settings.input.as_str() {
        "-" => "/dev/stdin",
        path => path,
    });
    let output = settings.output_path();
    output.is_some_and(|output| output.is_file() && !is_other_file(input, &output))
}

/// Whether two paths are known to refer to different files.
fn is_other_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    let identity = |path: &Path| {
        use std::os::unix::fs::MetadataExt;
        let metadata = path.metadata().ok()?;
        Some((metadata.dev(), metadata.ino()))
    };
    #[cfg(not(unix))]
    let identity = |path: &Path| path.canonicalize().ok();
    match (identity(one), identity(other)) {
        (Some(one), Some(other)) => one != other,
        _ => false,
    }
}

fn process_text(run: Run<'_>, streams: &mut Streams<'_>) -> Result<(), Failure> {
    let text = match run.input {
        Input::File(_) => return Session::new(run, streams).process(&Part::File),
        Input::Text(text) => text,
    };
    let Some(marker) = &run.settings.split_marker else {
        let whole = Chunk {
            text: (&**text).into(),
            first_line: 1,
            first_column: 1,
        };
        return Session::new(run, streams).process(&Part::Chunk(whole));
    };
    warn_of_near_misses(run, text, marker, streams);
    let mut result = Ok(());
    for (number, chunk) in split(text, marker).into_iter().enumerate() {
        if number > 0 {
            writeln!(streams.output, "{}", run.settings.output_marker)?;
        }
        match Session::new(run, streams).process(&Part::Chunk(chunk)) {
            Ok(()) => {}
            Err(Failure::Reported) => result = Err(Failure::Reported),
            Err(failure) => return Err(failure),
        }
    }
    result
}

fn warn_of_near_misses(run: Run<'_>, text: &[u8], marker: &str, streams: &mut Streams<'_>) {
    let near_misses = near_misses(text, marker);
    if !near_misses.is_empty() {
        Session::new(run, streams).warn_at(&near_misses, "near miss with file split marker");
    }
}
