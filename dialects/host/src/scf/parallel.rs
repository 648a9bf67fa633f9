//! Assembly and verifiers of parallel loops.

use orison_ir::declare::{OPERAND_SEGMENTS, VerifyResult};
use orison_ir::parser::{EntryArgument, ParseResult, Parser, TokenKind, UnresolvedOperand};
use orison_ir::printer::{Printer, RegionStyle};
use orison_ir::types::{DYNAMIC, Type};
use orison_ir::{Attribute, Block, Context, Operation, OperationState, Value};

use super::assembly::{parse_assignments, parse_optional_results, print_assignments};
use super::verify::{verify_carried, verify_terminator};
use super::{Forall, Parallel, Reduce, ReduceReturn};
use crate::arith;
use crate::types::quoted;

fn set_segments(parser: &mut Parser<'_>, state: &mut OperationState, sizes: [usize; 4]) {
    let sizes = sizes.map(|size| i32::try_from(size).unwrap_or(i32::MAX));
    let sizes = Attribute::i32_array(parser.context, &sizes);
    state.set_property(parser.context, OPERAND_SEGMENTS, sizes);
}

/// Parses `(%i, %j)`: induction variables.
fn parse_variables(parser: &mut Parser<'_>) -> ParseResult<Vec<EntryArgument>> {
    let mut variables = Vec::new();
    parser.expect(TokenKind::LeftParen, "expected '('")?;
    parser.comma_list_until(TokenKind::RightParen, "expected ')'", |parser| {
        variables.push(parser.parse_entry_argument()?.with_type(Type::INDEX));
        Ok(())
    })?;
    Ok(variables)
}

/// Parses `(%a, %b)` with one operand per induction variable.
fn parse_bounds(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    count: usize,
) -> ParseResult<()> {
    let place = parser.token();
    let operands = parser.parse_operand_list_parens()?;
    if operands.len() != count {
        let message = format!("expected {count} operands");
        return Err(parser.op_error_at(state, place, &message));
    }
    for operand in &operands {
        state
            .operands
            .push(parser.resolve_operand(operand, Type::INDEX)?);
    }
    Ok(())
}

pub(super) fn parse_parallel(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let variables = parse_variables(parser)?;
    let count = variables.len();
    parser.expect(TokenKind::Equal, "expected '='")?;
    parse_bounds(parser, state, count)?;
    parser.expect_op_keyword(state, "to")?;
    parse_bounds(parser, state, count)?;
    parser.expect_op_keyword(state, "step")?;
    parse_bounds(parser, state, count)?;
    let mut inits = Vec::new();
    let place = parser.token();
    if parser.eat_keyword("init")? {
        inits = parser.parse_operand_list_parens()?;
    }
    parse_optional_results(parser, state)?;
    let types = state.result_types.clone();
    let inits = parser.resolve_op_operands(state, place, &inits, &types)?;
    let init_count = inits.len();
    state.operands.extend(inits);
    let region = parser.parse_region(&variables)?;
    parser.ensure_terminator(region, Reduce::NAME, state.location);
    state.regions.push(region);
    parser.parse_attribute_dictionary(state)?;
    set_segments(parser, state, [count, count, count, init_count]);
    Ok(())
}

fn print_list(printer: &mut Printer<'_>, values: &[Value]) {
    printer.write("(");
    printer.comma_separated(values.iter().copied(), Printer::value);
    printer.write(")");
}

fn body_arguments(context: &Context, op: Operation) -> Vec<Value> {
    let body = op.body_block(context, 0);
    body.map_or_else(Vec::new, |body| body.arguments(context).collect())
}

pub(super) fn print_parallel(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let parallel = Parallel(op);
    printer.write(" ");
    print_list(printer, &body_arguments(context, op));
    printer.write(" = ");
    print_list(printer, &parallel.lower_bound(context));
    printer.write(" to ");
    print_list(printer, &parallel.upper_bound(context));
    printer.write(" step ");
    print_list(printer, &parallel.step(context));
    let inits = parallel.init_vals(context);
    if !inits.is_empty() {
        printer.write(" init ");
        print_list(printer, &inits);
    }
    let results = op.result_types(context);
    if !results.is_empty() {
        printer.write(" -> ");
        printer.function_results(&results);
    }
    printer.write(" ");
    printer.region(parallel.region(context), RegionStyle::BODY);
    printer.attribute_dictionary(op, &[OPERAND_SEGMENTS]);
}

