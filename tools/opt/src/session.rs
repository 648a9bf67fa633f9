//! The processing of one input: parse, verify, run passes, print.

use std::cell::Cell;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use orison_ir::bytecode::{BytecodeOptions, write_bytecode};
use orison_ir::pass::reproducer::{LocalReproduction, Reproducer};
use orison_ir::pass::{
    IrTree, Log, ManagerOptions, PassManager, Pipeline, Remarks, RoundTrip, Timing,
};
use orison_ir::{
    Context, Diagnostic, Identifier, Location, Operation, PrintFlags, Severity, print_to_string,
};

use crate::configuration::{Failure, Run};
use crate::defaults::{choose_machine, choose_rules, choose_scheduling};
use crate::expectations::Expectations;
use crate::input::{Part, new_context, parse};
use crate::knobs::set_knobs;
use crate::reproduce;
use crate::settings::DiagnosticForm;
use crate::split::Chunk;
use crate::{Caller, Streams};

/// One input with its own context.
pub(crate) struct Session<'r, 's> {
    run: Run<'r>,
    streams: &'r mut Streams<'s>,
    context: Context,
    file: Identifier,
    timing: Timing,
    /// The pass that is running.
    running: Rc<Cell<Option<&'static str>>>,
    /// The text of the pipeline, once known.
    pipeline: Option<String>,
    /// The reproducer of the running pass, if requested.
    local: Option<LocalReproduction>,
}

/// Shows diagnostics as they are emitted, unless they are compared with expectations.
struct StreamLog<'l> {
    errors: &'l mut dyn Write,
    show_diagnostics: bool,
    notes: bool,
    form: DiagnosticForm,
}

impl StreamLog<'_> {
    fn diagnostics(&mut self, context: &mut Context) {
        if !self.show_diagnostics {
            return;
        }
        for diagnostic in context.diagnostics.take() {
            show_in_form(self.errors, context, diagnostic, self.notes, self.form);
        }
    }
}

impl Log for StreamLog<'_> {
    fn write(&mut self, context: &mut Context, text: &str) {
        self.diagnostics(context);
        // If standard error is closed, the failure cannot be reported.
        let _ = write!(self.errors, "{text}");
    }
}

/// A diagnostic in the form of ptxas; `None` if it has no number of ptxas.
fn as_ptxas(diagnostic: &Diagnostic) -> Option<String> {
    let message = &diagnostic.message;
    message.starts_with("(C").then_some(())?;
    let kind = match diagnostic.severity {
        Severity::Error => "fatal  ",
        _ => "info   ",
    };
    Some(format!("ptxas {kind} : {message}\n"))
}

/// Shows a diagnostic; in the form of ptxas if that is requested and it has a number.
fn show_in_form(
    errors: &mut dyn Write,
    context: &Context,
    diagnostic: Diagnostic,
    notes: bool,
    form: DiagnosticForm,
) {
    let own = match form {
        DiagnosticForm::Ptxas => as_ptxas(&diagnostic),
        DiagnosticForm::Mlir => None,
    };
    match own {
        Some(text) => {
            // If standard error is closed, the failure cannot be reported.
            let _ = write!(errors, "{text}");
        }
        None => show(errors, context, diagnostic, notes),
    }
}

fn show(errors: &mut dyn Write, context: &Context, mut diagnostic: Diagnostic, notes: bool) {
    if !notes {
        diagnostic.notes.clear();
    }
    // If standard error is closed, the failure cannot be reported.
    let _ = write!(errors, "{}", diagnostic.render(context));
}

impl<'r, 's> Session<'r, 's> {
    pub(crate) fn new(run: Run<'r>, streams: &'r mut Streams<'s>) -> Self {
        let (context, file) = new_context(run);
        Session {
            run,
            streams,
            context,
            file,
            timing: Timing::new(),
            running: Rc::default(),
            pipeline: None,
            local: None,
        }
    }

    /// Emits and shows warnings at locations in the input.
    pub(crate) fn warn_at(mut self, places: &[(u32, u32)], message: &str) {
        for &(line, column) in places {
            let location = Location::file(&mut self.context, self.file, line, column);
            self.context.warning(location, message);
        }
        self.show_diagnostics();
    }

