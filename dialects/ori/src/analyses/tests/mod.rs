//! Rules of the analyses, each with the functions that need it; join points of diverged threads,
//! compared with their definition; large functions.

mod alias;
mod decomposition;
mod dependences;
mod loops;
mod memory_states;
mod operation_properties;
mod registers;
mod sums;
mod varying;

use std::fmt::Write as _;

use orison_ir::analyses::{ControlFlowGraph, DefUse, Liveness, LoopForest, PostDominatorTree};
use orison_ir::{Block, Context, Operation, Source, Value, parse_source};
use proptest::prelude::*;
use rustc_hash::FxHashMap;

use super::divergence::FlowAnalyses;
use super::*;
use crate::semantics::{Bits, evaluate};

struct Program {
    context: Context,
    function: Operation,
}

fn parse(text: &str) -> Program {
    let mut context = Context::new();
    orison_host::register(&mut context);
    crate::register(&mut context);
    let source = Source {
        name: "test.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("parses");
    assert!(context.verify(module).is_ok());
    let body = module.body_block(&context, 0).expect("a body");
    let function = body.last_op(&context).expect("a function");
    Program { context, function }
}

/// A function for sm_90a with some arguments of each class, and the given body.
fn function(body: &str) -> Program {
    parse(&format!(
        "ori.memory shared @s, size 64, align 16\n\
         ori.memory shared @t, size 64, align 16\n\
         ori.func private @g(!ori.r) -> !ori.r target \"sm_90a\"\n\
         ori.func private @h() target \"sm_90a\"\n\
         ori.func @f(%r: !ori.r, %x: !ori.r, %d: !ori.r64, %e: !ori.r64, %u: !ori.ur, \
         %v: !ori.ur64, %p: !ori.p, %up: !ori.up) target \"sm_90a\" attributes {{frame = [\
         {{name = \"m\", offset = 0 : i32, size = 16 : i32, alignment = 4 : i32}}, \
         {{name = \"n\", offset = 16 : i32, size = 16 : i32, alignment = 4 : i32}}]}} {{\n\
         %zero = ori.imm 0 : !ori.r\n%one = ori.imm 1 : !ori.r\n%four = ori.imm 4 : !ori.r\n\
         {body}\n}}"
    ))
}

impl Program {
    fn flow(&self) -> ControlFlowGraph {
        ControlFlowGraph::of(&self.context, self.function.region(&self.context, 0))
    }

    /// The operations of the function, in the order of the text.
    fn operations(&self) -> Vec<Operation> {
        let body = self.function.region(&self.context, 0);
        let blocks = body.blocks(&self.context);
        blocks
            .flat_map(|block| block.operations(&self.context))
            .collect()
    }

    /// The operations with a name, in the order of the text.
    fn named(&self, name: &str) -> Vec<Operation> {
        let mut all = self.operations();
        all.retain(|op| op.name_text(&self.context) == name);
        all
    }

    /// Executes the operations of a block, on bits that are 0 where they are not known.
    fn execute(&self, block: Block, known: &mut FxHashMap<Value, Bits>) {
        for op in block.operations(&self.context) {
            let operands = op.operands(&self.context);
            let operands: Vec<Bits> = operands
                .map(|value| known.get(&value).copied().unwrap_or(0))
                .collect();
            let results = evaluate(&self.context, op, &operands).unwrap_or_default();
            known.extend(op.results(&self.context).zip(results));
        }
    }

    fn divergence(&self) -> Divergence {
        let flow = self.flow();
        let analyses = FlowAnalyses {
            flow: &flow,
            post_dominators: &PostDominatorTree::of(&flow),
            loops: &LoopForest::of(&flow),
            chains: &DefUse::of(&self.context, &flow),
        };
        Divergence::of(&self.context, self.function, &analyses)
    }
}

/// A kernel with a block for each node, in which every branch depends on the thread.
fn kernel(graph: &[Vec<usize>]) -> Program {
    let mut text = String::from(
        "ori.func kernel @k() target \"sm_80\" {\n\
         %tid = ori.s2r <register = \"SR_TID.X\"> : !ori.r\n\
         %p = ori.isetp <ne, s32, and> %tid, %tid : (!ori.r, !ori.r) -> !ori.p\n\
         ori.bra ^b0\n",
    );
    for (number, targets) in graph.iter().enumerate() {
        let _ = writeln!(text, "^b{number}:");
        let _ = match targets[..] {
            [] => writeln!(text, "ori.exit"),
            [only] => writeln!(text, "ori.bra ^b{only}"),
            [a, b, ..] => writeln!(text, "ori.cond_bra %p, ^b{a}, ^b{b} : !ori.p"),
        };
    }
    text.push('}');
    parse(&text)
}

/// The nodes before `end` on each simple path to it that avoids the given nodes.
fn paths(graph: &[Vec<usize>], from: usize, end: usize, avoided: [usize; 2]) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let mut pending = vec![(from, Vec::new())];
    while let Some((node, before)) = pending.pop() {
        if node == end {
            found.push(before);
            continue;
        }
        if avoided.contains(&node) || before.contains(&node) {
            continue;
        }
        let mut before = before;
        before.push(node);
        pending.extend(graph[node].iter().map(|next| (*next, before.clone())));
    }
    found
}