pub(super) fn verify_parallel(context: &Context, op: Operation) -> VerifyResult {
    let parallel = Parallel(op);
    let steps = parallel.step(context);
    if steps.is_empty() {
        let message = "needs at least one tuple element for lowerBound, upperBound and step";
        return Err(op.op_error(context, message));
    }
    let (lower, upper) = (parallel.lower_bound(context), parallel.upper_bound(context));
    if lower.len() != steps.len() || upper.len() != steps.len() {
        let message = "expects the same number of lower bounds, upper bounds and steps";
        return Err(op.op_error(context, message));
    }
    if steps.iter().any(|step| is_never_positive(context, *step)) {
        return Err(op.op_error(context, "constant step operand must be positive"));
    }
    let variables = op.body_block(context, 0);
    let variables = variables.map_or_else(Vec::new, |body| body.argument_types(context));
    if variables.len() != steps.len() {
        let message = format!(
            "expects the same number of induction variables: {} as bound and step values: {}",
            variables.len(),
            steps.len()
        );
        return Err(op.op_error(context, message));
    }
    if variables.iter().any(|ty| *ty != Type::INDEX) {
        let message = "expects arguments for the induction variable to be of index type";
        return Err(op.op_error(context, message));
    }
    let message = "expects body to terminate with 'scf.reduce'";
    verify_terminator(context, op, 0, Reduce::NAME, message)?;
    verify_reductions(context, parallel)
}

/// Checks that results, reductions and initial values match.
fn verify_reductions(context: &Context, parallel: Parallel) -> VerifyResult {
    let op = parallel.operation();
    let last = op
        .body_block(context, 0)
        .and_then(|body| body.last_op(context));
    let Some(reduce) = last.map(Reduce) else {
        return Ok(());
    };
    let results = op.result_types(context);
    let differs = |kind: &str, count: usize| {
        let message = format!(
            "expects number of results: {} to be the same as number of {kind}: {count}",
            results.len()
        );
        Err(op.op_error(context, message))
    };
    let reductions = reduce.reductions(context).len();
    if results.len() != reductions {
        return differs("reductions", reductions);
    }
    let inits = parallel.init_vals(context).len();
    if results.len() != inits {
        return differs("initial values", inits);
    }
    verify_reduced_types(context, reduce, &results)
}

pub(super) fn parse_reduce(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    if parser.eat(TokenKind::LeftParen)? {
        let place = parser.token();
        let operands = parser.parse_operand_list()?;
        parser.expect(TokenKind::Colon, "expected ':'")?;
        let types = parser.parse_type_list()?;
        parser.expect(TokenKind::RightParen, "expected ')'")?;
        let values = parser.resolve_op_operands(state, place, &operands, &types)?;
        state.operands.extend(values);
    }
    if parser.at(TokenKind::LeftBrace) {
        loop {
            let region = parser.parse_region(&[])?;
            if region.is_empty(parser.context) {
                let block = Block::new(parser.context, &[]);
                region.append_block(parser.context, block);
            }
            state.regions.push(region);
            if !parser.eat(TokenKind::Comma)? {
                break;
            }
        }
    }
    parser.parse_attribute_dictionary(state)
}

pub(super) fn print_reduce(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    if op.operand_count(context) > 0 {
        printer.write("(");
        printer.operands(op);
        printer.write(" : ");
        printer.types(op.operand_types(context));
        printer.write(")");
    }
    printer.write(" ");
    let regions = Reduce(op).reductions(context);
    printer.comma_separated(regions, |printer, region| {
        printer.region(region, RegionStyle::FULL);
    });
    printer.attribute_dictionary(op, &[]);
}

