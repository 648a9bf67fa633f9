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
