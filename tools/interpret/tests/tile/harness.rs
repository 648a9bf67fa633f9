//! Programs as text, passes on them, and their runs.

use orison_interpret::Interpreter;
use orison_interpret::tile::kernel::{Inputs, Interleavings, Kernel, Launch, compare};
use orison_interpret::tile::memory::Memory;
use orison_ir::pass::PassRegistry;
use orison_ir::{PrintFlags, print_to_string};

use crate::common;
pub use crate::common::Module as Program;

/// Test operations on a module.
impl Program {
    /// Parses and verifies a text.
    pub fn parse(name: &str, text: &str) -> Result<Program, String> {
        let mut context = common::context();
        context.allow_unregistered_dialects(true);
        common::parse_in(context, name, text)
    }

    /// Runs passes on it and verifies the result.
    pub fn transformed(mut self, pipeline: &str) -> Result<Program, String> {
        let mut registry = PassRegistry::default();
        orison_opt::registry::register_all_passes(&mut registry);
        let pipeline = registry
            .parse_pipeline(pipeline)
            .map_err(|error| format!("{error:?}"))?;
        common::transform(&mut self, &pipeline)?;
        Ok(self)
    }

    pub fn text(&self) -> String {
        print_to_string(&self.context, self.operation, &PrintFlags::default())
    }

    /// An interpreter of it.
    pub fn interpreter(&self) -> Interpreter<'_> {
        let mut interpreter = Interpreter::with_host_dialects(&self.context, self.operation);
        orison_interpret::tile::register(&mut interpreter);
        interpreter
    }

    /// Runs a function in one order.
    pub fn run(&self, function: &str, launch: &Launch, seed: u64) -> Result<Memory, String> {
        let interpreter = self.interpreter();
        let kernel = Kernel {
            interpreter: &interpreter,
            function,
        };
        let inputs = Inputs::new(&interpreter, function, launch);
        let memory = inputs.and_then(|inputs| kernel.run(&inputs, launch, seed));
        memory
            .map(|(memory, _)| memory)
            .map_err(|failure| failure.render(&self.context))
    }

    /// Runs a function in many orders and compares the memory with the expected one.
    pub fn interleave(
        &self,
        function: &str,
        launch: &Launch,
        expected: &Memory,
        runs: u64,
    ) -> Result<Interleavings, String> {
        let interpreter = self.interpreter();
        let kernel = Kernel {
            interpreter: &interpreter,
            function,
        };
        let inputs = Inputs::new(&interpreter, function, launch)
            .map_err(|failure| failure.render(&self.context))?;
        let found = compare(&kernel, &inputs, launch, expected, runs);
        found.map_err(|(seed, failure)| format!("seed {seed}: {}", failure.render(&self.context)))
    }
}

/// A text with the extents of its tiles divided. Extents are the numbers before an `x` in a type,
/// and those of the box of an atom; they do not become smaller than `least`, and extents of 1 are
/// kept.
pub fn shrunk(text: &str, divisor: u64, least: u64) -> String {
    let mut result = String::new();
    for line in text.lines() {
        let comment = line.trim_start().starts_with("//");
        result.push_str(&if comment {
            line.to_owned()
        } else {
            shrunk_line(line, divisor, least)
        });
        result.push('\n');
    }
    result
}

fn shrunk_line(line: &str, divisor: u64, least: u64) -> String {
    let bytes = line.as_bytes();
    let mut result = String::new();
    let mut at = 0;
    // Whether the position is in the list of a box.
    let mut in_box = false;
    while at < bytes.len() {
        if line[at..].starts_with("box = [") {
            in_box = true;
        } else if bytes[at] == b']' {
            in_box = false;
        }
        let digits = line[at..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            let character = line[at..].chars().next().expect("inside the line");
            result.push(character);
            at += character.len_utf8();
            continue;
        }
        let number: u64 = line[at..at + digits].parse().expect("digits");
        let starts = at == 0 || matches!(bytes[at - 1], b'<' | b'x' | b' ' | b'[');
        let is_extent = starts && bytes.get(at + digits) == Some(&b'x');
        if (is_extent || in_box) && number > 1 {
            result.push_str(&(number / divisor).max(least.min(number)).to_string());
        } else {
            result.push_str(&line[at..at + digits]);
        }
        at += digits;
    }
    result
}

#[test]
fn extents_shrink_and_other_numbers_stay() {
    let line =
        "  %a = load {box = [128, 64], mem = \"m64n128k16\"} : tensor<128x64xf16> -> 256 [1, 1]";
    let expected =
        "  %a = load {box = [16, 8], mem = \"m64n128k16\"} : tensor<16x8xf16> -> 256 [1, 1]";
    assert_eq!(shrunk_line(line, 8, 8), expected);
    assert_eq!(
        shrunk_line("memref<?x?xf16> tensor<1x64xi8>", 8, 16),
        "memref<?x?xf16> tensor<1x16xi8>"
    );
}
