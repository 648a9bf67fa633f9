//! State shared by the tasks of a block: memory, pipelines, asynchronous operations.

use std::collections::{BTreeMap, BTreeSet};

use orison_ir::Operation;
use orison_tileas::MemorySpace;

use super::effects::{Effect, overlap, stage_of};
use super::element::Element;
use super::handles::{EffectName, Ownership};
use super::memory::{Fault, Memory, View};
use super::rings::{Refusal, Ring};
use super::values::{Tile, meaningless};
use super::window::Window;
use super::work::Work;
use crate::{Datum, Trap};

/// The state of a switch of agents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SwitchState {
    /// A task has reached it.
    Asked,
    /// Its agents are running.
    Running,
    /// All agents have ended.
    Ended,
}

/// The state of a block of a grid.
#[derive(Clone, Default, Debug)]
pub struct TileState {
    /// Memory.
    pub memory: Memory,
    /// Pipelines, by index.
    pub rings: Vec<Ring>,
    /// Asynchronous operations that are not complete, or whose value may be requested.
    pub effects: BTreeMap<EffectName, Effect>,
    /// Stages that tasks fill asynchronously (`produce_one_async`), until a task has waited for the
    /// completion: the operation that publishes each, and the pipeline and step of the stage.
    pub filling: BTreeMap<EffectName, (usize, u64)>,
    /// The number of operations each task has started.
    pub started: BTreeMap<usize, u64>,
    /// The current task.
    pub task: usize,
    /// Switches that tasks have reached.
    pub switches: BTreeMap<(usize, Operation), SwitchState>,
    /// Coordinates of the block in the grid.
    pub program: [i64; 3],
    /// Blocks along each axis of the grid.
    pub grid: [i64; 3],
    /// Blocks that have not begun: `cancel_next_program_id` claims them.
    pub queue: BTreeSet<[i64; 3]>,
    /// Counts changes that another task may wait for.
    pub version: u64,
}

/// The error for a fault of an access.
pub fn fault(operation: Operation, fault: &Fault) -> Trap {
    Trap::undefined(operation, &fault.to_string())
}

impl TileState {
    /// Starts an asynchronous operation.
    pub fn start(&mut self, effect: Effect) -> EffectName {
        let number = self.started.entry(self.task).or_default();
        let name = EffectName {
            task: self.task,
            number: *number,
        };
        *number += 1;
        if let Some((owner, bytes)) = effect.brings {
            self.rings[owner.pipeline].start_bytes(owner.step, bytes);
        }
        self.effects.insert(name, effect);
        self.version += 1;
        name
    }

