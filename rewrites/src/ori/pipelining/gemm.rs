//! Loops with matrix products: loads are issued a number of stages before the products that read them.
//!
//! The page has the knobs and the depth of the hardware, not what they do to a schedule; that is
//! orison's. The operations that no product feeds, down to the loads, are the loop of copies ("For Dma
//! Loop" on the page); the others, which are the loop of products ("For Math Loop"), begin later by
//! whole stages, as long as nothing in the loop of copies waits for them.

use orison_ir::{Context, Operation};
use orison_machine::{Category, Space};
use orison_ori::knobs::Knobs;
use orison_ori::opcodes;
use orison_schedule::modulo::{Edge, EdgeKind};
use rustc_hash::FxHashSet;

use super::body::Body;

/// Copies that the hardware has in flight at most, from sm_90 on and before (seed 001, GEMM Pipelining;
/// the second number is orison's: cp.async groups of CUTLASS's kernels for sm_80).
const DEPTH: [i64; 2] = [8, 4];
/// The machine from which the copies of tensors exist, as a number of `sm_`.
const TENSOR_COPIES: u16 = 90;
/// Scoreboards of a warp.
const SCOREBOARDS: i64 = 6;

/// The loop of copies and the loop of products of a body.
pub(super) struct Gemm {
    /// Loads whose results products read.
    copies: FxHashSet<usize>,
    /// Whether products read nothing else that is loaded or computed in the loop.
    is_complete: bool,
    /// The operations that depend on a load, in the same iteration.
    products: FxHashSet<usize>,
}

impl Gemm {
    /// `None` if the loop has no matrix products that read what it loads.
    pub fn of(context: &Context, body: &Body) -> Option<Self> {
        let matrix = |op: &Operation| {
            opcodes::of(context, *op).is_some_and(|row| row.category == Category::Matrix)
        };
        let loads = |op: &Operation| {
            opcodes::of(context, *op).is_some_and(|row| {
                row.writes.is_empty() && row.reads.iter().any(|space| *space != Space::Constant)
            })
        };
        let mut before = vec![Vec::new(); body.operations.len()];
        for edge in body.edges.iter().filter(|edge| edge.kind == EdgeKind::Data) {
            before[edge.to].push(edge.from);
        }
        let is_load: Vec<bool> = body.operations.iter().map(loads).collect();
        let is_product: Vec<bool> = body.operations.iter().map(matrix).collect();
        let mut products = FxHashSet::default();
        // In program order, so that what an operation reads is known.
        for (number, before) in before.iter().enumerate() {
            if before
                .iter()
                .copied()
                .any(|from| is_load[from] || products.contains(&from))
            {
                products.insert(number);
            }
        }
        let fed = |number: usize| is_product[number] && products.contains(&number);
        let copies: FxHashSet<usize> = (0..body.operations.len())
            .filter(|number| is_load[*number] && !products.contains(number))
            .collect();
        let any = (0..body.operations.len()).any(fed);
        let is_complete = (0..body.operations.len())
            .filter(|number| is_load[*number])
            .all(|number| copies.contains(&number));
        (any && !copies.is_empty()).then_some(Gemm {
            copies,
            is_complete,
            products,
        })
    }

    /// Edges that let all products of an iteration wait for all of its loads
    /// (`GemmPipelinerDependenciesPopbl`): one wait serves them.
    pub fn joint_waits(&self, body: &Body) -> Vec<Edge> {
        let mut edges = Vec::new();
        for from in &self.copies {
            for to in &self.products {
                edges.push(Edge {
                    from: *from,
                    to: *to,
                    latency: body.cycles[*from].cast_signed(),
                    distance: 0,
                    kind: EdgeKind::Constraint,
                });
            }
        }
        edges.sort_unstable_by_key(|edge| (edge.from, edge.to));
        edges
    }

    /// The stages of the loop, of which the products are in the last.
    pub fn depth(&self, knobs: &Knobs, machine: u16) -> i64 {
        let most = DEPTH[usize::from(machine < TENSOR_COPIES)];
        let delta = knobs.integer(match self.is_complete {
            true => "GemmPipelinerPipelineDepthEnforceDeltaFull",
            false => "GemmPipelinerPipelineDepthEnforceDeltaPartial",
        });
        let mut depth = most.saturating_add(delta);
        if knobs.flag("GemmPipelinerScoreboardHashPopbl") {
            // The loads of a stage share a scoreboard, and no other stage has it.
            depth = depth.min(SCOREBOARDS + 1);
        }
        depth.clamp(1, most)
    }

    /// Lets the products begin later, so that the loop has `depth` stages if nothing prevents it.
    pub fn delay(&self, body: &Body, starts: &mut [i64], interval: i64, depth: i64) {
        let last = starts.iter().copied().max().unwrap_or(0);
        let mut stages = depth - 1 - last.div_euclid(interval);
        for edge in &body.edges {
            if self.products.contains(&edge.from) && !self.products.contains(&edge.to) {
                let round = u32::try_from(interval).unwrap_or(u32::MAX);
                let slack = starts[edge.to] - starts[edge.from] - edge.weight(round);
                stages = stages.min(slack.div_euclid(interval));
            }
        }
        for number in &self.products {
            starts[*number] += stages.max(0) * interval;
        }
    }
}
