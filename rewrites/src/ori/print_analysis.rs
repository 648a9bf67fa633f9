//! The pass `ori-print-analysis`: results of analyses, as remarks, for tests and users.

mod accumulators;
mod inductions;

use std::fmt::Write as _;

use orison_ir::analyses::{
    ControlFlowGraph, DefUse, Liveness, LoopForest, NaturalLoop, PostDominatorTree,
};
use orison_ir::pass::{IRStatus, Pass, PassContext, PassDefinition, PassResult, source_position};
use orison_ir::{Context, Operation, Value, ValueOwner};
use orison_ori::analyses::matrix_groups::role;
use orison_ori::analyses::memory::{self, AliasKind, DependenceKind};
use orison_ori::analyses::{
    Divergence, Frequencies, MatrixGroups, MemoryFlow, RegisterPressure, pressure,
};

use super::functions::{Function, functions};

orison_ir::option_enum! {
    /// The analysis to print.
    pub enum AnalysisKind {
        /// Blocks with successors and predecessors.
        Flow = "flow",
        /// Immediate dominators and post-dominators.
        Dominators = "dominators",
        /// Natural loops.
        Loops = "loops",
        /// Induction variables, trip counts, and distances of memory accesses in iterations.
        Inductions = "inductions",
        /// How often blocks are executed.
        Frequencies = "frequencies",
        /// Values that are live at block boundaries, and live intervals.
        Liveness = "liveness",
        /// Values that reach block arguments.
        DefUse = "def-use",
        /// Dependences between operations of a block, and stores that reach reads.
        Memory = "memory",
        /// Divergent values and branches, and reconvergence blocks.
        Divergence = "divergence",
        /// Register pressure by class.
        Pressure = "pressure",
        /// Products of warp groups in flight.
        Groups = "groups",
        /// Registers of products of warp groups, and the limit.
        Accumulators = "accumulators",
    }
}

orison_ir::pass_options! {
    /// Options of `ori-print-analysis`.
    pub struct PrintAnalysisOptions {
        /// The analyses.
        kind = "kind": Vec<AnalysisKind> = Vec::new(),
    }
}

/// The pass `ori-print-analysis`.
#[derive(Clone, Debug)]
pub struct PrintAnalysis(PrintAnalysisOptions);

impl Pass for PrintAnalysis {
    type Options = PrintAnalysisOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<PrintAnalysis>(
        "ori-print-analysis",
        "Prints the results of analyses of functions as remarks.\n\
         \n\
         `kind` selects the analyses: flow, dominators, loops, inductions, frequencies, \
         liveness, def-use, memory, divergence, pressure, groups, accumulators. Blocks are numbered in the \
         order of the text; a value is named by its block and its position in it: `%1.arg0` is an argument, `%1.3` a result of the \
         operation at position 3.",
        source_position!(),
    );

    fn create(options: PrintAnalysisOptions) -> Self {
        PrintAnalysis(options)
    }

    fn options(&self) -> &PrintAnalysisOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        for function in functions(pass.context, pass.op()) {
            for kind in &self.0.kind {
                let lines = match kind {
                    AnalysisKind::Flow => show_flow(pass, function),
                    AnalysisKind::Dominators => show_dominators(pass, function),
                    AnalysisKind::Loops => show_loops(pass, function),
                    AnalysisKind::Inductions => inductions::show(pass, function),
                    AnalysisKind::Frequencies => show_frequencies(pass, function),
                    AnalysisKind::Liveness => show_liveness(pass, function),
                    AnalysisKind::DefUse => show_def_use(pass, function),
                    AnalysisKind::Memory => show_memory(pass, function),
                    AnalysisKind::Divergence => show_divergence(pass, function),
                    AnalysisKind::Pressure => show_pressure(pass, function),
                    AnalysisKind::Groups => show_groups(pass, function),
                    AnalysisKind::Accumulators => accumulators::show(pass, function),
                };
                for (op, line) in lines {
                    let location = op.location(pass.context);
                    pass.context.remark(location, line);
                }
            }
        }
        pass.preserve_all();
        Ok(IRStatus::Unchanged)
    }
}

