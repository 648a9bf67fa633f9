//! SSA form for variables with several definitions.
//!
//! Cloning blocks gives a value a second definition. A use is reached by one of them, or by both:
//! then blocks where they meet get arguments. The placement is the least one: a block has an
//! argument only if different values reach it.

use std::collections::BTreeSet;

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Block, Context, Location, Operation, Type, Use, Value, ValueOwner};
use rustc_hash::FxHashMap;

use crate::ori::functions::{passed_before, undefined_at_start};

/// A value that several blocks define.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The type of the definitions.
    pub ty: Type,
    /// The location of arguments.
    pub location: Location,
    /// The value at the end of each block that defines it, by index.
    pub definitions: FxHashMap<u32, Value>,
}

impl Variable {
    /// A variable of the type and location of a value, without definitions.
    pub fn like(context: &Context, value: Value) -> Self {
        let location = match value.owner(context) {
            ValueOwner::Result(op, _) => op.location(context),
            ValueOwner::Argument(block, position) => block.argument_location(context, position),
        };
        Variable {
            ty: value.ty(context),
            location,
            definitions: FxHashMap::default(),
        }
    }
}

/// The value that reaches the start of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reaching {
    /// None is known yet.
    None,
    Value(Value),
    /// An argument of a block, in which different values meet.
    Meeting(u32),
    /// No definition is on the path from the entry.
    Undefined,
}

/// Gives uses the definitions that reach them.
///
/// Arguments are added at once; the operands passed to them are written by [`Self::finish`], so that
/// a branch is rebuilt once for all variables.
#[derive(Debug)]
pub struct SsaRepair<'f> {
    flow: &'f ControlFlowGraph,
    /// The values to append, by branch and successor.
    appended: FxHashMap<Operation, Vec<Vec<Value>>>,
    /// The branches, in the order of their first change.
    branches: Vec<Operation>,
}

impl<'f> SsaRepair<'f> {
    /// For a function with this flow graph.
    pub fn new(flow: &'f ControlFlowGraph) -> Self {
        SsaRepair {
            flow,
            appended: FxHashMap::default(),
            branches: Vec::new(),
        }
    }

    /// The blocks at whose start the variable is needed: those with the uses, and those from which
    /// they are reached without a definition. Ordered by their places in reverse post-order.
    pub fn live_blocks(&self, variable: &Variable, blocks: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut pending: Vec<u32> = blocks.collect();
        let mut live = BTreeSet::new();
        while let Some(block) = pending.pop() {
            let Some(position) = self.flow.position(block) else {
                continue;
            };
            if live.insert((position, block)) {
                let before = self.flow.predecessors(block).iter().copied();
                pending.extend(before.filter(|block| !variable.definitions.contains_key(block)));
            }
        }
        live.into_iter().map(|(_, block)| block).collect()
    }

    /// Gives uses of a variable the value that reaches the start of their blocks.
    pub fn repair(&mut self, context: &mut Context, variable: &Variable, uses: &[Use]) {
        if uses.is_empty() {
            return;
        }
        let home = |usage: &Use| self.flow.block_around(context, usage.owner);
        let places: Vec<(Use, u32)> = uses
            .iter()
            .filter_map(|usage| Some((*usage, home(usage)?)))
            .collect();
        let live = self.live_blocks(variable, places.iter().map(|(_, block)| *block));
        let reaching = self.solve(variable, &live);
        let mut values = Values::new(variable, &reaching);
        for block in &live {
            if reaching[block] == Reaching::Meeting(*block) {
                values.add_argument(context, self.flow.block(*block), *block);
            }
        }
        for block in &live {
            if reaching[block] == Reaching::Meeting(*block) {
                self.pass(context, *block, &mut values);
            }
        }
        for (usage, block) in places {
            // A use in a block that is never reached is left as it is.
            if let Some(reached) = reaching.get(&block) {
                let value = values.of(context, self.flow, *reached);
                usage.owner.set_operand(context, usage.operand, value);
            }
        }
    }

    /// Gives uses of a variable an argument of a block that dominates them, and whose predecessors all
    /// define the variable. Does nothing if there are no uses.
    pub fn meet(&mut self, context: &mut Context, variable: &Variable, block: u32, uses: Vec<Use>) {
        if uses.is_empty() {
            return;
        }
        let target = self.flow.block(block);
        let argument = target.add_argument(context, variable.ty, variable.location);
        for (branch, way) in target.predecessor_edges(context).collect::<Vec<_>>() {
            let from = branch.block(context);
            let from = from.and_then(|from| self.flow.number(from));
            let value = from.and_then(|from| variable.definitions.get(&from));
            self.append(context, branch, way, value.copied().unwrap_or(argument));
        }
        for usage in uses {
            usage.owner.set_operand(context, usage.operand, argument);
        }
    }