/// The reduced values have the types of the results. A different count is an error of
/// `scf.reduce`.
fn verify_reduced_types(context: &Context, reduce: Reduce, results: &[Type]) -> VerifyResult {
    let operands = reduce.operation().operand_types(context);
    if operands.len() != results.len() {
        return Ok(());
    }
    let mut pairs = operands.iter().zip(results);
    if let Some(number) = pairs.position(|(operand, result)| operand != result) {
        let message = format!(
            "expects type of {number}-th reduction operand: {} to be the same as the {number}-th \
             result type: {}",
            quoted(context, operands[number]),
            quoted(context, results[number])
        );
        return Err(reduce.operation().op_error(context, message));
    }
    Ok(())
}

/// Whether a value is a constant that is zero or negative.
fn is_never_positive(context: &Context, value: Value) -> bool {
    value
        .defining_op(context)
        .and_then(|op| {
            arith::Constant::of(context, op)?
                .value(context)?
                .as_i64(context)
        })
        .is_some_and(|value| value <= 0)
}

pub(super) fn verify_reduce(context: &Context, op: Operation) -> VerifyResult {
    let regions = Reduce(op).reductions(context);
    let operands = op.operand_types(context);
    if regions.len() != operands.len() {
        let message = format!(
            "expects number of reduction regions: {} to be the same as number of reduction \
             operands: {}",
            regions.len(),
            operands.len()
        );
        return Err(op.op_error(context, message));
    }
    for (number, (region, ty)) in regions.iter().zip(operands).enumerate() {
        let Some(block) = region.first_block(context) else {
            continue;
        };
        if block.argument_types(context) != [ty, ty] {
            let message = format!(
                "expected two block arguments with type {} in the {number}-th reduction region",
                quoted(context, ty)
            );
            return Err(op.op_error(context, message));
        }
        let last = block.last_op(context);
        if last.is_none_or(|last| ReduceReturn::of(context, last).is_none()) {
            let message = "reduction bodies must be terminated with an 'scf.reduce.return' op";
            return Err(op.op_error(context, message));
        }
    }
    Ok(())
}

pub(super) fn verify_reduce_return(context: &Context, op: Operation) -> VerifyResult {
    let block = op.block(context);
    let wanted = block.and_then(|block| block.argument_types(context).first().copied());
    match wanted {
        Some(wanted) if ReduceReturn(op).result(context).ty(context) != wanted => {
            let message = format!(
                "must have type {} (the type of the reduction inputs)",
                quoted(context, wanted)
            );
            Err(op.op_error(context, message))
        }
        _ => Ok(()),
    }
}

/// Bounds or steps: integers, of which the least marks a dynamic operand.
struct MixedBounds {
    numbers: Vec<i64>,
    operands: Vec<UnresolvedOperand>,
}

/// Parses `(%a, 5)`; the verifier checks the number of values.
fn parse_mixed(parser: &mut Parser<'_>) -> ParseResult<MixedBounds> {
    let mut bounds = MixedBounds {
        numbers: Vec::new(),
        operands: Vec::new(),
    };
    parser.expect(TokenKind::LeftParen, "expected '('")?;
    parser.comma_list_until(TokenKind::RightParen, "expected ')'", |parser| {
        if parser.at(TokenKind::PercentIdentifier) {
            bounds.operands.push(parser.parse_operand()?);
            bounds.numbers.push(DYNAMIC);
        } else {
            bounds
                .numbers
                .push(parser.parse_integer("expected SSA value or integer")?);
        }
        Ok(())
    })?;
    Ok(bounds)
}

pub(super) fn parse_forall(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let mut arguments = parse_variables(parser)?;
    let count = arguments.len();
    let fixed = |number| MixedBounds {
        numbers: vec![number; count],
        operands: Vec::new(),
    };
    let (lower, upper, step);
    if parser.eat_keyword("in")? {
        upper = parse_mixed(parser)?;
        (lower, step) = (fixed(0), fixed(1));
    } else {
        parser.expect(TokenKind::Equal, "expected '='")?;
        lower = parse_mixed(parser)?;
        parser.expect_op_keyword(state, "to")?;
        upper = parse_mixed(parser)?;
        parser.expect_op_keyword(state, "step")?;
        step = parse_mixed(parser)?;
    }
    let mut sizes = [0; 4];
    for (group, (key, bounds)) in [
        ("staticLowerBound", lower),
        ("staticUpperBound", upper),
        ("staticStep", step),
    ]
    .into_iter()
    .enumerate()
    {
        sizes[group] = bounds.operands.len();
        for operand in &bounds.operands {
            state
                .operands
                .push(parser.resolve_operand(operand, Type::INDEX)?);
        }
        let numbers = Attribute::dense_array(parser.context, Type::I64, &bounds.numbers);
        state.set_property(parser.context, key, numbers);
    }
    if parser.eat_keyword("shared_outs")? {
        sizes[3] = parse_shared(parser, state, &mut arguments)?;
    }
    let region = parser.parse_region(&arguments)?;
    ensure_in_parallel(parser, region, state);
    state.regions.push(region);
    parser.parse_attribute_dictionary(state)?;
    set_segments(parser, state, sizes);
    Ok(())
}

