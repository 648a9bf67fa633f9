//! Lifetimes, barriers and reuse of slots, and what the checker refuses.

use super::*;

/// A prefetching producer still writes at cycle 40 of its iteration, after its reader ended at 16:
/// the slot is busy for 40 cycles, which are three intervals of 16.
#[test]
fn a_producer_that_outlives_its_readers_keeps_the_slot() {
    let mut request = ring(0, &[1024], 1, 1);
    request.producers = vec![Access { start: 0, end: 8 }, Access { start: 30, end: 40 }];
    let got = assign(std::slice::from_ref(&request), &Budget::default()).expect("fits");
    assert_eq!(depths(&got), [3]);
    let expected = Lifetime::Cyclic {
        region: 0,
        interval: 16,
        start: 0,
        end: 40,
    };
    assert_eq!(got.bindings[0].lifetime, expected);
    // Another ring may not use its bytes while it is still written.
    let other = between(ring(1, &[1024], 3, 3), 16, 24);
    let got = assign(&[request, other], &BY_SCHEDULE).expect("fits");
    assert!(got.shared.is_empty());
}

/// The first of several writes and the last of several reads count, and a read in the cycle of the
/// write takes one cycle.
#[test]
fn a_lifetime_is_from_the_first_write_to_the_last_read() {
    let mut request = ring(0, &[64], 1, 1);
    request.producers = vec![Access { start: 6, end: 7 }, Access { start: 2, end: 3 }];
    request.consumers = vec![Access { start: 9, end: 30 }, Access { start: 9, end: 12 }];
    let lifetime = |request: &BufferRequest| lifetimes(std::slice::from_ref(request));
    let cyclic = |start, end| Lifetime::Cyclic {
        region: 0,
        interval: 16,
        start,
        end,
    };
    assert_eq!(lifetime(&request), Ok(vec![cyclic(2, 30)]));
    assert_eq!(cyclic(2, 30).slots_needed(), 2);
    assert_eq!(cyclic(2, 34).slots_needed(), 2);
    assert_eq!(cyclic(2, 35).slots_needed(), 3);
    let ends = cyclic(2, 30).endpoints().expect("known cycles");
    let point = |stage, cycle| Endpoint { stage, cycle };
    assert_eq!(ends, (point(0, 2), point(1, 14)));
    request.producers = vec![Access { start: 9, end: 9 }];
    request.consumers = request.producers.clone();
    assert_eq!(lifetime(&request), Ok(vec![cyclic(9, 10)]));
    request.timing = None;
    assert_eq!(lifetime(&request), Ok(vec![Lifetime::Always]));
}

/// Values of one storage are busy while any of them is; in different loops they always are.
#[test]
fn aliases_have_the_union_of_their_lifetimes() {
    let mut requests = [
        between(ring(0, &[64], 1, 1), 4, 8),
        between(ring(1, &[64], 1, 1), 20, 50),
    ];
    requests[1].alias_of = Some(0);
    let both = Lifetime::Cyclic {
        region: 0,
        interval: 16,
        start: 4,
        end: 50,
    };
    assert_eq!(lifetimes(&requests), Ok(vec![both, both]));
    requests[1].timing = at(1, 16);
    assert_eq!(
        lifetimes(&requests),
        Ok(vec![Lifetime::Always, Lifetime::Always])
    );
    requests[1].timing = at(0, 8);
    assert_eq!(
        lifetimes(&requests),
        Ok(vec![Lifetime::Always, Lifetime::Always])
    );
}

/// A lock whose cycles are not known is busy always: it has a barrier of its own.
#[test]
fn a_lock_without_a_schedule_shares_no_barrier() {
    let budget = Budget {
        named_barriers: 3,
        ..Budget::default()
    };
    let mut requests = vec![lock(0, 0, 4), lock(1, 0, 4), lock(2, 8, 12)];
    assert!(assign(&requests, &budget).is_ok());
    requests[2].timing = None;
    let error = assign(&requests, &budget).expect_err("two barriers for three");
    assert_eq!((error.phase, error.id), (Phase::Barriers, 2));
    // A barrier is taken by the holder of every iteration: eight cycles of sixteen are free for
    // another, nine are not.
    let requests = [lock(0, 0, 99), lock(1, 0, 8), lock(2, 8, 16)];
    assert!(assign(&requests, &budget).is_ok());
    let requests = [lock(0, 0, 99), lock(1, 0, 8), lock(2, 8, 17)];
    assert!(assign(&requests, &budget).is_err());
}

