//! Assigns operations to the load agent and the compute agent, and determines the values passed
//! between them.
//!
//! The region that is split is the rest of a block from the first loop with loads. Loops and
//! branches that contain such a loop are *projected*: each agent has a separate copy with what it
//! needs. Every other operation is an item of one of the blocks of projected operations, its
//! *frames*.
//!
//! * The load agent executes the loads of scheduled loops, and what their addresses need: pure
//!   operations, and reads of memory that is not written. Other values that an address needs are
//!   passed to it by the compute agent.
//! * The compute agent executes every other operation with effects, and what those need. Tiles of
//!   loads are passed to it.
//! * Pure operations that both need are executed by both.
//!
//! Source: TileAS reference 6.1, 6.2 (phases 1 to 3), 6.6.

use std::collections::{BTreeMap, BTreeSet};

use orison_ir::declare::Trait;
use orison_ir::walk::collect;
use orison_ir::{Block, Context, Operation, Value, ValueOwner};

use super::loads::{self, LoadKind};
use super::memory::{Writers, is_free_read, is_pure};

/// An agent, by its role.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Role {
    /// Loads tiles from memory.
    Load,
    /// Executes everything else.
    Compute,
}

impl Role {
    /// The other agent.
    pub fn other(self) -> Role {
        match self {
            Role::Load => Role::Compute,
            Role::Compute => Role::Load,
        }
    }
}

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
    /// Values that the other agent defines for the given agent.
    pub passed: BTreeMap<Value, Role>,
    work: [Work; 2],
    frame_of: BTreeMap<Block, usize>,
}

impl Partition {
    /// Splits the region around loops. `scheduled` are the loops with schedules, all under one
    /// block of a function; `stage_plain` states whether loads that are not by TMA are also given
    /// to the load agent. `None` if no load remains for the load agent.
    pub fn new(
        context: &Context,
        scheduled: &[Operation],
        stage_plain: bool,
        scope: Scope,
    ) -> Option<Partition> {
        let frames = frames(context, scheduled, scope)?;
        let frame_of = frames.iter().map(|frame| frame.block).zip(0..).collect();
        let function = outermost(context, scheduled[0]);
        let writers = Writers::within(context, function);
        let mut loads = BTreeMap::new();
        for frame in frames.iter().filter(|frame| frame.is_scheduled) {
            for &op in &frame.items {
                if let Some(kind) = loads::kind(context, op)
                    && (stage_plain || kind == LoadKind::Tma)
                {
                    loads.insert(op, kind);
                }
            }
        }
        loop {
            let mut split = Split {
                context,
                writers,
                demoted: BTreeSet::new(),
                partition: Partition {
                    frames: frames.clone(),
                    loads: loads.clone(),
                    dead_loads: BTreeSet::new(),
                    passed: BTreeMap::new(),
                    work: [Work::default(), Work::default()],
                    frame_of: BTreeMap::clone(&frame_of),
                },
            };
            split.run();
            // A load whose tile an address needs is executed where the address is computed, and a
            // plain load whose address needs the compute agent stays with it.
            if split.demoted.is_empty() {
                let mut partition = split.partition;
                let live = &partition.work[0].items;
                let is_dead = |load: &Operation| !live.contains(load);
                partition.dead_loads = loads.keys().copied().filter(is_dead).collect();
                let dead = &partition.dead_loads;
                partition.loads.retain(|load, _| !dead.contains(load));
                return (!partition.loads.is_empty()).then_some(partition);
            }
            loads.retain(|load, _| !split.demoted.contains(load));
        }
    }

    /// Whether an operation is a load of which only the tile is passed: its token is replaced by
    /// the token before it.
    pub fn forwards_token(&self, op: Operation) -> bool {
        self.loads.contains_key(&op) || self.dead_loads.contains(&op)
    }

    /// The work of an agent.
    pub fn work(&self, role: Role) -> &Work {
        &self.work[role as usize]
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

/// The outermost operation that values inside cannot leave: the function.
fn outermost(context: &Context, op: Operation) -> Operation {
    let isolated = |op: &Operation| op.has_trait(context, Trait::IsolatedFromAbove);
    op.ancestors(context).find(isolated).unwrap_or(op)
}

/// The block whose rest is split for a loop: the outermost one with only loops and branches between
/// it and the loop.
pub fn root_block(context: &Context, looped: Operation) -> Option<Block> {
    let mut op = looped;
    while let Some(parent) = op.parent_op(context) {
        if !parent.is(context, "scf.for") && !parent.is(context, "scf.if") {
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
                    is_loop: op.is(context, "scf.for"),
                    is_scheduled: scheduled.contains(&op),
                });
            }
        }
        next += 1;
    }
    Some(frames)
}

