//! Writes the table as Rust. `Debug` prints values as Rust does, except for the names of enums.

use std::fmt::{Debug, Write as _};

use crate::model::roles::{Role, Roles};
use crate::model::{Entry, Model, Multiprocessor, Registers, Row, Widths, variant};

/// The source text of the static tables.
pub fn rust(model: &Model, registers: &Registers, multiprocessors: &[Multiprocessor]) -> String {
    let mut out = String::new();
    let variants = model.rows.iter().map(|row| {
        let name = &row.name;
        format!("/// `{name}`: {}\n{},\n", row.about, variant(name))
    });
    let rows = model.rows.iter().map(row);
    let entries = model.entries.iter().map(|found| entry(model, found));
    let mut names: Vec<&str> = model.rows.iter().map(|row| row.name.as_str()).collect();
    names.sort_unstable();
    let names = names
        .iter()
        .map(|name| format!("Opcode::{},\n", variant(name)));
    let computations = model.computations().into_iter();
    let computations = computations.map(|(name, path)| format!("{name:?} => {path},\n"));
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "/// An instruction, without its modifiers.\n\
         #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]\n\
         pub enum Opcode {{\n{}}}\n\n\
         static ROWS: [Row; {count}] = [\n{}];\n\n\
         static ENTRIES: [Entry; {}] = [\n{}];\n\n\
         static BY_NAME: [Opcode; {count}] = [\n{}];\n\n\
         static UNIFORM_REGISTERS: &[&str] = {};\n\n\
         static CHANGING_REGISTERS: &[&str] = {};\n\n\
         static MULTIPROCESSORS: &[(u16, Multiprocessor)] = &[\n{}];\n\n\
         /// Calls a macro with the name of each operation that is a function of its operands, and the\n\
         /// path of the function: `\"ori.iadd3\" => integer::iadd3,`.\n\
         #[macro_export]\n\
         macro_rules! computations {{\n($use:ident) => {{ $use! {{\n{}}} }};\n}}\n",
        variants.collect::<String>(),
        rows.collect::<String>(),
        model.entries.len(),
        entries.collect::<String>(),
        names.collect::<String>(),
        list("", &registers.uniform),
        list("", &registers.changing),
        multiprocessors
            .iter()
            .map(multiprocessor)
            .collect::<String>(),
        computations.collect::<String>(),
        count = model.rows.len(),
    );
    out
}

/// The machine that one is known since, and its value.
fn multiprocessor(found: &Multiprocessor) -> String {
    let Multiprocessor {
        since,
        warps,
        ctas,
        shared,
        reserved,
    } = found;
    format!(
        "({since}, Multiprocessor {{ warps: {warps}, ctas: {ctas}, shared: {}, reserved: {} }}),\n",
        shared * 1024,
        reserved * 1024
    )
}

/// `Some(Pipe::Alu)`.
fn optional<T: Debug>(prefix: &str, value: Option<T>) -> String {
    value.map_or("None".to_owned(), |value| {
        format!("Some({prefix}{value:?})")
    })
}

/// `&[Space::Shared, ]`.
fn list<T: Debug>(prefix: &str, values: &[T]) -> String {
    let values = values.iter().map(|value| format!("{prefix}{value:?}, "));
    format!("&[{}]", values.collect::<String>())
}

fn widths(widths: &Widths) -> String {
    let of = widths
        .of
        .iter()
        .map(|(slot, width)| format!("(Slot::{slot:?}, Width::{width:?}), "));
    let has = list("", &widths.has);
    format!(
        "Widths {{ has: {has}, of: &[{}] }}, ",
        of.collect::<String>()
    )
}

/// `Some(Roles { results: &[...], sources: &[...] })`.
fn roles(roles: Option<&Roles>) -> String {
    let of = |roles: &[Role]| {
        let role = |role: &Role| {
            let kinds = list("OperandKind::", &role.kinds);
            format!("Role::of({kinds}, {}), ", role.optional)
        };
        roles.iter().map(role).collect::<String>()
    };
    roles.map_or("None".to_owned(), |roles| {
        let (results, sources) = (of(&roles.results), of(&roles.sources));
        format!("Some(Roles {{ results: &[{results}], sources: &[{sources}] }})")
    })
}

fn row(row: &Row) -> String {
    format!(
        "Row {{ opcode: Opcode::{}, name: {:?}, about: {:?}, category: Category::{:?}, \
         destinations: {}, roles: {}, widths: &[{}], hidden: {:?}, slots: {:?}, latency: Latency::{:?}, \
         variable_on: {}, entries: {}, \
         file: \"dialects/machine/instructions/{}.toml\", line: {} }},\n",
        variant(&row.name),
        row.name,
        row.about,
        row.category,
        optional("Destinations::", row.destinations),
        roles(row.roles.as_ref()),
        row.widths.iter().map(widths).collect::<String>(),
        row.hidden,
        row.slots,
        row.latency,
        list("", &row.variable_on),
        list("", &row.entries),
        row.place.0,
        row.place.1,
    )
}

fn entry(model: &Model, entry: &Entry) -> String {
    let shared = &entry.shared;
    let opcode = entry.row.map(|row| variant(&model.rows[row].name));
    let opcode = opcode.map_or("None".to_owned(), |name| format!("Some(Opcode::{name})"));
    format!(
        "Entry {{ number: {:?}, name: {:?}, opcode: {opcode}, mnemonic: {:?}, \
         category: Category::{:?}, pipe: Pipe::{:?}, since: {}, cycles: {:?}, classes: {}, \
         reads: {}, writes: {}, flags: {}, commutes: {}, lanes: {}, operation: {:?}, \
         when: {:?}, general: {:?}, uniform: {:?}, source: {:?} }},\n",
        entry.number,
        entry.name,
        entry.mnemonic,
        entry.category,
        shared.pipe.unwrap_or_default(),
        shared.since.unwrap_or_default(),
        entry.cycles,
        list("", &entry.classes),
        list("Space::", shared.reads.as_deref().unwrap_or_default()),
        list("Space::", shared.writes.as_deref().unwrap_or_default()),
        list("Flag::", shared.flags.as_deref().unwrap_or_default()),
        list("", shared.commutes.as_deref().unwrap_or_default()),
        optional("Lanes::", entry.lanes),
        entry.operation,
        entry.when,
        entry.general,
        entry.uniform,
        entry.source,
    )
}
