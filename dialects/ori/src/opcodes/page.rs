//! Generates the documentation page of the table.

use std::fmt::Write as _;

use super::{Flag, LatencyKind, Opcode, Space, table};

const HEAD: &str = "# Opcodes\n\n<!-- Written by a test of orison-ori from opcodes.toml: \
                    ORISON_WRITE_PAGES=1 cargo test -p orison-ori page -->\n\nWhat passes know about \
                    instructions. Numbers are base entries of ptxas 13.0; `cycles` is a figure of its \
                    cost model, a priority and no stall count. The head of \
                    [opcodes.toml](../dialects/ori/src/opcodes/opcodes.toml) explains the columns.\n\n\
                    | # | entry | SASS | operation | category | pipe | latency | cycles | from sm_ | reads | \
                    writes | also |\n|--:|---|---|---|---|---|---|--:|--:|---|---|---|\n";

/// The page, in Markdown.
pub fn page() -> String {
    let mut page = HEAD.to_owned();
    for row in table().rows() {
        // Writing to a string cannot fail.
        let _ = writeln!(page, "{}", line(row));
    }
    page
}

fn line(row: &Opcode) -> String {
    let number = |number: Option<u16>| number.map_or(String::new(), |number| number.to_string());
    let operation = match (&row.operation, &row.when) {
        (Some(operation), Some(when)) => format!("`{operation}` with `{when}`"),
        (Some(operation), None) => format!("`{operation}`"),
        (None, _) => String::new(),
    };
    let latency = match row.latency {
        LatencyKind::Fixed => "fixed",
        LatencyKind::Variable => "variable",
        LatencyKind::Either => "either",
        LatencyKind::Control => "control",
        LatencyKind::None => "",
    };
    let cells = [
        number(row.number),
        row.name.clone(),
        row.mnemonic.clone(),
        operation,
        words(&format!("{:?}", row.category)),
        words(&format!("{:?}", row.pipe)),
        latency.to_owned(),
        number(row.cycles),
        row.since.to_string(),
        spaces(&row.reads),
        spaces(&row.writes),
        flags(&row.flags),
    ];
    format!("| {} |", cells.join(" | "))
}

/// `tensor memory` for `TensorMemory`.
fn words(name: &str) -> String {
    let mut words = String::new();
    for (number, letter) in name.chars().enumerate() {
        if number > 0 && letter.is_ascii_uppercase() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

fn spaces(spaces: &[Space]) -> String {
    let names: Vec<_> = spaces
        .iter()
        .map(|space| words(&format!("{space:?}")))
        .collect();
    names.join(", ")
}

fn flags(flags: &[Flag]) -> String {
    let names: Vec<_> = flags
        .iter()
        .map(|flag| words(&format!("{flag:?}")))
        .collect();
    names.join(", ")
}
