//! The rules that name sets of instructions: every instruction of one set keeps its order with every one of
//! another.

use orison_machine::{Category, Entry, Flag, Latency, Opcode, Space};
use orison_sass::effects::{self, Effects};
use orison_sass::function::Function;
use orison_sass::instruction::{Flow, Instruction, Operand, flow};
use orison_sass::registers::{RegisterFile, RegisterRange};

use super::findings::Reason;
use super::memory::Base;
use crate::order::Use;

/// A set of instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    All,
    /// Not understood, or with an effect that depends on their own address.
    Pinned,
    /// The last of the block, if it may leave it.
    Last,
    Memory,
    /// Accesses whose order other threads observe.
    Observed,
    Synchronisation,
    /// Reads of clocks.
    Changing,
    /// Waits for a number of operations on a scoreboard.
    CountedWait,
    /// All that is no arithmetic of fixed latency, which arms no scoreboard.
    Counted,
    /// Products of warp groups.
    Product,
    /// Fences and waits of such products.
    GroupSynchronisation,
    /// Accesses to general registers of such products.
    ProductRegister,
    /// What brings threads of a warp together.
    Gathering,
    /// What depends on the threads that execute it together.
    Convergent,
    /// What changes the number of registers.
    RegisterCount,
    /// Accesses to general registers.
    GeneralRegister,
}

/// Sets that keep their order, and the reason.
const RULES: [(Set, Set, Reason); 14] = [
    (Set::Pinned, Set::All, Reason::Pinned),
    (Set::Last, Set::All, Reason::Last),
    (
        Set::Synchronisation,
        Set::Synchronisation,
        Reason::Synchronisation,
    ),
    (Set::Synchronisation, Set::Memory, Reason::Synchronisation),
    (Set::Observed, Set::Observed, Reason::Observed),
    (Set::Changing, Set::Changing, Reason::Changing),
    (Set::Changing, Set::Memory, Reason::Changing),
    (Set::Changing, Set::Synchronisation, Reason::Changing),
    (Set::CountedWait, Set::Counted, Reason::Counted),
    (Set::Product, Set::Product, Reason::Products),
    (
        Set::GroupSynchronisation,
        Set::Product,
        Reason::ProductRegisters,
    ),
    (
        Set::GroupSynchronisation,
        Set::ProductRegister,
        Reason::ProductRegisters,
    ),
    (Set::Gathering, Set::Convergent, Reason::Together),
    (
        Set::RegisterCount,
        Set::GeneralRegister,
        Reason::RegisterCount,
    ),
];

/// Instructions that the table does not call synchronisation, but which depend on it or on each other by a state that
/// is no register: one closes a group of stores, two read and set the base of local memory.
const STATEFUL: [&str; 3] = ["UTMACMDFLUSH", "SETLMEMBASE", "GETLMEMBASE"];

/// Special registers whose value changes by itself.
const CHANGING: [&str; 3] = ["SR_CLOCK", "SR_GLOBALTIMER", "SR_PM"];

/// Reasons of one pair by how much they say: registers and memory first.
pub(super) fn order_of(reason: Reason) -> (u8, Reason) {
    let general = !matches!(
        reason,
        Reason::ReadAfterWrite(_) | Reason::WriteAfterRead(_) | Reason::WriteAfterWrite(_)
    );
    (u8::from(general), reason)
}

/// The rules, with sets as numbers of bits.
pub(super) fn pairs() -> impl Iterator<Item = (usize, usize, Reason)> {
    let rules = RULES.into_iter();
    rules.map(|(one, other, reason)| (one as usize, other as usize, reason))
}

/// What the sets of instructions depend on besides themselves.
pub(super) struct Surroundings {
    /// The machine, as in `sm_90a`: major * 10 + minor.
    machine: Option<u16>,
    products: ProductRegisters,
}

impl Surroundings {
    pub(super) fn of(function: &Function<'_>) -> Surroundings {
        let digits = function.target.trim_start_matches("sm_");
        let digits = digits.trim_end_matches(|last: char| last.is_ascii_alphabetic());
        Surroundings {
            machine: digits.parse().ok(),
            products: ProductRegisters::of(function),
        }
    }

