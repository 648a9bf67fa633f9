//! Moves loads over the blocks between two blocks of which the second one is always reached behind the first one
//! (seed 000, "Cross-Block Scheduling Setup").

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::declare::Effects;
use orison_ir::{Context, Operation, Value};
use orison_machine::{Flag, Space};
use orison_ori::analyses::pressure::{RegisterClass, RegisterPressure, needed};
use orison_ori::analyses::{memory, properties};
use orison_ori::knobs::Knobs;
use orison_ori::opcodes;
use rustc_hash::FxHashSet;

/// Two blocks between which instructions may move: every way from the first one goes to the second one, which no
/// other way reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The number of the first block.
    pub first: u32,
    /// The number of the second block.
    pub second: u32,
}

/// Blocks that a pair may have between its own if `SchedCrossBlockLimit` does not say it.
const DISTANCE: u32 = 2;
/// Functions with more operations have no pairs over the border of two chunks of so many (seed 000, "Large Function
/// Handling").
const CHUNK: usize = 16_383;

/// The pairs of a function, by the first block in reverse post-order. Linear in the blocks times the distance.
pub fn pairs(context: &Context, flow: &ControlFlowGraph, knobs: &Knobs) -> Vec<Pair> {
    let is_on = match knobs.integer("SchedCrossBlock") {
        0 => true,
        1 => knobs.integer("SchedCrossBlockSpeculate") != 0,
        _ => false,
    };
    if !is_on {
        return Vec::new();
    }
    let limit = u32::try_from(knobs.integer("SchedCrossBlockLimit")).unwrap_or(DISTANCE);
    let order = flow.reverse_post_order();
    let blocks: Vec<Kinds> = order
        .iter()
        .map(|block| Kinds::of(context, flow, *block))
        .collect();
    let mut chunks = Vec::with_capacity(blocks.len());
    let mut count = 0;
    for kinds in &blocks {
        chunks.push(count / CHUNK);
        count += kinds.operations;
    }
    let mut pairs = Vec::new();
    for (place, first) in (0u32..).zip(order) {
        let ways = flow.successors(*first).iter();
        let Some(end) = ways.filter_map(|to| flow.position(*to)).max() else {
            continue;
        };
        let second = order[end as usize];
        if end <= place
            || chunks[place as usize] != chunks[end as usize]
            || !only_leads_to(flow, (place, end))
            || !is_eligible(flow, (place, end), &blocks)
        {
            continue;
        }
        let between = end - place - 1;
        if between > limit {
            // Blocks with textures extend the distance.
            let textures = blocks[place as usize..end as usize].iter();
            let textures = textures.filter(|kinds| kinds.textures).count();
            let textures = super::super::narrow(textures);
            if textures == 0 || limit < textures || between > textures + limit {
                continue;
            }
        }
        pairs.push(Pair {
            first: *first,
            second,
        });
    }
    pairs
}

/// Whether no way from the block at the first place turns back, and none from elsewhere enters that at the last
/// place: a loop that starts there would not repeat what leaves it.
fn only_leads_to(flow: &ControlFlowGraph, (first, last): (u32, u32)) -> bool {
    let order = flow.reverse_post_order();
    let places = |blocks: &[u32]| -> Vec<u32> {
        blocks
            .iter()
            .filter_map(|block| flow.position(*block))
            .collect()
    };
    let before = places(flow.predecessors(order[last as usize]));
    let behind = places(flow.successors(order[first as usize]));
    before.iter().all(|place| (first..last).contains(place))
        && behind.iter().all(|place| *place > first)
}

/// What is in a block.
struct Kinds {
    operations: usize,
    /// An access to memory, a texture or product, or what threads do together.
    long: bool,
    textures: bool,
}

impl Kinds {
    fn of(context: &Context, flow: &ControlFlowGraph, block: u32) -> Self {
        let mut kinds = Kinds {
            operations: 0,
            long: false,
            textures: false,
        };
        for op in flow.block(block).operations(context) {
            kinds.operations += 1;
            let row = opcodes::of(context, op);
            let spaces = row.map_or([&[][..], &[]], |row| [row.reads, row.writes]);
            let mut spaces = spaces.iter().copied().flatten();
            kinds.textures |= spaces.any(|space| matches!(space, Space::Texture | Space::Surface));
            let leaves = row.is_some_and(|row| row.has(Flag::Exit));
            kinds.long |= leaves && !is_terminator(context, op)
                || properties::is_convergent(context, op)
                || !memory::accesses(context, op).is_empty()
                || properties::is_unmodelled(context, op);
        }
        kinds
    }
}

fn is_terminator(context: &Context, op: Operation) -> bool {
    let block = op.block(context);
    block.and_then(|block| block.terminator(context)) == Some(op)
}

/// Whether the blocks between two places have no long operations, and are only entered from and left to blocks from
/// the first place to the second.
fn is_eligible(flow: &ControlFlowGraph, (first, last): (u32, u32), blocks: &[Kinds]) -> bool {
    (first + 1..last).all(|place| {
        let block = flow.reverse_post_order()[place as usize];
        let within = |other: &u32, from: u32, to: u32| {
            let place = flow.position(*other);
            place.is_some_and(|place| (from..=to).contains(&place))
        };
        let mut before = flow.predecessors(block).iter();
        let mut behind = flow.successors(block).iter();
        !blocks[place as usize].long
            && before.all(|other| within(other, first, last - 1))
            && behind.all(|other| within(other, place + 1, last))
            && !flow.successors(block).is_empty()
    })
}