    /// What reaches the starts of blocks, as the greatest fixed point: blocks are visited again when
    /// what reaches a predecessor changes.
    fn solve(&self, variable: &Variable, live: &[u32]) -> FxHashMap<u32, Reaching> {
        let mut reaching: FxHashMap<u32, Reaching> =
            live.iter().map(|block| (*block, Reaching::None)).collect();
        let places: FxHashMap<u32, usize> = live.iter().copied().zip(0..).collect();
        let mut pending: BTreeSet<usize> = (0..live.len()).collect();
        while let Some(place) = pending.pop_first() {
            let block = live[place];
            let mut met = match self.flow.predecessors(block) {
                [] => Reaching::Undefined,
                _ => Reaching::None,
            };
            for before in self.flow.predecessors(block) {
                if !self.flow.is_reachable(*before) {
                    continue;
                }
                let leaving = at_end(variable, &reaching, *before);
                met = match (met, leaving) {
                    (met, Reaching::None) => met,
                    (Reaching::None, leaving) => leaving,
                    (met, leaving) if met == leaving => met,
                    _ => Reaching::Meeting(block),
                };
            }
            // What meets here stays apart: the argument is one of its own.
            if reaching[&block] == Reaching::Meeting(block) || reaching[&block] == met {
                continue;
            }
            reaching.insert(block, met);
            let next = self.flow.successors(block).iter();
            pending.extend(next.filter_map(|next| places.get(next)));
        }
        reaching
    }

    /// Passes what reaches the ends of the predecessors of a block to its new argument.
    fn pass(&mut self, context: &mut Context, block: u32, values: &mut Values<'_>) {
        let target = self.flow.block(block);
        let edges: Vec<_> = target.predecessor_edges(context).collect();
        for (branch, way) in edges {
            let from = branch.block(context);
            let from = from.and_then(|from| self.flow.number(from));
            let leaving = from.filter(|from| self.flow.is_reachable(*from));
            let leaving = leaving.map_or(Reaching::Undefined, |from| {
                at_end(values.variable, values.reaching, from)
            });
            let value = values.of(context, self.flow, leaving);
            self.append(context, branch, way, value);
        }
    }

    /// Passes one more value on an edge, when [`Self::finish`] is called.
    pub fn append(&mut self, context: &Context, branch: Operation, way: usize, value: Value) {
        let lists = self.appended.entry(branch).or_insert_with(|| {
            self.branches.push(branch);
            vec![Vec::new(); branch.successor_count(context)]
        });
        lists[way].push(value);
    }

    /// Writes the operands that branches pass.
    pub fn finish(self, context: &mut Context) {
        for branch in self.branches {
            let appended = &self.appended[&branch];
            let lists = appended.iter().enumerate().map(|(way, more)| {
                let mut values = passed_before(context, branch, way);
                values.extend(more);
                values
            });
            let lists: Vec<Vec<Value>> = lists.collect();
            branch.set_all_passed_operands(context, &lists);
        }
    }
}

/// What reaches the end of a block.
fn at_end(variable: &Variable, reaching: &FxHashMap<u32, Reaching>, block: u32) -> Reaching {
    match variable.definitions.get(&block) {
        Some(value) => Reaching::Value(*value),
        None => reaching.get(&block).copied().unwrap_or(Reaching::None),
    }
}

/// The values that reach blocks.
struct Values<'v> {
    variable: &'v Variable,
    reaching: &'v FxHashMap<u32, Reaching>,
    arguments: FxHashMap<u32, Value>,
    undefined: Option<Value>,
}

impl<'v> Values<'v> {
    fn new(variable: &'v Variable, reaching: &'v FxHashMap<u32, Reaching>) -> Self {
        Values {
            variable,
            reaching,
            arguments: FxHashMap::default(),
            undefined: None,
        }
    }

    fn add_argument(&mut self, context: &mut Context, block: Block, number: u32) {
        let Variable { ty, location, .. } = *self.variable;
        let argument = block.add_argument(context, ty, location);
        self.arguments.insert(number, argument);
    }

    fn of(&mut self, context: &mut Context, flow: &ControlFlowGraph, reaching: Reaching) -> Value {
        match (reaching, self.undefined) {
            (Reaching::Value(value), _) => value,
            (Reaching::Meeting(block), _) => self.arguments[&block],
            (_, Some(undefined)) => undefined,
            (_, None) => {
                let Variable { ty, location, .. } = *self.variable;
                let undefined = undefined_at_start(context, flow.block(0), location, ty);
                *self.undefined.insert(undefined)
            }
        }
    }
}