type Lines = Vec<(Operation, String)>;

fn show_frequencies(pass: &mut PassContext<'_>, function: Function) -> Lines {
    let flow = pass.analysis_of::<ControlFlowGraph>(function.op);
    let frequencies = pass.analysis_of::<Frequencies>(function.op);
    let line = |block| {
        let times = (frequencies.block(block) * 1000.0).round() / 1000.0;
        format!("block {block}: {times} times")
    };
    all_blocks(&flow)
        .map(|block| (function.op, line(block)))
        .collect()
}

/// The products in flight before each operation on groups: their numbers in the order of the text,
/// with the groups that they may be in.
fn show_groups(pass: &mut PassContext<'_>, function: Function) -> Lines {
    let flow = pass.analysis_of::<ControlFlowGraph>(function.op);
    let groups = pass.analysis_of::<MatrixGroups>(function.op);
    let context = &*pass.context;
    let mut lines = Lines::new();
    for block in all_blocks(&flow) {
        groups.walk(context, &flow, block, |op, flights| {
            let Some(op) = op.filter(|op| role(context, *op).is_some()) else {
                return;
            };
            let all = flights.iter();
            let all = all.map(|one| format!("{} {}", one.product, one.ages));
            let all: Vec<String> = all.collect();
            lines.push((op, format!("in flight: [{}]", all.join(", "))));
        });
    }
    lines
}

/// The name of a value.
fn name(context: &Context, flow: &ControlFlowGraph, value: Value) -> String {
    let number = |block| flow.number(block).map_or("?".to_owned(), |n| n.to_string());
    match value.owner(context) {
        ValueOwner::Argument(block, position) => format!("%{}.arg{position}", number(block)),
        ValueOwner::Result(op, position) => {
            let Some(block) = op.block(context) else {
                return "?".to_owned();
            };
            let place = block.operations(context).position(|other| other == op);
            let mut name = format!("%{}.{}", number(block), place.unwrap_or(0));
            if op.result_count(context) > 1 {
                let _ = write!(name, "#{position}");
            }
            name
        }
    }
}

fn names(
    context: &Context,
    flow: &ControlFlowGraph,
    values: impl Iterator<Item = Value>,
) -> String {
    let names: Vec<String> = values.map(|value| name(context, flow, value)).collect();
    names.join(" ")
}

fn numbers<N: ToString>(numbers: &[N]) -> String {
    let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    texts.join(" ")
}

fn all_blocks(flow: &ControlFlowGraph) -> impl Iterator<Item = u32> {
    0..u32::try_from(flow.block_count()).unwrap_or(u32::MAX)
}

fn show_flow(pass: &mut PassContext<'_>, function: Function) -> Lines {
    let flow = pass.analysis_of::<ControlFlowGraph>(function.op);
    let line = |block| {
        let place = flow.position(block);
        let place = place.map_or("unreachable".to_owned(), |place| format!("place {place}"));
        let (next, before) = (flow.successors(block), flow.predecessors(block));
        let (next, before) = (numbers(next), numbers(before));
        format!("block {block}: {place}; successors [{next}]; predecessors [{before}]")
    };
    all_blocks(&flow)
        .map(|block| (function.op, line(block)))
        .collect()
}

fn show_dominators(pass: &mut PassContext<'_>, function: Function) -> Lines {
    let flow = pass.analysis_of::<ControlFlowGraph>(function.op);
    let post = pass.analysis_of::<PostDominatorTree>(function.op);
    let text = |block: Option<u32>| block.map_or("none".to_owned(), |block| block.to_string());
    let line = |block| {
        let (above, below) = (flow.dominators().parent(block), post.immediate(block));
        let (above, below) = (text(above), text(below));
        format!("block {block}: dominator {above}; post-dominator {below}")
    };
    all_blocks(&flow)
        .map(|block| (function.op, line(block)))
        .collect()
}

