//! Running lines.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::Instant;

use super::builtins::{self, Builtin};
use super::{Command, Environment, Line, Pipeline, STACK, Word, glob, process};
use crate::lit::tools::{Call, Resolved, Tools};
use crate::tool::{Outcome, reason};

/// The exit code of a command that could not be run.
const NOT_RUN: i32 = 127;

/// State that does not change while a test runs.
pub(crate) struct Shell<'s> {
    pub(crate) tools: &'s Tools,
    pub(crate) deadline: Option<Instant>,
}

/// The outcome of a command.
#[derive(Clone, Debug)]
pub(crate) struct CommandResult {
    /// The words of the command as written.
    pub(crate) words: Vec<String>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) code: i32,
    pub(crate) timed_out: bool,
    /// Files a failed command wrote by redirection, with their contents.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

/// Why a line could not be run.
#[derive(Debug)]
pub(crate) enum ShellError {
    /// A command is invalid; it fails with 127.
    Command(Vec<String>, String),
    /// The whole test is invalid.
    Fatal(String),
}

type Result<T> = std::result::Result<T, ShellError>;

/// Runs a line. Operators apply from left to right.
pub(crate) fn run(
    shell: &Shell<'_>,
    line: &Line,
    environment: &mut Environment,
    results: &mut Vec<CommandResult>,
) -> std::result::Result<i32, String> {
    let mut run_one = |pipeline: &Pipeline, environment: &mut Environment| match run_pipeline(
        shell,
        pipeline,
        environment,
        results,
    ) {
        Ok(code) => Ok((code, false)),
        Err(ShellError::Fatal(message)) => Err(message),
        Err(ShellError::Command(words, message)) => {
            results.push(CommandResult {
                words,
                stdout: Vec::new(),
                stderr: message.into_bytes(),
                code: NOT_RUN,
                timed_out: false,
                files: Vec::new(),
            });
            Ok((NOT_RUN, true))
        }
    };
    let (mut code, mut ends) = run_one(&line.first, environment)?;
    for (operator, pipeline) in &line.rest {
        // A command that could not be run ends the line, whatever follows it.
        if ends
            || shell
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
        {
            break;
        }
        let runs = match *operator {
            "&&" => code == 0,
            "||" => code != 0,
            ";" => true,
            other => return Err(format!("unsupported shell operator: '{other}'")),
        };
        if runs {
            (code, ends) = run_one(pipeline, environment)?;
        }
    }
    Ok(code)
}

/// The source of a command's input.
enum Input {
    Empty,
    Pipe(PipeReader),
    File(File),
}

/// The destination of a command's output.
enum Output {
    Capture,
    Pipe(PipeWriter),
    File(File),
    /// Error output that goes to the same destination as standard output.
    SameAsStdout,
}

/// How the exit code of a command is interpreted.
#[derive(Clone, Copy, Default)]
struct Negation {
    count: usize,
    /// A single `not`: a crash is then a failure.
    is_plain_not: bool,
    /// Which `not`s have `--crash`, for which only a crash is a success: bit 0 is the first.
    wants_crash: u64,
}

impl Negation {
    fn apply(self, code: i32) -> i32 {
        if self.wants_crash != 0 {
            // Each `not` acts as a separate program; the last one runs the command.
            let wants_crash = |place: usize| place < 64 && self.wants_crash >> place & 1 == 1;
            return (0..self.count).rev().fold(code, |code, place| {
                i32::from(if wants_crash(place) {
                    code >= 0
                } else {
                    code <= 0
                })
            });
        }
        match (self.count % 2, self.is_plain_not) {
            (1, true) => i32::from(code <= 0),
            (1, false) => i32::from(code == 0),
            _ if self.count > 1 => i32::from(code != 0),
            _ => code,
        }
    }
}

/// A command that is ready to start.
struct Prepared {
    words: Vec<String>,
    arguments: Vec<String>,
    environment: Environment,
    program: Program,
    negation: Negation,
    input: Input,
    stdout: Output,
    stderr: Output,
    written: Vec<(String, PathBuf)>,
}

enum Program {
    Builtin(Builtin),
    Tool(Resolved),
}

fn shown(command: &Command) -> Vec<String> {
    command.words.iter().map(|word| word.text.clone()).collect()
}

