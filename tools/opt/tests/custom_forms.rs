//! Mutation of texts in custom form, most of which remain well-formed: names are moved before their
//! definitions, lines and regions are dropped, duplicated and swapped. Each must result in an error
//! with a location or in IR whose custom form reads back the same, never in a panic.

use std::fs;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use orison_ir::{
    Context, Diagnostic, Operation, ParseError, PrintFlags, Source, parse_source, print_to_string,
};
use orison_opt::registry::register_all_dialects;

/// Folders and files with custom forms of all dialects, below `tests`.
const SEEDS: &[&str] = &[
    "format/host",
    "malformed/seeds",
    "ori",
    "sass/roundtrip.mlir",
    "tileaa",
    "tileas",
];
/// How many mutants are made of each part of a file.
const CHANGES: usize = 40;

/// A xorshift generator: the same mutations in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound.max(1)
    }

    fn of<'t, T>(&mut self, items: &'t [T]) -> Option<&'t T> {
        items.get(self.below(items.len()))
    }
}

/// The parts of all files, without comments.
fn seeds() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut paths = Vec::new();
    for seed in SEEDS.iter().map(|seed| root.join(seed)) {
        match fs::read_dir(&seed) {
            Ok(entries) => paths.extend(entries.map(|entry| entry.expect("an entry").path())),
            Err(_) => paths.push(seed),
        }
    }
    paths.retain(|path| path.extension().is_some_and(|suffix| suffix == "mlir"));
    paths.sort();
    let mut parts = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("a text");
        for part in text.split("// -----") {
            let lines = part
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            parts.push((path.clone(), lines.collect::<Vec<_>>().join("\n") + "\n"));
        }
    }
    parts
}

/// The tokens of a text: identifiers with their sigils, strings, single characters.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_$.".contains(&byte);
    let (mut tokens, mut start) = (Vec::new(), 0);
    while start < bytes.len() {
        let mut end = start + 1;
        if bytes[start] == b'"' {
            end += bytes[end..]
                .iter()
                .position(|&b| b == b'"')
                .map_or(0, |at| at + 1);
        } else if is_word(bytes[start]) || b"%^#!@".contains(&bytes[start]) {
            end += bytes[end..].iter().take_while(|&&b| is_word(b)).count();
        }
        while !text.is_char_boundary(end) {
            end += 1;
        }
        if !bytes[start].is_ascii_whitespace() {
            tokens.push(start..end);
        }
        start = end;
    }
    tokens
}

/// The groups in braces.
fn groups(text: &str) -> Vec<Range<usize>> {
    let (mut open, mut groups) = (Vec::new(), Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => open.push(at),
            b'}' => groups.extend(open.pop().map(|start| start..at + 1)),
            _ => {}
        }
    }
    groups
}

fn replaced(text: &str, range: &Range<usize>, new: &str) -> String {
    format!("{}{new}{}", &text[..range.start], &text[range.end..])
}

/// The text with two of its ranges swapped; unchanged if they overlap.
fn exchanged(text: &str, a: &Range<usize>, b: &Range<usize>) -> String {
    let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
    if first.end > second.start {
        return text.to_owned();
    }
    let later = replaced(text, second, &text[first.clone()]);
    replaced(&later, first, &text[second.clone()])
}

fn lines(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let line = |line: &str| {
        start += line.len();
        start - line.len()..start
    };
    text.split_inclusive('\n').map(line).collect()
}

