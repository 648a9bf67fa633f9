//! The registers that there are.

use orison_ir::{Context, Operation};
use orison_machine::Multiprocessor;
use orison_ori::operations::synchronization::Setmaxreg;

use crate::ori::functions::machine_of;

/// The most registers a thread can have.
pub const MOST: u32 = 255;
/// The machine of functions that have none.
const UNKNOWN: u16 = 90;

/// The registers that a thread of a function may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegisterLimit {
    /// The number.
    pub registers: u32,
    /// Whether the program or the option asks for it, rather than the threads of a CTA allowing it.
    pub is_asked: bool,
}

impl RegisterLimit {
    /// The limit of a function: `.maxnreg`, the threads of a CTA (`.maxntid`, `.reqntid`) and its CTAs
    /// in a multiprocessor (`.minnctapersm`), or else the option of the compiler, `-maxrregcount`.
    ///
    /// A kernel that changes the number itself (`setmaxnreg`) has the greatest that it asks for. Linear
    /// in the operations.
    pub fn of(context: &Context, function: Operation, option: Option<u32>) -> Self {
        let is_asked = is_known_at_entry(context, function, option);
        let entry = limit_at_entry(context, function, option);
        let region = function.regions(context).next();
        let blocks = region.into_iter().flat_map(|region| region.blocks(context));
        let changes = blocks.flat_map(|block| block.operations(context).collect::<Vec<_>>());
        let counts = changes.filter_map(|op| {
            let change = Setmaxreg::of(context, op)?;
            u32::try_from(change.count(context)?).ok()
        });
        let most = counts.max().filter(|_| is_asked);
        let registers = most.map_or(entry, |most| most.max(entry)).min(MOST);
        RegisterLimit {
            registers,
            is_asked,
        }
    }
}

/// Whether the number of registers at the entry is known: it was asked for.
fn is_known_at_entry(context: &Context, function: Operation, option: Option<u32>) -> bool {
    let is_asked = function.attribute(context, "max_registers").is_some();
    is_asked
        || match threads(context, function) {
            Some(threads) => min_ctas(context, function, threads).is_some(),
            None => option.is_some(),
        }
}

fn limit_at_entry(context: &Context, function: Operation, option: Option<u32>) -> u32 {
    if let Some(registers) = number(context, function, "max_registers") {
        return registers.min(MOST);
    }
    match threads(context, function) {
        Some(threads) => {
            let ctas = min_ctas(context, function, threads).unwrap_or(1);
            // Four warps are one warp group.
            let threads = threads.div_ceil(128).saturating_mul(128);
            let each = u64::from(Multiprocessor::REGISTERS) / ctas.saturating_mul(threads) / 8 * 8;
            u32::try_from(each).unwrap_or(MOST).min(MOST)
        }
        None => option.unwrap_or(MOST).min(MOST),
    }
}

fn number(context: &Context, function: Operation, key: &str) -> Option<u32> {
    let value = function.attribute(context, key)?.as_i64(context)?;
    u32::try_from(value).ok()
}

/// The CTAs in a multiprocessor that a function asks for (`.minnctapersm`), at least one. ptxas ignores more than
/// a multiprocessor holds.
fn min_ctas(context: &Context, function: Operation, threads: u64) -> Option<u64> {
    let ctas = u64::from(number(context, function, "min_ctas")?.max(1));
    let machine = machine_of(context, function).unwrap_or(UNKNOWN);
    let most = u64::from(Multiprocessor::of(machine).threads());
    (ctas.saturating_mul(threads) <= most).then_some(ctas)
}

/// The threads of a CTA that a function says (`.maxntid`, `.reqntid`).
pub fn threads(context: &Context, function: Operation) -> Option<u64> {
    ["max_threads", "required_threads"].iter().find_map(|key| {
        let list = function.attribute(context, key)?.as_i32_array(context)?;
        let product: u64 = list
            .iter()
            .map(|n| u64::try_from(*n).unwrap_or(1))
            .fold(1, u64::saturating_mul);
        Some(u64::max(product, 1))
    })
}
