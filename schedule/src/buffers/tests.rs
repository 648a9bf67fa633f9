//! Tests of buffer assignment: worked examples, and random requests compared with a simulation.

mod rules;

use proptest::prelude::*;

use super::*;

/// A case and its name.
type Named<T> = (&'static str, T);

fn at(region: u32, interval: u32) -> Option<Timing> {
    Some(Timing {
        region,
        interval,
        stages: 2,
    })
}

fn ring(id: u32, tiles: &[u64], needed: u32, requested: u32) -> BufferRequest {
    BufferRequest {
        id,
        name: format!("Pipe_{id}"),
        kind: RequestKind::Ring(Ring {
            tiles: tiles.to_vec(),
            element: "f16".to_owned(),
            element_bits: 16,
            rank: 2,
            needed,
            wanted: needed,
            requested,
            alignment: Alignment::Tma,
            storage: Storage::Shared,
        }),
        timing: at(0, 16),
        producers: vec![Access { start: 0, end: 8 }],
        consumers: vec![Access { start: 8, end: 16 }],
        alias_of: None,
        has_waits: false,
    }
}

fn lock(id: u32, start: i64, end: i64) -> BufferRequest {
    BufferRequest {
        name: format!("Mutex_{id}"),
        kind: RequestKind::Barrier,
        producers: vec![Access {
            start,
            end: start + 1,
        }],
        consumers: vec![Access {
            start: end - 1,
            end,
        }],
        ..ring(id, &[], 1, 1)
    }
}

fn between(mut request: BufferRequest, start: i64, end: i64) -> BufferRequest {
    request.producers = vec![Access {
        start,
        end: start + 1,
    }];
    request.consumers = vec![Access { start, end }];
    request
}

fn edit(request: &mut BufferRequest) -> &mut Ring {
    match &mut request.kind {
        RequestKind::Ring(ring) => ring,
        RequestKind::Barrier | RequestKind::Lock => panic!("not a ring"),
    }
}

fn depths(assignment: &Assignment) -> Vec<u32> {
    assignment.bindings.iter().map(|b| b.depth).collect()
}

const BY_SCHEDULE: Budget = Budget {
    shared_memory: 232_448,
    tensor_memory: None,
    named_barriers: 16,
    sharing: Sharing::BySchedule,
};

/// The GEMM of the reference: 32,768 bytes per slot, at most 7 slots in 232,448 bytes.
#[test]
fn gemm_slots_of_32_kib_go_seven_deep() {
    for (requested, depth) in [(0, 2), (2, 2), (4, 4), (7, 7), (8, 7), (u32::MAX, 7)] {
        let request = ring(0, &[16_384, 16_384], 2, requested);
        let got = assign(&[request], &Budget::default()).expect("fits");
        assert_eq!(depths(&got), [depth]);
        let barriers = u64::from(depth) * 32_768;
        assert_eq!(
            got.bindings[0].place,
            Place::Shared {
                offset: 0,
                barriers
            }
        );
        assert_eq!(got.smem_bytes, barriers + 16 * u64::from(depth));
    }
}

#[test]
fn depth_is_raised_to_the_length_of_the_lifetime() {
    let request = between(ring(0, &[1024], 1, 1), 5, 5 + 33);
    let got = assign(&[request], &Budget::default()).expect("fits");
    assert_eq!(depths(&got), [3], "33 cycles at II 16");
}

#[test]
fn the_remainder_of_memory_goes_to_rings_it_still_takes() {
    let budget = Budget {
        shared_memory: 10_000,
        ..Budget::default()
    };
    let requests = [ring(0, &[4096], 1, 9), ring(1, &[256], 1, 9)];
    let got = assign(&requests, &budget).expect("fits");
    // Two slots take 2 * (4096 + 256 + 32) = 8768 bytes; a third does not fit, but four of 256 do.
    assert_eq!(depths(&got), [2, 6]);
    check(&requests, &got, &budget).expect("sound");
}

#[test]
fn the_largest_ring_is_first_and_holes_are_filled() {
    let mut swizzled = ring(1, &[1024], 1, 1);
    edit(&mut swizzled).alignment = Alignment::Swizzle128;
    let requests = [ring(0, &[128], 1, 1), swizzled, ring(2, &[1100], 1, 1)];
    let got = assign(&requests, &Budget::default()).expect("fits");
    let offsets: Vec<u64> = got
        .bindings
        .iter()
        .map(|binding| match binding.place {
            Place::Shared { offset, .. } => offset,
            other => panic!("{other:?}"),
        })
        .collect();
    // 1100 bytes take 1152; the swizzled ring starts at 2048; 128 bytes fit in between.
    assert_eq!(offsets, [1152, 2048, 0]);
    assert_eq!(got.smem_bytes, 3072 + 3 * 16);
}

#[test]
fn tiles_of_a_slot_start_aligned() {
    let request = ring(0, &[100, 100], 1, 1);
    let RequestKind::Ring(ring) = &request.kind else {
        panic!()
    };
    assert_eq!((ring.slot_stride(), ring.payload_bytes()), (256, 200));
}

#[test]
fn rings_apart_in_time_share_when_the_schedule_is_kept() {
    let requests = [
        between(ring(0, &[1024], 1, 1), 0, 8),
        between(ring(1, &[1024], 1, 1), 8, 16),
        between(ring(2, &[1024], 1, 1), 4, 12),
    ];
    let got = assign(&requests, &BY_SCHEDULE).expect("fits");
    assert_eq!(got.shared, [(0, 1)]);
    assert_eq!(got.bindings[0].storage, got.bindings[1].storage);
    assert_eq!(got.bindings[2].storage, 2);
    check(&requests, &got, &BY_SCHEDULE).expect("sound");
    let alone = assign(&requests, &Budget::default()).expect("fits");
    assert!(
        alone.shared.is_empty(),
        "agents at their own pace share nothing"
    );
    assert_eq!(alone.smem_bytes, got.smem_bytes + 1024);
}

#[test]
fn sharing_needs_equal_class_element_and_size_and_no_waits() {
    let base = || {
        [
            between(ring(0, &[1024], 1, 1), 0, 8),
            between(ring(1, &[1024], 1, 1), 8, 16),
        ]
    };
    let changes: [Named<fn(&mut BufferRequest)>; 5] = [
        ("element", |r| edit(r).element = "bf16".to_owned()),
        ("size", |r| edit(r).tiles = vec![2048]),
        ("waits", |r| r.has_waits = true),
        ("region", |r| r.timing = at(1, 16)),
        ("time", |r| r.timing = None),
    ];
    for (what, change) in changes {
        let mut requests = base();
        change(&mut requests[1]);
        let got = assign(&requests, &BY_SCHEDULE).expect("fits");
        assert!(got.shared.is_empty(), "{what}");
    }
    assert_eq!(
        assign(&base(), &BY_SCHEDULE).expect("fits").shared,
        [(0, 1)]
    );
}

/// Sharing is not transitive: 0 and 2 overlap, 1 is disjoint from both, and the pair (0, 1) is
/// tried first.
#[test]
fn the_lower_pair_shares_first() {
    let requests = [
        between(ring(0, &[64], 1, 1), 0, 6),
        between(ring(1, &[64], 1, 1), 10, 16),
        between(ring(2, &[64], 1, 1), 4, 10),
    ];
    let got = assign(&requests, &BY_SCHEDULE).expect("fits");
    assert_eq!(got.shared, [(0, 1)]);
}

#[test]
fn sharing_makes_room_that_would_not_be_there() {
    let budget = Budget {
        shared_memory: 1024 + 32,
        ..BY_SCHEDULE
    };
    let requests = [
        between(ring(0, &[1024], 1, 1), 0, 8),
        between(ring(1, &[1024], 1, 1), 8, 16),
    ];
    assert!(assign(&requests, &budget).is_ok());
    let error = assign(
        &requests,
        &Budget {
            sharing: Sharing::Never,
            ..budget
        },
    );
    assert_eq!(error.expect_err("too small").phase, Phase::SharedMemory);
}

#[test]
fn tensor_memory_takes_large_tiles_of_rank_two() {
    let budget = Budget {
        tensor_memory: Some(TensorMemory {
            bytes: 262_144,
            threshold: 4096,
        }),
        ..Budget::default()
    };
    let class = |change: fn(&mut Ring)| {
        let mut request = ring(0, &[65_536], 1, 1);
        edit(&mut request).storage = Storage::Any;
        change(edit(&mut request));
        assign(&[request], &budget).expect("fits").bindings[0]
            .place
            .class()
    };
    assert_eq!(class(|_| ()), "tmem");
    assert_eq!(class(|ring| ring.rank = 1), "smem");
    assert_eq!(class(|ring| ring.element_bits = 4), "smem");
    assert_eq!(class(|ring| ring.tiles = vec![4096]), "smem");
    assert_eq!(class(|ring| ring.tiles = vec![4097]), "tmem");
    assert_eq!(class(|ring| ring.storage = Storage::Shared), "smem");
    let mut request = ring(0, &[65_536], 1, 9);
    edit(&mut request).storage = Storage::Any;
    let got = assign(&[request.clone()], &budget).expect("fits");
    assert_eq!(
        (depths(&got), got.tmem_columns),
        (vec![4], 512),
        "128 columns a slot"
    );
    assert_eq!(got.smem_bytes, 64, "mbarriers stay in shared memory");
    let got = assign(&[request], &Budget::default()).expect("fits");
    assert_eq!(
        got.bindings[0].place.class(),
        "smem",
        "a target without tensor memory"
    );
}

#[test]
fn barriers_start_at_one_and_are_reused_when_apart() {
    let budget = Budget {
        named_barriers: 3,
        ..Budget::default()
    };
    let requests = [lock(0, 0, 8), lock(1, 4, 12), lock(2, 8, 16)];
    let got = assign(&requests, &budget).expect("fits");
    let numbers: Vec<_> = got.bindings.iter().map(|b| b.place).collect();
    let expected = [1, 2, 1].map(|number| Place::Barrier { number });
    assert_eq!(numbers, expected);
    check(&requests, &got, &budget).expect("sound");
}

#[test]
fn a_pool_of_sixteen_has_fifteen_to_give_and_one_of_thirty_two_thirty_one() {
    for (pool, most) in [(16, 15), (32, 31)] {
        let budget = Budget {
            named_barriers: pool,
            ..Budget::default()
        };
        let requests: Vec<_> = (0..most).map(|id| lock(id, 0, 99)).collect();
        assert!(assign(&requests, &budget).is_ok());
        let requests: Vec<_> = (0..=most).map(|id| lock(id, 0, 99)).collect();
        let error = assign(&requests, &budget).expect_err("one too many");
        assert_eq!((error.phase, error.id), (Phase::Barriers, most));
        let text = error.to_string();
        assert!(
            text.starts_with("fails to assign named barrier: "),
            "{text}"
        );
        assert_eq!(
            error.notes.len(),
            1 + most as usize,
            "endpoints, and each barrier's holder"
        );
        assert!(error.notes.contains(&"barrier 1: Mutex_0".to_owned()));
    }
}

#[test]
fn lifetimes_that_cannot_be_resolved_say_why() {
    let mut circle = [ring(0, &[16], 1, 1), ring(1, &[16], 1, 1)];
    circle[0].alias_of = Some(1);
    circle[1].alias_of = Some(0);
    let mut rootless = [ring(0, &[16], 1, 1)];
    rootless[0].alias_of = Some(7);
    let mut unread = [ring(0, &[16], 1, 1)];
    unread[0].consumers.clear();
    let mut unwritten = [ring(0, &[16], 1, 1)];
    unwritten[0].producers.clear();
    let twice = [ring(3, &[16], 1, 1), ring(3, &[16], 1, 1)];
    let mut timeless = [ring(0, &[16], 1, 1)];
    timeless[0].timing = at(0, 0);
    let cases: [(&[BufferRequest], &str); 6] = [
        (&circle, "the references to its storage are cyclic"),
        (
            &rootless,
            "it uses the storage of value 7, which allocates none",
        ),
        (&unread, "it has no consumer"),
        (&unwritten, "it has no producer"),
        (&twice, "its id is not unique"),
        (&timeless, "its loop has an initiation interval of 0"),
    ];
    for (requests, why) in cases {
        let error = assign(requests, &Budget::default()).expect_err(why);
        assert_eq!(
            error.to_string(),
            format!("fails to resolve lifetime: {why}")
        );
    }
}

#[test]
fn a_full_memory_is_shown() {
    let requests = [
        ring(0, &[131_072], 2, 2),
        ring(1, &[1024], 1, 1),
        lock(2, 0, 4),
    ];
    let error = assign(&requests, &Budget::default()).expect_err("too large");
    assert_eq!(
        error.to_string(),
        "fails to assign smem buffer: the rings require 263216 bytes of shared memory, but 232448 \
         are available"
    );
    assert_eq!(
        error.notes,
        [
            "phase 3, value 1 (Pipe_1), II 16, 2 stages, from stage 0 cycle 0 to stage 1 cycle 0",
            "Pipe_1 needs 1 slots of 1024 bytes; rank 2, 16 bits per element",
            "smem [0, 262144): Pipe_0, 2 slots of 131072 bytes",
            "smem [262144, 263168): Pipe_1, 1 slots of 1024 bytes",
            "smem [263168, 263200): full and empty mbarriers of Pipe_0",
            "smem [263200, 263216): full and empty mbarriers of Pipe_1",
            "barrier 1: Mutex_2",
        ]
    );
}

#[test]
fn tensor_memory_that_is_full_or_not_there() {
    let mut request = ring(0, &[65_536], 5, 5);
    edit(&mut request).storage = Storage::Tensor;
    let error = assign(&[request.clone()], &Budget::default()).expect_err("none there");
    assert_eq!(
        error.to_string(),
        "fails to assign tmem buffer: the target has no tensor memory"
    );
    let tensor_memory = Some(TensorMemory {
        bytes: 262_144,
        threshold: 0,
    });
    let error = assign(
        &[request],
        &Budget {
            tensor_memory,
            ..Budget::default()
        },
    );
    assert_eq!(
        error.expect_err("too large").to_string(),
        "fails to assign tmem buffer: the rings require 640 columns of tensor memory, but 512 are \
         available"
    );
}

#[test]
fn sizes_that_overflow_are_an_error() {
    for tiles in [vec![u64::MAX], vec![u64::MAX / 2; 3]] {
        let error = assign(&[ring(0, &tiles, 2, 2)], &Budget::default()).expect_err("too large");
        assert_eq!(error.phase, Phase::SharedMemory);
    }
    let deep = between(ring(0, &[16], u32::MAX, 0), i64::MIN, i64::MAX);
    assert!(assign(&[deep], &Budget::default()).is_err());
}

#[test]
fn names_of_one_storage_have_one_place_and_the_larger_depth() {
    let mut requests = [
        ring(0, &[512], 1, 1),
        ring(1, &[1024], 3, 3),
        ring(2, &[64], 1, 1),
    ];
    requests[1].alias_of = Some(0);
    let got = assign(&requests, &BY_SCHEDULE).expect("fits");
    assert_eq!(depths(&got), [3, 3, 1]);
    assert_eq!(got.bindings[0].slot_stride, 1024);
    let offset = |at: usize| match got.bindings[at].place {
        Place::Shared { offset, .. } => offset,
        other => panic!("{other:?}"),
    };
    assert_eq!(offset(0), offset(1));
    assert_ne!(offset(0), offset(2));
    check(&requests, &got, &BY_SCHEDULE).expect("sound");
}

#[test]
fn the_checker_finds_what_is_wrong() {
    let requests = [
        ring(0, &[1024], 2, 2),
        ring(1, &[1024], 2, 2),
        lock(2, 0, 9),
        lock(3, 0, 9),
    ];
    let budget = Budget::default();
    let good = assign(&requests, &budget).expect("fits");
    check(&requests, &good, &budget).expect("sound");
    let place = |offset, barriers| Place::Shared { offset, barriers };
    let changes: [Named<fn(&mut Assignment)>; 10] = [
        ("needs 2 slots, but has 1", |a| a.bindings[0].depth = 1),
        ("needs slots of 1024 bytes, but has 512", |a| {
            a.bindings[0].slot_stride = 512;
        }),
        ("needs slots aligned to 128 bytes", |a| {
            a.bindings[1].place = Place::Shared {
                offset: 8192 + 64,
                barriers: 4128,
            };
        }),
        ("ends at byte 233472, beyond the limit of 232448", |a| {
            a.bindings[1].place = Place::Shared {
                offset: 231_424,
                barriers: 4128,
            };
        }),
        ("Pipe_0 and Pipe_1 overlap", |a| {
            a.bindings[1].place = a.bindings[0].place;
        }),
        ("Pipe_0 and Pipe_1 overlap", |a| {
            a.bindings[1].place = Place::Shared {
                offset: 2048,
                barriers: 4104,
            };
        }),
        ("Mutex_ barrier index out of range", |a| {
            a.bindings[2].place = Place::Barrier { number: 16 };
        }),
        ("Mutex_2 and Mutex_3 hold barrier 1 at the same time", |a| {
            a.bindings[3].place = Place::Barrier { number: 1 };
        }),
        ("ends at byte 4128, beyond the total of 4096", |a| {
            a.smem_bytes = 4096;
        }),
        ("cannot be of class 'barrier'", |a| {
            a.bindings[0].place = Place::Barrier { number: 3 }
        }),
    ];
    assert_eq!(good.bindings[1].place, place(2048, 4128));
    for (message, change) in changes {
        let mut bad = good.clone();
        change(&mut bad);
        let fault = check(&requests, &bad, &budget).expect_err(message);
        assert_eq!(fault.message, message);
    }
}

/// Reference simulation over many iterations: records which request holds which byte in each cycle.
/// A direct, slow definition of an overlap.
fn simulate(requests: &[BufferRequest], assignment: &Assignment) -> Result<(), String> {
    let mut holds: Vec<(usize, u32, i64, i64, u64, u64)> = Vec::new();
    for (at, binding) in assignment.bindings.iter().enumerate() {
        let Place::Shared { offset, .. } = binding.place else {
            continue;
        };
        let Lifetime::Cyclic {
            interval,
            start,
            end,
            ..
        } = binding.lifetime
        else {
            holds.push((at, 0, i64::MIN, i64::MAX, offset, offset + binding.bytes()));
            continue;
        };
        for k in 0..60u32 {
            let shift = i64::from(k) * i64::from(interval);
            let first = offset + u64::from(k % binding.depth) * binding.slot_stride;
            holds.push((
                at,
                k,
                start + shift,
                end + shift,
                first,
                first + binding.slot_stride,
            ));
        }
    }
    for (position, a) in holds.iter().enumerate() {
        for b in &holds[position + 1..] {
            let regions =
                requests[a.0].timing.map(|t| t.region) == requests[b.0].timing.map(|t| t.region);
            let in_time = !regions || (a.2 < b.3 && b.2 < a.3);
            if in_time && a.4 < b.5 && b.4 < a.5 {
                return Err(format!("{a:?} and {b:?}"));
            }
        }
    }
    Ok(())
}

fn any_request() -> impl Strategy<Value = BufferRequest> {
    let sizes = prop::sample::select(vec![128u64, 256, 512]);
    let timing = prop_oneof![4 => Just(at(0, 8)), 1 => Just(at(1, 8)), 1 => Just(None)];
    (
        sizes,
        1u32..4,
        0u32..6,
        timing,
        0i64..24,
        1i64..20,
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(
            |(size, needed, requested, timing, start, length, waits, barrier)| {
                let mut request =
                    between(ring(0, &[size], needed, requested), start, start + length);
                request.timing = timing;
                request.has_waits = waits && start % 3 == 0;
                if barrier && start % 4 == 0 {
                    request.kind = match length % 2 {
                        0 => RequestKind::Barrier,
                        _ => RequestKind::Lock,
                    };
                }
                request
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Assigned rings with overlapping storage never have overlapping live ranges: the checker and
    /// the simulation agree.
    #[test]
    fn live_ranges_never_meet(
        mut requests in prop::collection::vec(any_request(), 1..8),
        memory in 2_000u64..12_000,
        share in any::<bool>(),
    ) {
        for (id, request) in requests.iter_mut().enumerate() {
            request.id = u32::try_from(id).expect("small");
        }
        let sharing = if share { Sharing::BySchedule } else { Sharing::Never };
        let budget = Budget { shared_memory: memory, named_barriers: 4, sharing, ..Budget::default() };
        if let Ok(got) = assign(&requests, &budget) {
            prop_assert!(got.smem_bytes <= memory);
            prop_assert_eq!(check(&requests, &got, &budget), Ok(()));
            prop_assert_eq!(simulate(&requests, &got), Ok(()));
            for (request, binding) in requests.iter().zip(&got.bindings) {
                if let RequestKind::Ring(ring) = &request.kind {
                    let needed = ring.needed.max(binding.lifetime.slots_needed());
                    prop_assert!(binding.depth >= needed);
                    prop_assert!(binding.depth <= needed.max(ring.requested));
                }
            }
        }
    }

    /// The checker and the simulation agree about any two rings with overlapping storage.
    #[test]
    fn the_checker_agrees_with_the_time_line(
        a in any_request(), b in any_request(), first in 0u64..8, second in 0u64..8,
    ) {
        let mut requests = [a, b];
        let mut bindings = Vec::new();
        for (id, (request, start)) in requests.iter_mut().zip([first, second]).enumerate() {
            request.id = u32::try_from(id).expect("small");
            request.kind = ring(0, &[128], 1, 1).kind;
            let got = assign(std::slice::from_ref(request), &Budget::default()).expect("fits");
            let mut binding = got.bindings[0].clone();
            let barriers = 100_000 + 1000 * u64::from(request.id);
            binding.place = Place::Shared { offset: start * 128, barriers };
            bindings.push(binding);
        }
        let assignment = Assignment { bindings, smem_bytes: u64::MAX, ..Assignment::default() };
        let checked = check(&requests, &assignment, &Budget::default()).is_ok();
        prop_assert_eq!(checked, simulate(&requests, &assignment).is_ok());
    }

    /// Sharing never increases memory use and never reduces the number of slots.
    #[test]
    fn sharing_only_helps(mut requests in prop::collection::vec(any_request(), 1..6)) {
        for (id, request) in requests.iter_mut().enumerate() {
            request.id = u32::try_from(id).expect("small");
            if let RequestKind::Ring(ring) = &mut request.kind {
                ring.requested = 0;
            }
        }
        let apart = assign(&requests, &Budget::default());
        let shared = assign(&requests, &BY_SCHEDULE);
        if let (Ok(apart), Ok(shared)) = (apart, shared) {
            prop_assert!(shared.smem_bytes <= apart.smem_bytes);
            prop_assert_eq!(depths(&apart), depths(&shared));
        }
    }
}
