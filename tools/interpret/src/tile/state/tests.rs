//! Asynchronous operations: what conflicts with them, and when they are over.

use orison_ir::{Context, Location, OperationName, OperationState};
use orison_tileas::nv_tileas::types::Role;

use super::super::element::ElementKind;
use super::super::memory::Buffer;
use super::super::rings::Part;
use super::super::work::Source;
use super::*;

const BYTE: ElementKind = ElementKind::Integer(8);

fn operation() -> Operation {
    let mut context = Context::new();
    let name = OperationName::new(&mut context, "test.op");
    Operation::create(&mut context, &OperationState::new(name, Location::UNKNOWN))
}

/// A state with a buffer of 16 bytes in a space, and a view of it.
fn state(space: MemorySpace) -> (TileState, View) {
    let mut state = TileState::default();
    let mut buffer = Buffer::unwritten("b", space, 128);
    (0..16).for_each(|byte| buffer.store(8 * byte, 8, 0));
    let buffer = state.memory.add(buffer);
    (state, View::whole(buffer, &[16], BYTE))
}

fn half(view: &View, number: i64) -> View {
    view.part(&[8 * number], &[8], &[1])
}

/// Work that fills a view with a number.
fn fill(op: Operation, view: &View, number: i64) -> Effect {
    let tile = Tile::splat(&view.shape, BYTE, Element::Integer(number));
    let work = Work::Move {
        from: Source::Tile(tile),
        to: Some(Window::all(view.clone())),
        fill: None,
    };
    Effect {
        writes: vec![view.clone()],
        ..Effect::new(op, work)
    }
}

/// Work that reads a view and has a value.
fn read(op: Operation, view: &View) -> Effect {
    let work = Work::Move {
        from: Source::Memory(Window::all(view.clone())),
        to: None,
        fill: None,
    };
    Effect {
        reads: vec![view.clone()],
        ..Effect::new(op, work)
    }
}

#[test]
fn memory_that_is_written_is_neither_read_nor_written() {
    let op = operation();
    let (mut state, view) = state(MemorySpace::Shared);
    let name = state.start(fill(op, &half(&view, 0), 1));
    for writes in [false, true] {
        assert!(state.check_access(op, &view, writes, &[]).is_err());
        assert!(
            state
                .check_access(op, &half(&view, 0), writes, &[])
                .is_err()
        );
        assert!(state.check_access(op, &half(&view, 1), writes, &[]).is_ok());
        assert!(state.check_access(op, &view, writes, &[name]).is_ok());
    }
    // It conflicts until a task has waited for it, also when it is done.
    assert!(!state.see(&[name]));
    state.finish(name).expect("it runs");
    assert!(state.check_access(op, &view, false, &[]).is_err());
    assert!(state.see(&[name]));
    assert!(state.check_access(op, &view, true, &[]).is_ok());
}

#[test]
fn memory_that_is_read_is_not_written() {
    let op = operation();
    let (mut state, view) = state(MemorySpace::Shared);
    let name = state.start(read(op, &half(&view, 1)));
    assert!(state.check_access(op, &view, false, &[]).is_ok());
    let error = state
        .check_access(op, &view, true, &[])
        .expect_err("it is read");
    let text = "writes to b without waiting for an asynchronous operation that reads it";
    assert!(error.to_string().contains(text), "{error}");
    assert!(state.check_access(op, &half(&view, 0), true, &[]).is_ok());
    state.finish(name).expect("it runs");
    assert!(state.check_access(op, &view, true, &[]).is_err());
    assert!(state.see(&[name]));
    assert!(state.check_access(op, &view, true, &[]).is_ok());
}

/// A wait for the last of a chain is a wait for the ones before it.
#[test]
fn work_runs_after_what_it_follows_and_is_seen_with_it() {
    let op = operation();
    let (mut state, view) = state(MemorySpace::Shared);
    let first = state.start(fill(op, &view, 1));
    let second = state.start(Effect {
        after: vec![first],
        ..fill(op, &view, 2)
    });
    let ready = |state: &TileState| state.ready().collect::<Vec<_>>();
    assert_eq!(ready(&state), [first]);
    assert!(!state.see(&[second]));
    state.finish(first).expect("it runs");
    assert_eq!(ready(&state), [second]);
    assert!(!state.see(&[second]));
    state.finish(second).expect("it runs");
    assert!(ready(&state).is_empty());
    assert!(state.see(&[second]));
    assert!(state.check_access(op, &view, true, &[]).is_ok());
    let window = Window::all(view);
    let tile = state.load(op, &window, None).expect("written");
    assert_eq!(tile.data.get(0), Element::Integer(2));
}

