//! One run: read, split, process each part, print.

use std::io::{self, Write};
use std::sync::Arc;

use orison_ir::parser::check_utf8;
use orison_ir::{Context, Identifier, Location, Operation, Source, parse_source};

use crate::arguments::normalize;
use crate::expectations::Expectations;
use crate::settings::{Settings, command};
use crate::split::{Chunk, near_misses, split};
use crate::{Outcome, Streams, Tool};

/// A failure that was reported, or for which the message is all there is to say.
pub(crate) enum Failure {
    Reported,
    Message(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Message(error.to_string())
    }
}

pub(crate) fn run(tool: Tool, arguments: Vec<String>, streams: &mut Streams<'_>) -> Outcome {
    let command = command(tool.name);
    let arguments = normalize(&command, arguments);
    let matches = match command.try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => return command_line_message(&error, streams),
    };
    let settings = Settings::new(&matches);
    match process(tool, &settings, streams) {
        Ok(()) => Outcome::Success,
        Err(Failure::Reported) => Outcome::Failure,
        Err(Failure::Message(message)) => {
            // Nobody is left to tell when standard error is closed.
            let _ = writeln!(streams.errors, "{}: {message}", tool.name);
            Outcome::Failure
        }
    }
}

/// Help and version go to the output, errors in the command line to the errors.
fn command_line_message(error: &clap::Error, streams: &mut Streams<'_>) -> Outcome {
    let text = error.render();
    if error.use_stderr() {
        let _ = write!(streams.errors, "{text}");
        return Outcome::Failure;
    }
    match write!(streams.output, "{text}") {
        Ok(()) => Outcome::Success,
        Err(_) => Outcome::Failure,
    }
}

fn process(tool: Tool, settings: &Settings, streams: &mut Streams<'_>) -> Result<(), Failure> {
    let text: Arc<[u8]> = read_input(settings, streams)?.into();
    let Some(path) = settings.output_path() else {
        return process_text(tool, settings, &text, streams);
    };
    let open = |error: io::Error| {
        let path = path.display();
        Failure::Message(format!("cannot open output file '{path}': {error}"))
    };
    let mut file = io::BufWriter::new(std::fs::File::create(&path).map_err(open)?);
    let mut streams = Streams {
        input: &mut *streams.input,
        output: &mut file,
        errors: &mut *streams.errors,
    };
    let result = process_text(tool, settings, &text, &mut streams);
    let result = result.and_then(|()| file.flush().map_err(Failure::from));
    if result.is_err() && path.is_file() {
        // Half an output is worse than none; that it cannot be removed changes nothing.
        let _ = std::fs::remove_file(&path);
    }
    result
}

fn read_input(settings: &Settings, streams: &mut Streams<'_>) -> Result<Vec<u8>, Failure> {
    let path = &settings.input;
    if path == "-" {
        let mut text = Vec::new();
        streams.input.read_to_end(&mut text)?;
        return Ok(text);
    }
    std::fs::read(path).map_err(|error| {
        let reason = error.to_string();
        let reason = reason.split(" (os error").next().unwrap_or_default();
        Failure::Message(format!("cannot open input file '{path}': {reason}"))
    })
}

fn process_text(
    tool: Tool,
    settings: &Settings,
    text: &Arc<[u8]>,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let Some(marker) = &settings.split_marker else {
        let whole = Chunk {
            text: (&**text).into(),
            first_line: 1,
        };
        return Session::new(tool, settings, text, streams).process(&whole);
    };
    warn_of_near_misses(tool, settings, text, marker, streams);
    let mut result = Ok(());
    for (number, chunk) in split(text, marker).iter().enumerate() {
        if number > 0 {
            writeln!(streams.output, "{}", settings.output_marker)?;
        }
        match Session::new(tool, settings, text, streams).process(chunk) {
            Ok(()) => {}
            Err(Failure::Reported) => result = Err(Failure::Reported),
            Err(failure) => return Err(failure),
        }
    }
    result
}

fn warn_of_near_misses(
    tool: Tool,
    settings: &Settings,
    text: &Arc<[u8]>,
    marker: &str,
    streams: &mut Streams<'_>,
) {
    let near_misses = near_misses(text, marker);
    if near_misses.is_empty() {
        return;
    }
    let mut session = Session::new(tool, settings, text, streams);
    for (line, column) in near_misses {
        let location = Location::file(&mut session.context, session.file, line, column);
        session
            .context
            .warning(location, "near miss with file split marker");
    }
    session.show_diagnostics();
}

/// The processing of one input: it has a context of its own.
struct Session<'r, 's> {
    settings: &'r Settings,
    streams: &'r mut Streams<'s>,
    context: Context,
    file: Identifier,
}

impl<'r, 's> Session<'r, 's> {
    fn new(
        tool: Tool,
        settings: &'r Settings,
        text: &Arc<[u8]>,
        streams: &'r mut Streams<'s>,
    ) -> Self {
        let mut context = Context::new();
        context.allow_unregistered_dialects(settings.allow_unregistered);
        (tool.dialects)(&mut context);
        let file = Identifier::new(&mut context, &settings.input_name());
        context.sources.add(file, Arc::clone(text), 1);
        Session {
            settings,
            streams,
            context,
            file,
        }
    }

    fn process(mut self, chunk: &Chunk<'_>) -> Result<(), Failure> {
        let Some(level) = self.settings.verify_diagnostics else {
            let result = self.transform(chunk);
            self.show_diagnostics();
            return result;
        };
        let mut expectations = Expectations::read(&mut self.context, self.file, chunk, level);
        match self.transform(chunk) {
            // What failed is known from the diagnostics, which may be expected.
            Ok(()) | Err(Failure::Reported) => {}
            Err(failure) => return Err(failure),
        }
        let diagnostics = self.context.diagnostics.take();
        expectations.check(&mut self.context, diagnostics);
        let failures = expectations.finish(&mut self.context);
        for failure in &failures {
            let _ = write!(self.streams.errors, "{}", failure.render(&self.context));
        }
        match failures.as_slice() {
            [] => Ok(()),
            _ => Err(Failure::Reported),
        }
    }

    fn show_diagnostics(&mut self) {
        for mut diagnostic in self.context.diagnostics.take() {
            if !self.settings.notes {
                diagnostic.notes.clear();
            }
            // Nobody is left to tell when standard error is closed.
            let _ = write!(self.streams.errors, "{}", diagnostic.render(&self.context));
        }
    }

    /// Parses, verifies, runs passes, prints.
    fn transform(&mut self, chunk: &Chunk<'_>) -> Result<(), Failure> {
        let op = self.parse(chunk)?;
        self.print(op)
    }

    fn parse(&mut self, chunk: &Chunk<'_>) -> Result<Operation, Failure> {
        let name = self.settings.input_name();
        let reported = |_| Failure::Reported;
        let text = check_utf8(&mut self.context, &name, &chunk.text, chunk.first_line)
            .map_err(reported)?;
        let source = Source {
            name: &name,
            text,
            first_line: chunk.first_line,
        };
        parse_source(&mut self.context, source).map_err(reported)
    }

    fn print(&mut self, op: Operation) -> Result<(), Failure> {
        let output = &mut *self.streams.output;
        orison_ir::print(&self.context, op, &self.settings.print, output)?;
        // mlir-opt ends its output with an empty line.
        writeln!(output)?;
        output.flush()?;
        Ok(())
    }
}