    pub(crate) fn process(mut self, part: &Part<'_>) -> Result<(), Failure> {
        let (Some(level), Part::Chunk(chunk)) = (self.run.settings.verify_diagnostics, part) else {
            let result = self.transform_guarded(part);
            self.show_diagnostics();
            if matches!(part, Part::File) && self.run.settings.caller == Caller::Process {
                std::mem::forget(self.context);
            }
            return result;
        };
        let mut expectations = Expectations::read(&mut self.context, self.file, chunk, level);
        match self.transform_guarded(part) {
            // The diagnostics, which may be expected, determine the failure.
            Ok(()) | Err(Failure::Reported) => {}
            Err(failure) => return Err(failure),
        }
        let diagnostics = self.context.diagnostics.take();
        expectations.check(&mut self.context, diagnostics);
        let failures = expectations.finish(&mut self.context);
        let failed = !failures.is_empty();
        for failure in failures {
            show(self.streams.errors, &self.context, failure, true);
        }
        if failed {
            Err(Failure::Reported)
        } else {
            Ok(())
        }
    }

    fn show_diagnostics(&mut self) {
        for diagnostic in self.context.diagnostics.take() {
            let notes = self.run.settings.notes;
            let form = self.run.settings.form;
            show_in_form(self.streams.errors, &self.context, diagnostic, notes, form);
        }
    }

    /// Runs passes; a panic becomes an internal error with a reproducer.
    fn transform_guarded(&mut self, part: &Part<'_>) -> Result<(), Failure> {
        // After a panic, only the diagnostics and sources of the context are accessed.
        let result = catch_unwind(AssertUnwindSafe(|| self.transform(part)));
        let Err(payload) = result else {
            let failed = matches!(&result, Ok(Err(Failure::Reported)));
            if failed && let Some(path) = &self.run.passes.crash_reproducer {
                self.write_reproducer(part, &path.clone());
            }
            return result.unwrap_or(Err(Failure::Reported));
        };
        let message = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("a panic without a message");
        let place = match self.running.get() {
            Some(pass) => format!("in pass '{pass}'"),
            None => "outside passes".to_owned(),
        };
        self.show_diagnostics();
        let name = self.run.tool.name;
        let text = format!("{name}: internal error {place}: {message}\n{name}: this is a bug\n");
        let _ = write!(self.streams.errors, "{text}");
        let path = self.run.passes.crash_reproducer.clone();
        let path = path.unwrap_or_else(|| reproduce::default_path(self.run, part));
        self.write_reproducer(part, &path);
        Err(Failure::Message("stopped by an internal error".to_owned()))
    }