fn show_loops(pass: &mut PassContext<'_>, function: Function) -> Lines {
    let flow = pass.analysis_of::<ControlFlowGraph>(function.op);
    let forest = pass.analysis_of::<LoopForest>(function.op);
    let line = |number: usize, natural: &NaturalLoop| {
        let exits = natural
            .exits
            .iter()
            .map(|(from, to)| format!("{from}->{to}"));
        let exits: Vec<String> = exits.collect();
        let parent = natural.parent.map_or("none".to_owned(), |p| p.to_string());
        let before = natural.preheader(&flow);
        let before = before.map_or("none".to_owned(), |block| block.to_string());
        let kind = if natural.irreducible {
            "; irreducible"
        } else {
            ""
        };
        format!(
            "loop {number}: header {}; latches [{}]; blocks [{}]; exits [{}]; depth {}; parent \
             {parent}; preheader {before}{kind}",
            natural.header,
            numbers(&natural.latches),
            numbers(&natural.blocks),
            exits.join(" "),
            natural.depth,
        )
    };
    let loops = forest.loops().iter().enumerate();
    let mut lines: Lines = loops
        .map(|(number, natural)| (function.op, line(number, natural)))
        .collect();
    let edges = forest.irreducible_edges().iter();
    lines.extend(edges.map(|(from, to)| (function.op, format!("irreducible edge {from}->{to}"))));
    lines
}

fn show_liveness(pass: &mut PassContext<'_>, function: Function) -> Lines {
    let flow = pass.analysis_of::<ControlFlowGraph>(function.op);
    let liveness = pass.analysis_of::<Liveness>(function.op);
    let context = &*pass.context;
    let mut lines = Lines::new();
    for block in all_blocks(&flow) {
        let live_in = names(context, &flow, liveness.live_in(block));
        let live_out = names(context, &flow, liveness.live_out(block));
        let line = format!("block {block}: live in [{live_in}]; live out [{live_out}]");
        lines.push((function.op, line));
    }
    for interval in liveness.intervals(context, function.body) {
        let name = name(context, &flow, interval.value);
        let line = format!("{name}: lives from {} to {}", interval.start, interval.end);
        lines.push((function.op, line));
    }
    lines
}

fn show_def_use(pass: &mut PassContext<'_>, function: Function) -> Lines {
    let flow = pass.analysis_of::<ControlFlowGraph>(function.op);
    let chains = pass.analysis_of::<DefUse>(function.op);
    let context = &*pass.context;
    let mut lines = Lines::new();
    for block in flow.blocks().iter().skip(1) {
        for argument in block.arguments(context) {
            let reaching = chains.reaching(context, argument).into_iter();
            let reaching = names(context, &flow, reaching);
            let uses = chains.uses(context, &flow, argument).len();
            let own = name(context, &flow, argument);
            let line = format!("{own}: reached by [{reaching}]; {uses} uses");
            lines.push((function.op, line));
        }
    }
    lines
}

/// The number of preceding operations with which an operation is compared.
const WINDOW: usize = 64;

fn show_memory(pass: &mut PassContext<'_>, function: Function) -> Lines {
    let flow = pass.analysis_of::<ControlFlowGraph>(function.op);
    let states = pass.analysis_of::<MemoryFlow>(function.op);
    let context = &*pass.context;
    let mut lines = Lines::new();
    for block in flow.blocks() {
        let all: Vec<(usize, Operation)> = block.operations(context).enumerate().collect();
        let touching = all
            .into_iter()
            .filter(|(_, op)| !memory::accesses(context, *op).is_empty());
        let touching: Vec<(usize, Operation)> = touching.collect();
        for (number, (_, op)) in touching.iter().enumerate() {
            for (place, before) in &touching[number.saturating_sub(WINDOW)..number] {
                lines.extend(dependence_lines(context, *place, *before, *op));
            }
            lines.extend(reaching_line(context, &flow, &states, *op));
        }
    }
    lines
}

