//! One test for each rule of the hand-over of stages.

use orison_ir::{Context, Location, OperationName, OperationState};

use super::*;

fn operation(context: &mut Context) -> Operation {
    let name = OperationName::new(context, "test.op");
    Operation::create(context, &OperationState::new(name, Location::UNKNOWN))
}

/// A ring of this many slots and consumers, and an operation.
fn ring(depth: usize, consumers: u32) -> (Ring, Operation) {
    let op = operation(&mut Context::new());
    (Ring::new(op, false, depth, consumers), op)
}

fn later(text: &str) -> Result<(), Refusal> {
    Err(Refusal::Later(text.to_owned()))
}

/// The message of a refusal that waiting does not help.
fn error(result: Result<(), Refusal>) -> String {
    match result {
        Err(Refusal::Wrong(message, _)) => message,
        other => panic!("{other:?}"),
    }
}

fn producer(step: u64) -> Ownership {
    Ownership {
        pipeline: 0,
        step,
        role: Role::Producer,
        consumer: 0,
    }
}

fn consumer(step: u64, consumer: u32) -> Ownership {
    Ownership {
        role: Role::Consumer,
        consumer,
        ..producer(step)
    }
}

/// Passes a stage through one round, with one consumer.
fn pass(ring: &mut Ring, op: Operation, step: u64) {
    assert_eq!(ring.acquire(step, 0, op), Ok(()));
    assert_eq!(ring.commit(step, None, false), Ok(()));
    assert_eq!(ring.wait(step, 0, op), Ok(()));
    assert_eq!(ring.release(step, 0), Ok(()));
}

#[test]
fn steps_go_around_the_slots() {
    let (ring, _) = ring(3, 1);
    let places: Vec<_> = (0..7)
        .map(|step| (ring.slot_of(step), ring.round_of(step)))
        .collect();
    let expected = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2)];
    assert_eq!(places, expected);
    assert_eq!(ring.stage(4), "stage 1 in round 1");
}

#[test]
fn a_slot_is_reused_only_after_its_release() {
    let (mut ring, op) = ring(2, 1);
    assert_eq!(ring.acquire(0, 0, op), Ok(()));
    assert_eq!(ring.acquire(1, 0, op), Ok(()));
    let waits = "stage 0 in round 1 until it is filled and released";
    assert_eq!(ring.acquire(2, 0, op), later(waits));
    assert_eq!(ring.commit(0, None, false), Ok(()));
    let waits = "stage 0 in round 1 until consumer 0 releases it";
    assert_eq!(ring.acquire(2, 0, op), later(waits));
    assert_eq!(ring.wait(0, 0, op), Ok(()));
    assert_eq!(ring.acquire(2, 0, op), later(waits));
    assert_eq!(ring.release(0, 0), Ok(()));
    assert_eq!(ring.acquire(2, 0, op), Ok(()));
}

#[test]
fn a_cursor_a_round_ahead_or_behind_is_not_that_of_its_parity() {
    let (mut ring, op) = ring(1, 1);
    let waits = "stage 0 in round 2 until the previous round is filled";
    assert_eq!(ring.acquire(2, 0, op), later(waits));
    pass(&mut ring, op, 0);
    assert_eq!(ring.acquire(2, 0, op), later(waits));
    assert_eq!(
        error(ring.acquire(0, 0, op)),
        "acquires stage 0 in round 0, which is already acquired: the iterator was not advanced"
    );
    pass(&mut ring, op, 1);
    let behind = "waits for stage 0 in round 0, which is already released: the iterator was \
                  not advanced";
    assert_eq!(error(ring.wait(0, 0, op)), behind);
    let behind = behind.replace("round 0", "round 1");
    assert_eq!(error(ring.wait(1, 0, op)), behind);
    assert_eq!(
        ring.wait(2, 0, op),
        later("stage 0 in round 2 until it is committed")
    );
    assert_eq!(ring.acquire(2, 0, op), Ok(()));
    assert_eq!(error(ring.wait(1, 0, op)), behind);
}

#[test]
fn a_consumer_waits_until_the_stage_is_committed() {
    let (mut ring, op) = ring(2, 1);
    let waits = later("stage 0 in round 0 until it is committed");
    assert_eq!(ring.wait(0, 0, op), waits);
    assert_eq!(ring.acquire(0, 0, op), Ok(()));
    assert_eq!(ring.wait(0, 0, op), waits);
    assert_eq!(ring.commit(0, None, false), Ok(()));
    assert_eq!(ring.wait(0, 0, op), Ok(()));
    assert_eq!(
        error(ring.wait(0, 0, op)),
        "waits for stage 0 in round 0, which it already holds"
    );
}

