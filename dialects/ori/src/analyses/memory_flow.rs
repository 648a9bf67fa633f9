//! Which writes reach a read: definitions of memory in SSA form.
//!
//! Every operation that may write memory makes a new state of all memory from the state before it;
//! where states meet, a block has a state of its own. A read asks which state made what it sees, and
//! walks over writes that touch other memory.
//!
//! Building is linear. A question walks at most `STEPS` states; what is not decided by then is
//! answered on the safe side.

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::pass::{Analysis, AnalysisManager};
use orison_ir::{Context, Operation, Value, ValueOwner};
use rustc_hash::{FxHashMap, FxHashSet};

use super::memory::{self, Access, AliasKind, Root};

/// The most states that one question looks at.
const STEPS: usize = 128;

/// A state of memory, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MemoryState(u32);

impl MemoryState {
    /// Memory as it is when the function begins.
    pub const ENTRY: MemoryState = MemoryState(0);
}

/// What made a state.
#[derive(Clone, Debug)]
enum Maker {
    Entry,
    /// An operation, from the state before it.
    Write(Operation, MemoryState),
    /// The beginning of a block, from the states at the ends of the blocks before it.
    Meet(u32, Vec<MemoryState>),
}

/// The states of memory in a function.
#[derive(Clone, Debug, Default)]
pub struct MemoryFlow {
    makers: Vec<Maker>,
    /// The state that an operation finds.
    before: FxHashMap<Operation, MemoryState>,
    flow: ControlFlowGraph,
}

/// What reaches a read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reaching {
    /// Operations that may have written what is read, in the order in which they are found.
    pub writers: Vec<Operation>,
    /// What is read may be from before the function began.
    pub from_entry: bool,
    /// There may be more writers: the walk became too long.
    pub incomplete: bool,
}

impl MemoryFlow {
    /// Of the blocks of a flow graph that can be reached.
    pub fn of(context: &Context, flow: ControlFlowGraph) -> Self {
        let mut states = MemoryFlow {
            makers: vec![Maker::Entry],
            before: FxHashMap::default(),
            flow: ControlFlowGraph::default(),
        };
        let mut ends: Vec<Option<MemoryState>> = vec![None; flow.block_count()];
        let mut meets = Vec::new();
        for &block in flow.reverse_post_order() {
            let before = flow.predecessors(block).iter().copied();
            let mut before = before.filter(|block| flow.is_reachable(*block));
            let mut state = match (block, before.next(), before.next()) {
                // The entry may be led back to, though no branch may: keep the start apart.
                (0, Some(_), _) | (_, Some(_), Some(_)) => {
                    let state = states.add(Maker::Meet(block, Vec::new()));
                    meets.push(state);
                    state
                }
                (_, Some(only), None) => ends[only as usize].unwrap_or(MemoryState::ENTRY),
                (_, None, _) => MemoryState::ENTRY,
            };
            for op in flow.block(block).operations(context) {
                states.before.insert(op, state);
                let accesses = memory::accesses(context, op);
                if accesses.iter().any(|access| access.writes) {
                    state = states.add(Maker::Write(op, state));
                }
            }
            ends[block as usize] = Some(state);
        }
        for meet in meets {
            if let Maker::Meet(block, from) = &mut states.makers[meet.0 as usize] {
                let before = flow.predecessors(*block).iter();
                from.extend(before.filter_map(|block| ends[*block as usize]));
                if *block == 0 {
                    from.push(MemoryState::ENTRY);
                }
                from.sort_unstable();
                from.dedup();
            }
        }
        states.flow = flow;
        states
    }

    fn add(&mut self, maker: Maker) -> MemoryState {
        let number = u32::try_from(self.makers.len()).unwrap_or(u32::MAX);
        self.makers.push(maker);
        MemoryState(number)
    }

    /// The state that an operation finds; none for operations that cannot be reached.
    pub fn before(&self, op: Operation) -> Option<MemoryState> {
        self.before.get(&op).copied()
    }

    /// The operation that made a state.
    pub fn writer(&self, state: MemoryState) -> Option<Operation> {
        match self.makers.get(state.0 as usize)? {
            Maker::Write(op, _) => Some(*op),
            _ => None,
        }
    }

    /// The state that made what an access of an operation sees: two reads of the same address, one
    /// of which dominates the other, see the same when these are equal.
    pub fn source(&self, context: &Context, op: Operation, access: &Access) -> Option<MemoryState> {
        let mut steps = STEPS;
        let mut state = self.before(op)?;
        loop {
            state = self.skip_writes(context, state, access, &mut steps);
            let Maker::Meet(block, _) = &self.makers[state.0 as usize] else {
                return Some(state);
            };
            // Where all ways lead to one state from above, that state is it.
            match self.above(context, *block, state, access, &mut steps) {
                Some(above) => state = above,
                None => return Some(state),
            }
        }
    }

    /// Walks over writes that touch other memory.
    fn skip_writes(
        &self,
        context: &Context,
        mut state: MemoryState,
        access: &Access,
        steps: &mut usize,
    ) -> MemoryState {
        while let Maker::Write(op, before) = &self.makers[state.0 as usize] {
            if *steps == 0 || touches(context, *op, access) {
                break;
            }
            *steps -= 1;
            state = *before;
        }
        state
    }

