//! The pass `ori-gvn`: phase 49 of ptxas (GvnCse), with the goals of 50 and 64.

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::declare::{Effects, OPERAND_SEGMENTS};
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{Attribute, Context, Identifier, Operation, OperationName, Type, Value};
use orison_ori::analyses::memory::{self, AliasKind};
use orison_ori::analyses::properties;
use orison_ori::analyses::{MemoryFlow, MemoryState};
use orison_ori::keywords::{Width, keyword_of};
use orison_ori::knobs::Knobs;
use orison_ori::modifiers::{self, MODIFIERS, ModifierSet};
use orison_ori::operations::moves::{Mov, Umov};
use rustc_hash::FxHashMap;

use super::functions::{Function, applied, on_each, passed};
use super::loops::HOISTED;

orison_ir::pass_options! {
    /// Options of `ori-gvn`.
    pub struct GlobalValueNumberingOptions {
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const REPLACED: &str = "replaced";
const LOADS: &str = "loads";
const FORWARDED: &str = "forwarded";
const ARGUMENTS: &str = "arguments";

/// The pass `ori-gvn`.
#[derive(Clone, Debug)]
pub struct GlobalValueNumbering(GlobalValueNumberingOptions);

impl Pass for GlobalValueNumbering {
    type Options = GlobalValueNumberingOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<GlobalValueNumbering>(
        "ori-gvn",
        "Eliminates redundant computations: phase 49 of ptxas.\n\
         \n\
         An operation is replaced by an equal one that dominates it: the same operation, \
         modifiers, guard and operands, in any order for commutative operands. An unguarded \
         operation also replaces a guarded one whose result is undefined where the guard is \
         false. A load is replaced by an equal load or by the stored value if no operation in \
         between may write to the address. Convergent operations are kept. Block arguments with \
         equal incoming values are merged. `GvnCseMode` selects the scope.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: REPLACED,
            summary: "Number of operations replaced by equal ones",
        },
        Statistic {
            name: LOADS,
            summary: "Number of loads replaced by equal ones",
        },
        Statistic {
            name: FORWARDED,
            summary: "Number of loads replaced by stored values",
        },
        Statistic {
            name: ARGUMENTS,
            summary: "Number of block arguments replaced by equal ones",
        },
    ]);

    fn create(options: GlobalValueNumberingOptions) -> Self {
        GlobalValueNumbering(options)
    }

    fn options(&self) -> &GlobalValueNumberingOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        on_each(pass, &self.0.knobs, |pass, function, knobs| {
            let off = !knobs.flag("EnableGvnCse") || knobs.integer("GvnCseMode") <= 0;
            if off && !knobs.flag("ForceLateCommoning") {
                return Ok(IRStatus::Unchanged);
            }
            Ok(number_values(pass, function, knobs))
        })
    }
}

/// The key that is the same for equal operations.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Key {
    name: OperationName,
    operands: Vec<(Value, ModifierSet)>,
    /// The number of operands of each group, up to the guard.
    groups: Vec<usize>,
    attributes: Vec<(Identifier, Attribute)>,
    results: Vec<Type>,
    /// The memory states that it reads; empty if it reads no memory.
    memory: Vec<MemoryState>,
}

impl Key {
    fn of(context: &Context, op: Operation, memory: Vec<MemoryState>) -> Self {
        let set = |number| modifiers::of_operand(context, op, number);
        let operands = op.operands(context).enumerate();
        let mut operands: Vec<_> = operands
            .map(|(number, value)| (value, set(number)))
            .collect();
        let commuting = properties::commuting_operands(context, op);
        let mut sorted: Vec<_> = commuting.iter().map(|number| operands[*number]).collect();
        sorted
            .sort_by_key(|(value, set)| (*value, set.iter().map(|m| m as u8).collect::<Vec<_>>()));
        for (number, operand) in commuting.into_iter().zip(sorted) {
            operands[number] = operand;
        }
        let own = op.properties(context).entries(context).iter();
        let other = op.attributes(context).entries(context).iter();
        let attributes = own.chain(other);
        let elsewhere = |key: &str| [MODIFIERS, OPERAND_SEGMENTS, HOISTED].contains(&key);
        let attributes = attributes.filter(|(key, _)| !elsewhere(key.text(context)));
        Key {
            name: op.name(context),
            operands,
            groups: groups(context, op),
            attributes: attributes.copied().collect(),
            results: op.result_types(context),
            memory,
        }
    }

    /// The key of the same operation without guard and associated operands, which come last.
    fn unguarded(&self, context: &Context, op: Operation) -> Option<Key> {
        let guard = properties::guard_operand(context, op)?;
        let mut key = self.clone();
        key.operands.truncate(guard);
        Some(key)
    }
}

/// The sizes of the operand groups, except the guard and its associated operands.
fn groups(context: &Context, op: Operation) -> Vec<usize> {
    let Some(definition) = op.definition(context) else {
        return Vec::new();
    };
    let declared = definition.operands.iter().enumerate();
    let own = declared.filter(|(_, group)| !matches!(group.name, "guard" | "otherwise"));
    own.map(|(group, _)| definition.operand_range(context, op, group).len())
        .collect()
}

