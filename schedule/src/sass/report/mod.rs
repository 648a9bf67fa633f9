//! Reports of machine code: the issue of every instruction, what it waits for, critical paths and live
//! registers, of one or more versions of a function.
//!
//! [`Measured`] is what is known of a version, from its control words alone; [`FunctionReport`] compares
//! versions; [`text::render`] and [`html::render`] draw it. All are pure functions of their data, so that the
//! same code always gives the same bytes. Cycles are those of [`super::simulate::Timing`].
//!
//! Cost: linear in the instructions and the dependences between them, but for the fixpoint of the live
//! registers, and a logarithm for the instructions that moved.

mod critical;
pub mod html;
mod measure;
mod order;
mod pressure;
mod svg;
#[cfg(test)]
mod tests;
pub mod text;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::simulate::{Issue, StallBreakdown};

/// Instructions of each version that a report lists, over all functions: those of the blocks that take most cycles.
pub const LISTED: usize = 30_000;

/// General registers that a thread may have, unless a smaller budget is given.
pub const BUDGET: u32 = 255;

/// What is known of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeasuredInstruction {
    /// Its text.
    pub text: String,
    /// Its control word, as text.
    pub control: String,
    /// The name of its functional unit.
    pub unit: &'static str,
    /// Cycles for which it occupies the unit.
    pub interval: u32,
    /// How it issues.
    pub issue: Issue,
    /// When its results are available, in cycles from the start of its block: of fixed latency to every reader, of
    /// variable latency typically.
    pub done: u64,
    /// General registers that are needed at it: live before it, or live behind it or written by it.
    pub live: u32,
    /// The instructions whose results it reads, and those that armed the scoreboards it waited for, by their
    /// numbers in the function.
    pub producers: Vec<usize>,
    /// Whether it is on the critical path of its block.
    pub critical: bool,
    /// The same instruction in the first version, by its number there.
    pub twin: Option<usize>,
}

impl MeasuredInstruction {
    /// The cycle at which it arrives, before its waits.
    pub fn arrival(&self) -> u64 {
        self.issue.cycle.saturating_sub(self.waited())
    }

    /// The cycles it waits.
    pub fn waited(&self) -> u64 {
        let found = &self.issue.breakdown;
        found.results + found.operands + found.groups
    }

    /// The cycle at which the next instruction arrives.
    pub fn end(&self) -> u64 {
        self.issue.cycle + self.issue.breakdown.issue + self.issue.breakdown.stalls
    }
}

/// What is known of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeasuredBlock {
    /// Its first label; empty without one.
    pub label: String,
    /// Its relative execution frequency.
    pub frequency: u64,
    /// The mean of the cycles of all its executions.
    pub breakdown: StallBreakdown,
    /// An iteration after the first of the loop around it; outside of loops the same.
    pub steady: StallBreakdown,
    /// The number of its first instruction.
    pub start: usize,
    /// Its instructions, as they issue in the last of the executions that are timed.
    pub instructions: Vec<MeasuredInstruction>,
    /// The longest chain of dependences in it, in cycles from the first issue to behind the last.
    pub critical_cycles: u64,
    /// The fewest instructions whose move gives its order from that of the first version.
    pub moved: usize,
}

impl MeasuredBlock {
    /// Cycles of the execution that is shown.
    pub fn span(&self) -> u64 {
        self.instructions.last().map_or(0, MeasuredInstruction::end)
    }

    /// The most general registers needed at an instruction.
    pub fn most_live(&self) -> u32 {
        let live = self.instructions.iter().map(|found| found.live);
        live.max().unwrap_or(0)
    }

    /// The instructions of the critical path, by their places in the block.
    pub fn critical_path(&self) -> impl Iterator<Item = usize> {
        let numbered = self.instructions.iter().enumerate();
        numbered.filter_map(|(number, found)| found.critical.then_some(number))
    }

    /// The cycles of all its executions.
    fn weight(&self) -> u64 {
        self.breakdown.total().saturating_mul(self.frequency)
    }
}

/// An innermost loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeasuredLoop {
    /// Its blocks, in order.
    pub blocks: Vec<usize>,
    /// Cycles of an iteration after the first that executes each of its blocks once.
    pub steady: u64,
}

/// What is known of a version of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measured {
    /// What the version is called, such as `before`.
    pub name: String,
    /// Static cycles, weighted by the frequencies of the blocks.
    pub breakdown: StallBreakdown,
    /// Its blocks.
    pub blocks: Vec<MeasuredBlock>,
    /// Its innermost loops.
    pub loops: Vec<MeasuredLoop>,
}

impl Measured {
    /// The number of instructions.
    pub fn instructions(&self) -> usize {
        self.blocks
            .iter()
            .map(|block| block.instructions.len())
            .sum()
    }

    /// The most general registers needed at an instruction.
    pub fn most_live(&self) -> u32 {
        let live = self.blocks.iter().map(MeasuredBlock::most_live);
        live.max().unwrap_or(0)
    }