fn dependence_lines(context: &Context, place: usize, before: Operation, op: Operation) -> Lines {
    let found = memory::dependences(context, before, op).into_iter();
    let line = |dependence: memory::Dependence| {
        let kind = match dependence.kind {
            DependenceKind::ReadAfterWrite => "reads after",
            DependenceKind::WriteAfterRead => "overwrites memory read by",
            DependenceKind::WriteAfterWrite => "overwrites",
            DependenceKind::Order => "is ordered after",
        };
        let sure = match dependence.alias.kind {
            AliasKind::None => "never",
            AliasKind::May => "may",
            AliasKind::Must => "must",
            AliasKind::Same => "same",
        };
        let name = before.name_text(context);
        format!(
            "{kind} '{name}' at position {place}: {sure}: {}",
            dependence.alias.reason
        )
    };
    found.map(|dependence| (op, line(dependence))).collect()
}

fn reaching_line(
    context: &Context,
    flow: &ControlFlowGraph,
    states: &MemoryFlow,
    op: Operation,
) -> Option<(Operation, String)> {
    let accesses = memory::accesses(context, op);
    let [access] = &accesses[..] else { return None };
    if !access.reads || access.writes {
        return None;
    }
    let reaching = states.reaching(context, op, access);
    let mut texts: Vec<String> = Vec::new();
    for writer in &reaching.writers {
        let block = flow.block_around(context, *writer).unwrap_or(0);
        let mut operations = flow.block(block).operations(context);
        let place = operations.position(|op| op == *writer).unwrap_or(0);
        texts.push(format!("{}@{block}.{place}", writer.name_text(context)));
    }
    if reaching.from_entry {
        texts.push("entry".to_owned());
    }
    if reaching.incomplete {
        texts.push("more".to_owned());
    }
    Some((op, format!("sees [{}]", texts.join(" "))))
}

fn show_divergence(pass: &mut PassContext<'_>, function: Function) -> Lines {
    let flow = pass.analysis_of::<ControlFlowGraph>(function.op);
    let divergence = pass.analysis_of::<Divergence>(function.op);
    let loops = pass.analysis_of::<LoopForest>(function.op);
    let context = &*pass.context;
    let kind = |value| {
        if divergence.is_varying(value) {
            "varying"
        } else {
            "uniform"
        }
    };
    let mut lines = Lines::new();
    for (number, block) in (0..).zip(flow.blocks()) {
        for argument in block.arguments(context) {
            let own = name(context, &flow, argument);
            lines.push((function.op, format!("{own}: {}", kind(argument))));
        }
        if divergence.is_join(number) {
            lines.push((
                function.op,
                format!("block {number}: divergent threads join"),
            ));
        }
        for op in block.operations(context) {
            for result in op.results(context) {
                lines.push((
                    op,
                    format!("{}: {}", name(context, &flow, result), kind(result)),
                ));
            }
            if op.successor_count(context) > 1 {
                let parts = divergence.parts_warp(op);
                let kind = if parts { "divergent" } else { "uniform" };
                lines.push((op, format!("branch: {kind}")));
            }
        }
    }
    for number in 0..loops.loops().len() {
        if divergence.is_left_unevenly(number) {
            let line = format!("loop {number}: divergent exit");
            lines.push((function.op, line));
        }
    }
    lines
}

fn show_pressure(pass: &mut PassContext<'_>, function: Function) -> Lines {
    let flow = pass.analysis_of::<ControlFlowGraph>(function.op);
    let liveness = pass.analysis_of::<Liveness>(function.op);
    let found = pass.analysis_of::<RegisterPressure>(function.op);
    let context = &*pass.context;
    let mut lines = vec![(function.op, format!("registers: {}", found.max()))];
    for block in all_blocks(&flow) {
        lines.push((
            function.op,
            format!("block {block}: {}", found.block(block)),
        ));
        let mut points = Lines::new();
        pressure::walk(context, &flow, &liveness, block, |op, counts| {
            points.extend(op.map(|op| (op, counts.to_string())));
        });
        points.reverse();
        lines.append(&mut points);
    }
    lines
}
