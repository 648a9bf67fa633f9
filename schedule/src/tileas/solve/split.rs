//! What each agent executes: the closure of the operations assigned to it under "needed by".

use std::collections::BTreeSet;

use orison_host::scf;
use orison_ir::walk::collect;
use orison_ir::{Context, Diagnostic, Operation, Value, ValueOwner};
use orison_tileas::nv_tileas;

use super::super::tokens::{async_tokens, is_token};
use super::loads::{self, LoadKind};
use super::memory_order::{Writers, is_free_read, is_pure, must_follow, nested_token_sources};
use super::partition::{Partition, Scope, outermost, sources};
use super::roles::Agent;

/// Splits the region around loops between agents. `scheduled` are the loops with schedules, all under
/// one block of a function; `stage_plain` states whether loads that are not by TMA are also given to
/// load agents. `None` if no load remains for them and no agents are listed. The loop alone is always
/// split between a load agent and a compute agent.
///
/// # Errors
/// A located error for a malformed assignment, and for an asynchronous operation that one agent
/// starts and another waits for.
pub(super) fn split_region(
    context: &Context,
    scheduled: &[Operation],
    stage_plain: bool,
    scope: Scope,
) -> Result<Option<Partition>, Box<Diagnostic>> {
    let Some(undivided) = Partition::undivided(context, scheduled, stage_plain, scope)? else {
        return Ok(None);
    };
    let writers = Writers::within(context, outermost(context, scheduled[0]));
    let partition = split(context, undivided, writers)?;
    let worthwhile = partition.roles.is_listed() || !partition.loads.is_empty();
    Ok(worthwhile.then_some(partition))
}

/// Splits the items of a partition without work between its agents. Loads that no load agent can
/// execute ahead of time are removed from its loads.
///
/// # Errors
/// A located error for an asynchronous operation that one agent starts and another waits for.
fn split(
    context: &Context,
    mut empty: Partition,
    writers: Writers,
) -> Result<Partition, Box<Diagnostic>> {
    loop {
        let mut split = Split {
            context,
            writers,
            demoted: BTreeSet::new(),
            torn: None,
            partition: empty.clone(),
        };
        split.run();
        if let Some((waits, started)) = split.torn {
            let message = "waits for an asynchronous operation that another agent starts";
            let error = waits.op_error(context, message);
            let place = started.location(context);
            return Err(Box::new(error.with_note(place, "it is started here")));
        }
        // A load whose tile an address needs is executed where the address is computed, and a
        // plain load whose address needs another agent stays with that agent.
        if split.demoted.is_empty() {
            let mut partition = split.partition;
            let is_dead = |load: &Operation| {
                let agent = partition.home(*load);
                !partition.work(agent).items.contains(load)
            };
            let dead: BTreeSet<Operation> =
                partition.loads.keys().copied().filter(is_dead).collect();
            partition.loads.retain(|load, _| !dead.contains(load));
            partition.dead_loads = dead;
            return Ok(partition);
        }
        empty.loads.retain(|load, _| !split.demoted.contains(load));
    }
}

/// The closure under "needed by an agent".
struct Split<'c> {
    context: &'c Context,
    writers: Writers,
    /// Loads that no load agent can execute as separate loads.
    demoted: BTreeSet<Operation>,
    /// An operation that waits for what another agent starts, and where that is.
    torn: Option<(Operation, Operation)>,
    partition: Partition,
}

/// A value that an agent needs, and the load for which it is needed.
type Need = (Agent, Value, Option<Operation>);