/// One mutation. `donors` are the tokens of another text.
fn change(text: &str, donors: &[String], random: &mut Random) -> Option<String> {
    let tokens = tokens(text);
    let with = |sigils: &str| -> Vec<_> {
        let starts =
            |token: &&Range<usize>| text[token.start..].starts_with(|c| sigils.contains(c));
        tokens.iter().filter(starts).cloned().collect()
    };
    Some(match random.below(9) {
        // Names of values, blocks, symbols or aliases.
        0..3 => {
            let names = with(["%", "%", "^", "@#!"][random.below(4)]);
            let new = text[random.of(&names)?.clone()].to_owned();
            replaced(text, random.of(&names)?, &new)
        }
        3 => {
            let lines = lines(text);
            exchanged(text, random.of(&lines)?, random.of(&lines)?)
        }
        4 => {
            let lines = lines(text);
            let line = random.of(&lines)?;
            let copies = random.below(3);
            replaced(text, line, &text[line.clone()].repeat(copies))
        }
        5 => {
            let groups = groups(text);
            let group = random.of(&groups)?;
            let whole = &text[group.clone()];
            let new = [
                "",
                "{}",
                &format!("{whole} {whole}"),
                &format!("{whole}, {whole}"),
            ];
            replaced(text, group, new[random.below(4)])
        }
        6 => {
            let groups = groups(text);
            exchanged(text, random.of(&groups)?, random.of(&groups)?)
        }
        7 => exchanged(text, random.of(&tokens)?, random.of(&tokens)?),
        _ => {
            let new = random.of(donors)?;
            replaced(text, random.of(&tokens)?, new)
        }
    })
}

fn context() -> Context {
    let mut context = Context::new();
    register_all_dialects(&mut context);
    context.allow_unregistered_dialects(true);
    context
}

fn read(context: &mut Context, text: &str) -> Result<Operation, Vec<Diagnostic>> {
    let source = Source {
        name: "input",
        text,
        first_line: 1,
    };
    let module = parse_source(context, source).and_then(|module| {
        context
            .verify(module)
            .map(|()| module)
            .map_err(|_| ParseError)
    });
    module.map_err(|_| context.diagnostics.take())
}

/// Whether the text is valid. It reads back the same from its custom form, or has an error
/// with a location. The contexts are reused for many texts and must retain nothing of them.
fn survives([first, second]: &mut [Context; 2], text: &str) -> bool {
    let module = match read(first, text) {
        Ok(module) => module,
        Err(errors) => {
            let place = errors
                .first()
                .and_then(|error| error.location.position(first));
            // A text may specify an unknown location.
            assert!(
                place.is_some() || text.contains("loc("),
                "{errors:?}\n{text}"
            );
            return false;
        }
    };
    let generic = print_to_string(first, module, &PrintFlags::generic());
    let custom = print_to_string(first, module, &PrintFlags::default());
    let again = read(second, &custom)
        .unwrap_or_else(|errors| panic!("{:?}\nof:\n{text}\nprinted:\n{custom}", errors.first()));
    let found = print_to_string(second, again, &PrintFlags::generic());
    assert!(
        found == generic,
        "of:\n{text}\nprinted:\n{custom}\nread:\n{found}"
    );
    module.erase(first);
    again.erase(second);
    true
}

#[test]
fn changed_texts_end_in_ir_or_in_an_error_with_a_place() {
    let seeds = seeds();
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let (mut valid, mut invalid) = (0, 0);
    for (number, (path, text)) in seeds.iter().enumerate() {
        let donor = &seeds[(number * 7 + 3) % seeds.len()].1;
        let donors: Vec<_> = tokens(donor)
            .into_iter()
            .map(|t| donor[t].to_owned())
            .collect();
        let mut contexts = [context(), context()];
        for _ in 0..CHANGES {
            let mut changed = text.clone();
            for _ in 0..=random.below(3) {
                changed = change(&changed, &donors, &mut random).unwrap_or(changed);
            }
            let outcome = catch_unwind(AssertUnwindSafe(|| survives(&mut contexts, &changed)));
            match outcome {
                Ok(true) => valid += 1,
                Ok(false) => invalid += 1,
                Err(_) => panic!("{}:\n{changed}", path.display()),
            }
        }
    }
    println!("{valid} valid, {invalid} with errors");
    assert!(valid > 1000 && invalid > 1000);
}
