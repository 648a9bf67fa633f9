//! Assigns operations to agents, and determines the values passed between them.
//!
//! The region that is split is the rest of a block from the first loop with loads. Loops and
//! branches that contain such a loop are *projected*: each agent has a separate copy with what it
//! needs. Every other operation is an item of one of the blocks of projected operations, its
//! *frames*.
//!
//! * Load agents execute the loads of scheduled loops, and what their addresses need: pure
//!   operations, and reads of memory that is not written. Other values that an address needs are
//!   passed to them.
//! * Every other operation with effects is executed by one agent, with what it needs: the agent it
//!   is assigned to, or the first that computes. Tiles of loads, and values that another agent
//!   computes, are passed to it.
//! * Pure operations that are not assigned, and that several agents need, are executed by each,
//!   except for products, reductions and changes of layout.
//!
//! The closure is in `split.rs`. Source: TileAS reference 6.1, 6.2 (phases 1 to 3), 6.6.

use std::collections::{BTreeMap, BTreeSet};

use orison_host::scf;
use orison_ir::declare::Trait;
use orison_ir::walk::collect;
use orison_ir::{Block, Context, Diagnostic, Operation, Value, ValueOwner};

use super::super::attributes::AGENT;
use super::loads::{self, LoadKind};
use super::memory_order::is_pure;
use super::roles::{Agent, AgentSet, Roles};

/// A block of which each agent has a copy.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The block; the outermost frame has only the operations from the first loop.
    pub block: Block,
    /// The loop or branch around it; `None` for the outermost frame.
    pub owner: Option<Operation>,
    /// The frame of which the owner is an item.
    pub parent: Option<usize>,
    /// The operations, in program order, without the terminator.
    pub items: Vec<Operation>,
    /// Whether the block is the body of a loop.
    pub is_loop: bool,
    /// Whether the block is the body of a loop with a schedule.
    pub is_scheduled: bool,
}

/// The work of one agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Items, including projected loops and branches.
    pub items: BTreeSet<Operation>,
    /// Results and carried arguments of projected loops and branches that the agent keeps.
    pub kept: BTreeMap<Operation, BTreeSet<usize>>,
}

/// The extent of the split around the loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// The rest of the block from the first loop.
    Region,
    /// Only one loop.
    Loop,
}

/// The split of a region between agents.
#[derive(Clone, Debug)]
pub struct Partition {
    /// The frames; the first is the outermost, and parents come before children.
    pub frames: Vec<Frame>,
    /// The loads of the load agent, and how it executes them.
    pub loads: BTreeMap<Operation, LoadKind>,
    /// Loads that no agent executes, as their tile is not read. Their tokens are replaced by the
    /// tokens before them.
    pub dead_loads: BTreeSet<Operation>,
    /// Values that one agent defines for the given others.
    pub passed: BTreeMap<Value, AgentSet>,
    /// The agents.
    pub roles: Roles,
    work: Vec<Work>,
    frame_of: BTreeMap<Block, usize>,
}

impl Partition {
    /// The frames, agents and staged loads of the region around loops, without work for the agents.
    /// `None` if there is no loop.
    ///
    /// # Errors
    /// A located error for a malformed assignment.
    pub(super) fn undivided(
        context: &Context,
        scheduled: &[Operation],
        stage_plain: bool,
        scope: Scope,
    ) -> Result<Option<Partition>, Box<Diagnostic>> {
        let Some(frames) = frames(context, scheduled, scope) else {
            return Ok(None);
        };
        let frame_of = frames.iter().map(|frame| frame.block).zip(0..).collect();
        let roles = match scope {
            Scope::Region => roles(context, scheduled, &frames)?,
            Scope::Loop => Roles::load_and_compute(),
        };
        let loads = staged_loads(context, &frames, &roles, stage_plain);
        Ok(Some(Partition {
            work: vec![Work::default(); roles.list().len()],
            frames,
            loads,
            dead_loads: BTreeSet::new(),
            passed: BTreeMap::new(),
            roles,
            frame_of,
        }))
    }

    /// Whether an agent sees no result of an operation but its order: its token is replaced by the
    /// token before it. So it is for loads of which only the tile is passed, and for what another
    /// agent executes.
    pub fn forwards_token(&self, context: &Context, agent: Agent, op: Operation) -> bool {
        if self.loads.contains_key(&op) || self.dead_loads.contains(&op) {
            return true;
        }
        self.is_item(context, op)
            && !self.is_projected(context, op)
            && !self.work(agent).items.contains(&op)
    }