/// Whether threads that diverge at a node may first join at another one, before `last`, where all
/// of them have reconverged.
fn meet(graph: &[Vec<usize>], start: usize, end: usize, last: usize) -> bool {
    let [a, b, ..] = graph[start][..] else {
        return false;
    };
    let right = paths(graph, b, end, [start, last]);
    paths(graph, a, end, [start, last]).iter().any(|left| {
        let apart = |right: &Vec<usize>| left.iter().all(|node| !right.contains(node));
        right.iter().any(apart)
    })
}

fn reachable(graph: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; graph.len()];
    let mut pending = vec![0];
    while let Some(node) = pending.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            pending.extend(&graph[node]);
        }
    }
    (0..graph.len()).filter(|node| seen[*node]).collect()
}

/// Graphs of up to seven nodes with up to two edges from each; without back edges on request.
fn graphs(forwards: bool) -> impl Strategy<Value = Vec<Vec<usize>>> {
    let edges = (1usize..8)
        .prop_flat_map(|nodes| prop::collection::vec(prop::collection::vec(0..nodes, 0..3), nodes));
    edges.prop_map(move |mut graph| {
        if forwards {
            for (node, targets) in graph.iter_mut().enumerate() {
                targets.retain(|target| *target > node);
            }
        }
        graph
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn without_loops_threads_meet_exactly_where_ways_do(graph in graphs(true)) {
        let program = kernel(&graph);
        let divergence = program.divergence();
        let starts = reachable(&graph);
        for end in &starts {
            let expected = starts.iter().any(|start| meet(&graph, *start, *end, *start));
            let found = divergence.is_join(block(*end));
            prop_assert_eq!(found, expected, "at node {}", end);
        }
    }

    #[test]
    fn no_place_where_threads_meet_is_missed(graph in graphs(false)) {
        let program = kernel(&graph);
        let divergence = program.divergence();
        let post_dominators = PostDominatorTree::of(&program.flow());
        let starts = reachable(&graph);
        for start in &starts {
            let last = post_dominators.immediate(block(*start));
            let last = last.map_or(*start, |last| last as usize - 1);
            for end in &starts {
                let found = divergence.is_join(block(*end));
                let expected = meet(&graph, *start, *end, last);
                prop_assert!(found || !expected, "from node {} at node {}", start, end);
            }
        }
    }
}

/// The block of a node: the entry block precedes the nodes.
fn block(node: usize) -> u32 {
    u32::try_from(node).expect("small") + 1
}

/// 100,000 operations in 10,000 diamonds, with memory: no analysis is quadratic.
#[test]
fn large_functions_are_no_trouble() {
    let mut text = String::from(
        "ori.func kernel @k() target \"sm_80\" {\n\
         %tid = ori.s2r <register = \"SR_TID.X\"> : !ori.r\n\
         %q = ori.cbank[0, 352] : !ori.r64\n\
         %p = ori.isetp <ne, s32, and> %tid, %tid : (!ori.r, !ori.r) -> !ori.p\n\
         ori.bra ^h0(%tid : !ori.r)\n",
    );
    let count = 10_000;
    for number in 0..count {
        let _ = writeln!(
            text,
            "^h{number}(%x{number}: !ori.r):\n\
             %y{number} = ori.popc %x{number} : (!ori.r) -> !ori.r\n\
             ori.stg <b32> [%q + {}], %y{number} : (!ori.r64, !ori.r) -> ()\n\
             ori.cond_bra %p, ^t{number}, ^e{number} : !ori.p\n\
             ^t{number}:\n\
             %a{number} = ori.ldg <b32> [%q + 800000] : (!ori.r64) -> !ori.r\n\
             %b{number} = ori.popc %a{number} : (!ori.r) -> !ori.r\n\
             ori.bra ^h{}(%b{number} : !ori.r)\n\
             ^e{number}:\n\
             %c{number} = ori.iadd3 %x{number}, %y{number}, %tid : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
             ori.stg <b32> [%q + {}], %c{number} : (!ori.r64, !ori.r) -> ()\n\
             ori.bra ^h{}(%c{number} : !ori.r)",
            8 * number,
            number + 1,
            8 * number + 4,
            number + 1,
        );
    }
    let _ = writeln!(text, "^h{count}(%z: !ori.r):\nori.exit\n}}");
    let program = parse(&text);
    let flow = program.flow();
    let liveness = Liveness::of(&program.context, &flow);
    let pressure = RegisterPressure::of(&program.context, &flow, &liveness);
    assert_eq!(pressure.max().get(RegisterClass::Predicate), 1);
    let divergence = program.divergence();
    let last = flow.block(u32::try_from(flow.block_count() - 1).expect("small"));
    assert!(divergence.is_varying(last.argument(&program.context, 0)));
    assert!(divergence.is_join(1 + 3));
    let states = MemoryFlow::of(&program.context, flow.clone());
    let first_load = flow.block(2).first_op(&program.context).expect("a load");
    let access = &memory::accesses(&program.context, first_load)[0];
    let source = states.source(&program.context, first_load, access);
    assert_eq!(source, Some(MemoryState::ENTRY));
    // Far from the entry, the walk stops early and reports it.
    let far = flow.block(2 + 3 * 5_000).first_op(&program.context);
    let reaching = states.reaching(&program.context, far.expect("a load"), access);
    assert!(reaching.incomplete && reaching.writers.is_empty());
}