fn run_pipeline(
    shell: &Shell<'_>,
    pipeline: &Pipeline,
    environment: &mut Environment,
    results: &mut Vec<CommandResult>,
) -> Result<i32> {
    if let [command] = pipeline.as_slice()
        && let Some(code) = run_in_shell(command, environment, results)?
    {
        return Ok(code);
    }
    let mut prepared = Vec::with_capacity(pipeline.len());
    let mut next_input = Input::Empty;
    for (index, command) in pipeline.iter().enumerate() {
        let is_last = index + 1 == pipeline.len();
        let mut one = prepare(shell, command, environment)?;
        one.input = redirect_input(&one, command, next_input)?;
        next_input = redirect_output(&mut one, command, is_last)?;
        prepared.push(one);
    }
    let stages = run_stages(shell, prepared);
    let mut code = 0;
    for stage in stages {
        if stage.code != 0 {
            code = stage.code;
        }
        results.push(stage);
    }
    Ok(code)
}

/// Strips leading `env`, `not` and `!`.
fn strip_prefixes(
    command: &Command,
    environment: &mut Environment,
) -> Result<(Vec<Word>, Negation, bool)> {
    let fail = |message: &str| Err(ShellError::Command(shown(command), message.to_owned()));
    let mut words = command.words.clone();
    let mut negation = Negation::default();
    let mut negations = Vec::new();
    let mut has_env = false;
    loop {
        match words[0].text.as_str() {
            "env" => {
                has_env = true;
                let used = builtins::update_environment(environment, &words);
                words.drain(..used);
                if words.is_empty() {
                    return Ok((words, negation, has_env));
                }
            }
            name @ ("not" | "!") => {
                negations.push(name.to_owned());
                words.remove(0);
                let place = u32::try_from(negation.count).unwrap_or(u32::MAX);
                negation.count += 1;
                if name_is_crash(&words) && negations.last().is_some_and(|last| last == "not") {
                    words.remove(0);
                    negation.wants_crash |= 1_u64.checked_shl(place).unwrap_or(0);
                }
                if words.is_empty() {
                    let name = &negations[negations.len() - 1];
                    return fail(&format!("Error: '{name}' requires a subcommand"));
                }
            }
            _ => break,
        }
    }
    negation.is_plain_not = negations == ["not"];
    Ok((words, negation, has_env))
}

fn name_is_crash(words: &[Word]) -> bool {
    words.first().is_some_and(|word| word.text == "--crash")
}

/// Runs commands that change the state of the shell or only report it. `None` for other commands.
fn run_in_shell(
    command: &Command,
    environment: &mut Environment,
    results: &mut Vec<CommandResult>,
) -> Result<Option<i32>> {
    let mut scratch = environment.clone();
    let (words, negation, has_env) = strip_prefixes(command, &mut scratch)?;
    let error = |message: String| ShellError::Command(shown(command), message);
    let fail = |message: String| Err(error(message));
    let Some(first) = words.first() else {
        let mut stdout = String::new();
        for (name, value) in &scratch.variables {
            stdout.push_str(&format!("{name}={value}\n"));
        }
        results.push(finished(command, 0, stdout.into_bytes(), Vec::new()));
        return Ok(Some(0));
    };
    let name = first.text.as_str();
    if !builtins::IN_SHELL.contains(&name) {
        return Ok(None);
    }
    if has_env {
        return fail(format!("Error: 'env' cannot call '{name}'"));
    }
    if negation.wants_crash != 0 {
        return fail(format!("Error: 'not --crash' cannot call '{name}'"));
    }
    let mut arguments = Vec::new();
    for word in &words[1..] {
        if word.is_glob && matches!(name, "mkdir" | "rm") {
            arguments.extend(glob::expand(&word.text, &environment.directory));
        } else {
            arguments.push(word.text.clone());
        }
    }
    let (code, stderr) = builtins::run_in_shell(name, &arguments, environment).map_err(error)?;
    let code = if negation.count % 2 == 1 {
        i32::from(code == 0)
    } else {
        code
    };
    results.push(finished(command, code, Vec::new(), stderr.into_bytes()));
    Ok(Some(code))
}

fn finished(command: &Command, code: i32, stdout: Vec<u8>, stderr: Vec<u8>) -> CommandResult {
    CommandResult {
        words: shown(command),
        stdout,
        stderr,
        code,
        timed_out: false,
        files: Vec::new(),
    }
}

