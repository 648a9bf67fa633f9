//! The `orison-translate` command line.

use std::io::{Read, Write};
use std::process::ExitCode;

use clap::{ArgGroup, Parser};
use orison_translate::ptx;

/// Translates between PTX and orison's dialects.
#[derive(Parser, Debug)]
#[command(name = "orison-translate", version)]
#[command(group(ArgGroup::new("translation").required(true)))]
struct Arguments {
    /// Read PTX and print it.
    #[arg(long = "ptx-to-ptx", group = "translation")]
    ptx_to_ptx: bool,
    /// The input file; standard input when it is `-` or absent.
    #[arg(default_value = "-")]
    input: String,
    /// Where the result goes.
    #[arg(short = 'o', default_value = "-")]
    output: String,
}

fn read(input: &str) -> std::io::Result<Vec<u8>> {
    if input != "-" {
        return std::fs::read(input);
    }
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn write(output: &str, text: &str) -> std::io::Result<()> {
    if output != "-" {
        return std::fs::write(output, text);
    }
    std::io::stdout().write_all(text.as_bytes())
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let name = match arguments.input.as_str() {
        "-" => "<stdin>",
        name => name,
    };
    let bytes = read(&arguments.input).map_err(|error| format!("{name}: error: {error}\n"))?;
    let text = ptx::check_utf8(&bytes).map_err(|error| error.render(name, ""))?;
    let module = ptx::parse(text).map_err(|error| error.render(name, text))?;
    write(&arguments.output, &module.to_string())
        .map_err(|error| format!("{}: error: {error}\n", arguments.output))
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprint!("{message}");
            ExitCode::FAILURE
        }
    }
}
