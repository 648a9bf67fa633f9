//! Recognising switches: chains of comparisons with constants, and indexed branches.

use orison_ir::declare::Trait;
use orison_ir::{Block, Context, Operation, Value};
use orison_ori::Register;
use orison_ori::analyses::memory;
use orison_ori::analyses::properties::{self, immediate};
use orison_ori::keywords::{Compare, keyword_of};
use orison_ori::modifiers::{self, ModifierSet};
use orison_ori::operations::control::{Brx, CondBra};
use orison_ori::operations::integer::Isetp;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ori::functions::Edge;

/// A switch on a 32-bit value.
#[derive(Clone, Debug)]
pub(super) struct Switch {
    /// The switch value.
    pub value: Value,
    /// The constants, signed, with their target edges, in the order of the tests.
    pub cases: Vec<(i64, Edge)>,
    /// The target of all other values.
    pub default: Edge,
    /// The blocks of the tests after the first one, without other predecessors.
    pub tests: Vec<Block>,
    /// The current form.
    pub form: Form,
    /// Whether the switch is uniform across a warp.
    pub uniform: bool,
    /// Arguments of the test blocks, and the values passed to them.
    pub arguments: Vec<(Value, Value)>,
}

/// The form of a switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Sequential comparisons.
    Chain,
    /// A binary search.
    Tree,
    /// An indexed branch.
    Table,
}

/// The accepted tests besides comparisons for equality, and how many other operations may be
/// between two of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern {
    /// Other operations are moved before the switch.
    pub extended: bool,
}

/// The maximum number of operations other than tests in a block between two tests.
const BETWEEN: usize = 2;

/// A comparison of a value with a constant, and the successor index if they are equal.
struct Test {
    op: Operation,
    value: Value,
    constant: i64,
    equal_way: usize,
    uniform: bool,
}

impl Test {
    /// The test at the end of a block.
    fn of(context: &Context, branch: Operation) -> Option<Test> {
        let conditional = CondBra::of(context, branch)?;
        let op = conditional.condition(context).defining_op(context)?;
        Isetp::of(context, op)?;
        let unmodified = |number| modifiers::of_operand(context, op, number) == ModifierSet::NONE;
        let plain = properties::guard(context, op).is_none()
            && op.operand_count(context) == 2
            && op.result(context, 0) == conditional.condition(context)
            && op.attribute(context, "extended").is_none()
            && (0..2).all(unmodified);
        if !plain {
            return None;
        }
        let differs = match keyword_of(context, op, "compare")? {
            Compare::Eq => false,
            Compare::Ne => true,
            _ => return None,
        };
        let (a, b) = (op.operand(context, 0), op.operand(context, 1));
        let (value, constant) = match (immediate(context, a), immediate(context, b)) {
            (None, Some(constant)) => (a, constant),
            (Some(constant), None) => (b, constant),
            _ => return None,
        };
        let inverted = conditional.inverted(context).is_some();
        let uniform = branch.attribute(context, "uniform").is_some();
        Some(Test {
            op,
            value,
            constant: i64::from(constant as i32),
            equal_way: usize::from(differs != inverted),
            uniform,
        })
    }
}

