//! Reduction of a program that has a difference.

use orison_ir::{Builder, Context, InsertionPoint, Operation, PrintFlags, Value, print_to_string};

use crate::harness::{Module, parse};

/// The text with operations removed one after the other, as long as `fails` holds.
pub fn reduce(text: &str, fails: impl Fn(&str) -> bool) -> String {
    let mut best = text.to_owned();
    loop {
        let mut smaller = None;
        let count = parse(&best).map_or(0, |module| candidates(&module).len());
        for number in (0..count).rev() {
            let Some(text) = without(&best, number) else {
                continue;
            };
            if text != best && fails(&text) {
                smaller = Some(text);
                break;
            }
        }
        match smaller {
            Some(text) => best = text,
            None => return best,
        }
    }
}

/// The operations that may be removed.
fn candidates(module: &Module) -> Vec<Operation> {
    let context = &module.context;
    let mut found = Vec::new();
    let mut open = vec![module.operation];
    while let Some(operation) = open.pop() {
        for region in operation.regions(context) {
            for block in region.blocks(context) {
                open.extend(block.operations(context));
            }
        }
        let kept = operation == module.operation
            || operation.is(context, "arith.constant")
            || operation.definition(context).is_some_and(|definition| {
                definition.has_trait(orison_ir::declare::Trait::Terminator)
            });
        if !kept {
            found.push(operation);
        }
    }
    found
}

/// The text without an operation: zeros replace its results.
fn without(text: &str, number: usize) -> Option<String> {
    let mut module = parse(text).ok()?;
    let operation = candidates(&module)[number];
    let context = &mut module.context;
    for result in operation.results(context).collect::<Vec<_>>() {
        if !result.is_unused(context) {
            let zero = zero(context, operation, result)?;
            result.replace_all_uses_with(context, zero);
        }
    }
    operation.erase(context);
    let text = print_to_string(context, module.operation, &PrintFlags::default());
    parse(&text).ok().map(|_| text)
}

fn zero(context: &mut Context, before: Operation, result: Value) -> Option<Value> {
    let ty = result.ty(context);
    let attribute = match ty.float_kind(context) {
        Some(_) => orison_ir::Attribute::float(context, ty, 0.0)?,
        None if ty.is_shaped(context) => {
            let bytes = vec![0; ty.element(context)?.bit_width(context)?.div_ceil(8) as usize];
            orison_ir::Attribute::dense(context, ty, &bytes).ok()?
        }
        None => orison_ir::Attribute::integer(context, ty, 0),
    };
    let location = before.location(context);
    let mut builder = Builder::at(context, InsertionPoint::Before(before));
    let constant = orison_host::arith::Constant::build(&mut builder, location, attribute, ty);
    Some(constant.operation().result(context, 0))
}