#[test]
fn a_value_is_used_only_after_a_wait() {
    let op = operation();
    let (mut state, view) = state(MemorySpace::Global);
    let name = state.start(read(op, &view));
    assert!(state.value_of(op, name).is_err());
    state.finish(name).expect("it runs");
    let error = state.value_of(op, name).expect_err("nobody waited");
    let text = "uses the result of an asynchronous operation without waiting for it";
    assert!(error.to_string().contains(text), "{error}");
    assert!(state.see(&[name]));
    assert!(state.value_of(op, name).is_ok());
}

/// Global memory outlives the block: reads of it may be under way at the end, writes may not.
#[test]
fn work_on_the_memory_of_the_block_is_waited_for_before_its_end() {
    let op = operation();
    for (space, reads, left) in [
        (MemorySpace::Global, true, false),
        (MemorySpace::Global, false, true),
        (MemorySpace::Shared, true, true),
        (MemorySpace::Tensor, false, true),
    ] {
        let (mut state, view) = state(space);
        let effect = if reads {
            read(op, &view)
        } else {
            fill(op, &view, 1)
        };
        let name = state.start(effect);
        state.finish(name).expect("it runs");
        let expected = left.then(|| (op, "is never waited for".to_owned()));
        assert_eq!(state.leftover(), expected, "{space} {reads}");
        assert!(state.see(&[name]));
        assert_eq!(state.leftover(), None);
    }
}

/// Two slots of eight bytes: a stage is in use while work under way touches its own slot.
#[test]
fn a_stage_is_used_by_work_on_its_slot() {
    let op = operation();
    let (mut state, view) = state(MemorySpace::Shared);
    let mut ring = Ring::new(op, false, 2, 1);
    ring.parts.push(Part {
        view: half(&view, 0),
    });
    ring.slot_bits = 64;
    state.rings.push(ring);
    let stage = |step| Ownership {
        pipeline: 0,
        step,
        role: Role::Consumer,
        consumer: 0,
    };
    let name = state.start(read(op, &half(&view, 1)));
    let used =
        |state: &TileState| [0, 1, 2, 3].map(|step| state.user_of_stage(stage(step)).is_some());
    assert_eq!(used(&state), [false, true, false, true]);
    state.finish(name).expect("it runs");
    assert_eq!(used(&state), [false, true, false, true]);
    assert!(state.see(&[name]));
    assert_eq!(used(&state), [false; 4]);
}

/// The bytes of a load reach its stage when it is done, and the wait for the stage sees the load.
#[test]
fn a_load_brings_its_bytes_to_its_stage() {
    let op = operation();
    let (mut state, view) = state(MemorySpace::Shared);
    state.rings.push(Ring::new(op, false, 1, 1));
    let owner = Ownership {
        pipeline: 0,
        step: 0,
        role: Role::Producer,
        consumer: 0,
    };
    assert_eq!(state.rings[0].acquire(0, 0, op), Ok(()));
    let name = state.start(Effect {
        brings: Some((owner, 16)),
        ..fill(op, &view, 3)
    });
    assert_eq!(state.rings[0].commit(0, Some(16), false), Ok(()));
    assert!(state.rings[0].wait(0, 0, op).is_err());
    assert!(state.check_access(op, &view, false, &[]).is_err());
    state.finish(name).expect("it runs");
    assert_eq!(state.rings[0].wait(0, 0, op), Ok(()));
    assert!(state.check_access(op, &view, false, &[]).is_ok());
}

#[test]
fn elements_without_meaning_are_not_stored() {
    let op = operation();
    let (mut state, view) = state(MemorySpace::Global);
    let tile = Tile::undefined(&[16], BYTE);
    let error = state.store(op, &Window::all(view.clone()), &tile);
    assert!(
        error
            .expect_err("undefined")
            .to_string()
            .contains("which is undefined")
    );
    // Outside of the window they are left out.
    let outside = Window {
        low: vec![0],
        high: vec![0],
        view,
    };
    assert!(state.store(op, &outside, &tile).is_ok());
}
