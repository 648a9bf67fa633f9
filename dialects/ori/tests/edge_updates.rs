//! Changing several edges at once gives the same result as changing them one by one.
#![allow(clippy::unwrap_used, missing_docs)]

use orison_ir::{
    Block, Context, EdgeUpdates, Operation, PrintFlags, Source, Value, parse_source,
    print_to_string,
};

/// Blocks take zero, one and two words, so that argument counts change with targets.
const TEXT: &str = "ori.func @f(%i: !ori.r, %a: !ori.r, %b: !ori.r) target \"sm_80\" {
  ori.brx %i, [^none, ^one(%a : !ori.r), ^two(%a, %b : !ori.r, !ori.r), ^one(%b : !ori.r)] : !ori.r
^none:
  ori.exit
^one(%x: !ori.r):
  ori.bra ^two(%x, %x : !ori.r, !ori.r)
^two(%y: !ori.r, %z: !ori.r):
  ori.exit
}";

struct Program {
    context: Context,
    module: Operation,
    branch: Operation,
    /// The blocks, by number of arguments.
    targets: Vec<Block>,
    values: Vec<Value>,
}

fn program() -> Program {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_ori::register(&mut context);
    let source = Source {
        name: "a.mlir",
        text: TEXT,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).unwrap();
    let function = module.body_block(&context, 0).unwrap();
    let function = function.first_op(&context).unwrap();
    let region = function.regions(&context).next().unwrap();
    let blocks: Vec<Block> = region.blocks(&context).collect();
    let branch = blocks[0].terminator(&context).unwrap();
    let values = blocks[0].arguments(&context).collect();
    Program {
        branch,
        targets: blocks[1..].to_vec(),
        values,
        context,
        module,
    }
}

impl Program {
    fn text(&mut self) -> String {
        assert!(self.context.verify(self.module).is_ok());
        print_to_string(&self.context, self.module, &PrintFlags::default())
    }
}

/// Edge changes: the successor, and the number of arguments of its new target.
fn changes() -> Vec<Vec<(usize, usize)>> {
    let mut all = vec![Vec::new()];
    for successor in 0..4 {
        for count in 0..3 {
            all.push(vec![(successor, count)]);
            all.push(vec![(successor, count), (3 - successor, 2)]);
            all.push(vec![(successor, 2), (successor, count), (0, 1)]);
        }
    }
    all
}

#[test]
fn edges_that_change_together_become_what_they_become_one_by_one() {
    for changes in changes() {
        let (mut one_by_one, mut together) = (program(), program());
        let mut updates = EdgeUpdates::default();
        for (successor, count) in &changes {
            let p = &mut one_by_one;
            let (target, values) = (p.targets[*count], p.values[..*count].to_vec());
            p.branch.set_successor(&mut p.context, *successor, target);
            p.branch
                .set_passed_operands(&mut p.context, *successor, &values);
            let p = &mut together;
            let (target, values) = (p.targets[*count], p.values[..*count].to_vec());
            updates.redirect(&mut p.context, p.branch, *successor, target, values.clone());
            let passed = updates.passed(&p.context, p.branch, *successor).unwrap();
            assert_eq!(passed, values);
        }
        updates.finish(&mut together.context);
        assert_eq!(one_by_one.text(), together.text(), "{changes:?}");
    }
}

#[test]
fn a_flushed_branch_is_written_before_the_others() {
    for count in 0..3 {
        let (mut expected, mut flushed) = (program(), program());
        let p = &mut expected;
        p.branch.set_successor(&mut p.context, 0, p.targets[count]);
        p.branch
            .set_passed_operands(&mut p.context, 0, &p.values[..count]);
        let p = &mut flushed;
        let (target, values) = (p.targets[count], p.values[..count].to_vec());
        let mut updates = EdgeUpdates::default();
        updates.redirect(&mut p.context, p.branch, 0, target, values);
        updates.flush(&mut p.context, p.branch);
        assert_eq!(flushed.text(), expected.text(), "{count}");
        updates.finish(&mut flushed.context);
        assert_eq!(flushed.text(), expected.text(), "{count}");
    }
}

#[test]
fn the_edges_of_a_block_are_those_of_its_branches() {
    let p = program();
    for (number, (target, passed)) in p.branch.edges(&p.context).enumerate() {
        assert_eq!(p.branch.successor(&p.context, number), Some(target));
        assert_eq!(p.branch.passed_operands(&p.context, number), passed);
        let mut edges = target.predecessor_edges(&p.context);
        assert!(edges.any(|edge| edge == (p.branch, number)));
    }
    assert_eq!(p.branch.successor(&p.context, 4), None);
    let edges = |block: usize| p.targets[block].predecessor_edges(&p.context).count();
    assert_eq!([edges(0), edges(1), edges(2)], [1, 2, 2]);
}
