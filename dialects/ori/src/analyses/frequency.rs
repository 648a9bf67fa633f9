//! How often the blocks of a function are executed, estimated.
//!
//! A `frequency` pragma says it for its block. Otherwise a branch takes its ways equally often, except
//! those to blocks with the frequency 0; a loop runs as often as its trip count says, ten times if it is
//! not constant; and what enters a loop leaves it.

use orison_ir::analyses::{ControlFlowGraph, LoopForest};
use orison_ir::pass::{Analysis, AnalysisManager};
use orison_ir::{Block, Context, Operation};
use rustc_hash::FxHashMap;

use super::Inductions;

/// How often a loop runs whose trip count is not constant.
pub const UNKNOWN_TRIPS: f64 = 10.0;

/// The frequencies of the blocks of a function: executions for each execution of the function.
#[derive(Clone, Debug, Default)]
pub struct Frequencies {
    blocks: Vec<f64>,
}

/// The pragmas on a branch, which are about its block and loop.
pub fn pragmas(context: &Context, branch: Operation) -> impl Iterator<Item = &str> {
    let kept = branch.attribute(context, "ori.pragmas");
    let kept = kept.and_then(|kept| kept.as_array(context));
    let kept = kept.unwrap_or_default().iter();
    kept.filter_map(|text| text.as_str(context))
}

/// How often a thread executes a block, if a pragma says so.
pub fn stated(context: &Context, block: Block) -> Option<u64> {
    let branch = block.terminator(context)?;
    let mut pragmas = pragmas(context, branch);
    pragmas.find_map(|text| text.strip_prefix("frequency")?.trim().parse().ok())
}

impl Frequencies {
    /// The frequencies of the blocks of a flow graph. Linear in the edges, and for an edge that leaves
    /// several loops in their number.
    pub fn of(
        context: &Context,
        flow: &ControlFlowGraph,
        forest: &LoopForest,
        inductions: &Inductions,
    ) -> Self {
        let blocks = flow.blocks().iter();
        let stated: Vec<Option<u64>> = blocks.map(|block| stated(context, *block)).collect();
        let solver = Solver {
            flow,
            forest,
            inductions,
            stated: &stated,
        };
        let mut blocks = solver.solve();
        for (block, stated) in blocks.iter_mut().zip(&stated) {
            if let Some(stated) = stated {
                *block = *stated as f64;
            }
        }
        Frequencies { blocks }
    }

    /// How often a block is executed for each execution of the function; 0 if it is never reached.
    pub fn block(&self, number: u32) -> f64 {
        self.blocks[number as usize]
    }
}

/// For the first region of an operation.
impl Analysis for Frequencies {
    const NAME: &'static str = "ori-frequencies";

    fn compute(context: &mut Context, op: Operation, analyses: &mut AnalysisManager) -> Self {
        let flow = analyses.get::<ControlFlowGraph>(context, op);
        let forest = analyses.get::<LoopForest>(context, op);
        let inductions = analyses.get::<Inductions>(context, op);
        Frequencies::of(context, &flow, &forest, &inductions)
    }
}

struct Solver<'f> {
    flow: &'f ControlFlowGraph,
    forest: &'f LoopForest,
    inductions: &'f Inductions,
    stated: &'f [Option<u64>],
}

/// A block, or a loop that counts as one.
#[derive(Clone, Copy)]
enum Node {
    Block(u32),
    Loop(usize),
}

/// Frequencies for each execution of a loop's header, or of the function.
struct Level {
    /// Of its own blocks.
    blocks: FxHashMap<u32, f64>,
    /// How often loops directly inside are entered.
    entered: FxHashMap<usize, f64>,
    /// How often blocks outside are reached; in the order of the edges.
    left: Vec<(u32, f64)>,
}