    /// The asynchronous operations that may complete now.
    pub fn ready(&self) -> impl Iterator<Item = EffectName> + '_ {
        self.effects
            .iter()
            .filter(|(_, effect)| !effect.done && self.all_done(&effect.after))
            .map(|(name, _)| *name)
    }

    /// Whether all of these are done.
    pub fn all_done(&self, names: &[EffectName]) -> bool {
        let done = |name| {
            self.effects
                .get(name)
                .is_none_or(|effect: &Effect| effect.done)
        };
        names.iter().all(done)
    }

    /// Waits for asynchronous operations: true if they are done; then marks them as seen, with
    /// those that had to be done before them.
    pub fn see(&mut self, names: &[EffectName]) -> bool {
        if !self.all_done(names) {
            return false;
        }
        for name in names {
            self.filling.remove(name);
        }
        let mut pending = names.to_vec();
        while let Some(name) = pending.pop() {
            let Some(effect) = self.effects.get_mut(&name) else {
                continue;
            };
            if !effect.seen {
                effect.seen = true;
                pending.extend(&effect.after);
            }
            if effect.value.is_none() {
                self.effects.remove(&name);
            }
        }
        true
    }

    /// The operation of the first of these that is not done.
    pub fn first_open(&self, names: &[EffectName]) -> Option<Operation> {
        let effects = names.iter().filter_map(|name| self.effects.get(name));
        let open = effects.filter(|effect| !effect.done);
        open.map(|effect| effect.operation).next()
    }

    /// An asynchronous operation whose memory a task must not access now, because no task has
    /// waited for it: one that writes it, or, if the task `writes`, one that reads it. Those in
    /// `after` do not conflict: the task's own asynchronous operation runs after them.
    pub fn conflict(&self, view: &View, writes: bool, after: &[EffectName]) -> Option<&Effect> {
        let found = self.effects.iter().find(|(name, effect)| {
            let touches = |views: &[View]| views.iter().any(|other| overlap(other, view));
            let ordered = after.contains(name);
            let meets = || touches(&effect.writes) || writes && touches(&effect.reads);
            effect.is_open() && !ordered && meets()
        });
        found.map(|(_, effect)| effect)
    }

    /// Rejects an access that conflicts with an asynchronous operation.
    ///
    /// # Errors
    /// Undefined behaviour, with the conflicting operation.
    pub fn check_access(
        &self,
        op: Operation,
        view: &View,
        writes: bool,
        after: &[EffectName],
    ) -> Result<(), Trap> {
        let Some(effect) = self.conflict(view, writes, after) else {
            return Ok(());
        };
        let name = &self.memory.buffers[view.buffer].name;
        let reading = !effect.writes.iter().any(|other| overlap(other, view));
        let what = if writes { "writes to" } else { "reads from" };
        let doing = if reading { "reads" } else { "writes" };
        let reason =
            format!("{what} {name} without waiting for an asynchronous operation that {doing} it");
        Err(Trap::undefined(op, &reason).with_note(effect.operation, "started here"))
    }

    /// Loads the part of a window in bounds; the rest is `fill`, or undefined.
    ///
    /// # Errors
    /// Undefined behaviour: memory in use, out of bounds, or unwritten.
    pub fn load(
        &self,
        op: Operation,
        window: &Window,
        fill: Option<Element>,
    ) -> Result<Tile, Trap> {
        self.check_access(op, &window.inside(), false, &[])?;
        self.load_unchecked(op, window, fill)
    }

    pub(super) fn load_unchecked(
        &self,
        op: Operation,
        window: &Window,
        fill: Option<Element>,
    ) -> Result<Tile, Trap> {
        let inside = |position: &[usize]| window.contains(position);
        let tile = self.memory.load(&window.view, inside, fill);
        tile.map_err(|error| fault(op, &error))
    }

    /// Stores the part of a tile inside the bounds of a window.
    ///
    /// # Errors
    /// Undefined behaviour: memory in use, out of bounds, or undefined elements.
    pub fn store(&mut self, op: Operation, window: &Window, tile: &Tile) -> Result<(), Trap> {
        self.check_access(op, &window.inside(), true, &[])?;
        self.store_unchecked(op, window, tile)
    }

    pub(super) fn store_unchecked(
        &mut self,
        op: Operation,
        window: &Window,
        tile: &Tile,
    ) -> Result<(), Trap> {
        let inside = |position: &[usize]| window.contains(position);
        if let Some(undefined) = &tile.undefined {
            let numbers = undefined.iter().enumerate().filter(|(_, flag)| **flag);
            let mut positions = numbers.map(|(number, _)| tile.position_of(number));
            if let Some(position) = positions.find(|position| inside(position)) {
                return Err(meaningless(op, &position));
            }
        }
        let stored = self.memory.store(&window.view, tile, inside);
        self.version += 1;
        stored.map_err(|error| fault(op, &error))
    }

    /// Checks that the holder of a stage may access it.
    ///
    /// # Errors
    /// Undefined behaviour if it does not hold the stage any more.
    pub fn check_owner(&self, op: Operation, owner: Ownership, writes: bool) -> Result<(), Trap> {
        let ring = &self.rings[owner.pipeline];
        let allowed = if writes {
            ring.may_write(owner)
        } else {
            ring.may_read(owner)
        };
        allowed.map_err(|refusal| refused(op, refusal))
    }

    /// Rejects the use of a stage that the same task fills asynchronously and has not waited for:
    /// the barriers of a pipeline are between tasks, and within one only its own waits order it.
    ///
    /// # Errors
    /// Undefined behaviour.
    pub fn check_filled(&self, op: Operation, pipeline: usize, step: u64) -> Result<(), Trap> {
        let own = |(name, stage): &(&EffectName, &(usize, u64))| {
            name.task == self.task && **stage == (pipeline, step)
        };
        if !self.filling.iter().any(|entry| own(&entry)) {
            return Ok(());
        }
        let stage = self.rings[pipeline].stage(step);
        let reason = format!("uses {stage} without waiting for the operation that fills it");
        Err(Trap::undefined(op, &reason))
    }

    /// The asynchronous operation that still uses a stage. If several consumers read it, only those of
    /// the running task count.
    pub fn user_of_stage(&self, owner: Ownership) -> Option<&Effect> {
        let ring = &self.rings[owner.pipeline];
        let slot = ring.slot_of(owner.step);
        // The slot stays in use until every consumer has released it, each for its own operations.
        let shared = ring.consumers > 1;
        let found = self.effects.iter().find(|(name, effect)| {
            let mut views = effect.reads.iter().chain(&effect.writes);
            effect.is_open()
                && (!shared || name.task == self.task)
                && views.any(|view| stage_of(ring, view) == Some(slot))
        });
        found.map(|(_, effect)| effect)
    }

    /// The value that an asynchronous operation produced.
    ///
    /// # Errors
    /// Undefined behaviour if no task has waited for it.
    pub fn value_of(&self, op: Operation, name: EffectName) -> Result<Datum, Trap> {
        match self.effects.get(&name) {
            Some(Effect {
                value: Some(value),
                seen: true,
                ..
            }) => Ok(value.clone()),
            Some(effect) => {
                let reason = "uses the result of an asynchronous operation without waiting for it";
                let trap = Trap::undefined(op, reason);
                Err(trap.with_note(effect.operation, "started here"))
            }
            None => Err(Trap::malformed(op, "the value has no definition")),
        }
    }

    /// Completes an asynchronous operation.
    ///
    /// # Errors
    /// Undefined behaviour, at the operation.
    pub fn finish(&mut self, name: EffectName) -> Result<(), Trap> {
        let Some(effect) = self.effects.get(&name).cloned() else {
            return Ok(());
        };
        let value = self.perform(effect.operation, &effect.work)?;
        self.version += 1;
        if let Some((owner, bytes)) = effect.brings {
            self.rings[owner.pipeline].finish_bytes(owner.step, bytes);
        }
        if let Some(effect) = self.effects.get_mut(&name) {
            effect.done = true;
            effect.value = value;
            // Operations that deliver bytes to a stage are seen by the tasks that wait for the
            // stage.
            effect.seen |= effect.brings.is_some();
            let quiet = matches!(effect.work, Work::Publish(_) | Work::Return(_));
            if quiet || (effect.seen && effect.value.is_none()) {
                self.effects.remove(&name);
            }
        }
        Ok(())
    }

    /// The error in the state after a block has ended, if any: a location and a message.
    pub fn leftover(&self) -> Option<(Operation, String)> {
        if let Some(found) = self.rings.iter().find_map(Ring::leftover) {
            return Some(found);
        }
        let in_block = |view: &View| self.memory.buffers[view.buffer].space != MemorySpace::Global;
        let open = self.effects.values().find(|effect| {
            // Pending reads of global memory are harmless; the memory of the block is deallocated.
            let matters = !effect.writes.is_empty() || effect.reads.iter().any(in_block);
            effect.is_open() && matters
        })?;
        Some((open.operation, "is never waited for".to_owned()))
    }
}

/// Undefined behaviour for a refusal.
pub fn refused(op: Operation, refusal: Refusal) -> Trap {
    match refusal {
        Refusal::Later(reason) => Trap::undefined(op, &format!("does not wait for {reason}")),
        Refusal::Wrong(reason, None) => Trap::undefined(op, &reason),
        Refusal::Wrong(reason, Some(place)) => {
            Trap::undefined(op, &reason).with_note(place, "see the related operation")
        }
    }
}

#[cfg(test)]
mod tests;