/// Parses `(%a = %b) -> (types)`.
fn parse_shared(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    arguments: &mut Vec<EntryArgument>,
) -> ParseResult<usize> {
    let place = parser.token();
    parser.expect(TokenKind::LeftParen, "expected '('")?;
    let (shared, outputs) = parse_assignments(parser)?;
    parse_optional_results(parser, state)?;
    let types = state.result_types.clone();
    let outputs = parser.resolve_op_operands(state, place, &outputs, &types)?;
    let count = outputs.len();
    state.operands.extend(outputs);
    let shared = shared.iter().zip(&types);
    arguments.extend(shared.map(|(argument, ty)| argument.with_type(*ty)));
    Ok(count)
}

/// Adds `scf.forall.in_parallel` with an empty block if the text omits it.
fn ensure_in_parallel(parser: &mut Parser<'_>, region: orison_ir::Region, state: &OperationState) {
    parser.ensure_terminator(region, super::InParallel::NAME, state.location);
    let context = &mut *parser.context;
    let last = region
        .first_block(context)
        .and_then(|block| block.last_op(context));
    if let Some(last) = last
        && last.is(context, super::InParallel::NAME)
        && last.region_count(context) == 0
    {
        let name = last.name(context);
        let location = last.location(context);
        let block = last.block(context);
        last.erase(context);
        let mut state = OperationState::new(name, location);
        let inner = orison_ir::Region::new(context);
        let inner_block = Block::new(context, &[]);
        inner.append_block(context, inner_block);
        state.regions.push(inner);
        let op = Operation::create(context, &state);
        if let Some(block) = block {
            block.append(context, op);
        }
    }
}

fn print_mixed(printer: &mut Printer<'_>, numbers: &[i64], operands: &[Value]) {
    let mut operands = operands.iter();
    printer.write("(");
    printer.comma_separated(numbers, |printer, number| match *number {
        DYNAMIC => {
            if let Some(operand) = operands.next() {
                printer.value(*operand);
            }
        }
        number => printer.integer(number),
    });
    printer.write(")");
}

pub(super) fn print_forall(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let forall = Forall(op);
    let lower = forall.static_lower_bound(context).unwrap_or_default();
    let upper = forall.static_upper_bound(context).unwrap_or_default();
    let step = forall.static_step(context).unwrap_or_default();
    let arguments = body_arguments(context, op);
    let (variables, shared) = arguments.split_at(lower.len().min(arguments.len()));
    printer.write(" ");
    print_list(printer, variables);
    let normalized = lower.iter().all(|n| *n == 0) && step.iter().all(|n| *n == 1);
    if normalized {
        printer.write(" in ");
        print_mixed(printer, &upper, &forall.dynamic_upper_bound(context));
    } else {
        printer.write(" = ");
        print_mixed(printer, &lower, &forall.dynamic_lower_bound(context));
        printer.write(" to ");
        print_mixed(printer, &upper, &forall.dynamic_upper_bound(context));
        printer.write(" step ");
        print_mixed(printer, &step, &forall.dynamic_step(context));
    }
    print_assignments(printer, " shared_outs", shared, &forall.outputs(context));
    let results = op.result_types(context);
    if !results.is_empty() {
        printer.write(" -> (");
        printer.types(results.iter().copied());
        printer.write(")");
    }
    printer.write(" ");
    let style = if results.is_empty() {
        RegionStyle::WITHOUT_TERMINATOR
    } else {
        RegionStyle::BODY
    };
    printer.region(forall.region(context), style);
    let elided = [
        "staticLowerBound",
        "staticUpperBound",
        "staticStep",
        OPERAND_SEGMENTS,
    ];
    printer.attribute_dictionary(op, &elided);
}

