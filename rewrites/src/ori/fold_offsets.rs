//! The pass `ori-fold-offsets`: constants of address computations in the accesses.

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{Attribute, Context, Operation, Value};
use orison_machine::Space;
use orison_ori::analyses::linear::{LinearForm, Root};
use orison_ori::opcodes;
use orison_ori::operations::moves::Concat;
use rustc_hash::FxHashMap;

use super::functions::{Function, on_each};

orison_ir::pass_options! {
    /// Options of `ori-fold-offsets`.
    pub struct FoldOffsetsOptions {
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const FOLDED: &str = "folded";

/// The offsets that instructions have: 24 bits and a sign.
const OFFSETS: std::ops::Range<i64> = -(1 << 23)..1 << 23;

/// The pass `ori-fold-offsets`.
#[derive(Clone, Debug)]
pub struct FoldOffsets(FoldOffsetsOptions);

impl Pass for FoldOffsets {
    type Options = FoldOffsetsOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<FoldOffsets>(
        "ori-fold-offsets",
        "Makes constants in address computations offsets of the accesses.\n\
         \n\
         The base of an access becomes the value that a constant was added to, or the base of an access in front of \
         it in the block that differs by a constant, if the offset has no more than 24 bits. What computed the \
         address may be dead behind it: the copies of an unrolled loop have one base.",
        source_position!(),
    )
    .with_statistics(&[Statistic {
        name: FOLDED,
        summary: "Number of accesses with another base",
    }]);

    fn create(options: FoldOffsetsOptions) -> Self {
        FoldOffsets(options)
    }

    fn options(&self) -> &FoldOffsetsOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        on_each(pass, &self.0.knobs, |pass, function, _| {
            let folded = fold(pass.context, function);
            pass.count(FOLDED, folded);
            Ok(match folded {
                0 => IRStatus::Unchanged,
                _ => IRStatus::Changed,
            })
        })
    }
}

/// The base of an access, and the constant in its sum.
#[derive(Clone, Copy)]
struct Leader {
    base: Value,
    constant: i64,
}

/// Sums of bases that were seen: what is behind the operations that a query follows is known from them.
#[derive(Default)]
struct Known {
    values: FxHashMap<Value, LinearForm>,
    pairs: FxHashMap<(Value, Value), LinearForm>,
}

impl Known {
    /// The sum that a base is.
    fn sum(&mut self, context: &Context, base: Value) -> LinearForm {
        if let Some(sum) = self.values.get(&base) {
            return sum.clone();
        }
        let found = LinearForm::of(context, base);
        let sum = match found.terms() {
            [(Root::Pair(low, high), 1)] => self.pairs.get(&(*low, *high)),
            [(Root::Value(value), 1)] => self.values.get(value),
            _ => None,
        };
        let sum = sum.filter(|sum| sum.is_wide() == found.is_wide()).cloned();
        let sum = sum.map(|mut sum| {
            sum.add_constant(found.offset());
            sum
        });
        let sum = sum.unwrap_or(found);
        self.values.insert(base, sum.clone());
        let whole = base.defining_op(context);
        if let Some(whole) = whole.filter(|op| Concat::matches(context, *op))
            && whole.operand_count(context) == 2
        {
            let words = (whole.operand(context, 0), whole.operand(context, 1));
            self.pairs.insert(words, sum.clone());
        }
        sum
    }
}

/// Gives accesses other bases; returns how many. Linear.
fn fold(context: &mut Context, function: Function) -> u64 {
    let flow = ControlFlowGraph::of(context, function.body);
    let mut known = Known::default();
    let mut folded = 0;
    for number in flow.reverse_post_order() {
        let mut leaders: FxHashMap<(bool, Vec<(Root, i64)>), Leader> = FxHashMap::default();
        let operations: Vec<Operation> = flow.block(*number).operations(context).collect();
        for op in operations {
            let Some(place) = base_of(context, op) else {
                continue;
            };
            let base = op.operand(context, place);
            let sum = known.sum(context, base);
            let root = root(context, base, &sum);
            let key = (sum.is_wide(), sum.terms().to_vec());
            let leader = root
                .map(|base| Leader { base, constant: 0 })
                .or_else(|| leaders.get(&key).copied());
            let own = Leader {
                base,
                constant: sum.offset(),
            };
            match leader {
                Some(leader) if leader.base != base => {
                    folded += u64::from(change(context, op, place, (own, leader)));
                }
                Some(_) => {}
                None => {
                    leaders.insert(key, own);
                }
            }
        }
    }
    folded
}

/// The operand that is the base of an access, if the base and the offset are the whole address.
fn base_of(context: &Context, op: Operation) -> Option<usize> {
    let row = opcodes::of(context, op)?;
    let mut spaces = row.reads.iter().chain(row.writes);
    let is_plain = |space: &Space| {
        matches!(
            space,
            Space::Generic | Space::Global | Space::Shared | Space::Local
        )
    };
    let definition = op.definition(context)?;
    let names = definition.operands;
    let has = |name: &str| names.iter().any(|operand| operand.name == name);
    // Of a copy from global to shared memory either address has an offset.
    let is_one = !has("shared_base") && definition.attribute("offset").is_some();
    if !is_one || !has("base") || !spaces.all(is_plain) || op.has_operands_named(context, "uniform")
    {
        return None;
    }
    op.operand_range_named(context, "base").next()
}

/// The value that a sum is, but for a constant, if it may be a base in place of another one.
fn root(context: &Context, base: Value, sum: &LinearForm) -> Option<Value> {
    match sum.terms() {
        [(Root::Value(value), 1)] if value.ty(context) == base.ty(context) => Some(*value),
        _ => None,
    }
}

/// Replaces the base of an access, if the offset fits.
fn change(context: &mut Context, op: Operation, place: usize, bases: (Leader, Leader)) -> bool {
    let (own, leader) = bases;
    let offset = op.attribute(context, "offset");
    let offset = offset
        .and_then(|offset| offset.as_i64(context))
        .unwrap_or(0);
    let between = own.constant.checked_sub(leader.constant);
    let offset = between.and_then(|between| between.checked_add(offset));
    let Some(offset) = offset.filter(|offset| OFFSETS.contains(offset)) else {
        return false;
    };
    let Ok(offset) = i32::try_from(offset) else {
        return false;
    };
    op.set_operand(context, place, leader.base);
    let offset = Attribute::i32(context, offset);
    op.set_attribute(context, "offset", offset);
    true
}
