//! Comparison of analyses with their definitions, on random flow graphs and on large ones.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::{Block, Context, Operation, OperationName, OperationState, Region, Type, Value};

/// A region with one block per node: a definition, a use of the definitions listed for the block,
/// and a branch along the edges of the node.
struct Program {
    context: Context,
    region: Region,
    definitions: Vec<Value>,
}

impl Program {
    fn new(successors: &[Vec<usize>], uses: &[Vec<usize>]) -> Self {
        let mut context = Context::new();
        context.allow_unregistered_dialects(true);
        let owner = operation(&mut context, "t.func", 0);
        let region = owner.region(&context, 0);
        let mut definitions = Vec::new();
        let mut blocks = Vec::new();
        for _ in successors {
            let block = Block::new(&mut context, &[]);
            region.append_block(&mut context, block);
            let op = operation(&mut context, "t.def", 1);
            block.append(&mut context, op);
            definitions.push(op.result(&context, 0));
            blocks.push(block);
        }
        for (number, targets) in successors.iter().enumerate() {
            for used in uses.get(number).into_iter().flatten() {
                let name = OperationName::new(&mut context, "t.use");
                let mut state = OperationState::new(name, crate::Location::UNKNOWN);
                state.operands.push(definitions[*used]);
                let op = Operation::create(&mut context, &state);
                blocks[number].append(&mut context, op);
            }
            let name = OperationName::new(&mut context, "t.br");
            let mut state = OperationState::new(name, crate::Location::UNKNOWN);
            state.successors = targets.iter().map(|target| blocks[*target]).collect();
            let branch = Operation::create(&mut context, &state);
            blocks[number].append(&mut context, branch);
        }
        Program {
            context,
            region,
            definitions,
        }
    }

    fn flow(&self) -> ControlFlowGraph {
        ControlFlowGraph::of(&self.context, self.region)
    }
}

fn operation(context: &mut Context, name: &str, results: usize) -> Operation {
    let name = OperationName::new(context, name);
    let mut state = OperationState::new(name, crate::Location::UNKNOWN);
    if results == 0 {
        state.regions.push(Region::new(context));
    }
    state.result_types = vec![Type::I32; results].into();
    Operation::create(context, &state)
}

/// The nodes reachable from `start` without entering `avoided`.
fn reached(successors: &[Vec<usize>], start: usize, avoided: Option<usize>) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut pending = vec![start];
    while let Some(node) = pending.pop() {
        if Some(node) != avoided && seen.insert(node) {
            pending.extend(&successors[node]);
        }
    }
    seen
}

fn backwards(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut turned = vec![Vec::new(); successors.len()];
    for (from, targets) in successors.iter().enumerate() {
        for to in targets {
            turned[*to].push(from);
        }
    }
    turned
}

fn dominates(successors: &[Vec<usize>], a: usize, b: usize) -> bool {
    let reachable = reached(successors, 0, None);
    let both = reachable.contains(&a) && reachable.contains(&b);
    a == b || (both && !reached(successors, 0, Some(a)).contains(&b))
}

fn numbered(node: usize) -> u32 {
    u32::try_from(node).expect("small")
}

/// Graphs of up to nine nodes with up to three edges from each.
fn graphs() -> impl Strategy<Value = Vec<Vec<usize>>> {
    (1usize..10)
        .prop_flat_map(|nodes| prop::collection::vec(prop::collection::vec(0..nodes, 0..4), nodes))
}

