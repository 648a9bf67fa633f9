//! The registers that there are.

use orison_ir::{Context, Operation};
use orison_ori::operations::synchronization::Setmaxreg;

/// The most registers a thread can have.
pub const MOST: u32 = 255;
/// The registers of a multiprocessor.
const FILE: u32 = 65_536;

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
    let has = |key: &str| function.attribute(context, key).is_some();
    let threads = has("max_threads") || has("required_threads");
    has("max_registers") || threads && has("min_ctas") || !threads && option.is_some()
}

fn limit_at_entry(context: &Context, function: Operation, option: Option<u32>) -> u32 {
    let number = |key: &str| {
        let value = function.attribute(context, key);
        let value = value.and_then(|value| value.as_i64(context));
        value.and_then(|value| u32::try_from(value).ok())
    };
    if let Some(registers) = number("max_registers") {
        return registers.min(MOST);
    }
    match threads(context, function) {
        Some(threads) => {
            let ctas = u64::from(number("min_ctas").unwrap_or(1).max(1));
            // Four warps are one warp group.
            let threads = threads.div_ceil(128) * 128;
            let each = u64::from(FILE) / (ctas * threads) / 8 * 8;
            u32::try_from(each).unwrap_or(MOST).min(MOST)
        }
        None => option.unwrap_or(MOST).min(MOST),
    }
}

/// The threads of a CTA that a function says (`.maxntid`, `.reqntid`).
pub fn threads(context: &Context, function: Operation) -> Option<u64> {
    ["max_threads", "required_threads"].iter().find_map(|key| {
        let list = function.attribute(context, key)?.as_i32_array(context)?;
        let product = list
            .iter()
            .map(|n| u64::try_from(*n).unwrap_or(1))
            .product();
        Some(u64::max(product, 1))
    })
}
