//! Large modules in generic form, the same on every machine.

use std::io::{self, Write};

/// A generator of pseudo-random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((word ^ (word >> 31)) % limit as u64).unwrap_or(0)
    }

    /// One of the last 40 created values.
    fn recent<'v>(&mut self, values: &'v [String]) -> &'v str {
        let window = values.len().min(40);
        &values[values.len() - 1 - self.below(window)]
    }
}

/// The attributes of a module's operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attributes {
    /// A few dictionaries used repeatedly, as in compiler output.
    Repeated,
    /// A unique discardable attribute on every operation.
    Distinct,
}

impl Attributes {
    /// The additional entries of the operation at this position in its function.
    fn entries(self, function: usize, step: usize) -> String {
        match self {
            Attributes::Repeated => String::new(),
            Attributes::Distinct => format!("id = \"{function}.{step}\""),
        }
    }

    /// The same as a separate dictionary.
    fn dictionary(self, function: usize, step: usize) -> String {
        match self {
            Attributes::Repeated => String::new(),
            Attributes::Distinct => format!(" {{{}}}", self.entries(function, step)),
        }
    }
}

/// Writes a module with a given number of operations in its functions, 200 to 2000 in each. Of
/// 20 operations 3 are constants, 8 integer and 5 float arithmetic, 2 loads of an unknown dialect
/// with attributes, 2 regions of that dialect with two operations inside.
///
/// # Errors
/// If writing fails.
pub(crate) fn module(
    operations: usize,
    attributes: Attributes,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut random = Random(7);
    writeln!(out, "\"builtin.module\"() ({{")?;
    let mut left = operations;
    let mut number = 0;
    while left > 0 {
        let size = left.min(200 + random.below(1_801));
        function(&mut random, number, size, attributes, out)?;
        left -= size;
        number += 1;
    }
    writeln!(out, "}}) : () -> ()")
}

fn function(
    random: &mut Random,
    number: usize,
    size: usize,
    attributes: Attributes,
    out: &mut dyn Write,
) -> io::Result<()> {
    let ty = "(i32, f32, index) -> i32";
    writeln!(
        out,
        "  \"func.func\"() <{{function_type = {ty}, sym_name = \"kernel{number}\"}}> ({{\n  \
         ^bb0(%x: i32, %y: f32, %n: index):"
    )?;
    let mut integers = vec!["%x".to_owned()];
    let mut floats = vec!["%y".to_owned()];
    for step in 0..size {
        let own = attributes.dictionary(number, step);
        match random.below(20) {
            0..=2 => constant(random, step, &own, &mut integers, out)?,
            3..=10 => {
                let flags = "overflowFlags = #arith.overflow<none>";
                let names = ["addi", "subi", "muli"];
                arithmetic(
                    random,
                    &format!("%i{step}"),
                    names,
                    &format!("<{{{flags}}}>{own}"),
                    "i32",
                    &integers,
                    out,
                )?;
                integers.push(format!("%i{step}"));
            }
            11..=15 => {
                let flags = "fastmath = #arith.fastmath<none>";
                let names = ["addf", "subf", "mulf"];
                arithmetic(
                    random,
                    &format!("%f{step}"),
                    names,
                    &format!("<{{{flags}}}>{own}"),
                    "f32",
                    &floats,
                    out,
                )?;
                floats.push(format!("%f{step}"));
            }
            16..=17 => load(
                random,
                step,
                &attributes.entries(number, step),
                &integers,
                out,
            )?,
            _ => region(random, step, &own, &mut integers, out)?,
        }
    }
    let last = integers.last().map_or("%x", String::as_str);
    writeln!(
        out,
        "    \"func.return\"({last}) : (i32) -> ()\n  }}) : () -> ()"
    )
}

fn constant(
    random: &mut Random,
    step: usize,
    own: &str,
    integers: &mut Vec<String>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (sign, value) = (["", "-"][random.below(2)], 1 + random.below(9_999));
    integers.push(format!("%c{step}"));
    writeln!(
        out,
        "    %c{step} = \"arith.constant\"() <{{value = {sign}{value} : i32}}>{own} : () -> i32"
    )
}

fn arithmetic(
    random: &mut Random,
    result: &str,
    names: [&str; 3],
    attributes: &str,
    ty: &str,
    values: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    let (a, b) = (random.recent(values), random.recent(values));
    let name = names[random.below(names.len())];
    writeln!(
        out,
        "    {result} = \"arith.{name}\"({a}, {b}) {attributes} : ({ty}, {ty}) -> {ty}"
    )
}

fn load(
    random: &mut Random,
    step: usize,
    own: &str,
    integers: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    let (place, stage) = (random.recent(integers), random.below(4));
    let separator = if own.is_empty() { "" } else { ", " };
    let attributes = format!(
        "atom = \"bulk\", box = array<i64: 128, 64>, stage = {stage} : i32{separator}{own}"
    );
    writeln!(
        out,
        "    %t{step} = \"tile.load\"({place}) {{{attributes}}} : (i32) -> tensor<128x64xf16>"
    )
}

fn region(
    random: &mut Random,
    step: usize,
    own: &str,
    integers: &mut Vec<String>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let value = random.recent(integers).to_owned();
    integers.push(format!("%r{step}"));
    let flags = "overflowFlags = #arith.overflow<none>";
    writeln!(
        out,
        "    %r{step} = \"tile.apply\"({value}) ({{\n    ^bb0(%e: i32):\n      \
         %s = \"arith.addi\"(%e, {value}) <{{{flags}}}> : (i32, i32) -> i32\n      \
         \"tile.yield\"(%s) : (i32) -> ()\n    }}){own} : (i32) -> i32"
    )
}