/// Graphs, and for each node the definitions that it uses.
fn programs() -> impl Strategy<Value = (Vec<Vec<usize>>, Vec<Vec<usize>>)> {
    graphs().prop_flat_map(|graph| {
        let nodes = graph.len();
        let uses = prop::collection::vec(prop::collection::vec(0..nodes, 0..3), nodes);
        (Just(graph), uses)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn dominance_is_that_every_path_goes_through(graph in graphs()) {
        let program = Program::new(&graph, &[]);
        let flow = program.flow();
        let tree = crate::dominance::DominatorTree::of(&program.context, program.region);
        for a in 0..graph.len() {
            for b in 0..graph.len() {
                let expected = dominates(&graph, a, b);
                prop_assert_eq!(flow.dominates(numbered(a), numbered(b)), expected);
                if flow.is_reachable(numbered(a)) && flow.is_reachable(numbered(b)) {
                    let blocks = [a, b].map(|node| flow.block(numbered(node)));
                    prop_assert_eq!(tree.dominates(blocks[0], blocks[1]), expected);
                }
            }
        }
    }

    #[test]
    fn post_dominance_is_that_every_way_out_goes_through(graph in graphs()) {
        let program = Program::new(&graph, &[]);
        let flow = program.flow();
        let tree = PostDominatorTree::of(&flow);
        let mut extended = graph.clone();
        extended.push(Vec::new());
        for exit in tree.exits() {
            extended[*exit as usize].push(graph.len());
        }
        for node in 0..graph.len() {
            prop_assert!(reached(&extended, node, None).contains(&graph.len()));
            let is_exit = tree.exits().contains(&numbered(node));
            prop_assert!(is_exit || !graph[node].is_empty());
        }
        for a in 0..graph.len() {
            for b in 0..graph.len() {
                let out = reached(&extended, b, Some(a));
                let expected = a == b || !out.contains(&graph.len());
                prop_assert_eq!(tree.post_dominates(numbered(a), numbered(b)), expected);
            }
        }
    }

    #[test]
    fn a_loop_is_what_reaches_a_latch_without_its_header(graph in graphs()) {
        let flow = Program::new(&graph, &[]).flow();
        let forest = LoopForest::of(&flow);
        let reachable = reached(&graph, 0, None);
        let turned = backwards(&graph);
        let mut left = graph.clone();
        let mut expected: Vec<(usize, BTreeSet<usize>)> = Vec::new();
        for header in 0..graph.len() {
            let leads_back = |from: &&usize| graph[**from].contains(&header) && dominates(&graph, header, **from);
            let latches: Vec<usize> = reachable.iter().filter(leads_back).copied().collect();
            if latches.is_empty() || !reachable.contains(&header) {
                continue;
            }
            let mut blocks = BTreeSet::from([header]);
            for latch in &latches {
                blocks.extend(reached(&turned, *latch, Some(header)).intersection(&reachable));
                left[*latch].retain(|target| *target != header);
            }
            expected.push((header, blocks));
        }
        let mut found: Vec<(usize, BTreeSet<usize>)> = Vec::new();
        for (number, natural) in forest.loops().iter().enumerate() {
            let blocks = natural.blocks.iter().map(|block| *block as usize).collect();
            found.push((natural.header as usize, blocks));
            if let Some(parent) = natural.parent {
                prop_assert!(parent < number);
                prop_assert!(natural.blocks.iter().all(|block| forest.loops()[parent].contains(*block)));
                prop_assert!(forest.loops()[parent].children.contains(&number));
            }
            for (from, to) in &natural.exits {
                prop_assert!(natural.contains(*from) && !natural.contains(*to));
            }
        }
        found.sort();
        prop_assert_eq!(&found, &expected);
        for block in 0..graph.len() {
            let depth = expected.iter().filter(|(_, blocks)| blocks.contains(&block)).count();
            prop_assert_eq!(forest.depth(numbered(block)) as usize, depth);
        }
        // Without the back edges to headers, only irreducible cycles are left.
        let cyclic = reachable.iter().any(|node| {
            left[*node].iter().any(|next| reached(&left, *next, None).contains(node))
        });
        prop_assert_eq!(forest.is_reducible(), !cyclic);
    }

    #[test]
    fn liveness_solves_its_equations((graph, uses) in programs()) {
        let program = Program::new(&graph, &uses);
        let flow = program.flow();
        let liveness = Liveness::of(&program.context, &flow);
        // The least solution: in = (used or live out) and not defined here.
        let mut live_in = vec![BTreeSet::new(); graph.len()];
        loop {
            let before = live_in.clone();
            for block in 0..graph.len() {
                let behind = graph[block].iter().flat_map(|next| live_in[*next].clone());
                let mut live: BTreeSet<usize> = behind.chain(uses[block].iter().copied()).collect();
                live.remove(&block);
                live_in[block] = live;
            }
            if live_in == before {
                break;
            }
        }
        let intervals = liveness.intervals(&program.context, program.region);
        for block in 0..graph.len() {
            let behind: BTreeSet<usize> = graph[block].iter().flat_map(|next| live_in[*next].clone()).collect();
            for value in 0..graph.len() {
                let definition = program.definitions[value];
                let lives_in = live_in[block].contains(&value);
                let lives_out = behind.contains(&value);
                prop_assert_eq!(liveness.is_live_in(numbered(block), definition), lives_in);
                prop_assert_eq!(liveness.is_live_out(numbered(block), definition), lives_out);
                let interval = intervals.iter().find(|interval| interval.value == definition);
                let interval = interval.expect("every definition has one");
                let (first, behind) = liveness.places(numbered(block));
                prop_assert!(!lives_in || interval.start <= first);
                prop_assert!(!lives_out || interval.end >= behind);
            }
        }
    }
}

#[test]
fn what_reaches_an_argument_is_found_through_loops() {
    let text = r#"
      "t.func"() ({
        %a, %c = "t.def"() : () -> (i32, i32)
        "cf.br"(%a)[^head] : (i32) -> ()
      ^head(%i: i32):
        "t.use"(%i, %c, %i) : (i32, i32, i32) -> ()
        %n = "t.step"(%i) : (i32) -> i32
        "cf.cond"(%i, %n)[^head, ^out] : (i32, i32) -> ()
      ^out(%o: i32):
        "t.end"() : () -> ()
      }) : () -> ()"#;
    let mut context = Context::new();
    context.allow_unregistered_dialects(true);
    context.register_dialect(&BRANCHES);
    let source = crate::Source {
        name: "test",
        text,
        first_line: 1,
    };
    let module = crate::parse_source(&mut context, source).expect("parses");
    let body = module.body_block(&context, 0).expect("a body");
    let owner = body.first_op(&context).expect("a function");
    let flow = ControlFlowGraph::of(&context, owner.region(&context, 0));
    let chains = DefUse::of(&context, &flow);
    let [entry, head, out] = [0, 1, 2].map(|number| flow.block(number));
    let defined = entry.first_op(&context).expect("the definition");
    let step = head.body(&context)[1];
    let argument = head.argument(&context, 0);
    let reaching = chains.reaching(&context, argument);
    assert_eq!(
        reaching,
        [defined.result(&context, 0), step.result(&context, 0)]
    );
    let both = chains.reaching(&context, out.argument(&context, 0));
    assert_eq!(both, [step.result(&context, 0)]);
    let uses = chains.uses(&context, &flow, argument);
    let numbers: Vec<usize> = uses.iter().map(|(_, number)| *number).collect();
    assert_eq!(numbers, [0, 2, 0, 0]);
    assert_eq!(uses[0].0, head.first_op(&context).expect("a use"));
}

/// Branches that pass all of their operands, or one operand per successor, to their blocks.
static BRANCHES: crate::declare::DialectDefinition = crate::declare::DialectDefinition {
    name: "cf",
    operations: &[&ALWAYS, &EITHER],
    ..crate::declare::DialectDefinition::DEFAULT
};
static ALWAYS: crate::declare::OperationDefinition = crate::declare::OperationDefinition {
    name: "cf.br",
    traits: &[crate::declare::Trait::Terminator],
    branch: Some(crate::declare::Branch {
        passed: |context, op| Some(std::iter::once(0..op.operand_count(context)).collect()),
        record: |_, _, _| {},
        taken: |_, _, _| None,
    }),
    ..crate::declare::OperationDefinition::DEFAULT
};
static EITHER: crate::declare::OperationDefinition = crate::declare::OperationDefinition {
    name: "cf.cond",
    traits: &[crate::declare::Trait::Terminator],
    branch: Some(crate::declare::Branch {
        // The second operand is passed to the argument of the head and to that of the other block.
        passed: |_, _| Some([1..2, 1..2].into_iter().collect()),
        record: |_, _, _| {},
        taken: |_, _, _| None,
    }),
    ..crate::declare::OperationDefinition::DEFAULT
};

/// 100,000 blocks in a chain, each with an exit: the worst case for quadratic algorithms.
#[test]
fn a_long_chain_with_a_way_out_of_each_block_is_no_trouble() {
    let count = 100_000;
    let mut graph: Vec<Vec<usize>> = (0..count).map(|node| vec![node + 1, count]).collect();
    graph.push(Vec::new());
    let uses: Vec<Vec<usize>> = (0..=count).map(|node| vec![node / 2 * 2]).collect();
    let program = Program::new(&graph, &uses);
    let flow = program.flow();
    let last = numbered(count);
    assert_eq!(flow.dominators().parent(last), Some(0));
    assert_eq!(flow.dominators().depth(last - 1), last - 1);
    let tree = PostDominatorTree::of(&flow);
    assert_eq!(tree.immediate(0), Some(last));
    assert!(LoopForest::of(&flow).loops().is_empty());
    let liveness = Liveness::of(&program.context, &flow);
    assert_eq!(liveness.live_in(1).len(), 1);
    assert_eq!(liveness.live_in(2).len(), 0);
}

/// Loops nested 300 deep: block lists have exactly the necessary length.
#[test]
fn nested_loops_know_their_depth() {
    let depth = 300;
    // The headers, then the latches from the innermost outwards, then the exit.
    let mut graph: Vec<Vec<usize>> = (0..depth).map(|head| vec![head + 1]).collect();
    for latch in 0..depth {
        graph.push(vec![depth - 1 - latch, depth + latch + 1]);
    }
    graph.push(Vec::new());
    let flow = Program::new(&graph, &[]).flow();
    let forest = LoopForest::of(&flow);
    assert_eq!(forest.loops().len(), depth);
    assert_eq!(forest.depth(numbered(depth - 1)), numbered(depth));
    assert_eq!(forest.loops()[0].blocks.len(), 2 * depth);
    assert_eq!(forest.around(numbered(depth - 1)).count(), depth);
}
