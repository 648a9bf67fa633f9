//! One test per violation: a valid schedule with one change.

use super::*;
use crate::modulo::{EdgeKind, NodeConstraints, Pool, PoolUse, ResourceUse};

struct Case {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    space: ResourceSpace,
    interval: u32,
    starts: Vec<i64>,
    stages: Vec<u32>,
    orders: Vec<u32>,
    stage_count: u32,
}

impl Case {
    /// Two loads and a multiply at interval 16: the golden schedule of the page.
    fn valid() -> Self {
        let load = || {
            Node::new(
                "load",
                8,
                vec![ResourceUse::new(12, 8), ResourceUse::new(16, 8)],
            )
        };
        let mma = Node::new(
            "mma",
            16,
            vec![ResourceUse::new(11, 8), ResourceUse::new(19, 8)],
        );
        let edge = |from, to, latency, distance| Edge {
            from,
            to,
            latency,
            distance,
            kind: EdgeKind::Data,
        };
        let pools = vec![Pool {
            name: "issue".to_owned(),
            capacity: 2,
        }];
        Self {
            nodes: vec![load(), load(), mma],
            edges: vec![edge(0, 2, 8, 0), edge(1, 2, 8, 0), edge(2, 2, 16, 1)],
            space: ResourceSpace {
                pools,
                ..ResourceSpace::default()
            },
            interval: 16,
            starts: vec![0, 8, 16],
            stages: vec![0, 0, 1],
            orders: vec![0, 1, 0],
            stage_count: 2,
        }
    }

    fn check(&self) -> Result<(), Violation> {
        let claim = Claim {
            interval: self.interval,
            starts: &self.starts,
            stages: &self.stages,
            orders: &self.orders,
            stage_count: self.stage_count,
        };
        check(&self.nodes, &self.edges, &self.space, &claim)
    }

    fn spoiled(change: impl FnOnce(&mut Self)) -> Violation {
        let mut case = Self::valid();
        change(&mut case);
        case.check().unwrap_err()
    }
}

#[test]
fn the_golden_schedule_passes() {
    assert_eq!(Case::valid().check(), Ok(()));
}

#[test]
fn shape_is_checked_first() {
    assert_eq!(
        Case::spoiled(|case| case.interval = 0),
        Violation::ZeroInterval
    );
    let short = Case::spoiled(|case| case.starts.truncate(2));
    assert_eq!(
        short,
        Violation::WrongLength {
            expected: 3,
            found: 2
        }
    );
    let dangling = Case::spoiled(|case| case.edges[0].to = 9);
    assert_eq!(dangling, Violation::DanglingReference { node: 0 });
}

#[test]
fn dependences_name_the_edge() {
    let violation = Case::spoiled(|case| case.starts = vec![0, 8, 15]);
    assert_eq!(
        violation.to_string(),
        "operation 2 must start at least 8 cycles after operation 1 (latency 8, distance 0, \
         Data), but starts 7 cycles after it"
    );
    let carried = Case::spoiled(|case| case.edges[2].latency = 17);
    assert!(matches!(
        carried,
        Violation::Dependence {
            needed: 1,
            found: 0,
            ..
        }
    ));
}

#[test]
fn slots_name_both_operations_and_the_row() {
    let violation = Case::spoiled(|case| case.starts[1] = 7);
    assert_eq!(
        violation,
        Violation::SlotConflict {
            slot: "slot 12".to_owned(),
            first: 0,
            second: 1,
            cycle: 7
        }
    );
    let long = Case::spoiled(|case| case.nodes[0].uses[0].duration = 17);
    assert!(matches!(
        long,
        Violation::SelfCollision {
            node: 0,
            duration: 17,
            ..
        }
    ));
}

#[test]
fn pools_name_their_users() {
    let violation = Case::spoiled(|case| {
        for node in [0, 2] {
            case.nodes[node].pools.push(PoolUse { pool: 0, count: 2 });
        }
    });
    assert_eq!(
        violation.to_string(),
        "pool issue has 4 of 2 units taken in row 0 by operations [0, 2]"
    );
}

