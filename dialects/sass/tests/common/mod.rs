//! Compares listings with the output of nvdisasm.

use std::collections::{BTreeMap, BTreeSet};

use orison_ir::{Context, Operation, PrintFlags, Source, parse_source, print_to_string};
use orison_sass::dialect;
use orison_sass::effects::{Access, effects};
use orison_sass::function::{Edge, Function};
use orison_sass::listing::{self, Listing};
use orison_sass::registers::{Register, RegisterFile};
use orison_sass::scheduled::Scheduled;
use orison_sass::scheduled::disagreement;
use serde_json::Value;

/// The extent and the differences of a comparison.
#[derive(Default)]
pub struct Report {
    /// Instructions.
    pub instructions: usize,
    /// Blocks.
    pub blocks: usize,
    /// Registers in the lists of nvdisasm.
    pub register_uses: usize,
    /// Instructions of functions for which nvdisasm lists no registers.
    pub unlisted: usize,
    /// Differences: kind, then descriptions.
    pub differences: BTreeMap<&'static str, Vec<String>>,
}

impl Report {
    /// The number of unexplained differences.
    pub fn unexplained(&self) -> usize {
        let kinds = self.differences.iter();
        let unexplained = kinds.filter(|(kind, _)| !kind.starts_with("explained"));
        unexplained.map(|(_, found)| found.len()).sum()
    }

    fn differs(&mut self, kind: &'static str, text: String) {
        self.differences.entry(kind).or_default().push(text);
    }
}

/// Parses a listing, and checks that a print and parse round trip changes nothing.
pub fn read(name: &str, text: &str, report: &mut Report) -> Option<Vec<Function<'static>>> {
    let parsed =
        listing::parse(text).and_then(|listing| Ok((listing.clone().into_functions()?, listing)));
    let (functions, listing) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            report.differs("unreadable", format!("{name}:{error}"));
            return None;
        }
    };
    let same = |other: Listing| other.without_places() == listing.clone().without_places();
    let mut again = listing.clone();
    let sections = again.sections.iter_mut();
    let code = sections.filter(|section| section.is_code());
    for (section, function) in code.zip(&functions) {
        *section = function.to_section();
    }
    if !same(again) {
        report.differs("functions are not their sections", name.to_owned());
    }
    let printed = listing.to_string();
    match listing::parse(&printed) {
        Ok(again) if again.to_string() == printed && same(again.clone()) => {}
        _ => report.differs("no fixpoint", name.to_owned()),
    }
    if let Err(message) = through_ir(name, &listing, &functions) {
        report.differs("operations", format!("{name}: {message}"));
    }
    Some(functions)
}

/// Converts a listing to operations, verifies, prints and parses them, and converts them back.
fn through_ir(name: &str, listing: &Listing, functions: &[Function<'_>]) -> Result<(), String> {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_sass::register(&mut context);
    let module = dialect::module(&mut context, listing.clone(), name);
    let module = module.map_err(|error| error.to_string())?;
    let edges = |function: &Function<'_>| -> Vec<Vec<Edge>> {
        let blocks = function.blocks.iter();
        blocks.map(|block| block.successors.clone()).collect()
    };
    let expected: Vec<_> = functions.iter().map(edges).collect();
    let check = |context: &mut Context, module: Operation| {
        let verified = context.verify(module).is_ok();
        if let Some(found) = context.diagnostics.take().first() {
            return Err(found.render(context));
        }
        let again = dialect::listing(context, module).map_err(|error| error.render(context))?;
        let same = again.without_places() == listing.clone().without_places();
        let body = module.body_block(context, 0);
        let read = body.iter().flat_map(|body| body.operations(context));
        let read = read.filter_map(|op| Function::of_operation(context, op).ok());
        if verified
            && same
            && read
                .map(|function| edges(&function))
                .eq(expected.iter().cloned())
        {
            Ok(())
        } else {
            Err("the program changed".to_owned())
        }
    };
    check(&mut context, module)?;
    for generic in [false, true] {
        let flags = PrintFlags {
            generic,
            ..PrintFlags::default()
        };
        let text = print_to_string(&context, module, &flags);
        let source = Source {
            name: "printed.mlir",
            text: &text,
            first_line: 1,
        };
        let Ok(parsed) = parse_source(&mut context, source) else {
            let found = context.diagnostics.take();
            return Err(found
                .first()
                .map_or_else(String::new, |found| found.render(&context)));
        };
        check(&mut context, parsed)?;
        if print_to_string(&context, parsed, &flags) != text {
            return Err("the text is no fixpoint".to_owned());
        }
    }
    Ok(())
}

