//! Replaces the control words of instructions, one at a time, and reports whether the simulator
//! detects the change: `inject_faults <list>`.
//!
//! A line of the list is a listing, a function, the address of an instruction in hexadecimal, and
//! the 21 bits of its new control word, separated by tabs. The output repeats the line and adds the
//! number of hazards. Lines of one listing must be adjacent.

use std::process::ExitCode;

use orison_sass::control::{ControlLayout, Inline21};
use orison_sass::function::Function;
use orison_sass::listing;
use orison_schedule::sass::facts::FunctionFacts;
use orison_schedule::sass::latency::LatencyModel;
use orison_schedule::sass::simulate::hazards;

fn main() -> ExitCode {
    let Some(list) = std::env::args().nth(1) else {
        eprintln!("usage: inject_faults <list>");
        return ExitCode::FAILURE;
    };
    match run(&list) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(list: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(list).map_err(|error| format!("{list}: error: {error}"))?;
    let mut loaded: Option<(String, Vec<Function<'static>>)> = None;
    for (number, line) in text.lines().enumerate() {
        let mut fields = line.split('\t');
        let mut field = || {
            fields
                .next()
                .ok_or_else(|| format!("{list}:{}: error: expected more fields", number + 1))
        };
        let (file, function, address, bits) = (field()?, field()?, field()?, field()?);
        if loaded.as_ref().is_none_or(|(name, _)| name != file) {
            loaded = Some((file.to_owned(), load(file)?));
        }
        let Some((_, functions)) = &loaded else {
            continue;
        };
        let wrong = |what: &str| format!("{list}:{}: error: {what}", number + 1);
        let address = u64::from_str_radix(address, 16).map_err(|_| wrong("no address"))?;
        let bits = bits.parse().map_err(|_| wrong("no control word"))?;
        let found = count(functions, function, address, bits)
            .ok_or_else(|| wrong("no such instruction"))?;
        println!("{line}\t{found}");
    }
    Ok(())
}

fn load(file: &str) -> Result<Vec<Function<'static>>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: error: {error}"))?;
    let listing = listing::parse(&text).map_err(|error| format!("{file}:{error}"))?;
    listing
        .into_functions()
        .map_err(|error| format!("{file}:{error}"))
}

/// The number of hazards with another control word at an address.
fn count(functions: &[Function<'_>], name: &str, address: u64, bits: u32) -> Option<usize> {
    let mut function = functions.iter().find(|found| &*found.name == name)?.clone();
    let model = LatencyModel::for_target(&function.target)?;
    let place = function
        .instructions()
        .position(|found| found.address == address)?;
    function.instructions_mut().nth(place)?.control = Inline21.decode(bits).ok()?;
    let facts = FunctionFacts::new(&function, model);
    Some(hazards(&function, &facts, model).len())
}
