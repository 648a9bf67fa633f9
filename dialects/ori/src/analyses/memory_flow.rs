//! Memory SSA: the writes that reach a read.
//!
//! Every operation that may write memory creates a new state of all memory from the previous one; a
//! block with several incoming states has its own state. A query for a read determines the state
//! that defines the value read, and skips writes to other memory.
//!
//! Construction is linear. A query visits at most `STEPS` states; beyond that the answer is
//! conservative.

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::pass::{Analysis, AnalysisManager};
use orison_ir::{Context, Operation, Value, ValueOwner};
use rustc_hash::{FxHashMap, FxHashSet};

use super::memory::{self, Access, AliasKind};

/// Maximum number of states visited by a query.
const STEPS: usize = 128;

/// A state of memory, by index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MemoryState(u32);

impl MemoryState {
    /// The state of memory at the beginning of the function.
    pub const ENTRY: MemoryState = MemoryState(0);
}

/// The definition of a state.
#[derive(Clone, Debug)]
enum Maker {
    Entry,
    /// An operation, applied to the previous state.
    Write(Operation, MemoryState),
    /// The beginning of a block, which merges the states at the ends of its predecessors.
    Meet(u32, Vec<MemoryState>),
}

/// The states of memory in a function.
#[derive(Clone, Debug, Default)]
pub struct MemoryFlow {
    makers: Vec<Maker>,
    /// The state before an operation.
    before: FxHashMap<Operation, MemoryState>,
    flow: ControlFlowGraph,
    /// The writes of each operation, if the operands of operations do not change between queries.
    writes: FxHashMap<Operation, Vec<Access>>,
}

/// The definitions that reach a read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reaching {
    /// Operations that may have written the value read, in the order in which they are found.
    pub writers: Vec<Operation>,
    /// The value read may have been written before the function began.
    pub from_entry: bool,
    /// There may be other writers: the limit of the walk was reached.
    pub incomplete: bool,
}

impl MemoryFlow {
    /// Computes the states of the reachable blocks of a flow graph.
    pub fn of(context: &Context, flow: ControlFlowGraph) -> Self {
        let mut states = MemoryFlow {
            makers: vec![Maker::Entry],
            before: FxHashMap::default(),
            flow: ControlFlowGraph::default(),
            writes: FxHashMap::default(),
        };
        let mut ends: Vec<Option<MemoryState>> = vec![None; flow.block_count()];
        let mut meets = Vec::new();
        for &block in flow.reverse_post_order() {
            let before = flow.predecessors(block).iter().copied();
            let mut before = before.filter(|block| flow.is_reachable(*block));
            let mut state = match (block, before.next(), before.next()) {
                // The entry may be a branch target in the graph although no branch may target it:
                // keep the initial state separate.
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

    /// The same for queries between which no operand changes: a query visits many writes, whose
    /// accesses are then determined once.
    #[must_use]
    pub fn for_unchanging(mut self, context: &Context) -> Self {
        for maker in &self.makers {
            if let Maker::Write(op, _) = maker {
                self.writes.insert(*op, writes_of(context, *op));
            }
        }
        self
    }

    fn add(&mut self, maker: Maker) -> MemoryState {
        let number = u32::try_from(self.makers.len()).unwrap_or(u32::MAX);
        self.makers.push(maker);
        MemoryState(number)
    }

    /// The state before an operation; `None` for unreachable operations.
    pub fn before(&self, op: Operation) -> Option<MemoryState> {
        self.before.get(&op).copied()
    }

    /// The operation that created a state.
    pub fn writer(&self, state: MemoryState) -> Option<Operation> {
        match self.makers.get(state.0 as usize)? {
            Maker::Write(op, _) => Some(*op),
            _ => None,
        }
    }

    /// The state that defines the value read by an access: two reads of the same address, one of
    /// which dominates the other, read the same value if these are equal.
    pub fn source(&self, context: &Context, op: Operation, access: &Access) -> Option<MemoryState> {
        let mut steps = STEPS;
        let mut state = self.before(op)?;
        loop {
            state = self.skip_writes(context, state, access, &mut steps);
            let Maker::Meet(block, _) = &self.makers[state.0 as usize] else {
                return Some(state);
            };
            // If all paths lead to one state from above, that state is the definition.
            match self.above(context, *block, state, access, &mut steps) {
                Some(above) => state = above,
                None => return Some(state),
            }
        }
    }

    /// Skips writes to other memory.
    fn skip_writes(
        &self,
        context: &Context,
        mut state: MemoryState,
        access: &Access,
        steps: &mut usize,
    ) -> MemoryState {
        while let Maker::Write(op, before) = &self.makers[state.0 as usize] {
            if *steps == 0 || self.touch(context, *op, access) != AliasKind::None {
                break;
            }
            *steps -= 1;
            state = *before;
        }
        state
    }

    /// The single state from which all paths into a merge come.
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
                // A dominating merge is treated as a write; others are traversed.
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

    /// Whether a state was created in a block that properly dominates another one.
    fn is_above(&self, context: &Context, state: MemoryState, block: u32) -> bool {
        let at = match &self.makers[state.0 as usize] {
            Maker::Entry => return true,
            Maker::Write(op, _) => self.flow.block_around(context, *op),
            Maker::Meet(at, _) => Some(*at),
        };
        at.is_some_and(|at| at != block && self.flow.dominates(at, block))
    }

    /// Values may have been different before the beginning of a block: only those defined above it
    /// are the same on each execution.
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
        let mut roots = address.sum.terms().iter();
        if !roots.all(|(root, _)| root.values().all(is_above)) {
            access.address = None;
        }
    }

    /// Whether the writes of an operation overlap an access.
    fn touch(&self, context: &Context, writer: Operation, access: &Access) -> AliasKind {
        // Constant memory is not affected by any operation, including those that order memory.
        if access.constant {
            return AliasKind::None;
        }
        match self.writes.get(&writer) {
            Some(writes) => touch(writes, access),
            None => touch(&writes_of(context, writer), access),
        }
    }

    /// All definitions that may reach an access of an operation.
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
                    let kind = self.touch(context, *writer, &access);
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

/// The writes among the accesses of an operation.
fn writes_of(context: &Context, op: Operation) -> Vec<Access> {
    let mut accesses = memory::accesses(context, op);
    accesses.retain(|access| access.writes);
    accesses
}

/// The alias result with the highest certainty among writes.
fn touch(writes: &[Access], access: &Access) -> AliasKind {
    let kinds = writes.iter().map(|write| memory::alias(write, access).kind);
    let rank = |kind: &AliasKind| match kind {
        AliasKind::None => 0,
        AliasKind::May => 1,
        AliasKind::Must => 2,
        AliasKind::Same => 3,
    };
    kinds.max_by_key(rank).unwrap_or(AliasKind::None)
}

/// Computes the states of the first region of a function.
impl Analysis for MemoryFlow {
    const NAME: &'static str = "ori-memory-flow";

    fn compute(context: &mut Context, op: Operation, analyses: &mut AnalysisManager) -> Self {
        let flow = analyses.get::<ControlFlowGraph>(context, op);
        MemoryFlow::of(context, (*flow).clone())
    }
}