/// Compares functions with the decoded JSON of the same cubin.
pub fn compare(name: &str, functions: &[Function<'_>], json: &Value, report: &mut Report) {
    let known = json["functions"].as_array().expect("functions");
    let count = known.len();
    for known in known {
        let label = known["name"].as_str().expect("name");
        let found = functions.iter().find(|found| &*found.name == label);
        let Some(function) = found else {
            report.differs("function is missing", format!("{name}: {label}"));
            continue;
        };
        instructions(name, function, known, report);
        blocks(name, function, known, report);
    }
    if functions.len() != count {
        report.differs("number of functions", name.to_owned());
    }
}

fn instructions(name: &str, function: &Function<'_>, known: &Value, report: &mut Report) {
    let known = known["instructions"].as_array().expect("instructions");
    if function.instructions().count() < known.len() {
        report.differs(
            "instruction is missing",
            format!("{name}: {}", function.name),
        );
    }
    let has_lists = known.iter().any(|known| known[5] != "" || known[6] != "");
    for (found, known) in function.instructions().zip(known) {
        report.instructions += 1;
        let address = known[0].as_u64().expect("address");
        let place = format!("{name}: {}+{address:#x}: {found}", function.name);
        let words = |index: usize| u64::from_str_radix(known[index].as_str().expect("word"), 16);
        let encoding = found.encoding().expect("an encoding");
        if found.address != address || Ok(encoding.low) != words(2) || Ok(encoding.high) != words(3)
        {
            report.differs("address or encoding", place.clone());
        }
        if let Some(message) = disagreement(found) {
            report.differs("encoding", format!("{place}: {message}"));
        }
        let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = known[1].as_str().expect("text").replace(" ,", ",");
        if squeeze(&found.to_string()).replace(" ,", ",") != squeeze(&text) {
            report.differs("text", format!("{place} is {text}"));
        }
        let field = |index: usize| known[4][index].as_u64().expect("a field");
        let control = found.control;
        let barrier = |barrier: Option<orison_sass::control::Barrier>| {
            barrier.map_or(7, |barrier| u64::from(barrier.index()))
        };
        let fields = [
            u64::from(control.stall.cycles()),
            u64::from(!control.yields),
            barrier(control.write_barrier),
            barrier(control.read_barrier),
            u64::from(control.wait.mask()),
            u64::from(control.reuse.mask()),
        ];
        if (0..6).any(|index| fields[index] != field(index)) {
            report.differs("control word", format!("{place}: {control}"));
        }
        if has_lists {
            registers(&place, found, known, report);
        } else {
            report.unlisted += 1;
        }
        if !orison_sass::control::check(&control, 90).is_empty() {
            report.differs("rule of control words", format!("{place}: {control}"));
        }
    }
}

fn blocks(name: &str, function: &Function<'_>, known: &Value, report: &mut Report) {
    let known = known["blocks"].as_array().expect("blocks");
    let bounds = |block: &Value| {
        (
            block[1].as_u64().expect("start"),
            block[2].as_u64().expect("end"),
        )
    };
    let start = |index: usize| function.blocks[index].instructions[0].address;
    let at: BTreeMap<u64, usize> = (0..function.blocks.len())
        .map(|index| (start(index), index))
        .collect();
    for block in known {
        let (from, to) = bounds(block);
        if from == to {
            continue;
        }
        report.blocks += 1;
        let place = format!("{name}: {}: block {from:#x}..{to:#x}", function.name);
        if !at.contains_key(&from) {
            report.differs("block", place);
            continue;
        }
        // A label that is not a jump target starts a block here but not there.
        let last = at.range(..to).next_back().map_or(0, |(_, index)| *index);
        let mut found: Vec<u64> = function.blocks[last]
            .successors
            .iter()
            .map(|edge| start(edge.to))
            .collect();
        let successors = block[3].as_array().expect("successors").iter();
        let mut wanted: Vec<u64> = successors
            .map(|to| {
                bounds(&known[usize::try_from(to.as_u64().expect("number")).expect("number")]).0
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        wanted.sort_unstable();
        wanted.dedup();
        if found != wanted {
            report.differs(
                "successors",
                format!("{place}: {found:#x?} for {wanted:#x?}"),
            );
        }
    }
}

/// The registers that nvdisasm lists: `R4-R7 P0`.
fn listed(text: &str) -> BTreeSet<Register> {
    let mut set = BTreeSet::new();
    for range in text.split_whitespace() {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let register = |name: &str| Register::from_name(name).expect("a register");
        let (first, last) = (register(first), register(last));
        set.extend((first.index..=last.index).map(|index| Register::new(first.file, index)));
    }
    set
}

fn collected(accesses: &[Access]) -> BTreeSet<Register> {
    let registers = accesses.iter().flat_map(|access| access.range.registers());
    // nvdisasm does not list convergence barriers.
    registers
        .filter(|register| register.file != RegisterFile::Convergence)
        .collect()
}

/// Compares what an instruction reads and writes with the lists of nvdisasm.
fn registers(place: &str, found: &Scheduled<'_>, known: &Value, report: &mut Report) {
    let effects = effects(found);
    let lists = [
        known[5].as_str().expect("defs"),
        known[6].as_str().expect("uses"),
    ];
    report.register_uses += listed(lists[0]).len() + listed(lists[1]).len();
    if !effects.known {
        report.differs("mnemonic is not in the table", place.to_owned());
    }
    for (accesses, list, kind) in [
        (&effects.definitions, lists[0], "definitions"),
        (&effects.uses, lists[1], "uses"),
    ] {
        let (ours, theirs) = (collected(accesses), listed(list));
        if ours == theirs {
            continue;
        }
        let kind = explain(found, kind, &ours, &theirs, lists).unwrap_or(kind);
        let ours: Vec<String> = ours.iter().map(ToString::to_string).collect();
        report.differs(kind, format!("{place}: {ours:?} for '{list}'"));
    }
}

/// The known reason that our registers differ from those of nvdisasm, if any.
fn explain(
    found: &Scheduled<'_>,
    kind: &str,
    ours: &BTreeSet<Register>,
    theirs: &BTreeSet<Register>,
    lists: [&str; 2],
) -> Option<&'static str> {
    let predicates = |set: &BTreeSet<Register>| -> bool {
        !set.is_empty() && set.iter().all(|register| register.file.is_predicate())
    };
    let more: BTreeSet<Register> = ours.difference(theirs).copied().collect();
    let fewer: BTreeSet<Register> = theirs.difference(ours).copied().collect();
    let high = |register: &Register| register.file == RegisterFile::Uniform && register.index >= 63;
    let base = found.mnemonic.base();
    if base == "CALL" {
        return Some("explained: it lists for a call what any callee may touch");
    }
    if lists == ["", ""] {
        return Some("explained: it lists nothing for some instructions of functions it does list");
    }
    if fewer.is_empty() && more.iter().all(high) {
        return Some("explained: it lists no uniform register from UR63 on");
    }
    if base == "LDGSTS" && kind == "definitions" && more.is_empty() && predicates(&fewer) {
        return Some("explained: it lists the predicate that a copy reads as written, too");
    }
    if matches!(base, "P2R" | "UP2UR") && kind == "uses" && fewer.is_empty() && predicates(&more) {
        return Some("explained: it lists no predicate that is read as a part of PR");
    }
    None
}