    /// The one state that all ways into a meet come from.
    fn above(
        &self,
        context: &Context,
        block: u32,
        meet: MemoryState,
        access: &Access,
        steps: &mut usize,
    ) -> Option<MemoryState> {
        let mut access = access.clone();
        let mut seen = FxHashSet::default();
        seen.insert(meet);
        let mut pending = vec![meet];
        let mut found = None;
        while let Some(state) = pending.pop() {
            let Maker::Meet(at, from) = &self.makers[state.0 as usize] else {
                continue;
            };
            self.pass_meet(context, *at, &mut access);
            for state in from.clone() {
                if *steps == 0 {
                    return None;
                }
                *steps -= 1;
                let state = self.skip_writes(context, state, &access, steps);
                let is_meet = matches!(self.makers[state.0 as usize], Maker::Meet(..));
                // A meet that dominates is as good as a write; others are walked through.
                let through = is_meet && !self.is_above(context, state, block);
                if state == meet || (through && seen.contains(&state)) {
                    continue;
                }
                if through {
                    seen.insert(state);
                    pending.push(state);
                } else if *found.get_or_insert(state) != state {
                    return None;
                }
            }
        }
        found.filter(|state| self.is_above(context, *state, block))
    }

    /// Whether a state was made in a block that properly dominates another one.
    fn is_above(&self, context: &Context, state: MemoryState, block: u32) -> bool {
        let at = match &self.makers[state.0 as usize] {
            Maker::Entry => return true,
            Maker::Write(op, _) => self.flow.block_around(context, *op),
            Maker::Meet(at, _) => Some(*at),
        };
        at.is_some_and(|at| at != block && self.flow.dominates(at, block))
    }

    /// Before the beginning of a block, values may have been others: only those that are defined
    /// above it are the same each time.
    fn pass_meet(&self, context: &Context, block: u32, access: &mut Access) {
        let is_above = |value: Value| {
            let home = match value.owner(context) {
                ValueOwner::Result(op, _) => op.block(context),
                ValueOwner::Argument(block, _) => Some(block),
            };
            let home = home.and_then(|home| self.flow.number(home));
            home.is_some_and(|home| home != block && self.flow.dominates(home, block))
        };
        let Some(address) = &access.address else {
            return;
        };
        let fixed = address.roots.iter().all(|root| match root {
            Root::Value(value) => is_above(*value),
            Root::Pair(low, high) => is_above(*low) && is_above(*high),
            Root::Bank(..) | Root::Symbol(_) | Root::Slot(_) => true,
        });
        if !fixed {
            access.address = None;
        }
    }

    /// Everything that may have written what an access of an operation sees.
    pub fn reaching(&self, context: &Context, op: Operation, access: &Access) -> Reaching {
        let mut reaching = Reaching::default();
        let Some(start) = self.before(op) else {
            return reaching;
        };
        let mut access = access.clone();
        let mut seen = FxHashSet::default();
        let mut pending = vec![start];
        let mut steps = STEPS;
        while let Some(state) = pending.pop() {
            if !seen.insert(state) {
                continue;
            }
            if steps == 0 {
                reaching.incomplete = true;
                break;
            }
            steps -= 1;
            match &self.makers[state.0 as usize] {
                Maker::Entry => reaching.from_entry = true,
                Maker::Write(writer, before) => {
                    let kind = touch(context, *writer, &access);
                    if kind != AliasKind::None {
                        reaching.writers.push(*writer);
                    }
                    if kind != AliasKind::Same
                        || super::properties::guard(context, *writer).is_some()
                    {
                        pending.push(*before);
                    }
                }
                Maker::Meet(block, from) => {
                    self.pass_meet(context, *block, &mut access);
                    pending.extend(from.iter().rev());
                }
            }
        }
        reaching
    }
}

/// Whether a write may touch what an access does.
fn touches(context: &Context, writer: Operation, access: &Access) -> bool {
    touch(context, writer, access) != AliasKind::None
}

/// The surest answer of the writes of an operation.
fn touch(context: &Context, writer: Operation, access: &Access) -> AliasKind {
    // What never changes is not touched by anything, not even by what orders memory.
    if access.constant {
        return AliasKind::None;
    }
    let writes = memory::accesses(context, writer).into_iter();
    let kinds = writes
        .filter(|write| write.writes)
        .map(|write| memory::alias(&write, access).kind);
    let rank = |kind: &AliasKind| match kind {
        AliasKind::None => 0,
        AliasKind::May => 1,
        AliasKind::Must => 2,
        AliasKind::Same => 3,
    };
    kinds.max_by_key(rank).unwrap_or(AliasKind::None)
}

/// Of the first region of a function.
impl Analysis for MemoryFlow {
    const NAME: &'static str = "ori-memory-flow";

    fn compute(context: &mut Context, op: Operation, analyses: &mut AnalysisManager) -> Self {
        let flow = analyses.get::<ControlFlowGraph>(context, op);
        MemoryFlow::of(context, (*flow).clone())
    }
}