    /// The instructions that moved.
    pub fn moved(&self) -> usize {
        self.blocks.iter().map(|block| block.moved).sum()
    }

    /// Instructions that also are in the first version.
    fn twins(&self) -> usize {
        let instructions = self.blocks.iter().flat_map(|block| &block.instructions);
        instructions.filter(|found| found.twin.is_some()).count()
    }
}

/// Versions of a function, side by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionReport {
    /// The name of the function.
    pub name: String,
    /// Its target.
    pub target: String,
    /// General registers that it may use.
    pub budget: u32,
    /// The versions. Blocks are compared by their numbers.
    pub versions: Vec<Measured>,
}

impl FunctionReport {
    /// Compares versions with the first one.
    pub fn new(name: &str, target: &str, budget: u32, mut versions: Vec<Measured>) -> Self {
        if let [first, others @ ..] = &mut *versions {
            for other in others {
                order::compare(first, other);
            }
        }
        FunctionReport {
            name: name.to_owned(),
            target: target.to_owned(),
            budget,
            versions,
        }
    }

    /// The largest number of blocks of a version.
    pub fn blocks(&self) -> usize {
        let blocks = self.versions.iter().map(|version| version.blocks.len());
        blocks.max().unwrap_or(0)
    }

    /// The versions that have a block, with their numbers.
    fn with_block(
        &self,
        number: usize,
    ) -> impl Iterator<Item = (usize, &Measured, &MeasuredBlock)> {
        let versions = self.versions.iter().enumerate();
        versions.filter_map(move |(at, version)| Some((at, version, version.blocks.get(number)?)))
    }

    /// `block 3, .L_x_2`.
    fn block_title(&self, number: usize) -> String {
        let mut labels = self.with_block(number).map(|(_, _, block)| &block.label);
        match labels.find(|label| !label.is_empty()) {
            Some(label) => format!("block {number}, {label}"),
            None => format!("block {number}"),
        }
    }

    /// The cycles of all executions of a block, in the version where it takes most.
    fn weight(&self, number: usize) -> u64 {
        let weights = self.with_block(number);
        let weights = weights.map(|(_, _, block)| block.weight());
        weights.max().unwrap_or(0)
    }

    /// The instructions of a block, in the version where it is longest.
    fn length(&self, number: usize) -> usize {
        let lengths = self.with_block(number);
        let lengths = lengths.map(|(_, _, block)| block.instructions.len());
        lengths.max().unwrap_or(0)
    }

    /// What versions cannot be compared by, if they differ in it.
    fn caution(&self) -> Option<String> {
        let mut counts = self.versions.iter().map(|version| version.blocks.len());
        let first = counts.next()?;
        let other = counts.find(|count| *count != first)?;
        Some(format!(
            "The versions have {first} and {other} blocks, which are compared by their numbers."
        ))
    }

    /// The rows of the table of versions, below [`VERSION_HEADS`].
    fn version_rows(&self) -> Vec<Vec<String>> {
        let first = self.versions.first();
        let row = |version: &Measured| {
            let mut row = vec![version.name.clone()];
            row.extend(cells(
                &version.breakdown,
                first.map(|first| &first.breakdown),
            ));
            row.push(version.instructions().to_string());
            row.push(format!("{}/{}", version.most_live(), self.budget));
            if self.versions.len() > 1 {
                row.push(match first {
                    Some(first) if !std::ptr::eq(first, version) && version.twins() > 0 => {
                        version.moved().to_string()
                    }
                    _ => "-".to_owned(),
                });
            }
            row
        };
        self.versions.iter().map(row).collect()
    }

    /// The rows of the table of a block, below [`BLOCK_HEADS`].
    fn block_rows(&self, number: usize) -> Vec<Vec<String>> {
        let first = self.versions.first();
        let first = first.and_then(|version| version.blocks.get(number));
        let row = |version: &Measured, block: &MeasuredBlock| {
            let mut row = vec![version.name.clone(), block.frequency.to_string()];
            row.extend(cells(&block.breakdown, first.map(|first| &first.breakdown)));
            row.push(block.steady.total().to_string());
            row.push(block.critical_cycles.to_string());
            if self.versions.len() > 1 {
                row.push(match first {
                    Some(first) if !std::ptr::eq(first, block) && version.twins() > 0 => {
                        block.moved.to_string()
                    }
                    _ => "-".to_owned(),
                });
            }
            row
        };
        let blocks = self.with_block(number);
        blocks
            .map(|(_, version, block)| row(version, block))
            .collect()
    }