fn prepare(shell: &Shell<'_>, command: &Command, environment: &Environment) -> Result<Prepared> {
    let error = |message: String| ShellError::Command(shown(command), message);
    let fail = |message: String| Err(error(message));
    let mut environment = environment.clone();
    let (words, negation, _) = strip_prefixes(command, &mut environment)?;
    let Some((first, rest)) = words.split_first() else {
        return fail("Unsupported: 'env' without a command cannot be part of a pipeline".into());
    };
    let mut arguments = Vec::new();
    for word in rest {
        let text = builtins::read_files(&word.text, &environment.directory).map_err(error)?;
        if word.is_glob {
            arguments.extend(glob::expand(&text, &environment.directory));
        } else {
            arguments.push(text);
        }
    }
    let name = if first.is_glob {
        glob::expand(&first.text, &environment.directory).swap_remove(0)
    } else {
        first.text.clone()
    };
    if builtins::IN_SHELL.contains(&name.as_str()) {
        return fail(format!(
            "Unsupported: '{name}' cannot be part of a pipeline"
        ));
    }
    let program = match shell
        .tools
        .resolve(&name, &environment.variables, &environment.directory)
    {
        Some(tool) => Program::Tool(tool),
        None => match Builtin::named(&name) {
            Some(builtin) => Program::Builtin(builtin),
            None => return fail(format!("'{name}': command not found")),
        },
    };
    Ok(Prepared {
        words: shown(command),
        arguments,
        environment,
        program,
        negation,
        input: Input::Empty,
        stdout: Output::Capture,
        stderr: Output::Capture,
        written: Vec::new(),
    })
}

/// Resolves the file name of a redirection.
fn target(prepared: &Prepared, word: &Word) -> Result<(String, PathBuf)> {
    let mut names = if word.is_glob {
        glob::expand(&word.text, &prepared.environment.directory)
    } else {
        vec![word.text.clone()]
    };
    if names.len() != 1 {
        let message = "Unsupported: glob in redirect expanded to multiple files".to_owned();
        return Err(ShellError::Command(prepared.words.clone(), message));
    }
    let name = names.swap_remove(0);
    let path = prepared.environment.directory.join(&name);
    Ok((name, path))
}

fn redirect_input(prepared: &Prepared, command: &Command, piped: Input) -> Result<Input> {
    let mut input = piped;
    for redirection in &command.redirections {
        if redirection.operator != "<" || redirection.descriptor.is_some() {
            continue;
        }
        let (name, path) = target(prepared, &redirection.target)?;
        let file = File::open(&path).map_err(|error| {
            ShellError::Fatal(format!(
                "cannot open '{name}' for input: {}",
                reason(&error)
            ))
        })?;
        input = Input::File(file);
    }
    Ok(input)
}

/// The destination of an output, before files are opened.
#[derive(Clone, PartialEq, Eq)]
enum Place {
    /// The pipe, or the capture at the end of the pipeline.
    Default,
    Stderr,
    File {
        index: usize,
    },
}

/// The destinations of both outputs, and the files among them: word, and whether to append.
struct Places {
    stdout: Place,
    stderr: Place,
    files: Vec<(Word, bool)>,
}

fn places(prepared: &Prepared, command: &Command) -> Result<Places> {
    let mut places = Places {
        stdout: Place::Default,
        stderr: Place::Stderr,
        files: Vec::new(),
    };
    for redirection in &command.redirections {
        let target = &redirection.target;
        let new_file = Place::File {
            index: places.files.len(),
        };
        match (redirection.operator, redirection.descriptor) {
            ("<", None) => continue,
            (">&", Some(2)) if target.text == "1" => {
                places.stderr = places.stdout.clone();
                continue;
            }
            (">&", Some(2)) if target.text == "2" => continue,
            (">&", Some(2)) if target.text == "0" => {
                return unsupported(prepared, redirection.operator);
            }
            (">" | ">>", None | Some(1)) => places.stdout = new_file,
            (">" | ">>", Some(2)) => places.stderr = new_file,
            (">&" | "&>", None) => {
                places.stdout = new_file.clone();
                places.stderr = new_file;
            }
            _ => return unsupported(prepared, redirection.operator),
        }
        let appends = redirection.operator == ">>";
        places.files.push((target.clone(), appends));
    }
    Ok(places)
}

/// Opens the files of redirections.
fn open(prepared: &mut Prepared, files: &[(Word, bool)]) -> Result<Vec<File>> {
    let mut opened = Vec::new();
    for (word, appends) in files {
        let (name, path) = target(prepared, word)?;
        let mut how = File::options();
        how.create(true)
            .write(true)
            .append(*appends)
            .truncate(!appends);
        let file = how.open(&path).map_err(|error| {
            ShellError::Fatal(format!(
                "cannot open '{name}' for output: {}",
                reason(&error)
            ))
        })?;
        prepared.written.push((name, path));
        opened.push(file);
    }
    Ok(opened)
}

