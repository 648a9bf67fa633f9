//! The program `orison-filecheck`.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use orison_filecheck::tool::{Surroundings, main as run};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    let program = arguments
        .next()
        .unwrap_or_else(|| "orison-filecheck".to_owned());
    let program = Path::new(&program).file_name().map_or_else(
        || program.clone(),
        |name| name.to_string_lossy().into_owned(),
    );
    let arguments: Vec<String> = arguments.collect();
    let outcome = run(
        &arguments,
        &mut Surroundings {
            program: &program,
            environment_options: std::env::var("FILECHECK_OPTS").ok(),
            directory: Path::new(""),
            input: &mut io::stdin().lock(),
            color: AutoStream::choice(&io::stderr()) != ColorChoice::Never,
            bless: std::env::var_os("ORISON_BLESS").is_some_and(|value| value == "1"),
        },
    );
    // A closed pipe does not change the exit code.
    let _ = io::stdout().write_all(&outcome.stdout);
    if let Some(diff) = &outcome.blessed {
        let _ = io::stderr().write_all(diff.as_bytes());
    }
    let _ = io::stderr().write_all(&outcome.stderr);
    ExitCode::from(u8::try_from(outcome.code).unwrap_or(2))
}