impl Solver<'_> {
    fn solve(&self) -> Vec<f64> {
        let count = self.forest.loops().len();
        // The nodes of each level, the function last, in reverse post-order.
        let mut nodes: Vec<Vec<Node>> = vec![Vec::new(); count + 1];
        for block in self.flow.reverse_post_order() {
            let level = self.forest.innermost(*block);
            if let Some(own) = level.map(|level| &self.forest.loops()[level])
                && own.header == *block
            {
                let around = own.parent.unwrap_or(count);
                nodes[around].push(Node::Loop(level.unwrap_or(count)));
            }
            nodes[level.unwrap_or(count)].push(Node::Block(*block));
        }
        let mut levels: Vec<Level> = Vec::new();
        // Inner loops have higher indices; the levels are made in reverse.
        for number in (0..count).rev() {
            let header = self.forest.loops()[number].header;
            let level = self.level(Some(number), header, &nodes[number], &levels);
            levels.push(level);
        }
        let function = self.level(None, 0, &nodes[count], &levels);
        let mut blocks = vec![0.0; self.flow.block_count()];
        let mut scale = vec![0.0; count];
        let mut spread = |own: &Level, times: f64, scale: &mut [f64]| {
            for (block, local) in &own.blocks {
                blocks[*block as usize] = times * local;
            }
            for (inner, entered) in &own.entered {
                scale[*inner] = times * entered * self.trips(*inner);
            }
        };
        spread(&function, 1.0, &mut scale);
        for number in 0..count {
            let times = scale[number];
            spread(&levels[count - 1 - number], times, &mut scale);
        }
        blocks
    }

    /// How often the header of a loop runs when the loop is entered.
    fn trips(&self, number: usize) -> f64 {
        let most = self.inductions.at(number).trip_count.most();
        most.map_or(UNKNOWN_TRIPS, |trips| trips as f64)
    }

    fn level(&self, number: Option<usize>, first: u32, nodes: &[Node], inner: &[Level]) -> Level {
        let mut own = Level {
            blocks: FxHashMap::default(),
            entered: FxHashMap::default(),
            left: Vec::new(),
        };
        own.blocks.insert(first, 1.0);
        for node in nodes {
            match *node {
                Node::Block(block) => {
                    let times = own.blocks.get(&block).copied().unwrap_or(0.0);
                    let position = self.flow.position(block);
                    let ways = self.flow.successors(block);
                    for (target, share) in ways.iter().zip(self.shares(number, block)) {
                        if self.flow.position(*target) > position {
                            self.reach(number, &mut own, *target, times * share);
                        }
                    }
                }
                Node::Loop(loop_inside) => {
                    let times = own.entered.get(&loop_inside).copied().unwrap_or(0.0);
                    let left = &inner[self.forest.loops().len() - 1 - loop_inside].left;
                    let all: f64 = left.iter().map(|(_, flow)| flow).sum();
                    for (target, flow) in left.iter().filter(|_| all > 0.0) {
                        self.reach(number, &mut own, *target, times * flow / all);
                    }
                }
            }
        }
        own
    }

    /// Counts that a block is reached from a level.
    fn reach(&self, number: Option<usize>, own: &mut Level, target: u32, flow: f64) {
        let home = self.forest.innermost(target);
        if home == number {
            *own.blocks.entry(target).or_default() += flow;
            return;
        }
        match home {
            Some(home) if self.forest.loops()[home].parent == number => {
                *own.entered.entry(home).or_default() += flow;
            }
            _ => own.left.push((target, flow)),
        }
    }

    /// How often the ways of a branch are taken, each time that it is executed.
    fn shares(&self, number: Option<usize>, block: u32) -> Vec<f64> {
        let ways = self.flow.successors(block);
        let stays = |target: &u32| match number {
            Some(number) => self.forest.loops()[number].contains(*target),
            None => true,
        };
        let staying = ways.iter().filter(|target| stays(target)).count();
        if let Some(number) = number
            && staying < ways.len()
            && staying > 0
        {
            // A loop is left once.
            let leaving = 1.0 / self.trips(number);
            let share = |target: &u32| match stays(target) {
                true => (1.0 - leaving) / staying as f64,
                false => leaving / (ways.len() - staying) as f64,
            };
            return ways.iter().map(share).collect();
        }
        let stated: Option<Vec<u64>> = ways
            .iter()
            .map(|target| self.stated[*target as usize])
            .collect();
        let weight = |target: &u32| match (&stated, self.stated[*target as usize]) {
            (Some(_), Some(times)) => times as f64,
            (None, Some(0)) => 0.0,
            _ => 1.0,
        };
        let all: f64 = ways.iter().map(weight).sum();
        let equal = 1.0 / ways.len().max(1) as f64;
        let share = |target| {
            if all > 0.0 {
                weight(target) / all
            } else {
                equal
            }
        };
        ways.iter().map(share).collect()
    }
}