#[test]
fn a_stage_is_full_only_when_all_its_bytes_have_arrived() {
    let (mut ring, op) = ring(1, 1);
    assert_eq!(ring.acquire(0, 0, op), Ok(()));
    ring.start_bytes(0, 64);
    ring.start_bytes(0, 32);
    ring.finish_bytes(0, 32);
    assert_eq!(
        error(ring.commit(0, Some(64), false)),
        "expects 64 bytes for stage 0 in round 0, but its loads copy 96"
    );
    assert_eq!(
        error(ring.commit(0, None, false)),
        "expects no bytes for stage 0 in round 0, but its loads copy 96"
    );
    assert_eq!(ring.commit(0, Some(96), false), Ok(()));
    let waits = "stage 0 in round 0 until 64 bytes arrive, 64 in flight";
    assert_eq!(ring.wait(0, 0, op), later(waits));
    let (_, message) = ring.leftover().expect("bytes are in flight");
    assert_eq!(
        message,
        "acquires stage 0 in round 0, whose bytes never arrive"
    );
    ring.finish_bytes(0, 64);
    assert_eq!(ring.wait(0, 0, op), Ok(()));
}

/// `produce_one` announces what its loads bring, whatever that is.
#[test]
fn an_implicit_commit_takes_the_bytes_under_way() {
    let (mut ring, op) = ring(1, 1);
    assert_eq!(ring.acquire(0, 0, op), Ok(()));
    ring.start_bytes(0, 16);
    assert_eq!(ring.commit(0, None, true), Ok(()));
    let waits = "stage 0 in round 0 until 16 bytes arrive, 16 in flight";
    assert_eq!(ring.wait(0, 0, op), later(waits));
    ring.finish_bytes(0, 16);
    assert_eq!(ring.wait(0, 0, op), Ok(()));
}

#[test]
fn a_stage_is_committed_once_by_the_one_that_acquired_it() {
    let (mut ring, op) = ring(2, 1);
    let stray = "commits stage 0 in round 0, which is not acquired";
    assert_eq!(error(ring.commit(0, None, false)), stray);
    assert_eq!(ring.acquire(0, 0, op), Ok(()));
    let next = stray.replace("round 0", "round 1");
    assert_eq!(error(ring.commit(2, None, false)), next);
    ring.start_bytes(0, 8);
    assert_eq!(ring.commit(0, Some(8), false), Ok(()));
    let twice = "commits stage 0 in round 0 twice";
    assert_eq!(error(ring.commit(0, Some(8), false)), twice);
    ring.finish_bytes(0, 8);
    assert_eq!(error(ring.commit(0, Some(8), false)), twice);
}

#[test]
fn a_stage_is_free_after_the_release_of_every_consumer() {
    let (mut ring, op) = ring(1, 2);
    assert_eq!(
        error(ring.wait(0, 2, op)),
        "waits as consumer 2 of a pipeline of 2"
    );
    assert_eq!(ring.acquire(0, 0, op), Ok(()));
    assert_eq!(ring.commit(0, None, false), Ok(()));
    let stray = "releases stage 0 in round 0, which it does not hold";
    assert_eq!(error(ring.release(0, 1)), stray);
    assert_eq!(ring.wait(0, 1, op), Ok(()));
    assert_eq!(error(ring.release(0, 0)), stray);
    assert_eq!(ring.release(0, 1), Ok(()));
    assert_eq!(
        error(ring.release(0, 1)),
        "releases stage 0 in round 0 twice"
    );
    assert!(error(ring.wait(0, 1, op)).contains("already released"));
    let waits = "stage 0 in round 1 until consumer 0 releases it";
    assert_eq!(ring.acquire(1, 0, op), later(waits));
    assert_eq!(ring.wait(0, 0, op), Ok(()));
    assert_eq!(ring.release(0, 0), Ok(()));
    assert_eq!(ring.acquire(1, 0, op), Ok(()));
    let old = stray;
    assert_eq!(error(ring.release(0, 0)), old);
}