pub(super) fn verify_forall(context: &Context, op: Operation) -> VerifyResult {
    let forall = Forall(op);
    let rank = forall.static_lower_bound(context).map_or(0, |l| l.len());
    let outputs = forall.outputs(context);
    if outputs.len() != op.result_count(context) {
        let message = format!(
            "produces {} results, but has only {} outputs",
            op.result_count(context),
            outputs.len()
        );
        return Err(op.op_error(context, message));
    }
    let arguments = body_arguments(context, op);
    if arguments.len() != rank + outputs.len() {
        return Err(op.op_error(context, format!("region expects {rank} arguments")));
    }
    let is_index = |value: &Value| value.ty(context) == Type::INDEX;
    if let Some(number) = arguments[..rank].iter().position(|value| !is_index(value)) {
        let message = format!("expects {number}-th block argument to be an index");
        return Err(op.op_error(context, message));
    }
    let mut pairs = arguments[rank..].iter().zip(&outputs);
    if let Some(number) = pairs.position(|(own, output)| own.ty(context) != output.ty(context)) {
        let message =
            format!("type mismatch between {number}-th output and corresponding block argument");
        return Err(op.op_error(context, message));
    }
    let mapping = forall.mapping(context).map_or(0, |mapping| mapping.len());
    // An additional attribute may select the participating threads.
    if mapping != 0 && mapping != rank && mapping != rank + 1 {
        return Err(op.op_error(context, "mapping attribute size must match op rank"));
    }
    verify_forall_bounds(context, forall, rank)
}

/// Checks that the counts of bounds and steps match the induction variables, and that the dynamic
/// operands match the dynamic markers.
fn verify_forall_bounds(context: &Context, forall: Forall, rank: usize) -> VerifyResult {
    let groups = [
        (
            "lower bound",
            forall.static_lower_bound(context),
            forall.dynamic_lower_bound(context),
        ),
        (
            "upper bound",
            forall.static_upper_bound(context),
            forall.dynamic_upper_bound(context),
        ),
        (
            "step",
            forall.static_step(context),
            forall.dynamic_step(context),
        ),
    ];
    for (name, numbers, operands) in groups {
        let numbers = numbers.unwrap_or_default();
        let dynamic = numbers.iter().filter(|number| **number == DYNAMIC).count();
        let message = if numbers.len() != rank {
            format!("expected {rank} {name} values, got {}", numbers.len())
        } else if dynamic != operands.len() {
            format!("expected {dynamic} dynamic {name} values")
        } else {
            continue;
        };
        return Err(forall.operation().error(context, message));
    }
    Ok(())
}

pub(super) fn verify_forall_edges(context: &Context, op: Operation) -> VerifyResult {
    let outputs = Forall(op).outputs(context);
    let outputs: Vec<_> = outputs.iter().map(|value| value.ty(context)).collect();
    verify_carried(context, op, &outputs, &outputs, &[])
}

/// Operations that combine the results of iterations belong to dialects that orison does not
/// register.
pub(super) fn verify_in_parallel(context: &Context, op: Operation) -> VerifyResult {
    let mut inside = op
        .body_block(context, 0)
        .into_iter()
        .flat_map(|body| body.operations(context));
    if inside.any(|inner| inner.definition(context).is_some()) {
        return Err(op.op_error(context, "expected only ParallelCombiningOpInterface ops"));
    }
    Ok(())
}

pub(super) fn parse_in_parallel(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let region = parser.parse_region(&[])?;
    if region.is_empty(parser.context) {
        let block = Block::new(parser.context, &[]);
        region.append_block(parser.context, block);
    }
    state.regions.push(region);
    parser.parse_attribute_dictionary(state)
}

pub(super) fn print_in_parallel(printer: &mut Printer<'_>, op: Operation) {
    printer.write(" ");
    let region = op.region(printer.context, 0);
    printer.region(region, RegionStyle::BODY);
    printer.attribute_dictionary(op, &[]);
}
