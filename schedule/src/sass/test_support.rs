//! Functions for tests, from lines such as `B0-----:R-:W1:-:S02 LDG.E R0, desc[UR4][R2.64]` and
//! labels such as `.L_x_0:`.

use std::fmt::Write;

use orison_sass::function::Function;
use orison_sass::listing;

/// The function of some lines.
pub(crate) fn function(target: &str, lines: &str) -> Function<'static> {
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
    let functions = listing.into_functions();
    let functions = functions.unwrap_or_else(|error| panic!("{error}"));
    functions.into_iter().next().expect("a function")
}

/// The listings of real code in the dialect's tests, with their names.
pub(crate) fn real_functions() -> Vec<(String, Function<'static>)> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../dialects/sass/tests/real");
    let entries = std::fs::read_dir(directory).expect("real listings");
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "sass"));
    files.sort();
    let mut functions = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a listing");
        let listing = listing::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let found = listing.into_functions();
        let found = found.unwrap_or_else(|error| panic!("{error}"));
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let found = found.into_iter();
        functions.extend(found.map(|function| (name.clone().into_owned(), function)));
    }
    functions
}

/// Pseudo-random numbers, the same in each run (xorshift).
pub(crate) struct Random(u64);

impl Random {
    /// Starts from a nonzero seed.
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }
}

/// Lines with about this many blocks and instructions, over few registers to cause conflicts: fixed
/// and variable latencies, wide operands, guards, uniform registers, jumps in both directions.
pub(crate) fn random_lines(random: &mut Random, blocks: usize, instructions: usize) -> String {
    let mut lines = String::new();
    for block in 0..blocks {
        writeln!(lines, ".L_x_{block}:").expect("a line");
        for _ in 0..instructions.div_ceil(blocks) {
            let guard = match random.below(18) {
                number @ 0..6 => format!("@P{number} "),
                _ => String::new(),
            };
            let text = random_instruction(random);
            writeln!(lines, "B------:R-:W-:-:S01 {guard}{text}").expect("a line");
        }
        if random.below(3) > 0 {
            let (predicate, to) = (random.below(6), random.below(blocks));
            writeln!(lines, "B------:R-:W-:-:S05 @P{predicate} BRA `(.L_x_{to})").expect("a line");
        }
    }
    lines.push_str("B------:R-:W-:-:S05 EXIT");
    lines
}

fn random_instruction(random: &mut Random) -> String {
    let mut any = || random.below(10);
    let (a, b, c) = (any(), any(), any());
    let (wide_a, wide_b) = (a / 2 * 2, b / 2 * 2);
    match random.below(14) {
        0 => format!("LDG.E R{a}, desc[UR4][R{wide_b}.64]"),
        1 => format!("LDS.64 R{wide_a}, [R{b}]"),
        2 => format!("STG.E desc[UR4][R{wide_b}.64], R{a}"),
        3 => format!("STS [R{b}], R{a}"),
        4 => format!("MUFU.RCP R{a}, R{b}"),
        5 => format!("ISETP.NE.AND P{}, PT, R{b}, RZ, PT", a % 6),
        6 => format!("IMAD.WIDE R{wide_a}, R{b}, R{c}, R{wide_b}"),
        7 => "UIADD3 UR6, UR4, 0x1, URZ".to_owned(),
        8 => format!("IADD3 R{a}, R{b}, UR6, RZ"),
        9 => format!("DFMA R{wide_a}, R{wide_b}, R{wide_a}, R{wide_b}"),
        10 => format!("S2R R{a}, SR_TID.X"),
        11 => format!("FADD R{a}, R{b}, R{c}"),
        12 => format!("IADD3 R{a}, R{b}, R{c}, RZ"),
        _ => format!("MOV R{a}, R{b}"),
    }
}
