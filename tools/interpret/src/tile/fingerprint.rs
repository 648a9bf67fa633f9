//! Fingerprints of states: states with equal fingerprints have the same continuations.

use std::hash::{Hash, Hasher};

use orison_ir::Context;
use rustc_hash::FxHasher;

use super::effects::Effect;
use super::element::Element;
use super::handles::Handle;
use super::state::TileState;
use super::tasks::Run;
use super::values::Tile;
use super::work::{Product, Source, Work};
use crate::{Datum, Frame};

/// The fingerprint of a state, of 128 bits so that collisions do not occur in practice.
pub(super) fn fingerprint(context: &Context, run: &Run) -> u128 {
    let mut halves = [FxHasher::default(), FxHasher::default()];
    for (salt, hasher) in halves.iter_mut().enumerate() {
        salt.hash(hasher);
        for task in run.tasks() {
            task.machine.finished().is_some().hash(hasher);
            for frame in task.machine.frames() {
                hash_frame(context, frame, hasher);
            }
        }
        if let Some(state) = run.world.existing_state::<TileState>() {
            hash_state(state, hasher);
        }
    }
    u128::from(halves[0].finish()) << 64 | u128::from(halves[1].finish())
}

fn hash_frame(context: &Context, frame: &Frame, hasher: &mut FxHasher) {
    frame.operation().hash(hasher);
    for datum in &frame.saved {
        hash_datum(datum, hasher);
    }
    for block in frame.region().blocks(context) {
        let results = block.operations(context).flat_map(|op| op.results(context));
        for value in block.arguments(context).chain(results) {
            match frame.value(value) {
                Some(datum) => hash_datum(datum, hasher),
                None => 0u8.hash(hasher),
            }
        }
    }
}

fn hash_datum(datum: &Datum, hasher: &mut FxHasher) {
    match datum {
        Datum::Poison => 1u8.hash(hasher),
        Datum::Integer(value) => value.hash(hasher),
        Datum::Float(value) => value.hash(hasher),
        Datum::Elements(elements) => {
            for datum in elements.data.iter() {
                hash_datum(datum, hasher);
            }
        }
        Datum::Function(operation) => operation.hash(hasher),
        Datum::Payload(_) => {
            if let Some(tile) = datum.as_payload::<Tile>() {
                tile.digest().hash(hasher);
            } else if let Some(handle) = datum.as_payload::<Handle>() {
                handle.hash(hasher);
            }
        }
    }
}

fn hash_state(state: &TileState, hasher: &mut FxHasher) {
    for buffer in &state.memory.buffers {
        buffer.bytes().hash(hasher);
        buffer.written().hash(hasher);
    }
    state.rings.hash(hasher);
    state.started.hash(hasher);
    state.filling.hash(hasher);
    state.switches.hash(hasher);
    state.queue.hash(hasher);
    for (name, effect) in &state.effects {
        name.hash(hasher);
        hash_effect(effect, hasher);
    }
}

fn hash_effect(effect: &Effect, hasher: &mut FxHasher) {
    (effect.operation, &effect.after, effect.done, effect.seen).hash(hasher);
    (&effect.reads, &effect.writes, &effect.brings).hash(hasher);
    if let Some(value) = &effect.value {
        hash_datum(value, hasher);
    }
    match &effect.work {
        Work::Move { from, .. } | Work::Slice { from, .. } => hash_source(from, hasher),
        Work::Insert { part, whole, .. } => {
            hash_source(part, hasher);
            hash_source(whole, hasher);
        }
        Work::Gather { other: tile, .. } | Work::Scatter { tile, .. } => tile.digest().hash(hasher),
        Work::Atomic { values, .. } => {
            for tile in values {
                tile.digest().hash(hasher);
            }
        }
        Work::Value(value) => hash_datum(value, hasher),
        Work::Product { product, .. } => hash_product(product, hasher),
        Work::MoveRows { .. } | Work::Publish(_) | Work::Return(_) => {}
    }
}

fn hash_product(product: &Product, hasher: &mut FxHasher) {
    hash_source(&product.a, hasher);
    hash_source(&product.b, hasher);
    for source in product.c.iter().chain(product.scales.iter().flatten()) {
        hash_source(source, hasher);
    }
}

fn hash_source(source: &Source, hasher: &mut FxHasher) {
    match source {
        Source::Tile(tile) => tile.digest().hash(hasher),
        Source::Memory(window) => window.hash(hasher),
        Source::Future(name) => name.hash(hasher),
    }
}

impl Hash for Element {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Element::Float(value) => value.to_bits().hash(state),
            Element::Integer(value) => value.hash(state),
        }
    }
}