#[test]
fn a_stage_is_written_between_acquire_and_commit_by_the_producer() {
    let (mut ring, op) = ring(2, 1);
    let outside = "writes to stage 0 in round 0 after its commit";
    assert_eq!(error(ring.may_write(producer(0))), outside);
    assert_eq!(ring.acquire(0, 0, op), Ok(()));
    assert_eq!(ring.may_write(producer(0)), Ok(()));
    assert_eq!(ring.may_read(producer(0)), Ok(()), "it may read back");
    assert_eq!(
        error(ring.may_write(consumer(0, 0))),
        "writes to stage 0 in round 0, which is held by a consumer"
    );
    assert!(error(ring.may_read(consumer(0, 0))).contains("after its release"));
    let next = outside.replace("round 0", "round 1");
    assert_eq!(error(ring.may_write(producer(2))), next);
    assert!(ring.may_read(producer(2)).is_err());
    ring.start_bytes(0, 8);
    assert_eq!(ring.commit(0, Some(8), false), Ok(()));
    assert_eq!(error(ring.may_write(producer(0))), outside);
    assert!(ring.may_read(producer(0)).is_err());
}

#[test]
fn a_stage_is_read_between_wait_and_release_by_the_consumer_that_waited() {
    let (mut ring, op) = ring(1, 2);
    assert_eq!(ring.acquire(0, 0, op), Ok(()));
    assert_eq!(ring.commit(0, None, false), Ok(()));
    let stray = "reads stage 0 in round 0 after its release";
    assert_eq!(error(ring.may_read(consumer(0, 0))), stray);
    assert_eq!(ring.wait(0, 0, op), Ok(()));
    assert_eq!(ring.may_read(consumer(0, 0)), Ok(()));
    assert_eq!(error(ring.may_read(consumer(0, 1))), stray);
    let next = stray.replace("round 0", "round 1");
    assert_eq!(error(ring.may_read(consumer(1, 0))), next);
    assert_eq!(ring.release(0, 0), Ok(()));
    assert_eq!(error(ring.may_read(consumer(0, 0))), stray);
}

#[test]
fn nothing_is_left_in_a_ring_at_the_end() {
    let (mut ring, op) = ring(2, 1);
    assert_eq!(ring.leftover(), None);
    pass(&mut ring, op, 0);
    assert_eq!(ring.leftover(), None);
    let left = |ring: &Ring| ring.leftover().map(|(_, message)| message);
    assert_eq!(ring.acquire(1, 0, op), Ok(()));
    let expected = "acquires stage 1 in round 0 and never commits it";
    assert_eq!(left(&ring).as_deref(), Some(expected));
    assert_eq!(ring.commit(1, None, false), Ok(()));
    let expected = "fills stage 1 in round 0, which a consumer never releases";
    assert_eq!(left(&ring).as_deref(), Some(expected));
    assert_eq!(ring.wait(1, 0, op), Ok(()));
    let expected = "waits for stage 1 in round 0 and never releases it";
    assert_eq!(left(&ring).as_deref(), Some(expected));
    assert_eq!(ring.release(1, 0), Ok(()));
    assert_eq!(ring.acquire(2, 0, op), Ok(()));
    let expected = "acquires stage 0 in round 1 and never commits it";
    assert_eq!(left(&ring).as_deref(), Some(expected));
}

/// Whoever enters a mutex excludes the other side until it leaves; the next round belongs to the
/// side that goes first again.
#[test]
fn a_mutex_admits_one_side_at_a_time() {
    let op = operation(&mut Context::new());
    let mut mutex = Ring::new(op, true, 1, 1);
    assert_eq!(mutex.stage(1), "the mutex in round 1");
    let waits = "the mutex in round 0 until it is committed";
    assert_eq!(mutex.wait(0, 0, op), later(waits));
    assert_eq!(mutex.acquire(0, 0, op), Ok(()));
    assert_eq!(mutex.wait(0, 0, op), later(waits));
    assert_eq!(mutex.commit(0, None, false), Ok(()));
    let waits = "the mutex in round 1 until consumer 0 releases it";
    assert_eq!(mutex.acquire(1, 0, op), later(waits));
    assert_eq!(mutex.wait(0, 0, op), Ok(()));
    assert_eq!(mutex.acquire(1, 0, op), later(waits));
    assert_eq!(mutex.release(0, 0), Ok(()));
    assert_eq!(mutex.acquire(1, 0, op), Ok(()));
}
