//! Surgery on flow graphs: SSA repair compared with walks through random graphs, and the form that
//! each step leaves.

use std::fmt::Write as _;

use orison_ir::analyses::{ControlFlowGraph, LoopForest};
use orison_ir::{
    Context, Operation, PrintFlags, Source, Use, Value, parse_source, print_to_string,
};
use orison_ori::analyses::properties::immediate;
use orison_rewrites::ori::surgery::{
    SsaRepair, Variable, clone_blocks, close_loops, join_edges, peel_first_iteration, rotate,
    split_edge,
};
use proptest::prelude::*;
use rustc_hash::FxHashMap;

struct Program {
    context: Context,
    module: Operation,
    function: Operation,
}

fn parse(text: &str) -> Program {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_ori::register(&mut context);
    let source = Source {
        name: "surgery.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source);
    let module = module.unwrap_or_else(|_| panic!("{:?}\n{text}", context.diagnostics.take()));
    let body = module.body_block(&context, 0).expect("a body");
    let function = body.last_op(&context).expect("a function");
    let mut program = Program {
        context,
        module,
        function,
    };
    program.verify();
    program
}

impl Program {
    fn verify(&mut self) {
        let valid = self.context.verify(self.module).is_ok();
        assert!(
            valid,
            "{:?}\n{}",
            self.context.diagnostics.take(),
            self.text()
        );
    }

    fn flow(&self) -> ControlFlowGraph {
        ControlFlowGraph::of(&self.context, self.function.region(&self.context, 0))
    }

    fn text(&self) -> String {
        print_to_string(&self.context, self.module, &PrintFlags::default())
    }

    /// The value of a variable: what a walk finds at a use.
    fn number(&self, known: &FxHashMap<Value, Option<i64>>, value: Value) -> Option<i64> {
        match known.get(&value) {
            Some(number) => *number,
            None => immediate(&self.context, value),
        }
    }

    /// Follows branches from the entry, as the choices say; what each store stores.
    fn walk(&self, choices: &[bool]) -> Vec<Option<i64>> {
        let context = &self.context;
        let mut block = self.flow().block(0);
        let mut known: FxHashMap<Value, Option<i64>> = FxHashMap::default();
        let mut found = Vec::new();
        for choice in choices {
            for op in block.operations(context) {
                if op.name_text(context) == "ori.sts" {
                    found.push(self.number(&known, op.operand(context, 1)));
                }
            }
            let Some(branch) = block.terminator(context) else {
                break;
            };
            let way = match branch.successor_count(context) {
                0 => break,
                1 => 0,
                _ => usize::from(*choice),
            };
            let range = branch.passed_operands(context, way).expect("a branch");
            let passed = range.map(|number| self.number(&known, branch.operand(context, number)));
            let passed: Vec<Option<i64>> = passed.collect();
            block = branch.successor(context, way).expect("a successor");
            known.extend(block.arguments(context).zip(passed));
        }
        found
    }
}

/// A graph whose blocks define a variable or not, and use it at their start or not.
#[derive(Clone, Debug)]
struct Graph {
    successors: Vec<[usize; 2]>,
    defines: Vec<bool>,
    uses: Vec<bool>,
}

fn graph() -> impl Strategy<Value = Graph> {
    (2..9usize).prop_flat_map(|count| {
        let node = (1..=count, 1..=count, any::<bool>(), any::<bool>());
        proptest::collection::vec(node, count).prop_map(|nodes| Graph {
            successors: nodes.iter().map(|(a, b, ..)| [*a, *b]).collect(),
            defines: nodes.iter().map(|(_, _, defines, _)| *defines).collect(),
            uses: nodes.iter().map(|(.., uses)| *uses).collect(),
        })
    })
}

impl Graph {
    /// Block `count` of the graph ends the function. The uses refer to a value that none of them has.
    /// Each block has an argument of another kind.
    fn text(&self) -> String {
        let mut text = String::from(
            "ori.func @f(%a: !ori.r, %p: !ori.p) target \"sm_80\" {\n\
             %u = ori.imm -1 : !ori.r\n%k = ori.imm -2 : !ori.r\nori.bra ^b0(%k : !ori.r)\n",
        );
        for (number, [a, b]) in self.successors.iter().enumerate() {
            let _ = writeln!(text, "^b{number}(%x{number}: !ori.r):");
            if self.uses[number] {
                let _ = writeln!(text, "ori.sts <b32> [%a], %u : (!ori.r, !ori.r) -> ()");
            }
            if self.defines[number] {
                let _ = writeln!(text, "%d{number} = ori.imm {number} : !ori.r");
            }
            let _ = writeln!(
                text,
                "ori.cond_bra %p, ^b{b}(%x{number} : !ori.r), ^b{a}(%k : !ori.r) : !ori.p"
            );
        }
        let _ = write!(
            text,
            "^b{}(%last: !ori.r):\nori.ret\n}}",
            self.successors.len()
        );
        text
    }

    /// The definitions that a walk finds at the uses.
    fn expected(&self, choices: &[bool]) -> Vec<Option<i64>> {
        let (mut node, mut last, mut found) = (0, None, Vec::new());
        // The entry is a block of its own.
        for choice in &choices[1..] {
            if node == self.successors.len() {
                break;
            }
            if self.uses[node] {
                found.push(last);
            }
            if self.defines[node] {
                last = i64::try_from(node).ok();
            }
            // The first successor of the branch is the second one of the node.
            node = self.successors[node][usize::from(!*choice)];
        }
        found
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// A use is given what a walk has defined last, on all walks.
    #[test]
    fn uses_are_reached_by_the_last_definition(
        graph in graph(),
        walks in proptest::collection::vec(proptest::collection::vec(any::<bool>(), 24), 12),
    ) {
        let mut program = parse(&graph.text());
        let flow = program.flow();
        let context = &mut program.context;
        let entry = flow.block(0);
        let undefined = entry.first_op(context).expect("an immediate").result(context, 0);
        let uses: Vec<Use> = undefined.uses(context).collect();
        let mut variable = Variable::like(context, undefined);
        for (number, _) in graph.defines.iter().enumerate().filter(|(_, defines)| **defines) {
            let block = u32::try_from(number + 1).expect("few");
            let value = flow.block(block).body(context).last().copied().expect("a definition");
            variable.definitions.insert(block, value.result(context, 0));
        }
        let mut repair = SsaRepair::new(&flow);
        repair.repair(context, &variable, &uses);
        repair.finish(context);
        program.verify();
        for choices in walks {
            // What is not reached by the walk ends it in the same place.
            let found = program.walk(&choices);
            let expected = graph.expected(&choices);
            let known = found.iter().zip(&expected);
            prop_assert!(found.len() == expected.len(), "{found:?} {expected:?}\n{}", program.text());
            for (found, expected) in known {
                if expected.is_some() {
                    prop_assert_eq!(found, expected, "{}", program.text());
                }
            }
        }
        // No argument without different values that meet in it.
        for block in flow.blocks().iter().skip(1) {
            for argument in block.arguments(&program.context).skip(1) {
                let mut values: Vec<Value> = block
                    .predecessor_edges(&program.context)
                    .filter_map(|(branch, way)| {
                        let from = flow.number(branch.block(&program.context)?)?;
                        let range = branch.passed_operands(&program.context, way)?;
                        let number = range.start + argument.position(&program.context);
                        flow.is_reachable(from).then(|| branch.operand(&program.context, number))
                    })
                    .collect();
                values.retain(|value| *value != argument);
                values.sort_unstable();
                values.dedup();
                prop_assert!(values.len() > 1, "{}", program.text());
            }
        }
    }
}

const LOOP: &str = "ori.func @f(%n: !ori.r, %q: !ori.r64) -> !ori.r target \"sm_80\" {\n\
     %one = ori.imm 1 : !ori.r\n%zero = ori.imm 0 : !ori.r\n\
     ori.bra ^head(%zero : !ori.r)\n\
     ^head(%i: !ori.r):\n\
     %more = ori.isetp <lt, s32, and> %i, %n : (!ori.r, !ori.r) -> !ori.p\n\
     ori.cond_bra %more, ^body, ^exit : !ori.p\n\
     ^body:\n\
     %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
     ori.bra ^head(%next : !ori.r)\n\
     ^exit:\nori.ret %i : !ori.r\n}";

#[test]
fn a_split_edge_passes_the_same_values_from_a_block_of_its_own() {
    let mut program = parse(LOOP);
    let flow = program.flow();
    let latch = flow
        .block(2)
        .terminator(&program.context)
        .expect("a branch");
    let block = split_edge(&mut program.context, (latch, 0)).expect("a block");
    assert_eq!(block.argument_count(&program.context), 0);
    program.verify();
    let context = &program.context;
    let branch = block.terminator(context).expect("a branch");
    let passed: Vec<Value> = branch.operands(context).collect();
    let next = flow.block(2).first_op(context).expect("a sum");
    assert_eq!(passed, [next.result(context, 0)]);
    assert_eq!(
        block.successors(context).collect::<Vec<_>>(),
        [flow.block(1)]
    );
    assert_eq!(latch.operand_count(context), 0);
}

#[test]
fn joined_edges_pass_their_values_through_arguments() {
    let mut program = parse(LOOP);
    let flow = program.flow();
    let header = flow.block(1);
    let mut edges: Vec<_> = header.predecessor_edges(&program.context).collect();
    edges.reverse();
    let block = join_edges(&mut program.context, header, &edges, Some(header));
    let block = block.expect("a block");
    program.verify();
    assert_eq!(block.argument_count(&program.context), 1);
    assert_eq!(header.predecessors(&program.context).count(), 1);
    assert_eq!(block.predecessors(&program.context).count(), 2);
    assert!(join_edges(&mut program.context, header, &[], None).is_none());
}

#[test]
fn copies_of_blocks_branch_among_themselves_and_leave_to_the_same_places() {
    let mut program = parse(LOOP);
    let flow = program.flow();
    let blocks = [flow.block(2), flow.block(1)];
    let mapping = clone_blocks(&mut program.context, &blocks, flow.block(0));
    let context = &program.context;
    let head = mapping.lookup_block(flow.block(1));
    let successors: Vec<_> = head.successors(context).collect();
    assert_eq!(
        successors,
        [mapping.lookup_block(flow.block(2)), flow.block(3)]
    );
    let back = mapping.lookup_block(flow.block(2));
    assert_eq!(back.successors(context).collect::<Vec<_>>(), [head]);
    // The value of the header is used in the copy of the body, which comes before it.
    let sum = back.first_op(context).expect("a sum");
    assert_eq!(sum.operand(context, 0), head.argument(context, 0));
}

#[test]
fn values_leave_closed_loops_through_arguments_of_their_exits() {
    let mut program = parse(LOOP);
    let flow = program.flow();
    let forest = LoopForest::of(&flow);
    assert!(close_loops(&mut program.context, &flow, &forest, &[0]));
    program.verify();
    let exit = flow.block(3);
    assert_eq!(exit.argument_count(&program.context), 1);
    let result = exit.terminator(&program.context).expect("a return");
    let argument = exit.argument(&program.context, 0);
    assert_eq!(result.operand(&program.context, 0), argument);
    assert!(!close_loops(&mut program.context, &flow, &forest, &[0]));
}

#[test]
fn a_peeled_iteration_leads_into_the_loop_and_out_of_it() {
    let mut program = parse(LOOP);
    let flow = program.flow();
    let forest = LoopForest::of(&flow);
    close_loops(&mut program.context, &flow, &forest, &[0]);
    let mapping = peel_first_iteration(&mut program.context, &flow, &forest.loops()[0]);
    let mapping = mapping.expect("a copy");
    program.verify();
    let context = &program.context;
    let first = mapping.lookup_block(flow.block(1));
    assert_eq!(
        first.predecessors(context).collect::<Vec<_>>(),
        [flow.block(0)]
    );
    let behind = mapping.lookup_block(flow.block(2));
    assert_eq!(
        behind.successors(context).collect::<Vec<_>>(),
        [flow.block(1)]
    );
    assert_eq!(flow.block(3).predecessors(context).count(), 2);
}

#[test]
fn a_rotated_loop_is_tested_at_its_end() {
    let mut program = parse(LOOP);
    let flow = program.flow();
    let forest = LoopForest::of(&flow);
    let body = program.function.region(&program.context, 0);
    let natural = &forest.loops()[0];
    let copies = rotate(&mut program.context, body, &flow, &[natural]);
    program.verify();
    assert_eq!(copies.len(), 1);
    let flow = program.flow();
    let forest = LoopForest::of(&flow);
    let [natural] = forest.loops() else {
        panic!("one loop");
    };
    let latch = natural.latches[0];
    assert!(natural.exits.iter().all(|(from, _)| *from == latch));
    // Tested at its end, it is not rotated again.
    let context = &mut program.context;
    assert!(rotate(context, body, &flow, &[natural]).is_empty());
}