    /// Whether an operation is an item of a frame.
    pub fn is_item(&self, context: &Context, op: Operation) -> bool {
        let frame = op.block(context).and_then(|block| self.frame_of(block));
        frame.is_some_and(|frame| frame > 0 || self.frames[0].items.contains(&op))
    }

    /// The work of an agent.
    pub fn work(&self, agent: Agent) -> &Work {
        &self.work[agent.index()]
    }

    /// Adds to the work of an agent.
    pub(super) fn work_mut(&mut self, agent: Agent) -> &mut Work {
        &mut self.work[agent.index()]
    }

    /// The agent of an item that only one agent executes: of a load, its load agent; otherwise the
    /// assigned agent, or the first that computes. Load agents execute nothing else alone.
    pub fn home(&self, op: Operation) -> Agent {
        let assigned = self.roles.assigned(op);
        if self.loads.contains_key(&op) {
            return assigned.or(self.roles.loader()).unwrap_or(Agent::LOAD);
        }
        let computing = assigned.filter(|agent| !self.roles.is_loader(*agent));
        computing.unwrap_or(self.roles.others())
    }

    /// The agent that passes a computed value to others: that of the operation that defines it, or,
    /// for what a loop or branch carries, the one that keeps it.
    pub fn maker(&self, context: &Context, value: Value) -> Agent {
        let mut seen = BTreeSet::new();
        let mut worklist = vec![value];
        while let Some(value) = worklist.pop() {
            if !seen.insert(value) {
                continue;
            }
            match value.owner(context) {
                ValueOwner::Argument(block, position) => {
                    let frame = self.frame_of(block);
                    let owner = frame.and_then(|frame| self.frames[frame].owner);
                    if let Some((owner, number)) = owner.zip(position.checked_sub(1)) {
                        worklist.extend(sources(context, owner, number).into_iter().rev());
                    }
                }
                ValueOwner::Result(op, number) => {
                    if !self.is_item(context, op) || self.loads.contains_key(&op) {
                        continue;
                    }
                    if self.is_projected(context, op) {
                        worklist.extend(sources(context, op, number).into_iter().rev());
                    } else if self.roles.assigned(op).is_some() {
                        return self.home(op);
                    }
                }
            }
        }
        self.roles.others()
    }

    /// The frame of a block; `None` for blocks outside the region or inside items.
    pub fn frame_of(&self, block: Block) -> Option<usize> {
        self.frame_of.get(&block).copied()
    }

    /// Whether an operation is a loop or branch of which each agent has a copy.
    pub fn is_projected(&self, context: &Context, op: Operation) -> bool {
        op.regions(context)
            .filter_map(|region| region.first_block(context))
            .any(|block| self.frame_of.contains_key(&block))
    }

    /// Whether a value depends on nothing executed in the region, except for pure operations that
    /// could be moved before it.
    pub fn is_known_before(&self, context: &Context, value: Value) -> bool {
        let mut worklist = vec![value];
        let mut seen = BTreeSet::new();
        while let Some(value) = worklist.pop() {
            if !seen.insert(value) {
                continue;
            }
            let Some(op) = value.defining_op(context) else {
                let block = value.argument_owner(context);
                if block.is_some_and(|block| self.frame_of(block).is_some_and(|frame| frame > 0)) {
                    return false;
                }
                continue;
            };
            if self.item_around(context, op).is_none() {
                continue;
            }
            if !is_pure(context, op) || op.region_count(context) > 0 {
                return false;
            }
            worklist.extend(op.operands(context));
        }
        true
    }

    /// The frame and the item that contain an operation of the region.
    pub fn item_around(&self, context: &Context, op: Operation) -> Option<(usize, Operation)> {
        let mut current = Some(op);
        while let Some(op) = current {
            let frame = op.block(context).and_then(|block| self.frame_of(block));
            if let Some(frame) = frame {
                let is_item = frame > 0 || self.frames[0].items.contains(&op);
                return is_item.then_some((frame, op));
            }
            current = op.parent_op(context);
        }
        None
    }
}