struct Numbering<'p, 'a> {
    pass: &'p mut PassContext<'a>,
    flow: ControlFlowGraph,
    memory: Option<MemoryFlow>,
    /// Operations by key; the innermost in the dominator tree is last.
    known: FxHashMap<Key, Vec<Operation>>,
    /// Loads by key without memory state, to explain why one is kept.
    loads: FxHashMap<Key, Vec<Operation>>,
    mode: i64,
    extended_blocks: bool,
    /// Only operations of different blocks are merged (phase 64 of ptxas).
    late: bool,
    /// Copies are replaced, too.
    moves: bool,
    budget: Option<u64>,
    status: IRStatus,
}

fn number_values(pass: &mut PassContext<'_>, function: Function, knobs: &Knobs) -> IRStatus {
    let flow = ControlFlowGraph::of(pass.context, function.body);
    let late = !knobs.flag("EnableGvnCse") || knobs.integer("GvnCseMode") <= 0;
    // Late commoning follows the dominator tree, and ignores loads.
    let mode = if late { 2 } else { knobs.integer("GvnCseMode") };
    let budget = if late {
        "LateCommoningBudget"
    } else {
        "GvnCseBudget"
    };
    let memory = (mode >= 3).then(|| MemoryFlow::of(pass.context, flow.clone()));
    let mut numbering = Numbering {
        pass,
        flow,
        memory,
        known: FxHashMap::default(),
        loads: FxHashMap::default(),
        mode,
        extended_blocks: knobs.flag("GvnCseExtendedBlocks"),
        late,
        moves: !knobs.flag("DisableMoveCommoning"),
        budget: knobs.budget(budget),
        status: IRStatus::Unchanged,
    };
    // In preorder of the dominator tree, an operation that does not dominate now never will again.
    let mut pending = vec![0u32];
    while let Some(block) = pending.pop() {
        numbering.merge_arguments(block);
        for op in numbering.flow.block(block).body(numbering.pass.context) {
            numbering.visit(op, block);
        }
        pending.extend(numbering.flow.dominators().children(block).iter().rev());
    }
    numbering.status
}

impl Numbering<'_, '_> {
    fn visit(&mut self, op: Operation, block: u32) {
        let context = &*self.pass.context;
        let copies = Mov::of(context, op).is_some() || Umov::of(context, op).is_some();
        let left_alone = op.result_count(context) == 0
            || properties::is_unmodelled(context, op)
            || (copies && !self.moves);
        if left_alone {
            return;
        }
        let Some(states) = self.states(op) else {
            return;
        };
        let is_load = !states.is_empty();
        if is_load && self.forward(op, &states) {
            return;
        }
        let context = &*self.pass.context;
        let own = Key::of(context, op, states);
        // The undefined part of a partial result may differ.
        let partial = properties::is_partial(context, op);
        let loose = own.unguarded(context, op).filter(|_| partial);
        let leader = self.leader(&own, block);
        let leader = leader.or_else(|| self.leader(loose.as_ref()?, block));
        match leader {
            Some(leader) if self.take() => self.replace(op, leader, is_load),
            Some(_) => self.pass.declined(
                op,
                "equal-operation",
                "the budget is exhausted",
                "a larger GvnCseBudget",
            ),
            None => {
                self.explain(op, &own, is_load);
                self.known.entry(own).or_default().push(op);
            }
        }
    }

    /// The memory states that an operation reads; `None` if it cannot be replaced.
    fn states(&self, op: Operation) -> Option<Vec<MemoryState>> {
        let context = &*self.pass.context;
        if properties::is_pure(context, op) {
            return Some(Vec::new());
        }
        let definition = op.definition(context)?;
        let reads = definition.effects == Effects::Read
            && !properties::is_ordered(context, op)
            && !properties::is_convergent(context, op);
        let memory = self.memory.as_ref().filter(|_| reads)?;
        let accesses = memory::accesses(context, op);
        let states = accesses
            .iter()
            .map(|access| memory.source(context, op, access));
        states
            .collect::<Option<Vec<_>>>()
            .filter(|states| !states.is_empty())
    }

    /// A dominating equal operation.
    fn leader(&mut self, key: &Key, block: u32) -> Option<Operation> {
        let known = self.known.get_mut(key)?;
        while let Some(&op) = known.last() {
            let home = self.flow.block_around(self.pass.context, op)?;
            let sees = match self.mode {
                1 if !self.extended_blocks => home == block,
                1 => leads_alone(&self.flow, home, block),
                _ => self.flow.dominates(home, block),
            };
            if sees && self.late && home == block {
                return None;
            }
            if sees {
                return Some(op);
            }
            known.pop();
        }
        None
    }

    fn take(&mut self) -> bool {
        match &mut self.budget {
            None => true,
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
        }
    }