/// Sets up the outputs and returns what the next command reads.
fn redirect_output(prepared: &mut Prepared, command: &Command, is_last: bool) -> Result<Input> {
    let Places {
        stdout,
        stderr,
        files,
    } = places(prepared, command)?;
    let opened = open(prepared, &files)?;
    let fatal = |error: io::Error| ShellError::Fatal(format!("cannot connect: {error}"));
    let mut pipe = None;
    let mut next = Input::Empty;
    if !is_last {
        let (reader, writer) = io::pipe().map_err(fatal)?;
        pipe = Some(writer);
        next = Input::Pipe(reader);
    }
    let output = |place: &Place| -> io::Result<Output> {
        Ok(match place {
            Place::Default => match &pipe {
                Some(writer) => Output::Pipe(writer.try_clone()?),
                None => Output::Capture,
            },
            Place::Stderr => Output::Capture,
            Place::File { index } => Output::File(opened[*index].try_clone()?),
        })
    };
    prepared.stdout = output(&stdout).map_err(fatal)?;
    prepared.stderr = if stderr == Place::Default && stdout == Place::Default {
        Output::SameAsStdout
    } else {
        output(&stderr).map_err(fatal)?
    };
    Ok(next)
}

fn unsupported<T>(prepared: &Prepared, operator: &str) -> Result<T> {
    let message = format!("Unsupported redirect: '{operator}'");
    Err(ShellError::Command(prepared.words.clone(), message))
}

/// A started command.
enum Stage<'scope> {
    Process {
        child: Child,
        stdout: Option<Receiver<Vec<u8>>>,
        stderr: Option<Receiver<Vec<u8>>>,
    },
    Thread(thread::ScopedJoinHandle<'scope, Outcome>),
    Done(Outcome),
}

/// The remaining work when a stage has ended.
struct Ending {
    words: Vec<String>,
    negation: Negation,
    written: Vec<(String, PathBuf)>,
}

fn run_stages(shell: &Shell<'_>, prepared: Vec<Prepared>) -> Vec<CommandResult> {
    let is_single = prepared.len() == 1;
    thread::scope(|scope| {
        let mut stages = Vec::new();
        for mut one in prepared {
            let ending = Ending {
                words: std::mem::take(&mut one.words),
                negation: one.negation,
                written: std::mem::take(&mut one.written),
            };
            let stage = match &one.program {
                Program::Tool(Resolved::Path(path)) => {
                    let path = path.clone();
                    start(shell, &path, one)
                }
                // No other stage could be waiting for it.
                _ if is_single => Stage::Done(run_here(shell, one)),
                _ => match thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || run_here(shell, one))
                {
                    Ok(handle) => Stage::Thread(handle),
                    Err(error) => Stage::Done(Outcome {
                        code: NOT_RUN,
                        stderr: format!("cannot start a thread: {error}").into_bytes(),
                        ..Outcome::default()
                    }),
                },
            };
            stages.push((ending, stage));
        }
        stages
            .into_iter()
            .map(|(ending, stage)| finish(shell, ending, stage))
            .collect()
    })
}

/// Starts a program.
fn start<'scope>(shell: &Shell<'_>, path: &Path, one: Prepared) -> Stage<'scope> {
    let mut command = one.environment.limits.command(path);
    command.args(&one.arguments);
    command.current_dir(&one.environment.directory);
    command.env_clear().envs(&one.environment.variables);
    if shell.deadline.is_some() {
        process::make_group(&mut command);
    }
    command.stdin(match one.input {
        Input::Empty => Stdio::null(),
        Input::Pipe(reader) => Stdio::from(reader),
        Input::File(file) => Stdio::from(file),
    });
    let merged = connect(&mut command, one.stdout, one.stderr);
    let spawned = command.spawn();
    // Pipe ends still held by the command would block readers.
    drop(command);
    match spawned {
        Ok(mut child) => {
            let stdout = match merged {
                Some(reader) => Some(process::collect(reader)),
                None => child.stdout.take().map(process::collect),
            };
            let stderr = child.stderr.take().map(process::collect);
            Stage::Process {
                child,
                stdout,
                stderr,
            }
        }
        Err(error) => {
            let (path, reason) = (path.display(), reason(&error));
            let message = format!("Could not create process ({path}) due to {reason}");
            Stage::Done(Outcome {
                code: NOT_RUN,
                stderr: message.into_bytes(),
                ..Outcome::default()
            })
        }
    }
}

/// Connects the outputs. If both are captured together, returns the end to read from.
fn connect(
    command: &mut std::process::Command,
    stdout: Output,
    stderr: Output,
) -> Option<PipeReader> {
    match (stdout, stderr) {
        (Output::Capture, Output::SameAsStdout) => {
            if let Ok((reader, writer)) = io::pipe()
                && let Ok(copy) = writer.try_clone()
            {
                command.stdout(writer).stderr(copy);
                return Some(reader);
            }
        }
        (Output::Pipe(writer), Output::SameAsStdout) => {
            if let Ok(copy) = writer.try_clone() {
                command.stderr(copy);
            }
            command.stdout(writer);
        }
        (stdout, stderr) => {
            command.stdout(stdio(stdout));
            command.stderr(stdio(stderr));
        }
    }
    None
}

