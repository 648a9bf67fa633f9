//! The pass `ori-form-wide-sums`: sums of pairs that one instruction computes.

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{Block, Builder, Context, InsertionPoint, Operation, Value};
use orison_ori::analyses::linear::{LinearForm, Root};
use orison_ori::analyses::properties::{self, immediate};
use orison_ori::modifiers::{self, ModifierSet};
use orison_ori::operations::integer::{Iadd3, ImadWide};
use orison_ori::operations::moves::Extract;
use orison_ori::{MachineOperation, Register};

use super::functions::{create_before, immediate_before, on_each};

orison_ir::pass_options! {
    /// Options of `ori-form-wide-sums`.
    pub struct FormWideSumsOptions {
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const SUMS: &str = "sums";

/// The pass `ori-form-wide-sums`.
#[derive(Clone, Debug)]
pub struct FormWideSums(FormWideSumsOptions);

impl Pass for FormWideSums {
    type Options = FormWideSumsOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<FormWideSums>(
        "ori-form-wide-sums",
        "Makes sums of a pair and a scaled word IMAD.WIDE, as in ptxas's code.\n\
         \n\
         Two additions with a carry become one instruction if a summand is a word times a constant, with the sign \
         or zeros in front: also if that was computed in another block, such as an offset in front of a loop. The \
         loop then needs a register for the word, and none for its high part.",
        source_position!(),
    )
    .with_statistics(&[Statistic {
        name: SUMS,
        summary: "Number of sums that became one instruction",
    }]);

    fn create(options: FormWideSumsOptions) -> Self {
        FormWideSums(options)
    }

    fn options(&self) -> &FormWideSumsOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        on_each(pass, &self.0.knobs, |pass, function, _| {
            let mut formed = 0;
            let blocks: Vec<Block> = function.body.blocks(pass.context).collect();
            for block in blocks {
                for op in block.body(pass.context) {
                    if let Some(sum) = WideSum::of(pass.context, op) {
                        sum.form(pass.context);
                        formed += 1;
                    }
                }
            }
            pass.count(SUMS, formed);
            Ok(IRStatus::changed_if(formed > 0))
        })
    }
}

/// A sum of a pair and a scaled word.
struct WideSum {
    /// The additions of the low and of the high words.
    additions: [Operation; 2],
    base: Value,
    word: Value,
    is_signed: bool,
    factor: i64,
}

impl WideSum {
    /// The sum of which an addition with a carry is the high word.
    fn of(context: &Context, high: Operation) -> Option<Self> {
        let low = carried_from(context, high)?;
        let [lows, highs] = [low, high].map(|op| summands(context, op));
        let (lows, highs) = (lows?, highs?);
        for (one, other) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let base = whole_of(context, lows[1 - one], highs[1 - other]);
            let scaled = scaled_word(context, lows[one], highs[other]);
            if let (Some(base), Some((word, is_signed, factor))) = (base, scaled) {
                return Some(WideSum {
                    additions: [low, high],
                    base,
                    word,
                    is_signed,
                    factor,
                });
            }
        }
        None
    }

    fn form(&self, context: &mut Context) {
        let [low, high] = self.additions;
        let factor = immediate_before(context, low, Register::R, self.factor);
        let signedness = if self.is_signed { "s32" } else { "u32" };
        let product = MachineOperation::new(ImadWide::NAME)
            .operand("a", self.word)
            .operand("b", factor)
            .operand("c", self.base)
            .word(context, "signedness", signedness)
            .result(Register::R64);
        let location = high.location(context);
        let sum = create_before(context, low, location, product).result(context, 0);
        for (addition, word) in [(high, 1), (low, 0)] {
            let old = addition.result(context, 0);
            let ty = old.ty(context);
            let mut builder = Builder::at(context, InsertionPoint::Before(low));
            let part = Extract::build(&mut builder, location, sum, word, ty).part(builder.ir());
            old.replace_all_uses_with(context, part);
        }
        high.erase(context);
        low.erase(context);
    }
}

/// The addition whose only carry an addition takes.
fn carried_from(context: &Context, high: Operation) -> Option<Operation> {
    Iadd3::of(context, high)?;
    let [carry] = high.operands_named(context, "carry")[..] else {
        return None;
    };
    let low = carry.defining_op(context)?;
    let is_low = Iadd3::matches(context, low)
        && low.operands_named(context, "carry").is_empty()
        && low.result_count(context) == 2
        && high.result_count(context) == 1
        && low.block(context) == high.block(context);
    let mut uses = carry.uses(context);
    let is_alone = uses.next().is_some() && uses.next().is_none();
    (is_low && is_alone).then_some(low)
}

/// The two summands of an addition without modifiers.
fn summands(context: &Context, op: Operation) -> Option<[Value; 2]> {
    let is_plain = (0..op.operand_count(context))
        .all(|number| modifiers::of_operand(context, op, number) == ModifierSet::NONE);
    let [a, b, c] = [0, 1, 2].map(|number| op.operand(context, number));
    let is_sum =
        is_plain && properties::guard(context, op).is_none() && immediate(context, c) == Some(0);
    is_sum.then_some([a, b])
}

/// The pair that two words are the parts of.
fn whole_of(context: &Context, low: Value, high: Value) -> Option<Value> {
    let part = |value: Value, word: i32| {
        let extract = Extract::of(context, value.defining_op(context)?)?;
        let whole = extract.whole(context);
        let is_pair = Register::of(context, whole.ty(context)) == Some(Register::R64);
        (is_pair && extract.word(context) == Some(word)).then_some(whole)
    };
    part(low, 0).filter(|whole| part(high, 1) == Some(*whole))
}

/// The word, whether it is signed, and the factor that make a pair. What else reads the high word needs it
/// in a register all the same.
fn scaled_word(context: &Context, low: Value, high: Value) -> Option<(Value, bool, i64)> {
    let mut users = high.users(context);
    if !users.all(|user| carried_from(context, user).is_some()) {
        return None;
    }
    let form = LinearForm::of_pair(context, low, high);
    let [(root, factor)] = *form.terms() else {
        return None;
    };
    let (word, is_signed) = match root {
        Root::Signed(word) => (word, true),
        Root::Unsigned(word) => (word, false),
        _ => return None,
    };
    let is_number = (1..=i64::from(i32::MAX)).contains(&factor) && form.offset() == 0;
    is_number.then_some((word, is_signed, factor))
}