#[test]
fn the_checker_knows_the_limits_of_tensor_memory() {
    let tensor_memory = Some(TensorMemory {
        bytes: 262_144,
        threshold: 0,
    });
    let budget = Budget {
        tensor_memory,
        ..Budget::default()
    };
    let mut requests = [ring(0, &[65_536], 1, 1), ring(1, &[65_536], 1, 1)];
    for request in &mut requests {
        edit(request).storage = Storage::Tensor;
    }
    let good = assign(&requests, &budget).expect("fits");
    let column = |column| Place::Tensor {
        column,
        barriers: 0,
    };
    assert_eq!(good.bindings[0].place, column(0));
    check(&requests, &good, &budget).expect("sound");
    let changes: [Named<fn(&mut Assignment)>; 6] = [
        ("Pipe_0 and Pipe_1 overlap", |a| {
            a.bindings[1].place = Place::Tensor {
                column: 127,
                barriers: 16,
            };
        }),
        ("ends at byte 327680, beyond the limit of 262144", |a| {
            a.bindings[1].place = Place::Tensor {
                column: 512,
                barriers: 16,
            };
        }),
        ("ends at byte 131072, beyond the total of 130560", |a| {
            a.tmem_columns = 255;
        }),
        ("ends at byte 32, beyond the total of 31", |a| {
            a.smem_bytes = 31;
        }),
        ("1 bindings for 2 pipelines", |a| {
            a.bindings.pop();
        }),
        ("the binding belongs to value 1", |a| a.bindings.swap(0, 1)),
    ];
    for (message, change) in changes {
        let mut bad = good.clone();
        change(&mut bad);
        let fault = check(&requests, &bad, &budget).expect_err(message);
        assert_eq!(fault.message, message);
    }
}

/// Mbarriers are used by both sides at any time, so no ring may lie on them, whatever its cycles;
/// barrier 0 is that of the block.
#[test]
fn the_checker_keeps_mbarriers_and_barrier_zero() {
    let requests = [
        between(ring(0, &[1024], 1, 1), 0, 8),
        between(ring(1, &[1024], 1, 1), 8, 16),
        lock(2, 0, 8),
    ];
    let good = assign(&requests, &BY_SCHEDULE).expect("fits");
    assert_eq!(good.shared, [(0, 1)]);
    check(&requests, &good, &BY_SCHEDULE).expect("sound");
    let mut bad = good.clone();
    bad.bindings[1].place = Place::Shared {
        offset: 2048,
        barriers: 1016,
    };
    bad.smem_bytes = 4096;
    let fault = check(&requests, &bad, &BY_SCHEDULE).expect_err("a ring on mbarriers");
    assert_eq!(fault.message, "Pipe_0 and Pipe_1 overlap");
    let mut bad = good;
    bad.bindings[2].place = Place::Barrier { number: 0 };
    let fault = check(&requests, &bad, &BY_SCHEDULE).expect_err("the barrier of the block");
    assert_eq!(fault.message, "Mutex_ barrier index out of range");
}

/// Slot i of one ring lies on slot i of the other if both have one depth: iteration k meets
/// iteration k + depth, and no other.
#[test]
fn slots_are_reused_after_as_many_iterations_as_there_are_slots() {
    let pair = |needed, end| {
        let requests = [
            between(ring(0, &[64], needed, 0), 0, 16),
            between(ring(1, &[64], needed, 0), 16, end),
        ];
        let got = assign(&requests, &BY_SCHEDULE).expect("fits");
        check(&requests, &got, &BY_SCHEDULE).expect("sound");
        !got.shared.is_empty()
    };
    // With two slots, the ring of cycles 0 to 16 is free until cycle 32.
    assert!(pair(2, 32));
    assert!(!pair(2, 33), "iteration 2 of the first starts at cycle 32");
    assert!(pair(3, 48));
    assert!(!pair(3, 49));
}

/// A planned mutex takes a named barrier while there is one, then a pair of mbarriers of 8 bytes each;
/// an existing mutex needs a named barrier.
#[test]
fn planned_mutexes_beyond_the_named_barriers_are_in_memory() {
    let budget = Budget {
        named_barriers: 3,
        ..Budget::default()
    };
    let planned = |id| BufferRequest {
        kind: RequestKind::Lock,
        timing: None,
        ..lock(id, 0, 1)
    };
    let requests = [0, 1, 2, 3].map(planned);
    let got = assign(&requests, &budget).expect("the last two are in memory");
    let classes = [0, 1, 2, 3].map(|at: usize| got.bindings[at].place.class());
    assert_eq!(classes, ["barrier", "barrier", "smem", "smem"]);
    assert!(
        got.bindings[2..]
            .iter()
            .all(|b| (b.depth, b.bytes()) == (1, 0))
    );
    assert_eq!(got.smem_bytes, 2 * 2 * MBARRIER_BYTES);
    check(&requests, &got, &budget).expect("sound");
    let small = Budget {
        shared_memory: 3 * MBARRIER_BYTES,
        ..budget
    };
    let error = assign(&requests, &small).expect_err("four mbarriers for three");
    assert_eq!(error.phase, Phase::SharedMemory);
    let mut swapped = got.clone();
    swapped.bindings[3].place = swapped.bindings[2].place;
    assert!(check(&requests, &swapped, &budget).is_err());
    let mut requests = requests;
    requests[3].kind = RequestKind::Barrier;
    let error = assign(&requests, &budget).expect_err("no barrier is left");
    assert_eq!((error.phase, error.id), (Phase::Barriers, 3));
}

/// Slots of nearly all addresses overflow when they are placed.
#[test]
fn a_ring_that_exceeds_all_addresses_is_named() {
    let requests = [ring(0, &[64], 1, 1), ring(1, &[u64::MAX - 200], 2, 2)];
    let error = assign(&requests, &Budget::default()).expect_err("too large");
    assert_eq!((error.phase, error.id), (Phase::SharedMemory, 1));
    assert_eq!(error.reason, "the size of its ring overflows");
}