#[test]
fn serial_operations_do_not_overlap() {
    let violation = Case::spoiled(|case| {
        case.nodes[0].constraints.force_serial = true;
        case.nodes[1].constraints.force_serial = true;
        case.nodes[1].latency = 9;
        case.edges[1].latency = 8;
    });
    assert_eq!(
        violation,
        Violation::SerialOverlap {
            first: 1,
            second: 0
        }
    );
}

#[test]
fn stages_and_orders_follow_from_starts() {
    let stage = Case::spoiled(|case| case.stages[2] = 0);
    assert_eq!(
        stage,
        Violation::Stage {
            node: 2,
            expected: 1,
            found: 0
        }
    );
    let count = Case::spoiled(|case| case.stage_count = 1);
    assert_eq!(
        count,
        Violation::StageCount {
            expected: 2,
            found: 1
        }
    );
    let order = Case::spoiled(|case| case.orders.swap(0, 1));
    assert_eq!(
        order,
        Violation::Order {
            node: 0,
            expected: 0,
            found: 1
        }
    );
    let late = Case::spoiled(|case| case.starts.iter_mut().for_each(|start| *start += 16));
    assert_eq!(late, Violation::NotNormalised { least: 16 });
}

#[test]
fn depth_limits_and_leaders_bind() {
    let deep = Case::spoiled(|case| case.nodes[2].constraints.max_depth = Some(0));
    assert_eq!(
        deep,
        Violation::MaxDepth {
            node: 2,
            depth: 1,
            limit: 0
        }
    );
    let torn = Case::spoiled(|case| {
        let member = |group, leader| NodeConstraints {
            group: Some(group),
            leader: Some(leader),
            ..NodeConstraints::default()
        };
        case.nodes[0].constraints = member(4, 5);
        case.nodes[2].constraints = member(5, 5);
    });
    assert!(matches!(
        torn,
        Violation::LeaderGroup {
            first: 0,
            second: 2,
            ..
        }
    ));
}

#[test]
fn every_list_of_a_schedule_covers_every_operation() {
    let short = Violation::WrongLength {
        expected: 3,
        found: 2,
    };
    assert_eq!(Case::spoiled(|case| case.stages.truncate(2)), short.clone());
    assert_eq!(Case::spoiled(|case| case.orders.truncate(2)), short);
    let from = Case::spoiled(|case| case.edges[0].from = 3);
    assert_eq!(from, Violation::DanglingReference { node: 3 });
}

/// The last row and the first are neighbours: a hold of 8 cycles from row 9 ends in row 0.
#[test]
fn a_hold_that_wraps_meets_the_first_rows() {
    let violation = Case::spoiled(|case| {
        case.starts[1] = 9;
        case.starts[2] = 17;
    });
    assert_eq!(
        violation,
        Violation::SlotConflict {
            slot: "slot 12".to_owned(),
            first: 0,
            second: 1,
            cycle: 0
        }
    );
}

#[test]
fn a_triple_without_occupancy_holds_nothing() {
    let mut case = Case::valid();
    for node in [0, 1] {
        for triple in &mut case.nodes[node].uses {
            triple.occupancy = 0;
            triple.duration = 99;
        }
    }
    assert_eq!(case.check(), Ok(()));
}

/// Both loads take two units; the first holds its slots in rows 0 to 7, the second in 8 to 15.
#[test]
fn a_share_of_a_pool_is_held_as_long_as_the_longest_slot() {
    let share = PoolUse { pool: 0, count: 2 };
    let mut case = Case::valid();
    case.nodes[0].pools.push(share);
    case.nodes[1].pools.push(share);
    assert_eq!(case.check(), Ok(()));
    let one_more = |case: &mut Case| {
        case.nodes[0].pools.push(share);
        case.nodes[1].pools.push(share);
        case.nodes[0].uses[1].slot = 20;
        case.nodes[0].uses[1].duration = 9;
    };
    let violation = Case::spoiled(one_more);
    assert!(matches!(
        violation,
        Violation::PoolOverflow {
            cycle: 8,
            units: 4,
            capacity: 2,
            ..
        }
    ));
    // Without a slot the share is held in the first cycle only.
    let mut brief = Case::valid();
    for node in 0..2 {
        brief.nodes[node].uses.clear();
        brief.nodes[node].pools.push(share);
    }
    brief.starts[1] = 1;
    assert_eq!(brief.check(), Ok(()));
    brief.starts[1] = 0;
    assert!(brief.check().is_err());
}