impl Split<'_> {
    fn run(&mut self) {
        let mut needs: Vec<Need> = Vec::new();
        let frames = self.partition.frames.iter();
        let items: Vec<Operation> = frames.flat_map(|frame| frame.items.clone()).collect();
        for op in items {
            let is_load = self.partition.loads.contains_key(&op);
            if !is_load
                && !self.partition.is_projected(self.context, op)
                && !is_pure(self.context, op)
            {
                self.add(self.partition.home(op), op, None, &mut needs);
            }
        }
        needs.extend(self.leaving());
        let mut seen: BTreeSet<(Agent, Value)> = BTreeSet::new();
        loop {
            while let Some((agent, value, load)) = needs.pop() {
                if seen.insert((agent, value)) {
                    self.need(agent, value, load, &mut needs);
                }
            }
            if !self.await_loads(&mut needs) {
                return;
            }
        }
    }

    /// Passes the tile of each load to every agent with an operation that must come after the load:
    /// waiting for the tile is what establishes the order. Whether anything changed.
    fn await_loads(&mut self, needs: &mut Vec<Need>) -> bool {
        // Every live load is passed to the only other agent.
        if self.partition.roles.list().len() <= 2 {
            return false;
        }
        let context = self.context;
        let mut effects = Vec::new();
        for agent in self.partition.roles.agents() {
            for &op in &self.partition.work(agent).items {
                let leaf = !self.partition.is_projected(context, op);
                if leaf && !self.partition.loads.contains_key(&op) && !is_pure(context, op) {
                    effects.push((agent, op, nested_token_sources(context, op)));
                }
            }
        }
        let loads: Vec<Operation> = self.partition.loads.keys().copied().collect();
        let mut changed = false;
        for load in loads {
            let home = self.partition.home(load);
            if !self.partition.work(home).items.contains(&load) {
                continue;
            }
            let tile = load.result(context, 0);
            for (agent, op, sources) in &effects {
                if *agent == home || !must_follow(context, load, *op, sources) {
                    continue;
                }
                let readers = self.partition.passed.entry(tile).or_default();
                if readers.insert(*agent) {
                    changed = true;
                    self.reach(*agent, tile, Some(load), needs);
                }
            }
        }
        changed
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
        let agent = self.partition.roles.others();
        read.map(|value| (agent, value, None)).collect()
    }

    fn need(&mut self, agent: Agent, value: Value, load: Option<Operation>, needs: &mut Vec<Need>) {
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
                    return self.structure(agent, owner, load, needs);
                };
                if !self.computes(agent, value) {
                    return self.pass(agent, value, load, needs);
                }
                self.keep(agent, owner, number, load, needs);
            }
            ValueOwner::Result(op, number) => {
                if !self.partition.is_item(context, op) {
                    return;
                }
                if self.partition.loads.contains_key(&op) {
                    return self.need_load(agent, op, number, needs);
                }
                let projected = self.partition.is_projected(context, op);
                if !projected && self.is_foreign_token(agent, op, value) {
                    return self.need_token(agent, op, value, load, needs);
                }
                if !self.computes(agent, value) {
                    // A value that cannot be passed is computed where it is needed, from values
                    // that can be.
                    let item = projected || !self.is_cheap(agent, op);
                    let ty = value.ty(context);
                    if !item && loads::value_bytes(context, ty).is_none() {
                        return self.add(agent, op, load, needs);
                    }
                    return self.pass(agent, value, load, needs);
                }
                if projected {
                    self.keep(agent, op, number, load, needs);
                } else {
                    self.add(agent, op, load, needs);
                }
            }
        }
    }

    /// Whether an agent that computes needs a token of an operation that another agent executes.
    fn is_foreign_token(&self, agent: Agent, op: Operation, value: Value) -> bool {
        !self.partition.roles.is_loader(agent)
            && is_token(self.context, value)
            && self.partition.home(op) != agent
            && !self.is_cheap(agent, op)
    }

    /// Tokens are not passed: mutexes establish the order between agents, and the tokens that the
    /// operation waited for the order within this one.
    fn need_token(
        &mut self,
        agent: Agent,
        op: Operation,
        value: Value,
        load: Option<Operation>,
        needs: &mut Vec<Need>,
    ) {
        let context = self.context;
        if async_tokens(context, op).contains(&value) {
            let waits = value.users(context).next().unwrap_or(op);
            self.torn.get_or_insert((waits, op));
        }
        let tokens = op.operands_named(context, "token");
        needs.extend(tokens.into_iter().map(|token| (agent, token, load)));
    }

    /// Whether an agent has a value without receiving it.
    fn computes(&mut self, agent: Agent, value: Value) -> bool {
        let carries_order = !self.partition.roles.is_loader(agent) && is_token(self.context, value);
        carries_order
            || self.partition.maker(self.context, value) == agent
            || self.is_free(agent, value)
    }

    /// Handles a value defined by a load.
    fn need_load(&mut self, agent: Agent, op: Operation, number: usize, needs: &mut Vec<Need>) {
        let context = self.context;
        if number > 0 {
            // After its token the order is that of the tokens before it: passing the tile orders
            // later operations.
            let tokens = op.operands_named(context, "token");
            needs.extend(tokens.into_iter().map(|token| (agent, token, Some(op))));
        } else if agent == self.partition.home(op) {
            self.demoted.insert(op);
        } else {
            let tile = op.result(context, 0);
            let readers = self.partition.passed.entry(tile).or_default();
            readers.insert(agent);
            self.add(self.partition.home(op), op, Some(op), needs);
        }
    }

    /// Gives an item, with all it reads, to an agent.
    fn add(&mut self, agent: Agent, op: Operation, load: Option<Operation>, needs: &mut Vec<Need>) {
        if !self.partition.work_mut(agent).items.insert(op) {
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
                let token = is_token(context, *value);
                kind.is_none() || !(token || described && view.contains(value))
            };
            needs.extend(operands.filter(own).map(|value| (agent, value, load)));
        }
        let parent = op.parent_op(context);
        if let Some(parent) = parent.filter(|parent| self.is_inside(*parent)) {
            self.structure(agent, parent, load, needs);
        }
    }

    fn is_inside(&self, op: Operation) -> bool {
        self.partition.is_projected(self.context, op)
    }

    /// Gives an agent a copy of a projected loop or branch.
    fn structure(
        &mut self,
        agent: Agent,
        op: Operation,
        load: Option<Operation>,
        needs: &mut Vec<Need>,
    ) {
        let context = self.context;
        if !self.partition.work_mut(agent).items.insert(op) {
            return;
        }
        let control = if scf::For::matches(context, op) { 3 } else { 1 };
        let operands = op.operands(context).take(control);
        needs.extend(operands.map(|value| (agent, value, load)));
        let parent = op.parent_op(context);
        if let Some(parent) = parent.filter(|parent| self.is_inside(*parent)) {
            self.structure(agent, parent, load, needs);
        }
    }

    /// Keeps a result of a projected operation, and for a loop the carried argument.
    fn keep(
        &mut self,
        agent: Agent,
        op: Operation,
        number: usize,
        load: Option<Operation>,
        needs: &mut Vec<Need>,
    ) {
        self.structure(agent, op, load, needs);
        let kept = self.partition.work_mut(agent).kept.entry(op);
        if !kept.or_default().insert(number) {
            return;
        }
        let values = sources(self.context, op, number);
        needs.extend(values.into_iter().map(|value| (agent, value, load)));
    }

    /// Records that a value is passed to an agent.
    fn pass(&mut self, agent: Agent, value: Value, load: Option<Operation>, needs: &mut Vec<Need>) {
        // A plain load gains nothing in an agent that must wait for another one.
        if let Some(load) = load
            && self.partition.roles.is_loader(agent)
            && self.partition.loads.get(&load) == Some(&LoadKind::Plain)
        {
            self.demoted.insert(load);
            return;
        }
        let home = self.partition.maker(self.context, value);
        let readers = self.partition.passed.entry(value).or_default();
        readers.insert(agent);
        needs.push((home, value, load));
        // Both agents reach the point where the value is defined.
        self.reach(agent, value, load, needs);
        self.reach(home, value, load, needs);
    }

    /// Gives an agent copies of the loops and branches around the definition of a value.
    fn reach(
        &mut self,
        agent: Agent,
        value: Value,
        load: Option<Operation>,
        needs: &mut Vec<Need>,
    ) {
        let frame = value.parent_block(self.context);
        let frame = frame.and_then(|block| self.partition.frame_of(block));
        if let Some(owner) = frame.and_then(|frame| self.partition.frames[frame].owner) {
            self.structure(agent, owner, load, needs);
        }
    }

    /// Whether an agent can compute a value independently: from pure operations and reads of
    /// memory that is not written, and, if it computes, from tiles of loads. Load agents do not
    /// read tiles.
    fn is_free(&mut self, agent: Agent, value: Value) -> bool {
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
                    if !self.partition.is_item(context, op) {
                        continue;
                    }
                    if self.partition.loads.contains_key(&op) {
                        if !self.partition.roles.is_loader(agent) {
                            continue;
                        }
                        self.demoted.insert(op);
                        return true;
                    }
                    if self.partition.is_projected(context, op) {
                        worklist.extend(sources(context, op, number));
                        continue;
                    }
                    if !self.is_cheap(agent, op) {
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

    /// Whether an agent may execute an item itself even if another one does too.
    fn is_cheap(&self, agent: Agent, op: Operation) -> bool {
        let context = self.context;
        let assigned = self.partition.roles.assigned(op);
        if assigned.is_some_and(|other| other != agent) && op.operand_count(context) > 0 {
            return false;
        }
        let computes = op.is_one_of(
            context,
            &[
                nv_tileas::Dot::DEFINITION,
                nv_tileas::BlockScaledMma::DEFINITION,
                nv_tileas::Reduce::DEFINITION,
                nv_tileas::Scan::DEFINITION,
                nv_tileas::ConvertLayout::DEFINITION,
            ],
        );
        !computes && (is_pure(context, op) || is_free_read(context, op, &self.writers))
    }
}
