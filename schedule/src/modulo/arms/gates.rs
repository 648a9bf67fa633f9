//! The gate ladder: the conditions a seat must satisfy, in their fixed order.
//!
//! | gate | condition | on rejection |
//! |---|---|---|
//! | G1 | is the operation held over? | it waits until the others are seated |
//! | G2 | does the depth horizon reach its `max_depth`? | the operation is dead until RETRY widens the horizon |
//! | window, G2' | do seated neighbours and stage limits leave a cycle? | the arm fails |
//! | ceiling | would it complete before the latency ceiling? | rejected before G3 |
//! | G3 | is the footprint free? | the next cycle is tried, within one interval |
//! | G4 | is that the depth of its leader group? | another order of the group is tried |
//!
//! Source: tileas reference 3.6 (ceilings), 4.6.

use super::super::decisions::Gate;
use super::super::placement::Window;
use super::attempt::Attempt;

impl Attempt<'_> {
    /// The earliest legal cycle of an operation.
    pub(super) fn earliest_seat(&self, node: usize) -> Result<i64, Gate> {
        let window = self.open_window(node)?;
        let narrowed = self.same_depth(node, window);
        if let Some(cycle) = self.placement.first_fit(node, narrowed) {
            return self.below_ceiling(node, cycle);
        }
        match self.placement.first_fit(node, window) {
            Some(_) => Err(Gate::Leader),
            None => Err(self.obstacle(node, window)),
        }
    }

    /// G1, G2 and the window, with the ceiling at its earliest cycle.
    pub(super) fn open_window(&self, node: usize) -> Result<Window, Gate> {
        if self.held[node] {
            return Err(Gate::HoldOver);
        }
        if self.beyond_horizon(node) {
            return Err(Gate::DepthHorizon);
        }
        let window = self.dependence_window(node);
        if window.earliest > window.latest {
            let by_limit = window.earliest > self.placement.latest_start(node);
            return Err(if by_limit {
                Gate::MaxDepth
            } else {
                Gate::Window
            });
        }
        self.below_ceiling(node, window.earliest)?;
        Ok(window)
    }

    /// The cycles that seated operations and stage limits leave: neighbours, and with the distances
    /// also those that depend on each other through operations without a seat, for which there
    /// must remain a seat.
    pub(super) fn dependence_window(&self, node: usize) -> Window {
        let mut window = self.placement.window(node, self.timing.earliest[node]);
        if let Some(distances) = self.distances {
            let (earliest, latest) = distances.window(node, self.placement.starts());
            window.earliest = window.earliest.max(earliest);
            window.latest = latest.map_or(window.latest, |latest| window.latest.min(latest));
        }
        window
    }

    /// Whether G2 rejects the operation.
    pub(super) fn beyond_horizon(&self, node: usize) -> bool {
        let depth = self.problem.graph.node(node).constraints.max_depth;
        depth.is_some_and(|depth| depth > self.horizon)
    }

    pub(super) fn below_ceiling(&self, node: usize, cycle: i64) -> Result<i64, Gate> {
        let done = cycle + i64::from(self.problem.graph.node(node).latency);
        match self.problem.options.latency_ceiling {
            Some(ceiling) if done > i64::from(ceiling) => Err(Gate::LatencyCeiling),
            _ => Ok(cycle),
        }
    }

    /// G3 at the first cycle of a window in which nothing fits.
    fn obstacle(&self, node: usize, window: Window) -> Gate {
        match self.placement.admit(node, window.earliest) {
            Err(rejection) => Gate::Resources(rejection),
            Ok(()) => Gate::Window,
        }
    }

    /// G4: the window narrowed to the depth of the leader group, and of the structural groupings
    /// still in force.
    pub(super) fn same_depth(&self, node: usize, window: Window) -> Window {
        self.same_structure(node, self.placement.restrict_to_group(node, window))
    }

    /// The part of G4 for structural groupings.
    pub(super) fn same_structure(&self, node: usize, mut window: Window) -> Window {
        let length = i64::from(self.placement.interval());
        let structures = self.problem.graph.structures();
        for &structure in &self.groups.structures_of[node] {
            let mut others = structures[structure].members.iter();
            let seated = others.find_map(|&other| {
                let start = self.placement.start(other)?;
                (other != node).then_some(start)
            });
            if let Some(start) = seated {
                let depth = start.div_euclid(length);
                window.earliest = window.earliest.max(depth * length);
                window.latest = window.latest.min((depth + 1) * length - 1);
            }
        }
        window
    }
}
