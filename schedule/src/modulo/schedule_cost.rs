//! The cost vector of a whole schedule, by which schedules of one interval are compared.
//!
//! Source: tileas reference 4.7 (recommendation).

use super::cost::{CostVector, bank_tables, kendall_tau, spill_surcharge};
use super::evaluators::BankPressure;
use super::pressure::RegisterPressure;
use super::problem::LoopProblem;
use super::schedule::Schedule;

/// The cost vector of a whole schedule: delays after the earliest starts that predecessors allow,
/// surcharges (capped per operation), the worst bank pressure of any row, and the inversions
/// between emission order and program order.
#[must_use]
pub fn schedule_cost(problem: &LoopProblem<'_>, schedule: &Schedule) -> CostVector {
    let graph = problem.graph;
    let starts = &schedule.starts;
    let mut delay = 0_u64;
    for (node, &start) in starts.iter().enumerate() {
        let edges = graph.predecessors(node).filter(|edge| edge.from != node);
        let allowed = edges.map(|edge| starts[edge.from] + edge.weight(schedule.interval));
        delay += (start - allowed.max().unwrap_or(0).max(0)).max(0) as u64;
    }
    CostVector {
        rejected: false,
        pipe_slot: clamp(delay),
        spill: clamp(total_spill(problem, schedule)),
        bank: worst_bank(problem, schedule),
        distance: clamp(kendall_tau(&schedule.emission_order())),
    }
}

fn clamp(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn total_spill(problem: &LoopProblem<'_>, schedule: &Schedule) -> u64 {
    let nodes = problem.graph.nodes();
    let Some(budget) = problem.options.register_budget else {
        return 0;
    };
    if nodes.iter().all(|node| node.registers == 0) {
        return 0;
    }
    let starts: Vec<_> = schedule.starts.iter().copied().map(Some).collect();
    let pressure = RegisterPressure::measure(problem.graph, &starts, schedule.interval);
    let seats = schedule.starts.iter().zip(nodes);
    seats
        .filter(|(_, node)| node.registers > 0)
        .map(|(&start, _)| u64::from(spill_surcharge(pressure.at(start), budget)))
        .sum()
}

fn worst_bank(problem: &LoopProblem<'_>, schedule: &Schedule) -> u32 {
    let starts = schedule.starts.iter().copied().enumerate();
    let [current, older] = bank_tables(problem, schedule.interval, starts);
    let rows = current.iter().zip(&older);
    rows.map(|(&current, &older)| BankPressure::of_row(current, older).sum())
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::graph::{DependenceGraph, Node, ResourceSpace, ResourceUse};
    use super::super::problem::SchedulingOptions;
    use super::super::schedule::GeneratorKind;
    use super::*;

    #[test]
    fn bank_pressure_decides_before_program_order() {
        // Two operations hold a bank each, the third none. One of the last two is delayed by 4 cycles:
        // the one with the bank, although that is against program order.
        let node = |slot| Node::new("op", 1, vec![ResourceUse::new(slot, 4)]);
        let nodes = vec![node(15), node(16), node(1)];
        let graph = DependenceGraph::new(ResourceSpace::default(), nodes, Vec::new()).unwrap();
        let problem = LoopProblem::new(&graph, SchedulingOptions::default()).unwrap();
        let quality = |starts: [i64; 3]| {
            let kind = GeneratorKind::CostBased;
            let mut schedule =
                Schedule::from_starts(8, starts.to_vec(), problem.bounds, kind, false);
            schedule.cost = schedule_cost(&problem, &schedule);
            schedule.quality(&graph)
        };
        let (together, apart) = (quality([0, 0, 4]), quality([0, 4, 0]));
        assert_eq!(together.cost.to_string(), "(0, 4, 2, 0)");
        assert_eq!(apart.cost.to_string(), "(0, 4, 1, 1)");
        assert!(apart < together);
    }
}