fn stdio(output: Output) -> Stdio {
    match output {
        Output::Capture | Output::SameAsStdout => Stdio::piped(),
        Output::Pipe(writer) => Stdio::from(writer),
        Output::File(file) => Stdio::from(file),
    }
}

/// Runs a builtin or an in-process tool.
fn run_here(shell: &Shell<'_>, one: Prepared) -> Outcome {
    let mut input: Box<dyn Read> = match one.input {
        Input::Empty => Box::new(io::empty()),
        Input::Pipe(reader) => Box::new(reader),
        Input::File(file) => Box::new(file),
    };
    let mut call = Call {
        arguments: &one.arguments,
        directory: &one.environment.directory,
        environment: &one.environment.variables,
        input: &mut *input,
        stdout: Vec::new(),
        stderr: Vec::new(),
    };
    let code = match &one.program {
        Program::Builtin(builtin) => builtin.run(shell.tools, &mut call),
        Program::Tool(Resolved::Function(function)) => {
            crate::lit::tools::call_function(function, &mut call)
        }
        // Programs are started elsewhere.
        Program::Tool(Resolved::Path(_)) => NOT_RUN,
    };
    let Call { stdout, stderr, .. } = call;
    // A writer must not fail because this command did not read all its input.
    let _ = io::copy(&mut input, &mut io::sink());
    deliver(
        one.stdout,
        one.stderr,
        Outcome {
            code,
            stdout,
            stderr,
            blessed: None,
        },
    )
}

/// Writes output to its destination; captured output stays in the outcome.
fn deliver(stdout: Output, stderr: Output, mut outcome: Outcome) -> Outcome {
    if matches!(stderr, Output::SameAsStdout) {
        let text = std::mem::take(&mut outcome.stderr);
        outcome.stdout.extend(text);
    }
    let write = |output: Output, bytes: &mut Vec<u8>| {
        // An error means that the reader has ended; the reader has its own exit code.
        let result = match output {
            Output::Capture | Output::SameAsStdout => return,
            Output::Pipe(mut writer) => writer.write_all(bytes),
            Output::File(mut file) => file.write_all(bytes),
        };
        let _ = result;
        bytes.clear();
    };
    write(stdout, &mut outcome.stdout);
    write(stderr, &mut outcome.stderr);
    outcome
}

fn finish(shell: &Shell<'_>, ending: Ending, stage: Stage<'_>) -> CommandResult {
    let (outcome, timed_out) = wait(shell, stage);
    let code = if outcome.code == NOT_RUN && timed_out {
        NOT_RUN
    } else {
        ending.negation.apply(outcome.code)
    };
    let files = if code == 0 {
        Vec::new()
    } else {
        ending
            .written
            .into_iter()
            .filter_map(|(name, path)| Some((name, std::fs::read(path).ok()?)))
            .collect()
    };
    CommandResult {
        words: ending.words,
        stdout: outcome.stdout,
        stderr: outcome.stderr,
        code,
        timed_out,
        files,
    }
}

/// Waits for the end of a stage, or for the deadline; returns whether the deadline passed.
fn wait(shell: &Shell<'_>, stage: Stage<'_>) -> (Outcome, bool) {
    let (mut child, stdout, stderr) = match stage {
        Stage::Done(outcome) => return (outcome, false),
        Stage::Thread(handle) => {
            let outcome = handle.join().unwrap_or_else(|_| Outcome {
                code: 101,
                stderr: b"the command panicked".to_vec(),
                ..Outcome::default()
            });
            return (outcome, false);
        }
        Stage::Process {
            child,
            stdout,
            stderr,
        } => (child, stdout, stderr),
    };
    let mut timed_out = false;
    let code = match process::wait(&mut child, shell.deadline) {
        Ok(Some(status)) => process::exit_code(status),
        Ok(None) => {
            timed_out = true;
            process::kill(&mut child);
            child.wait().map_or(-9, process::exit_code)
        }
        Err(_) => NOT_RUN,
    };
    let read = |receiver: Option<Receiver<Vec<u8>>>| {
        receiver.map_or_else(Vec::new, |receiver| process::received(&receiver, timed_out))
    };
    let outcome = Outcome {
        code,
        stdout: read(stdout),
        stderr: read(stderr),
        blessed: None,
    };
    (outcome, timed_out)
}