#[test]
fn a_serial_operation_keeps_its_share_for_its_latency() {
    let violation = Case::spoiled(|case| {
        for node in 0..2 {
            case.nodes[node].uses.clear();
            case.nodes[node].pools.push(PoolUse { pool: 0, count: 2 });
        }
        case.nodes[0].constraints.force_serial = true;
        case.nodes[0].latency = 9;
    });
    assert!(matches!(
        violation,
        Violation::PoolOverflow { cycle: 8, .. }
    ));
}

#[test]
fn a_share_of_no_pool_is_dangling() {
    let violation = Case::spoiled(|case| case.nodes[1].pools.push(PoolUse { pool: 1, count: 1 }));
    assert_eq!(violation, Violation::DanglingReference { node: 1 });
}

/// The multiply takes 16 cycles at an interval of 16: one cycle more meets its next iteration.
#[test]
fn a_serial_operation_does_not_overlap_its_next_iteration() {
    let alone = |latency| {
        let mut case = Case::valid();
        case.nodes[2].constraints.force_serial = true;
        case.nodes[2].latency = latency;
        case.check()
    };
    assert_eq!(alone(16), Ok(()));
    assert_eq!(
        alone(17),
        Err(Violation::SerialOverlap {
            first: 2,
            second: 2
        })
    );
}

#[test]
fn no_operation_starts_before_cycle_zero() {
    let early = Case::spoiled(|case| {
        case.nodes[0].uses.clear();
        case.starts[0] = -1;
    });
    assert_eq!(early, Violation::NotNormalised { least: -1 });
    let many = Case::spoiled(|case| case.stage_count = 3);
    assert_eq!(
        many,
        Violation::StageCount {
            expected: 2,
            found: 3
        }
    );
}

/// In one stage the row decides, and program order decides between equal rows.
#[test]
fn orders_are_by_row_then_by_program_order() {
    let mut case = Case::valid();
    case.nodes[1].uses.clear();
    case.starts[1] = 0;
    assert_eq!(case.check(), Ok(()));
    case.orders = vec![1, 0, 0];
    assert_eq!(
        case.check(),
        Err(Violation::Order {
            node: 0,
            expected: 0,
            found: 1
        })
    );
}

#[test]
fn the_deepest_permitted_stage_is_permitted() {
    let mut case = Case::valid();
    case.nodes[2].constraints.max_depth = Some(1);
    assert_eq!(case.check(), Ok(()));
}

/// Group 4 follows 5, which follows 6: all three are one group, declared in any order. A group
/// without a leader leads itself.
#[test]
fn leaders_of_leaders_bind() {
    let member = |group, leader| NodeConstraints {
        group: Some(group),
        leader,
        ..NodeConstraints::default()
    };
    for (first, second) in [(4, 5), (5, 4)] {
        let torn = Case::spoiled(|case| {
            case.nodes[0].constraints = member(first, Some(first + 1));
            case.nodes[1].constraints = member(second, Some(second + 1));
            case.nodes[2].constraints = member(6, None);
        });
        assert!(matches!(
            torn,
            Violation::LeaderGroup {
                first: 0,
                second: 2,
                first_depth: 0,
                second_depth: 1
            }
        ));
    }
    let mut apart = Case::valid();
    apart.nodes[0].constraints = member(4, None);
    apart.nodes[2].constraints = member(5, None);
    assert_eq!(apart.check(), Ok(()));
}