    /// The heads of a table: without the last, which is of what moved, if there is one version.
    fn heads<'h>(&self, heads: &'h [&'h str]) -> &'h [&'h str] {
        let single = usize::from(self.versions.len() < 2);
        &heads[..heads.len() - single]
    }

    /// The rows of the table of innermost loops: blocks, then the cycles in each version and their ratio to the
    /// first.
    fn loop_rows(&self) -> Vec<Vec<String>> {
        let loops = self.versions.iter().map(|version| version.loops.len());
        let row = |number: usize| {
            let found = self
                .versions
                .iter()
                .map(|version| version.loops.get(number));
            let found: Vec<Option<&MeasuredLoop>> = found.collect();
            let blocks = found.iter().flatten().next();
            let blocks = blocks.map_or(String::new(), |found| ranges(&found.blocks));
            let first = found.first().copied().flatten();
            let cells = found.iter().map(|found| match found {
                None => "-".to_owned(),
                Some(found) => with_ratio(found.steady, first.map(|first| first.steady)),
            });
            [blocks].into_iter().chain(cells).collect()
        };
        (0..loops.max().unwrap_or(0)).map(row).collect()
    }

    /// The heads of [`Self::loop_rows`].
    fn loop_heads(&self) -> Vec<&str> {
        let names = self.versions.iter().map(|version| version.name.as_str());
        ["blocks"].into_iter().chain(names).collect()
    }
}

/// Blocks, by function and number.
type Blocks = BTreeSet<(usize, usize)>;

/// The blocks that take most cycles, as long as they have at most so many instructions together; one that does not
/// fit is left out.
fn heaviest(reports: &[FunctionReport], most: usize) -> Blocks {
    let mut blocks: Vec<(u64, (usize, usize))> = Vec::new();
    for (function, report) in reports.iter().enumerate() {
        let places = (0..report.blocks()).map(|number| (report.weight(number), (function, number)));
        blocks.extend(places);
    }
    blocks.sort_by_key(|(weight, place)| (Reverse(*weight), *place));
    let mut left = most;
    let fits = |(_, place): &(u64, (usize, usize))| {
        let rest = left.checked_sub(reports[place.0].length(place.1));
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    let chosen = blocks.into_iter().filter(fits);
    chosen.map(|(_, place)| place).collect()
}

/// What a report does not list, if it has more than [`LISTED`] instructions.
fn left_out(reports: &[FunctionReport], listed: &Blocks) -> Option<String> {
    let (mut all, mut blocks, mut instructions) = (0, 0, 0);
    for (function, report) in reports.iter().enumerate() {
        for number in 0..report.blocks() {
            let length = report.length(number);
            all += length;
            if !listed.contains(&(function, number)) {
                blocks += 1;
                instructions += length;
            }
        }
    }
    (blocks > 0).then(|| {
        format!(
            "Not listed: {instructions} of {all} instructions, in {blocks} blocks, which have their figures alone. \
             Those that take most cycles are listed, up to {LISTED} instructions."
        )
    })
}

/// The heads of [`FunctionReport::version_rows`].
const VERSION_HEADS: [&str; 10] = [
    "",
    "cycles",
    "issue",
    "stalls",
    "results",
    "operands",
    "groups",
    "instructions",
    "registers",
    "moved",
];

/// The heads of [`FunctionReport::block_rows`].
const BLOCK_HEADS: [&str; 11] = [
    "",
    "times",
    "cycles",
    "issue",
    "stalls",
    "results",
    "operands",
    "groups",
    "steady",
    "critical path",
    "moved",
];

/// The total and its parts.
fn cells(found: &StallBreakdown, first: Option<&StallBreakdown>) -> [String; 6] {
    [
        with_ratio(found.total(), first.map(StallBreakdown::total)),
        found.issue.to_string(),
        found.stalls.to_string(),
        found.results.to_string(),
        found.operands.to_string(),
        found.groups.to_string(),
    ]
}

/// Cycles, with their ratio to those of the first version unless they are the same.
fn with_ratio(cycles: u64, first: Option<u64>) -> String {
    match first {
        Some(first) if first != cycles && first > 0 => {
            let hundredths = (u128::from(cycles) * 100 + u128::from(first) / 2) / u128::from(first);
            format!("{cycles} ({}.{:02})", hundredths / 100, hundredths % 100)
        }
        _ => cycles.to_string(),
    }
}

/// `1, 3-5`.
fn ranges(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|earlier, later| earlier + 1 == *later);
    let texts = runs.map(|run| match run {
        [only] => only.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// `24 cycles for results on SB0`; empty if the instruction does not wait.
fn wait_text(found: &MeasuredInstruction) -> String {
    let causes = [
        (found.issue.breakdown.results, "results"),
        (found.issue.breakdown.operands, "operands"),
        (found.issue.breakdown.groups, "groups"),
    ];
    let waits = causes.iter().filter(|(cycles, _)| *cycles > 0);
    let waits: Vec<String> = waits
        .map(|(cycles, cause)| format!("{cycles} {cause}"))
        .collect();
    let boards = found.issue.waited.iter();
    let boards: Vec<String> = boards.map(|board| format!("SB{}", board.index())).collect();
    if boards.is_empty() || waits.is_empty() {
        waits.join(", ")
    } else {
        format!("{} {}", waits.join(", "), boards.join(" "))
    }
}