    /// The sets of an instruction, a bit each. Whether it is the last of its block is given.
    pub(super) fn members(
        &self,
        instruction: &Instruction,
        (effects, uses): (&Effects, &[Use<Base>]),
        is_last: bool,
    ) -> u32 {
        let base = instruction.mnemonic.base();
        let entry = effects::entry(&instruction.mnemonic);
        let has = |flag| entry.is_some_and(|entry| entry.has(flag));
        let flow = flow(instruction);
        let stops = has(Flag::Exit) && flow == Flow::Next;
        let graphics = entry.is_some_and(|entry| entry.category == Category::Graphics);
        let named = STATEFUL.contains(&base) || graphics;
        let synchronises = has(Flag::Barrier) || has(Flag::Call) || stops || named;
        let product = is_product(entry);
        let of_products = general(effects).any(|range| self.products.has(range));
        let belongs = [
            (Set::All, true),
            (Set::Pinned, is_pinned(instruction, effects)),
            (Set::Last, is_last && flow.ends_block()),
            (Set::Memory, !uses.is_empty()),
            (Set::Observed, is_observed(instruction, entry)),
            (Set::Synchronisation, synchronises),
            (Set::Changing, is_changing(instruction, has(Flag::Changing))),
            (Set::CountedWait, base == "DEPBAR"),
            (Set::Counted, self.may_be_counted(instruction)),
            (Set::Product, product),
            (Set::GroupSynchronisation, has(Flag::Group) && !product),
            (Set::ProductRegister, of_products),
            (Set::Gathering, matches!(base, "WARPSYNC" | "ENDCOLLECTIVE")),
            (Set::Convergent, has(Flag::Convergent)),
            (Set::RegisterCount, base == "USETMAXREG"),
            (Set::GeneralRegister, general(effects).next().is_some()),
        ];
        let sets = belongs.iter().filter(|(_, belongs)| *belongs);
        sets.fold(0, |bits, (set, _)| bits | 1 << *set as u32)
    }

    /// Whether an instruction may arm a scoreboard.
    fn may_be_counted(&self, instruction: &Instruction) -> bool {
        let row = instruction.mnemonic.opcode().map(Opcode::row);
        let fixed = row.zip(self.machine);
        !fixed.is_some_and(|(row, machine)| row.latency(machine) == Latency::Fixed)
    }
}

/// The general registers that an instruction accesses.
fn general(effects: &Effects) -> impl Iterator<Item = RegisterRange> {
    let all = effects.definitions.iter().chain(&effects.uses);
    let ranges = all.map(|access| access.range);
    ranges.filter(|range| range.file == RegisterFile::General)
}

fn is_pinned(instruction: &Instruction, effects: &Effects) -> bool {
    let names_label = instruction.labels().next().is_some();
    instruction.is_opaque()
        || !effects.known
        || instruction.mnemonic.base() == "LEPC" && !names_label
}

/// Whether other threads observe the order of an access: it is strong or volatile, or reads and writes at once
/// (also the control of caches, which acts on all accesses before or behind it).
fn is_observed(instruction: &Instruction, entry: Option<&Entry>) -> bool {
    let at_once = entry.is_some_and(|entry| {
        let mut reads = entry.reads.iter();
        reads.any(|space| *space != Space::Tensor && entry.writes.contains(space))
    });
    at_once || instruction.mnemonic.has("STRONG") || instruction.mnemonic.has("MMIO")
}

/// Whether an instruction reads a register that changes by itself. `flagged` is what the table says of
/// instructions that can read one: what they read decides.
fn is_changing(instruction: &Instruction, flagged: bool) -> bool {
    let mut operands = instruction.operands.iter();
    let special = operands.find_map(|operand| match operand {
        Operand::Special(name) => Some(name),
        _ => None,
    });
    special.map_or(flagged, |name| {
        CHANGING.iter().any(|prefix| name.starts_with(prefix))
    })
}

/// Whether an entry is a product of a warp group.
fn is_product(entry: Option<&Entry>) -> bool {
    entry.is_some_and(|entry| entry.has(Flag::Group) && entry.category == Category::Matrix)
}

/// The general registers that the products of warp groups of a function access.
struct ProductRegisters(Vec<RegisterRange>);

impl ProductRegisters {
    fn of(function: &Function<'_>) -> ProductRegisters {
        let products = function
            .instructions()
            .filter(|found| is_product(effects::entry(&found.mnemonic)));
        let mut ranges: Vec<RegisterRange> = products
            .flat_map(|found| general(&effects::effects(found)).collect::<Vec<_>>())
            .collect();
        ranges.sort_unstable();
        // Joined, so that there are few.
        let mut joined: Vec<RegisterRange> = Vec::new();
        for range in ranges {
            let end = |range: RegisterRange| u16::from(range.first) + u16::from(range.count);
            match joined.last_mut() {
                Some(last) if u16::from(range.first) <= end(*last) => {
                    let count = end(*last).max(end(range)) - u16::from(last.first);
                    last.count = u8::try_from(count).unwrap_or(u8::MAX);
                }
                _ => joined.push(range),
            }
        }
        ProductRegisters(joined)
    }

    fn has(&self, range: RegisterRange) -> bool {
        self.0.iter().any(|other| other.overlaps(range))
    }
}