/// The closure under "needed by an agent".
struct Split<'c> {
    context: &'c Context,
    writers: Writers,
    /// Loads that the load agent cannot execute as separate loads.
    demoted: BTreeSet<Operation>,
    partition: Partition,
}

/// A value that an agent needs, and the load for which it is needed.
type Need = (Role, Value, Option<Operation>);

impl Split<'_> {
    fn run(&mut self) {
        let mut needs: Vec<Need> = Vec::new();
        let items: Vec<Operation> = self
            .partition
            .frames
            .iter()
            .flat_map(|frame| frame.items.clone())
            .collect();
        for op in items {
            let is_load = self.partition.loads.contains_key(&op);
            if !is_load
                && !self.partition.is_projected(self.context, op)
                && !is_pure(self.context, op)
            {
                self.add(Role::Compute, op, None, &mut needs);
            }
        }
        needs.extend(self.leaving());
        let mut seen: BTreeSet<(Role, Value)> = BTreeSet::new();
        while let Some((role, value, load)) = needs.pop() {
            if seen.insert((role, value)) {
                self.need(role, value, load, &mut needs);
            }
        }
    }

    /// Results of the region with other uses.
    fn leaving(&self) -> Vec<Need> {
        let context = self.context;
        let root = &self.partition.frames[0];
        let inside = |user: Operation| {
            let item = user.ancestor_in_block(context, root.block);
            item.is_some_and(|item| root.items.contains(&item))
        };
        let results = root.items.iter().flat_map(|op| op.results(context));
        let read = results.filter(|value| value.users(context).any(|user| !inside(user)));
        read.map(|value| (Role::Compute, value, None)).collect()
    }

    fn need(&mut self, role: Role, value: Value, load: Option<Operation>, needs: &mut Vec<Need>) {
        let context = self.context;
        match value.owner(context) {
            ValueOwner::Argument(block, position) => {
                let Some(frame) = self.partition.frame_of(block) else {
                    return;
                };
                let Some(owner) = self.partition.frames[frame].owner else {
                    return;
                };
                let Some(number) = position.checked_sub(1) else {
                    return self.structure(role, owner, load, needs);
                };
                if role == Role::Load && !self.is_free(value) {
                    return self.pass(role, value, load, needs);
                }
                self.keep(role, owner, number, load, needs);
            }
            ValueOwner::Result(op, number) => {
                let item = op.block(context).and_then(|block| self.frame(block, op));
                if item.is_none() {
                    return;
                }
                if self.partition.loads.contains_key(&op) {
                    return self.need_load(role, op, number, needs);
                }
                if role == Role::Load && !self.is_free(value) {
                    // A value that cannot be passed is computed where it is needed, from values
                    // that can be.
                    let item = self.partition.is_projected(context, op) || !self.is_cheap(op);
                    let ty = value.ty(context);
                    if !item && loads::value_bytes(context, ty).is_none() {
                        return self.add(role, op, load, needs);
                    }
                    return self.pass(role, value, load, needs);
                }
                if self.partition.is_projected(context, op) {
                    self.keep(role, op, number, load, needs);
                } else {
                    self.add(role, op, load, needs);
                }
            }
        }
    }

    /// The frame of a block, for an operation that is in the region.
    fn frame(&self, block: Block, op: Operation) -> Option<usize> {
        let frame = self.partition.frame_of(block)?;
        (frame > 0 || self.partition.frames[0].items.contains(&op)).then_some(frame)
    }

    /// Handles a value defined by a load.
    fn need_load(&mut self, role: Role, op: Operation, number: usize, needs: &mut Vec<Need>) {
        let context = self.context;
        if number > 0 {
            // After its token the order is that of the tokens before it: passing the tile orders
            // later operations.
            let tokens = op.operands_named(context, "token");
            needs.extend(tokens.into_iter().map(|token| (role, token, Some(op))));
        } else if role == Role::Load {
            self.demoted.insert(op);
        } else {
            let tile = op.result(context, 0);
            self.partition.passed.insert(tile, role);
            self.add(Role::Load, op, Some(op), needs);
        }
    }

    /// Gives an item, with all it reads, to an agent.
    fn add(&mut self, role: Role, op: Operation, load: Option<Operation>, needs: &mut Vec<Need>) {
        if !self.partition.work[role as usize].items.insert(op) {
            return;
        }
        let context = self.context;
        let kind = self.partition.loads.get(&op).copied();
        let view = op.operands_named(context, "view");
        // The descriptor of such a view is created before the region.
        let described = kind == Some(LoadKind::Tma)
            && view
                .iter()
                .all(|view| self.partition.is_known_before(context, *view));
        for nested in collect(context, op) {
            let operands = nested.operands(context);
            let own = |value: &Value| {
                // Order of a load is enforced by mutexes, not by its tokens.
                let token = super::super::dependence::is_token(context, *value);
                kind.is_none() || !(token || described && view.contains(value))
            };
            needs.extend(operands.filter(own).map(|value| (role, value, load)));
        }
        let parent = op.parent_op(context);
        if let Some(parent) = parent.filter(|parent| self.is_inside(*parent)) {
            self.structure(role, parent, load, needs);
        }
    }

    fn is_inside(&self, op: Operation) -> bool {
        self.partition.is_projected(self.context, op)
    }

    /// Gives an agent a copy of a projected loop or branch.
    fn structure(
        &mut self,
        role: Role,
        op: Operation,
        load: Option<Operation>,
        needs: &mut Vec<Need>,
    ) {
        let context = self.context;
        if !self.partition.work[role as usize].items.insert(op) {
            return;
        }
        let control = if op.is(context, "scf.for") { 3 } else { 1 };
        let operands = op.operands(context).take(control);
        needs.extend(operands.map(|value| (role, value, load)));
        let parent = op.parent_op(context);
        if let Some(parent) = parent.filter(|parent| self.is_inside(*parent)) {
            self.structure(role, parent, load, needs);
        }
    }

    /// Keeps a result of a projected operation, and for a loop the carried argument.
    fn keep(
        &mut self,
        role: Role,
        op: Operation,
        number: usize,
        load: Option<Operation>,
        needs: &mut Vec<Need>,
    ) {
        self.structure(role, op, load, needs);
        let kept = self.partition.work[role as usize].kept.entry(op);
        if !kept.or_default().insert(number) {
            return;
        }
        let values = sources(self.context, op, number);
        needs.extend(values.into_iter().map(|value| (role, value, load)));
    }

    /// Records that a value is passed to the load agent.
    fn pass(&mut self, role: Role, value: Value, load: Option<Operation>, needs: &mut Vec<Need>) {
        // A plain load gains nothing in an agent that must wait for the other one.
        if let Some(load) = load
            && self.partition.loads.get(&load) == Some(&LoadKind::Plain)
        {
            self.demoted.insert(load);
            return;
        }
        self.partition.passed.insert(value, role);
        needs.push((role.other(), value, load));
        // Both agents reach the point where the value is defined.
        let frame = value.parent_block(self.context);
        let frame = frame.and_then(|block| self.partition.frame_of(block));
        let owner = frame.and_then(|frame| self.partition.frames[frame].owner);
        for role in [role, role.other()] {
            if let Some(owner) = owner {
                self.structure(role, owner, load, needs);
            }
        }
    }

    /// Whether the load agent can compute a value independently: from pure operations and reads of
    /// memory that is not written.
    fn is_free(&mut self, value: Value) -> bool {
        let context = self.context;
        let mut seen = BTreeSet::new();
        let mut worklist = vec![value];
        while let Some(value) = worklist.pop() {
            if !seen.insert(value) {
                continue;
            }
            match value.owner(context) {
                ValueOwner::Argument(block, position) => {
                    let frame = self.partition.frame_of(block);
                    let owner = frame.and_then(|frame| self.partition.frames[frame].owner);
                    if let Some((owner, number)) = owner.zip(position.checked_sub(1)) {
                        worklist.extend(sources(context, owner, number));
                    }
                }
                ValueOwner::Result(op, number) => {
                    let inside = op.block(context).and_then(|block| self.frame(block, op));
                    if inside.is_none() {
                        continue;
                    }
                    if self.partition.loads.contains_key(&op) {
                        self.demoted.insert(op);
                        return true;
                    }
                    if self.partition.is_projected(context, op) {
                        worklist.extend(sources(context, op, number));
                        continue;
                    }
                    if !self.is_cheap(op) {
                        return false;
                    }
                    for nested in collect(context, op) {
                        worklist.extend(nested.operands(context));
                    }
                }
            }
        }
        true
    }

    /// Whether the load agent may execute an item itself.
    fn is_cheap(&self, op: Operation) -> bool {
        let context = self.context;
        let computes = matches!(
            op.name_text(context),
            "nv_tileas.dot"
                | "nv_tileas.block_scaled_mma"
                | "nv_tileas.reduce"
                | "nv_tileas.scan"
                | "nv_tileas.convert_layout"
        );
        !computes && (is_pure(context, op) || is_free_read(context, op, &self.writers))
    }
}

/// The sources of a result of a loop or branch: the values its regions yield, and the initial
/// values of a loop.
fn sources(context: &Context, op: Operation, number: usize) -> Vec<Value> {
    let ends = op
        .regions(context)
        .filter_map(|region| region.first_block(context)?.terminator(context));
    let mut values: Vec<Value> = ends
        .filter_map(|end| end.operands(context).nth(number))
        .collect();
    if op.is(context, "scf.for") {
        values.extend(op.operands(context).nth(number + 3));
    }
    values
}