/// The chain of tests that starts at the end of a block; `None` if there are fewer than two.
pub(super) fn chain(context: &Context, home: Block, pattern: Pattern) -> Option<Switch> {
    let first = home.terminator(context)?;
    let test = Test::of(context, first)?;
    if Register::of(context, test.value.ty(context)) != Some(Register::R) {
        return None;
    }
    let mut switch = Switch {
        value: test.value,
        cases: vec![(test.constant, Edge::of(context, first, test.equal_way)?)],
        default: Edge::of(context, first, 1 - test.equal_way)?,
        tests: Vec::new(),
        form: Form::Chain,
        uniform: test.uniform,
        arguments: Vec::new(),
    };
    let mut handed: FxHashMap<Value, Value> = FxHashMap::default();
    let mut seen: FxHashSet<i64> = FxHashSet::from_iter([test.constant]);
    let mut visited = FxHashSet::from_iter([home]);
    while let Some(next) = next_test(context, &switch, &handed, pattern) {
        let (block, test) = next;
        if !visited.insert(block) {
            break;
        }
        let arguments = block.arguments(context);
        handed.extend(arguments.zip(switch.default.values.iter().copied()));
        let branch = block.terminator(context)?;
        let [equal, other] = [test.equal_way, 1 - test.equal_way].map(|way| {
            let mut edge = Edge::of(context, branch, way)?;
            for value in &mut edge.values {
                *value = handed.get(value).copied().unwrap_or(*value);
            }
            Some(edge)
        });
        let (equal, other) = (equal?, other?);
        // A value tested before cannot reach this test.
        if seen.insert(test.constant) {
            switch.cases.push((test.constant, equal));
        }
        switch.default = other;
        switch.tests.push(block);
        switch.uniform &= test.uniform;
    }
    switch.arguments = handed.into_iter().collect();
    switch.arguments.sort_unstable();
    (!switch.tests.is_empty()).then_some(switch)
}

/// The default block of a switch, if it is one more test of the same value.
fn next_test(
    context: &Context,
    switch: &Switch,
    handed: &FxHashMap<Value, Value>,
    pattern: Pattern,
) -> Option<(Block, Test)> {
    let block = switch.default.target;
    let mut leads = block.predecessor_terminators(context);
    let alone = leads.next().is_some() && leads.next().is_none();
    if !alone {
        return None;
    }
    let branch = block.terminator(context)?;
    let test = Test::of(context, branch)?;
    if block.argument_count(context) != switch.default.values.len() {
        return None;
    }
    let mut arguments = block.arguments(context);
    let place = arguments.position(|argument| argument == test.value);
    let value = match place {
        Some(place) => switch.default.values[place],
        None => handed.get(&test.value).copied().unwrap_or(test.value),
    };
    (value == switch.value && moves(context, block, test.op, pattern)).then_some((block, test))
}

/// Whether all operations in a block before its branch can be moved before the switch.
fn moves(context: &Context, block: Block, test: Operation, pattern: Pattern) -> bool {
    let mut others = 0;
    block.operations(context).all(|op| {
        if op == test || op.has_trait(context, Trait::Terminator) {
            return true;
        }
        if op.has_trait(context, Trait::ConstantLike) {
            return true;
        }
        others += 1;
        // Threads that do not reach this block might read a constant bank out of bounds.
        pattern.extended
            && others <= BETWEEN
            && properties::is_pure(context, op)
            && memory::accesses(context, op).is_empty()
    })
}

/// An indexed branch as a switch: the cases are the indices whose target is not the most frequent
/// one. That target is also the default, for out-of-range indices, which do not occur.
pub(super) fn table(context: &Context, home: Block) -> Option<Switch> {
    let branch = home.terminator(context)?;
    let value = Brx::of(context, branch)?.index(context);
    if Register::of(context, value.ty(context)) != Some(Register::R) {
        return None;
    }
    let edges = Edge::all(context, branch)?;
    let mut places: FxHashMap<(Block, &[Value]), (usize, usize)> = FxHashMap::default();
    for (number, edge) in edges.iter().enumerate() {
        let place = places.entry((edge.target, &edge.values));
        place.or_insert((0, number)).0 += 1;
    }
    // The most frequent target; the first one of several.
    let most = places
        .values()
        .max_by_key(|(uses, first)| (*uses, usize::MAX - first));
    let default = edges.get(most?.1)?.clone();
    let numbered = (0_i64..).zip(edges.iter().cloned());
    let cases = numbered.filter(|(_, edge)| *edge != default).collect();
    Some(Switch {
        value,
        cases,
        default,
        tests: Vec::new(),
        form: Form::Table,
        uniform: branch.attribute(context, "uniform").is_some(),
        arguments: Vec::new(),
    })
}