    fn replace(&mut self, op: Operation, leader: Operation, is_load: bool) {
        let rule = if is_load {
            "equal-load"
        } else {
            "equal-operation"
        };
        applied(self.pass, op, rule, "an equal operation dominates it");
        let context = &mut *self.pass.context;
        for number in 0..op.result_count(context) {
            let (result, known) = (op.result(context, number), leader.result(context, number));
            result.replace_all_uses_with(context, known);
        }
        op.erase(context);
        self.pass.count(REPLACED, 1);
        if is_load {
            self.pass.count(LOADS, 1);
        }
        self.status = IRStatus::Changed;
    }

    /// Replaces a load with the stored value.
    fn forward(&mut self, op: Operation, states: &[MemoryState]) -> bool {
        let context = &*self.pass.context;
        let Some(value) = self.stored(op, states) else {
            return false;
        };
        let result = op.result(context, 0);
        if value.ty(context) != result.ty(context) || !self.take() {
            return false;
        }
        applied(
            self.pass,
            op,
            "stored-value",
            "replaced by the stored value",
        );
        result.replace_all_uses_with(self.pass.context, value);
        op.erase(self.pass.context);
        self.pass.count(FORWARDED, 1);
        self.status = IRStatus::Changed;
        true
    }

    /// The value that a load reads: that of the store that defines the memory state, if the load
    /// reads exactly its bytes.
    fn stored(&self, op: Operation, states: &[MemoryState]) -> Option<Value> {
        let context = &*self.pass.context;
        let ([state], Some(memory)) = (states, &self.memory) else {
            return None;
        };
        let store = memory.writer(*state)?;
        let plain = store.definition(context)?.effects == Effects::Write
            && !properties::is_ordered(context, store)
            && (properties::guard(context, store).is_none()
                || properties::guard(context, store) == properties::guard(context, op));
        let width: Option<Width> = keyword_of(context, op, "width");
        let extends = matches!(width, Some(Width::U8 | Width::S8 | Width::U16 | Width::S16));
        let otherwise = properties::otherwise(context, op).is_empty();
        // Without the attribute, both access 32 bits.
        let same = op.attribute(context, "width") == store.attribute(context, "width");
        if !plain || !same || extends || !otherwise || op.result_count(context) != 1 {
            return None;
        }
        let [read] = &memory::accesses(context, op)[..] else {
            return None;
        };
        let writes = memory::accesses(context, store);
        let [write] = &writes[..] else { return None };
        if memory::alias(write, read).kind != AliasKind::Same {
            return None;
        }
        store.operands_named(context, "value").first().copied()
    }

    /// Explains why a load is kept although there is an equal one.
    fn explain(&mut self, op: Operation, key: &Key, is_load: bool) {
        if !is_load || !self.pass.wants_remarks() {
            return;
        }
        let mut key = key.clone();
        key.memory.clear();
        let known = self.loads.entry(key).or_default();
        let block = self.flow.block_around(self.pass.context, op);
        let flow = &self.flow;
        let context = &*self.pass.context;
        let dominated = known.iter().any(|other| {
            let home = flow.block_around(context, *other);
            home.zip(block)
                .is_some_and(|(home, block)| flow.dominates(home, block))
        });
        known.push(op);
        if dominated {
            self.pass.declined(
                op,
                "equal-load",
                "a store after the dominating equal load may write to the same address",
                "addresses that provably differ",
            );
        }
    }

    /// Merges block arguments for which every branch passes equal values.
    fn merge_arguments(&mut self, block: u32) {
        let context = &*self.pass.context;
        let handle = self.flow.block(block);
        let count = handle.argument_count(context);
        if count < 2 || handle.is_entry(context) {
            return;
        }
        let mut branches: Vec<Operation> = handle.predecessor_terminators(context).collect();
        branches.sort_unstable();
        branches.dedup();
        let mut columns: Vec<Vec<Value>> = vec![Vec::new(); count];
        for branch in branches {
            for (way, target) in branch.successors(context).enumerate() {
                if target != handle {
                    continue;
                }
                let values = passed(context, branch, way);
                if values.len() != count {
                    return;
                }
                for (column, value) in columns.iter_mut().zip(values) {
                    column.push(value);
                }
            }
        }
        let mut first: FxHashMap<Vec<Value>, Value> = FxHashMap::default();
        let mut merged = Vec::new();
        for (position, column) in columns.into_iter().enumerate() {
            let argument = handle.argument(context, position);
            match first.get(&column) {
                Some(leader) if leader.ty(context) == argument.ty(context) => {
                    merged.push((argument, *leader));
                }
                Some(_) => {}
                None => {
                    first.insert(column, argument);
                }
            }
        }
        for (argument, leader) in merged {
            if argument.is_unused(self.pass.context) {
                continue;
            }
            argument.replace_all_uses_with(self.pass.context, leader);
            self.pass.count(ARGUMENTS, 1);
            self.status = IRStatus::Changed;
        }
    }
}

/// Whether a block is another one, or is reached from it along single-predecessor edges only.
fn leads_alone(flow: &ControlFlowGraph, home: u32, mut block: u32) -> bool {
    while block != home {
        let [before] = flow.predecessors(block) else {
            return false;
        };
        block = *before;
    }
    true
}