/// A load that moves, with what computes its operands in front of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hoist {
    /// The blocks.
    pub pair: Pair,
    /// The operations in their order; the load is the last one.
    pub operations: Vec<Operation>,
}

/// The loads that move to the ends of first blocks of pairs, as far as the knobs and `budget` general registers allow
/// it. Each operation moves once.
pub fn hoists(
    context: &Context,
    flow: &ControlFlowGraph,
    pressure: &RegisterPressure,
    budget: u32,
    knobs: &Knobs,
) -> Vec<Hoist> {
    let mut left = knobs.budget("SchedCrossBlockBudget");
    let count = |name: &str| usize::try_from(knobs.integer(name)).unwrap_or(0);
    let mut hoists = Vec::new();
    let mut moved: FxHashSet<Operation> = FxHashSet::default();
    let mut added = vec![0u32; flow.block_count()];
    for pair in pairs(context, flow, knobs) {
        let between = blocks_of(flow, pair);
        let (mut instructions, mut textures) = (
            count("SchedCrossBlockInstsToSpeculate"),
            count("SchedCrossBlockTexToSpeculate"),
        );
        for op in loads(context, flow.block(pair.second)) {
            if left == Some(0) {
                return hoists;
            }
            let Some(operations) = chain(context, flow, pair, op, &moved, instructions) else {
                continue;
            };
            let is_texture =
                opcodes::of(context, op).is_some_and(|row| row.reads.contains(&Space::Texture));
            let words = operations.iter().map(|op| words(context, *op)).sum::<u32>();
            let fits = between.iter().all(|block| {
                let live = pressure.block(*block).get(RegisterClass::General);
                live + added[*block as usize] + words <= budget
            });
            if !fits || is_texture && textures == 0 {
                continue;
            }
            textures -= usize::from(is_texture);
            instructions -= operations.len();
            left = left.map(|left| left - 1);
            for block in &between {
                added[*block as usize] += words;
            }
            moved.extend(&operations);
            hoists.push(Hoist { pair, operations });
        }
    }
    hoists
}

/// The blocks of a pair and between them.
fn blocks_of(flow: &ControlFlowGraph, pair: Pair) -> Vec<u32> {
    let place = |block| flow.position(block).unwrap_or(0) as usize;
    flow.reverse_post_order()[place(pair.first)..=place(pair.second)].to_vec()
}

/// The general registers of the results of an operation.
fn words(context: &Context, op: Operation) -> u32 {
    let registers = op
        .results(context)
        .filter_map(|value| needed(context, value));
    let registers = registers.map(orison_ori::analyses::pressure::RegisterClass::of);
    let general = registers.filter(|(class, _)| *class == RegisterClass::General);
    general.map(|(_, count)| count).sum()
}

/// The loads of a block in front of what writes memory, orders it, or ends threads.
fn loads(context: &Context, block: orison_ir::Block) -> Vec<Operation> {
    let mut loads = Vec::new();
    for op in block.operations(context) {
        let row = opcodes::of(context, op);
        let accesses = memory::accesses(context, op);
        let stops = memory::orders_memory(context, op)
            || accesses.iter().any(|access| access.writes)
            || row.is_some_and(|row| row.has(Flag::Exit) || row.has(Flag::Changing))
            || properties::is_unmodelled(context, op);
        if stops {
            break;
        }
        let reads = op
            .definition(context)
            .is_some_and(|definition| definition.effects == Effects::Read);
        if reads && is_movable(context, op) {
            loads.push(op);
        }
    }
    loads
}

fn is_movable(context: &Context, op: Operation) -> bool {
    properties::is_removable(context, op) && !properties::is_convergent(context, op)
}

/// A load with what computes its operands in the same block; `None` if that cannot move, or is more than `most`.
fn chain(
    context: &Context,
    flow: &ControlFlowGraph,
    pair: Pair,
    load: Operation,
    moved: &FxHashSet<Operation>,
    most: usize,
) -> Option<Vec<Operation>> {
    let home = flow.block(pair.second);
    let mut found = vec![load];
    let mut known: FxHashSet<Operation> = [load].into_iter().collect();
    let mut next = 0;
    while let Some(op) = found.get(next).copied() {
        next += 1;
        for value in op.operands(context) {
            match source(context, flow, pair, value)? {
                Some(op) if moved.contains(&op) => {}
                Some(op) if !properties::is_speculatable(context, op) => return None,
                Some(op) if known.insert(op) => found.push(op),
                _ => {}
            }
            if found.len() > most {
                return None;
            }
        }
    }
    if found.len() > most {
        return None;
    }
    let ordered = home.operations(context).filter(|op| known.contains(op));
    Some(ordered.collect())
}

/// The operation of the second block that makes a value; `Some(None)` if the first block has the value.
fn source(
    context: &Context,
    flow: &ControlFlowGraph,
    pair: Pair,
    value: Value,
) -> Option<Option<Operation>> {
    let block = flow.number(value.parent_block(context)?)?;
    if block == pair.second {
        // The block's own arguments are not there before.
        return Some(Some(value.defining_op(context)?));
    }
    flow.dominates(block, pair.first).then_some(None)
}
