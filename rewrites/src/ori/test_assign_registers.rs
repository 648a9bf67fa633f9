//! The pass `test-assign-registers`: physical registers without allocation, for tests.

use orison_ir::pass::{IRStatus, Pass, PassContext, PassDefinition, PassResult, source_position};
use orison_ir::{Attribute, Context, Operation, Type, Value};
use orison_ori::operations as ori;
use orison_ori::types::Physical;
use orison_ori::{MachineOperation, Register};

use super::functions::{create_before, functions};
use super::instruction_forms::Source;

/// The pass `test-assign-registers`.
#[derive(Clone, Debug)]
pub struct TestAssignRegisters;

impl Pass for TestAssignRegisters {
    type Options = ();

    const DEFINITION: PassDefinition = PassDefinition::new::<TestAssignRegisters>(
        "test-assign-registers",
        "Gives all values of a register class one register, for tests.\n\
         \n\
         The result is valid and computes nothing sensible. Parts of wider values are copied, so \
         that they are in the registers of the whole. Values that have a register keep it.",
        source_position!(),
    );

    fn create((): ()) -> Self {
        TestAssignRegisters
    }

    fn options(&self) -> &() {
        &()
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let all = functions(pass.context, pass.op());
        for function in &all {
            let context = &mut *pass.context;
            let blocks: Vec<_> = function.body.blocks(context).collect();
            for block in &blocks {
                for argument in block.arguments(context).collect::<Vec<_>>() {
                    assign(context, argument);
                }
            }
            let operations = blocks.iter().flat_map(|block| block.operations(context));
            let operations: Vec<Operation> = operations.collect();
            for op in &operations {
                for result in op.results(context).collect::<Vec<_>>() {
                    assign(context, result);
                }
            }
            for op in &operations {
                place_parts(context, *op);
            }
            for op in &operations {
                place_passed(context, *op);
            }
            signature(context, function.op);
        }
        Ok(IRStatus::changed_if(!all.is_empty()))
    }
}

/// The register of all values of a class, aligned for its widest uses.
const fn index(class: Register) -> u8 {
    match class {
        Register::P | Register::Up | Register::B => 1,
        Register::Accumulator(_) => 24,
        _ => 16,
    }
}

fn assigned(context: &mut Context, ty: Type) -> Type {
    if Physical::of(context, ty).is_some() {
        return ty;
    }
    match Register::of(context, ty) {
        Some(register) => Physical {
            register,
            index: index(register),
        }
        .ty(context),
        None => ty,
    }
}

fn assign(context: &mut Context, value: Value) {
    let source = Source::of(context, value);
    if matches!(source, Source::Register(_) | Source::Undefined) {
        let ty = assigned(context, value.ty(context));
        value.set_type(context, ty);
    }
}

/// Copies the parts of a whole to and from its registers.
fn place_parts(context: &mut Context, op: Operation) {
    if ori::Concat::of(context, op).is_some() {
        let whole = Physical::of(context, op.result(context, 0).ty(context));
        let Some(whole) = whole else { return };
        let mut word = 0;
        for number in 0..op.operand_count(context) {
            let part = op.operand(context, number);
            let class = Register::of(context, part.ty(context)).unwrap_or(Register::R);
            let words = u8::try_from(class.words().unwrap_or(1)).unwrap_or(u8::MAX);
            let place = Physical {
                register: class,
                index: whole.index.saturating_add(word),
            };
            if words == 1 && Physical::of(context, part.ty(context)) != Some(place) {
                let copied = copy(context, op, part, place);
                op.set_operand(context, number, copied);
            } else if words > 1 {
                retype(context, op, number, place);
            }
            word = word.saturating_add(words);
        }
    }
    if let Some(extract) = ori::Extract::of(context, op) {
        let whole = Physical::of(context, extract.whole(context).ty(context));
        let result = op.result(context, 0);
        let class = Register::of(context, result.ty(context)).unwrap_or(Register::R);
        let Some(whole) = whole else { return };
        let word = u8::try_from(extract.word(context).unwrap_or(0)).unwrap_or(0);
        let place = Physical {
            register: class,
            index: whole.index.saturating_add(word),
        };
        let ty = place.ty(context);
        result.set_type(context, ty);
    }
}

/// Copies numbers that a branch passes, or that stay where a guard does not hold, to registers.
fn place_passed(context: &mut Context, op: Operation) {
    let kept = op.operand_range_named(context, "otherwise");
    let passed = (0..op.successor_count(context)).filter_map(|way| op.passed_group(context, way));
    let given = op.operand_range_named(context, "arguments");
    let values = op.operand_range_named(context, "values");
    let given = if op.successor_count(context) == 0 {
        given
    } else {
        0..0
    };
    let numbers: Vec<usize> = kept
        .chain(passed.flatten())
        .chain(given)
        .chain(values)
        .collect();
    for number in numbers {
        let value = op.operand(context, number);
        let Some(register) = Register::of(context, value.ty(context)) else {
            continue;
        };
        let place = Physical {
            register,
            index: index(register),
        };
        if Physical::of(context, value.ty(context)) == Some(place) {
            continue;
        }
        if register.words().is_some_and(|words| words > 1) {
            retype(context, op, number, place);
        } else {
            let copied = copy(context, op, value, place);
            op.set_operand(context, number, copied);
        }
    }
}

/// A wide part of a wider whole: undefined values of its registers take its place.
fn retype(context: &mut Context, op: Operation, number: usize, place: Physical) {
    let part = op.operand(context, number);
    let like = super::functions::undefined_before(context, op, part);
    let ty = place.ty(context);
    like.set_type(context, ty);
    op.set_operand(context, number, like);
}

fn copy(context: &mut Context, anchor: Operation, value: Value, place: Physical) -> Value {
    let copy = match place.register {
        Register::P | Register::Up => {
            let uniform = place.register == Register::Up;
            let name = if uniform {
                ori::Uplop3::NAME
            } else {
                ori::Plop3::NAME
            };
            let copy = MachineOperation::new(name).operand("a", value);
            let copy = copy.operand("b", value).operand("c", value);
            copy.number(context, "lut", 0x80)
        }
        register => {
            let name = if register.is_uniform() {
                ori::Umov::NAME
            } else {
                ori::Mov::NAME
            };
            MachineOperation::new(name).operand("a", value)
        }
    };
    let copy = copy.result(place.register);
    let location = anchor.location(context);
    let copy = create_before(context, anchor, location, copy).result(context, 0);
    let ty = place.ty(context);
    copy.set_type(context, ty);
    copy
}

/// The type of a function is that of its arguments and results.
fn signature(context: &mut Context, op: Operation) {
    let ty = ori::Func(op).function_type(context);
    let Some((inputs, results)) = ty.and_then(|ty| ty.as_function(context)) else {
        return;
    };
    let (inputs, results) = (inputs.to_vec(), results.to_vec());
    let inputs: Vec<Type> = inputs.into_iter().map(|ty| assigned(context, ty)).collect();
    let results: Vec<Type> = results
        .into_iter()
        .map(|ty| assigned(context, ty))
        .collect();
    let ty = Type::function(context, &inputs, &results);
    let ty = Attribute::ty(context, ty);
    op.set_attribute(context, "function_type", ty);
}