/// The agents of a region, with the assignment of its operations.
fn roles(
    context: &Context,
    scheduled: &[Operation],
    frames: &[Frame],
) -> Result<Roles, Box<Diagnostic>> {
    let mut roles = Roles::of_loops(context, scheduled)?;
    let items = frames.iter().flat_map(|frame| &frame.items).copied();
    roles.assign(context, items.clone())?;
    let owners: BTreeSet<Operation> = frames.iter().filter_map(|frame| frame.owner).collect();
    for item in items {
        if owners.contains(&item) {
            continue;
        }
        let mut inside = collect(context, item).into_iter().skip(1);
        if let Some(op) = inside.find(|op| op.attribute(context, AGENT).is_some()) {
            let message = format!("has '{AGENT}', but one agent executes the operation around it");
            let error = op.op_error(context, message);
            return Err(Box::new(
                error.with_note(item.location(context), "around it"),
            ));
        }
    }
    Ok(roles)
}

/// The loads of scheduled loops that load agents could execute.
fn staged_loads(
    context: &Context,
    frames: &[Frame],
    roles: &Roles,
    stage_plain: bool,
) -> BTreeMap<Operation, LoadKind> {
    let mut found = BTreeMap::new();
    let items = frames.iter().filter(|frame| frame.is_scheduled);
    for &op in items.flat_map(|frame| &frame.items) {
        let agent = roles.assigned(op).or(roles.loader());
        if let Some(kind) = loads::kind(context, op)
            && (stage_plain || kind == LoadKind::Tma)
            && agent.is_some_and(|agent| roles.is_loader(agent))
        {
            found.insert(op, kind);
        }
    }
    found
}

/// The outermost operation that values inside cannot leave: the function.
pub(super) fn outermost(context: &Context, op: Operation) -> Operation {
    let isolated = |op: &Operation| op.has_trait(context, Trait::IsolatedFromAbove);
    op.ancestors(context).find(isolated).unwrap_or(op)
}

/// The block whose rest is split for a loop: the outermost one with only loops and branches between
/// it and the loop.
pub fn root_block(context: &Context, looped: Operation) -> Option<Block> {
    let mut op = looped;
    while let Some(parent) = op.parent_op(context) {
        if !scf::For::matches(context, parent) && !scf::If::matches(context, parent) {
            break;
        }
        op = parent;
    }
    op.block(context)
}

fn frames(context: &Context, scheduled: &[Operation], scope: Scope) -> Option<Vec<Frame>> {
    let first = *scheduled.first()?;
    let block = match scope {
        Scope::Region => root_block(context, first)?,
        Scope::Loop => first.block(context)?,
    };
    let holds = |op: Operation| {
        scheduled
            .iter()
            .any(|looped| op.is_ancestor_of(context, *looped))
    };
    let end = block.last_op(context)?;
    let terminates = end.has_trait(context, Trait::Terminator);
    let body = block.operations(context);
    let mut items: Vec<Operation> = body.skip_while(|op| !holds(*op)).collect();
    if terminates {
        items.pop();
    }
    if scope == Scope::Loop {
        items.truncate(1);
    }
    let mut frames = vec![Frame {
        block,
        owner: None,
        parent: None,
        items,
        is_loop: false,
        is_scheduled: false,
    }];
    let mut next = 0;
    while next < frames.len() {
        for op in frames[next].items.clone() {
            if !holds(op) {
                continue;
            }
            for region in op.regions(context) {
                let Some(block) = region.first_block(context) else {
                    continue;
                };
                frames.push(Frame {
                    block,
                    owner: Some(op),
                    parent: Some(next),
                    items: block.body(context),
                    is_loop: scf::For::matches(context, op),
                    is_scheduled: scheduled.contains(&op),
                });
            }
        }
        next += 1;
    }
    Some(frames)
}

/// The sources of a result of a loop or branch: the values its regions yield, and the initial
/// values of a loop.
pub(super) fn sources(context: &Context, op: Operation, number: usize) -> Vec<Value> {
    let ends = op
        .regions(context)
        .filter_map(|region| region.first_block(context)?.terminator(context));
    let mut values: Vec<Value> = ends
        .filter_map(|end| end.operands(context).nth(number))
        .collect();
    if scf::For::matches(context, op) {
        values.extend(op.operands(context).nth(number + 3));
    }
    values
}