    /// Writes a reproducer; reports its path, or the failure to write it.
    fn write_reproducer(&mut self, part: &Part<'_>, path: &std::path::Path) {
        let Some(pipeline) = &self.pipeline else {
            return;
        };
        let reproducer = Reproducer {
            pipeline: pipeline.clone(),
            verify_each: self.run.passes.verify_each,
        };
        let text = match self.local.as_ref().and_then(LocalReproduction::file) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => reproduce::text(self.run, part, &reproducer),
        };
        let name = self.run.tool.name;
        let written = text.and_then(|text| std::fs::write(path, text));
        let message = match written {
            Ok(()) => format!(
                "{name}: reproducer written to '{0}'; run it with: {name} {0} --run-reproducer",
                path.display()
            ),
            Err(error) => format!(
                "{name}: cannot write the reproducer '{}': {error}",
                path.display()
            ),
        };
        let _ = writeln!(self.streams.errors, "{message}");
    }

    /// Parses, verifies, runs passes, prints.
    fn transform(&mut self, part: &Part<'_>) -> Result<(), Failure> {
        self.timing.start("Parser", 0);
        let parsed = parse(self.run, &mut self.context, part);
        self.timing.stop();
        let op = parsed?;
        if self.run.settings.verify_roundtrip {
            self.verify_roundtrip(op)?;
        }
        let result = self.run_passes(part, op);
        if result.is_ok() {
            self.timing.start("Output", 0);
            let printed = self.print(op);
            self.timing.stop();
            printed?;
        }
        if let Some(display) = self.run.passes.timing {
            let _ = write!(self.streams.errors, "{}", self.timing.report(display));
        }
        result
    }

    fn run_passes(&mut self, part: &Part<'_>, op: Operation) -> Result<(), Failure> {
        let passes = self.run.passes;
        let mut verify_each = passes.verify_each;
        let root = op.name_text(&self.context).to_owned();
        let mut pipeline = passes
            .source
            .pipeline(self.run.registry, &root)
            .map_err(|message| self.pipeline_error(&message))?;
        if passes.run_reproducer
            && let Some(reproducer) = Reproducer::of(&self.context)
        {
            pipeline = self
                .run
                .registry
                .parse_pipeline(&reproducer.pipeline)
                .map_err(|error| self.pipeline_error(&error.to_string()))?;
            verify_each = reproducer.verify_each;
            Reproducer::remove(&mut self.context);
        }
        if let Some(machine) = &passes.machine {
            let chosen = choose_machine(&mut pipeline, machine);
            chosen.map_err(Failure::Message)?;
        }
        let scheduling = [
            ("strategy", &passes.schedule_strategy),
            ("report", &passes.schedule_report),
        ];
        for (option, value) in scheduling {
            if let Some(value) = value {
                choose_scheduling(&mut pipeline, option, value).map_err(Failure::Message)?;
            }
        }
        if let Some(rules) = &passes.rules {
            choose_rules(&mut pipeline, rules).map_err(Failure::Message)?;
        }
        if !passes.knobs.is_empty() {
            set_knobs(&mut pipeline, &passes.knobs).map_err(Failure::Message)?;
        }
        self.pipeline = Some(pipeline.to_string());
        if passes.dump_pipeline {
            let (count, text) = (pipeline.elements.len(), pipeline.to_indented_text());
            let text = format!("Pass Manager with {count} passes:\n{text}\n\n");
            let _ = write!(self.streams.errors, "{text}");
        }
        if let Some(path) = &passes.reproducer {
            self.write_reproducer(part, &path.clone());
        }
        self.run_pipeline(&pipeline, op, verify_each)
    }

    fn pipeline_error(&self, message: &str) -> Failure {
        // The message starts with the location in the pipeline text.
        Failure::Message(format!("cannot read the pipeline\n{message}"))
    }

    fn run_pipeline(
        &mut self,
        pipeline: &Pipeline,
        op: Operation,
        verify_each: bool,
    ) -> Result<(), Failure> {
        let passes = self.run.passes;
        let mut printing = passes.printing.clone().unwrap_or_default();
        let mut log = StreamLog {
            errors: &mut *self.streams.errors,
            show_diagnostics: self.run.settings.verify_diagnostics.is_none(),
            notes: self.run.settings.notes,
            form: self.run.settings.form,
        };
        let mut round_trip = RoundTrip::new(self.run.tool.dialects);
        let mut manager = PassManager::new(ManagerOptions { verify_each });
        if passes.verify_roundtrip_each {
            manager.observe(&mut round_trip);
        }
        if passes.timing.is_some() {
            manager.observe(&mut self.timing);
        }
        if printing.is_on() {
            manager.observe(&mut printing);
        }
        self.local = passes
            .local_reproducer
            .then(|| LocalReproduction::new(verify_each));
        if let Some(local) = &mut self.local {
            manager.observe(local);
        }
        *manager.remarks() = passes.remark_channel();
        *manager.control() = passes.control.clone();
        self.running = manager.running();
        let result = manager.run(&mut self.context, pipeline, op, &mut log);
        log.diagnostics(&mut self.context);
        if passes.print_counters {
            let report = manager.control().counters.report();
            log.write(&mut self.context, &report);
        }
        if let Some(display) = passes.statistics {
            let control = std::mem::take(manager.control());
            let report = manager.statistics().report(pipeline, &control, display);
            log.write(&mut self.context, &report);
        }
        if let Remarks::Yaml(text) = std::mem::take(manager.remarks()) {
            match &passes.remarks_file {
                None => log.write(&mut self.context, &text),
                Some(path) => std::fs::write(path, text).map_err(|error| {
                    let path = path.display();
                    Failure::Message(format!("cannot write remarks to '{path}': {error}"))
                })?,
            }
        }
        drop(manager);
        if printing.tree.as_ref().is_some_and(IrTree::has_failed) {
            return Err(Failure::Reported);
        }
        if !round_trip.problems.is_empty() {
            for problem in round_trip.problems {
                let location = op.location(&self.context);
                let message = format!("roundtrip failed {problem}");
                self.context.error(location, message);
            }
            return Err(Failure::Reported);
        }
        result.map_err(|_| Failure::Reported)
    }

    /// Prints in the output form and as bytecode, parses each, and compares in generic form.
    fn verify_roundtrip(&mut self, op: Operation) -> Result<(), Failure> {
        let custom = PrintFlags {
            debug_info: true,
            ..PrintFlags::default()
        };
        let text = print_to_string(&self.context, op, &custom).into_bytes();
        let bytes = write_bytecode(&mut self.context, op, &BytecodeOptions::default());
        let read_as = |bytes: Vec<u8>, form: &str| self.roundtrip_problem(op, bytes, form);
        let problem = read_as(text, "printed IR").or_else(|| match bytes {
            Ok(bytes) => read_as(bytes, "bytecode"),
            Err(error) => Some(format!("bytecode cannot be written: {}", error.message)),
        });
        let Some(problem) = problem else {
            return Ok(());
        };
        let location = op.location(&self.context);
        self.context
            .error(location, format!("roundtrip testing {problem}"));
        Err(Failure::Reported)
    }

    /// The round-trip error of the written form of an operation, if any.
    fn roundtrip_problem(&self, op: Operation, bytes: Vec<u8>, form: &str) -> Option<String> {
        let exact = PrintFlags {
            debug_info: true,
            ..PrintFlags::generic()
        };
        let before = print_to_string(&self.context, op, &exact);
        let (mut context, _) = new_context(self.run);
        let chunk = Chunk {
            text: bytes.into(),
            first_line: 1,
            first_column: 1,
        };
        let after = parse(self.run, &mut context, &Part::Chunk(chunk))
            .map(|op| print_to_string(&context, op, &exact))
            .ok();
        match after {
            Some(after) if after == before => None,
            Some(_) => Some(format!("roundtrip failed: {form} parses to other IR")),
            None => {
                let errors = context.diagnostics.take();
                let first = errors.first().map_or("", |error| error.message.as_str());
                Some(format!("could not be parsed: {first}"))
            }
        }
    }

    fn bytecode(&mut self, op: Operation) -> Result<Vec<u8>, Failure> {
        let settings = self.run.settings;
        let mut options = BytecodeOptions {
            elide_resources: settings.elide_resources,
            ..BytecodeOptions::default()
        };
        options.version = settings.bytecode_version.unwrap_or(options.version);
        write_bytecode(&mut self.context, op, &options).map_err(|error| {
            self.context.diagnostics.emit(*error);
            Failure::Reported
        })
    }

    fn print(&mut self, op: Operation) -> Result<(), Failure> {
        let settings = self.run.settings;
        if settings.emit_bytecode {
            let bytes = self.bytecode(op)?;
            self.streams.output.write_all(&bytes)?;
            self.streams.output.flush()?;
            return Ok(());
        }
        if settings.bytecode_version.is_some() {
            let message = "bytecode version while not emitting bytecode";
            self.context.error(Location::UNKNOWN, message);
            return Err(Failure::Reported);
        }
        let mut flags = settings.print.clone();
        // Custom forms are printed only for valid IR.
        let checked = settings.verify_parsed && self.run.passes.verify_each;
        if !checked && !settings.assume_verified {
            flags.generic |= orison_ir::verifier::verify(&self.context, op).is_err();
        }
        let output = &mut *self.streams.output;
        orison_ir::print(&self.context, op, &flags, output)?;
        // In this case mlir-opt ends its output with an empty line.
        if !flags.local_scope {
            writeln!(output)?;
        }
        output.flush()?;
        Ok(())
    }
}
