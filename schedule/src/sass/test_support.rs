//! Functions for tests, from lines such as `B0-----:R-:W1:-:S02 LDG.E R0, desc[UR4][R2.64]` and
//! labels such as `.L_x_0:`.

use std::fmt::Write;

use orison_sass::listing;
use orison_sass::program::{self, Function, Part};

/// The function of some lines.
pub(in crate::sass) fn function(target: &str, lines: &str) -> Function {
    let mut text = format!(".target {target}\n//---- .text.k ----\n.text.k:\n");
    let mut address = 0;
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.ends_with(':') {
            writeln!(text, "{line}").expect("a line");
            continue;
        }
        let (control, instruction) = line.split_once(' ').expect("a control word");
        writeln!(text, "/*{address:04x}*/ {instruction} ; /* {control} */").expect("a line");
        address += 16;
    }
    let listing = listing::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let program = program::build(&listing).unwrap_or_else(|error| panic!("{error}"));
    let function = program.parts.into_iter().find_map(|part| match part {
        Part::Function(function) => Some(function),
        Part::Section(_) => None,
    });
    function.expect("a function")
}

/// The listings of real code that the dialect's tests have, with their names.
pub(in crate::sass) fn real_functions() -> Vec<(String, Function)> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../dialects/sass/tests/real");
    let entries = std::fs::read_dir(directory).expect("real listings");
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "sass"));
    files.sort();
    let mut functions = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a listing");
        let listing = listing::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let program = program::build(&listing).unwrap_or_else(|error| panic!("{error}"));
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let found = program.functions().cloned();
        functions.extend(found.map(|function| (name.clone().into_owned(), function)));
    }
    functions
}
