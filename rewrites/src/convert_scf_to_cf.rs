//! The pass `convert-scf-to-cf`: converts loops and conditionals to branches between blocks.
//!
//! The order of blocks and operations is that of `mlir-opt`.

use orison_host::arith::{
    AddI, CmpI, IndexCast, IntegerPredicate, XOrI, constant_index, constant_of,
};
use orison_host::cf::{Branch, CondBranch, Switch};
use orison_host::scf::{
    ExecuteRegion, For, Forall, If, IndexSwitch, Parallel, Reduce, While, Yield, build_for,
};
use orison_ir::declare::OPERAND_SEGMENTS;
use orison_ir::pass::{Pass, PassContext, PassDefinition, PassResult, source_position};
use orison_ir::types::DYNAMIC;
use orison_ir::{
    Attribute, Block, Context, Declined, InsertionPoint, Location, Operation, OperationName,
    OperationState, RuleResult, Type, TypeKind, Value, Values,
};

use crate::conversion::{
    ConversionMode, ConversionPattern, ConversionRewriter, ConversionTarget, convert,
};

/// A block with the values passed to it.
type Target<'a> = (Block, &'a [Value]);

/// For invalid IR that the verifier rejects, but that patterns have to handle.
fn malformed<T>() -> Result<T, Declined> {
    Declined::because("the operation is malformed")
}

fn branch(rewriter: &mut ConversionRewriter<'_>, location: Location, (to, values): Target<'_>) {
    let name = OperationName::new(rewriter.context(), Branch::NAME);
    let mut state = OperationState::new(name, location);
    state.operands.extend_from_slice(values);
    state.successors.push(to);
    rewriter.create(&state);
}

fn size(values: &[Value]) -> i32 {
    i32::try_from(values.len()).unwrap_or(i32::MAX)
}

fn conditional_branch(
    rewriter: &mut ConversionRewriter<'_>,
    location: Location,
    condition: Value,
    holds: Target<'_>,
    otherwise: Target<'_>,
) {
    let context = rewriter.context();
    let name = OperationName::new(context, CondBranch::NAME);
    let mut state = OperationState::new(name, location);
    state.operands.push(condition);
    state.operands.extend_from_slice(holds.1);
    state.operands.extend_from_slice(otherwise.1);
    state.successors.extend([holds.0, otherwise.0]);
    let sizes = Attribute::i32_array(context, &[1, size(holds.1), size(otherwise.1)]);
    state.set_property(context, OPERAND_SEGMENTS, sizes);
    rewriter.create(&state);
}

/// Splits the block before an operation: returns the block, and the one after it.
fn split(rewriter: &mut ConversionRewriter<'_>, op: Operation) -> Result<(Block, Block), Declined> {
    let Some(block) = op.block(rewriter.ir()) else {
        return malformed();
    };
    match rewriter.split_block(block, Some(op)) {
        Some(rest) => Ok((block, rest)),
        None => malformed(),
    }
}

/// The last operation of the only block of a region, with its operands.
fn end(
    rewriter: &ConversionRewriter<'_>,
    op: Operation,
    region: usize,
) -> Result<(Block, Operation, Vec<Value>), Declined> {
    let context = rewriter.ir();
    let Some(block) = op.body_block(context, region) else {
        return malformed();
    };
    let Some(last) = block.last_op(context) else {
        return malformed();
    };
    Ok((block, last, last.operands(context).collect()))
}

fn convert_for(
    rewriter: &mut ConversionRewriter<'_>,
    op: Operation,
    _: &[Vec<Value>],
) -> RuleResult {
    let loop_op = For(op);
    let location = op.location(rewriter.ir());
    let (condition, terminator, yielded) = end(rewriter, op, 0)?;
    let Some(variable) = loop_op.induction_variable(rewriter.ir()) else {
        return malformed();
    };
    let (before, behind) = split(rewriter, op)?;
    // The block with the arguments decides; its operations go to a separate block.
    let first = condition.first_op(rewriter.ir());
    let Some(body) = rewriter.split_block(condition, first) else {
        return malformed();
    };
    let region = op.region(rewriter.ir(), 0);
    rewriter.inline_region(region, behind);

    rewriter.set_insertion_point(InsertionPoint::End(body));
    let step = loop_op.step(rewriter.ir());
    let next = rewriter.build(|builder| AddI::build(builder, location, variable, step));
    let mut carried = vec![next.0.result(rewriter.ir(), 0)];
    carried.extend(yielded);
    branch(rewriter, location, (condition, &carried));
    rewriter.erase(terminator);

    rewriter.set_insertion_point(InsertionPoint::End(before));
    let mut initial = vec![loop_op.lower_bound(rewriter.ir())];
    initial.extend(loop_op.init_args(rewriter.ir()));
    branch(rewriter, location, (condition, &initial));

    rewriter.set_insertion_point(InsertionPoint::End(condition));
    let upper = loop_op.upper_bound(rewriter.ir());
    let unsigned = loop_op.unsigned_cmp(rewriter.ir()).is_some();
    let predicate = if unsigned {
        IntegerPredicate::Ult
    } else {
        IntegerPredicate::Slt
    };
    let go_on = rewriter
        .build(|builder| CmpI::build(builder, location, variable, upper, predicate, Type::I1));
    let go_on = go_on.0.result(rewriter.ir(), 0);
    conditional_branch(rewriter, location, go_on, (body, &[]), (behind, &[]));
    let results: Vec<_> = condition.arguments(rewriter.ir()).skip(1).collect();
    rewriter.replace(op, &results);
    Ok(())
}

fn convert_if(
    rewriter: &mut ConversionRewriter<'_>,
    op: Operation,
    _: &[Vec<Value>],
) -> RuleResult {
    let location = op.location(rewriter.ir());
    let (before, behind) = split(rewriter, op)?;
    let types = op.result_types(rewriter.ir());
    let continuation = if types.is_empty() {
        behind
    } else {
        let arguments: Vec<_> = types.into_iter().map(|ty| (ty, location)).collect();
        let Some(region) = behind.region(rewriter.ir()) else {
            return malformed();
        };
        let block = rewriter.create_block(region, Some(behind), &arguments);
        rewriter.set_insertion_point(InsertionPoint::End(block));
        branch(rewriter, location, (behind, &[]));
        block
    };
    let mut blocks = [continuation; 2];
    let (condition, regions) = decision(rewriter.ir(), op);
    for (number, block) in regions.into_iter().zip(&mut blocks) {
        let region = op.region(rewriter.ir(), number);
        if region.is_empty(rewriter.ir()) {
            continue;
        }
        let (first, terminator, yielded) = end(rewriter, op, number)?;
        *block = first;
        rewriter.set_insertion_point(InsertionPoint::End(first));
        branch(rewriter, location, (continuation, &yielded));
        rewriter.erase(terminator);
        rewriter.inline_region(region, continuation);
    }
    rewriter.set_insertion_point(InsertionPoint::End(before));
    let [holds, otherwise] = blocks;
    conditional_branch(
        rewriter,
        location,
        condition,
        (holds, &[]),
        (otherwise, &[]),
    );
    let results: Vec<_> = continuation.arguments(rewriter.ir()).collect();
    // Without results, the continuation may have arguments that are not results.
    let results = &results[..op.result_count(rewriter.ir()).min(results.len())];
    rewriter.replace(op, results);
    Ok(())
}

/// The condition of a conditional, and its region indices, the one for true first. For an inverted
/// condition, its operand, with the regions swapped.
fn decision(context: &Context, op: Operation) -> (Value, [usize; 2]) {
    let condition = If(op).condition(context);
    let inverted = condition.defining_op(context);
    let inverted = inverted.and_then(|op| XOrI::of(context, op));
    let ones = |value| constant_of(context, value).and_then(Attribute::as_bool) == Some(true);
    let has_both = If(op).else_block(context).is_some();
    match inverted {
        Some(inverted) if has_both && ones(inverted.rhs(context)) => {
            (inverted.lhs(context), [1, 0])
        }
        _ => (condition, [0, 1]),
    }
}

fn convert_execute_region(
    rewriter: &mut ConversionRewriter<'_>,
    op: Operation,
    _: &[Vec<Value>],
) -> RuleResult {
    let location = op.location(rewriter.ir());
    let region = op.region(rewriter.ir(), 0);
    let Some(first) = region.first_block(rewriter.ir()) else {
        return malformed();
    };
    let (before, behind) = split(rewriter, op)?;
    rewriter.set_insertion_point(InsertionPoint::End(before));
    branch(rewriter, location, (first, &[]));
    let blocks: Vec<_> = region.blocks(rewriter.ir()).collect();
    for block in blocks {
        let last = block.last_op(rewriter.ir());
        let Some(last) = last.filter(|last| Yield::of(rewriter.ir(), *last).is_some()) else {
            continue;
        };
        let yielded: Vec<_> = last.operands(rewriter.ir()).collect();
        rewriter.set_insertion_point(InsertionPoint::End(block));
        branch(rewriter, location, (behind, &yielded));
        rewriter.erase(last);
    }
    rewriter.inline_region(region, behind);
    let results = results_as_arguments(rewriter, op, behind);
    rewriter.replace(op, &results);
    Ok(())
}

/// Adds a block argument for each result of an operation.
fn results_as_arguments(
    rewriter: &mut ConversionRewriter<'_>,
    op: Operation,
    block: Block,
) -> Vec<Value> {
    let location = op.location(rewriter.ir());
    let types = op.result_types(rewriter.ir());
    let arguments = types
        .into_iter()
        .map(|ty| rewriter.add_argument(block, ty, location));
    arguments.collect()
}

fn convert_while(
    rewriter: &mut ConversionRewriter<'_>,
    op: Operation,
    _: &[Vec<Value>],
) -> RuleResult {
    let location = op.location(rewriter.ir());
    let (before, decides, condition) = end(rewriter, op, 0)?;
    let (after, yields, yielded) = end(rewriter, op, 1)?;
    let Some((go_on, handed)) = condition.split_first() else {
        return malformed();
    };
    let (current, behind) = split(rewriter, op)?;
    let (first, second) = (op.region(rewriter.ir(), 0), op.region(rewriter.ir(), 1));
    rewriter.inline_region(second, behind);
    rewriter.inline_region(first, after);
    rewriter.set_insertion_point(InsertionPoint::End(current));
    let initial = While(op).inits(rewriter.ir());
    branch(rewriter, location, (before, &initial));

    rewriter.set_insertion_point(InsertionPoint::End(before));
    let place = decides.location(rewriter.ir());
    conditional_branch(rewriter, place, *go_on, (after, handed), (behind, &[]));
    rewriter.erase(decides);

    rewriter.set_insertion_point(InsertionPoint::End(after));
    let place = yields.location(rewriter.ir());
    branch(rewriter, place, (before, &yielded));
    rewriter.erase(yields);
    rewriter.replace(op, handed);
    Ok(())
}

/// A loop whose second region only forwards its arguments needs no block for it.
fn convert_do_while(
    rewriter: &mut ConversionRewriter<'_>,
    op: Operation,
    _: &[Vec<Value>],
) -> RuleResult {
    let location = op.location(rewriter.ir());
    let (before, decides, condition) = end(rewriter, op, 0)?;
    let (after, yields, yielded) = end(rewriter, op, 1)?;
    let only_yields = after.first_op(rewriter.ir()) == Some(yields);
    if !only_yields || !after.arguments(rewriter.ir()).eq(yielded) {
        return Declined::because("the second region is not empty");
    }
    let Some((go_on, handed)) = condition.split_first() else {
        return malformed();
    };
    let (current, behind) = split(rewriter, op)?;
    let region = op.region(rewriter.ir(), 0);
    rewriter.inline_region(region, behind);
    rewriter.set_insertion_point(InsertionPoint::End(current));
    let initial = While(op).inits(rewriter.ir());
    branch(rewriter, location, (before, &initial));

    rewriter.set_insertion_point(InsertionPoint::End(before));
    let place = decides.location(rewriter.ir());
    conditional_branch(rewriter, place, *go_on, (before, handed), (behind, &[]));
    rewriter.replace(op, handed);
    rewriter.erase(decides);
    Ok(())
}

fn convert_index_switch(
    rewriter: &mut ConversionRewriter<'_>,
    op: Operation,
    _: &[Vec<Value>],
) -> RuleResult {
    let location = op.location(rewriter.ir());
    let (before, behind) = split(rewriter, op)?;
    let results = results_as_arguments(rewriter, op, behind);
    // The case regions follow the default region, which comes last in the output.
    let count = op.region_count(rewriter.ir());
    let mut blocks = Vec::with_capacity(count);
    for number in (1..count).chain([0]) {
        let (block, terminator, yielded) = end(rewriter, op, number)?;
        rewriter.set_insertion_point(InsertionPoint::Before(terminator));
        let place = terminator.location(rewriter.ir());
        branch(rewriter, place, (behind, &yielded));
        rewriter.erase(terminator);
        let region = op.region(rewriter.ir(), number);
        rewriter.inline_region(region, behind);
        blocks.push(block);
    }
    blocks.rotate_right(1);
    rewriter.set_insertion_point(InsertionPoint::End(before));
    let flag = IndexSwitch(op).arg(rewriter.ir());
    let flag = rewriter.build(|builder| IndexCast::build(builder, location, flag, Type::I32));
    let flag = flag.0.result(rewriter.ir(), 0);
    let cases = IndexSwitch(op).cases(rewriter.ir()).unwrap_or_default();
    switch(rewriter, location, flag, &cases, &blocks)?;
    rewriter.replace(op, &results);
    Ok(())
}

/// A switch over blocks without arguments, default first. Values have 32 bits, like the flag.
fn switch(
    rewriter: &mut ConversionRewriter<'_>,
    location: Location,
    flag: Value,
    cases: &[i64],
    blocks: &[Block],
) -> RuleResult {
    let context = rewriter.context();
    let name = OperationName::new(context, Switch::NAME);
    let mut state = OperationState::new(name, location);
    state.operands.push(flag);
    state.successors.extend_from_slice(blocks);
    let sizes = Attribute::i32_array(context, &[1, 0, 0]);
    state.set_property(context, OPERAND_SEGMENTS, sizes);
    let segments = Attribute::i32_array(context, &vec![0; cases.len()]);
    state.set_property(context, "case_operand_segments", segments);
    if !cases.is_empty() {
        let shape = i64::try_from(cases.len()).unwrap_or(i64::MAX);
        let vector = TypeKind::Vector {
            shape: [shape].into(),
            scalable: [false].into(),
            element: Type::I32,
        };
        let vector = Type::new(context, vector);
        let bytes = cases.iter().flat_map(|case| (*case as i32).to_le_bytes());
        let bytes: Vec<u8> = bytes.collect();
        let Ok(values) = Attribute::dense(context, vector, &bytes) else {
            return malformed();
        };
        state.set_property(context, "case_values", values);
    }
    rewriter.create(&state);
    Ok(())
}

/// A loop nest replaces a parallel loop; its loops are then converted.
fn convert_parallel(
    rewriter: &mut ConversionRewriter<'_>,
    op: Operation,
    _: &[Vec<Value>],
) -> RuleResult {
    let location = op.location(rewriter.ir());
    let parallel = Parallel(op);
    let (body, reduce, reduced) = end(rewriter, op, 0)?;
    if Reduce::of(rewriter.ir(), reduce).is_none() {
        return malformed();
    }
    let initial = parallel.init_vals(rewriter.ir());
    let (lower, upper) = (
        parallel.lower_bound(rewriter.ir()),
        parallel.upper_bound(rewriter.ir()),
    );
    let bounds = lower
        .into_iter()
        .zip(upper)
        .zip(parallel.step(rewriter.ir()));
    let mut carried = initial.clone();
    let mut results = initial;
    let mut variables = Vec::new();
    let mut inner: Option<Operation> = None;
    for ((lower, upper), step) in bounds {
        let loop_op = rewriter.build(|builder| {
            build_for(
                builder,
                location,
                (lower, upper, step),
                &carried,
                |_, _, carried| carried.to_vec(),
            )
        });
        let op = loop_op.0;
        locate_arguments(rewriter, loop_op, &carried);
        if let Some(outer) = inner {
            hand_on(rewriter, outer, op);
        } else {
            results = op.results(rewriter.ir()).collect();
        }
        variables.extend(loop_op.induction_variable(rewriter.ir()));
        carried = loop_op.iteration_arguments(rewriter.ir()).into();
        let Some(last) = loop_op.yield_op(rewriter.ir()) else {
            return malformed();
        };
        rewriter.set_insertion_point(InsertionPoint::Before(last.0));
        inner = Some(op);
    }
    let (Some(innermost), Some(end)) =
        (inner, inner.and_then(|op| For(op).yield_op(rewriter.ir())))
    else {
        return Declined::because("the loop nest has no dimensions");
    };
    let mut combined = Vec::new();
    for (number, value) in reduced.into_iter().enumerate() {
        let (block, returns, _) = self::end(rewriter, reduce, number)?;
        let values = [carried[number.min(carried.len().saturating_sub(1))], value];
        rewriter.inline_block(block, body, Some(reduce), &values);
        combined.extend(returns.operands(rewriter.ir()));
        rewriter.erase(returns);
    }
    rewriter.erase(reduce);
    let Some(target) = innermost.body_block(rewriter.ir(), 0) else {
        return malformed();
    };
    // The combined value may be an argument of the body, which is about to be replaced.
    rewriter.modify(end.0, |context| end.0.set_operands(context, &combined));
    rewriter.inline_block(body, target, Some(end.0), &variables);
    rewriter.replace(op, &results);
    Ok(())
}

/// Lower bounds, upper bounds or steps as values: static ones become constants.
fn as_values(
    rewriter: &mut ConversionRewriter<'_>,
    location: Location,
    numbers: Option<Vec<i64>>,
    values: Values,
) -> Vec<Value> {
    let mut values = values.into_iter();
    let numbers = numbers.unwrap_or_default().into_iter();
    let all = numbers.filter_map(|number| match number {
        DYNAMIC => values.next(),
        number => Some(rewriter.build(|builder| constant_index(builder, location, number))),
    });
    all.collect()
}

/// A `forall` without tensors is converted to a parallel loop without reductions.
fn convert_forall(
    rewriter: &mut ConversionRewriter<'_>,
    op: Operation,
    _: &[Vec<Value>],
) -> RuleResult {
    let location = op.location(rewriter.ir());
    let forall = Forall(op);
    if op.result_count(rewriter.ir()) > 0 {
        return Declined::because("the operation has shared tensors");
    }
    let (body, end, _) = end(rewriter, op, 0)?;
    let context = rewriter.ir();
    let bounds = [
        (
            forall.static_lower_bound(context),
            forall.dynamic_lower_bound(context),
        ),
        (
            forall.static_upper_bound(context),
            forall.dynamic_upper_bound(context),
        ),
        (forall.static_step(context), forall.dynamic_step(context)),
    ];
    let bounds = bounds.map(|(numbers, values)| as_values(rewriter, location, numbers, values));
    let [lower, upper, step] = bounds;
    let new = rewriter
        .build(|builder| Parallel::build(builder, location, &lower, &upper, &step, &[], &[]));
    let region = new.0.region(rewriter.ir(), 0);
    let arguments: Vec<_> = (0..body.argument_count(rewriter.ir()))
        .map(|number| (Type::INDEX, body.argument_location(rewriter.ir(), number)))
        .collect();
    let block = rewriter.create_block(region, None, &arguments);
    let variables: Vec<_> = block.arguments(rewriter.ir()).collect();
    rewriter.erase(end);
    rewriter.inline_block(body, block, None, &variables);
    rewriter.set_insertion_point(InsertionPoint::End(block));
    rewriter.build(|builder| Reduce::build(builder, location, &[]));
    rewriter.erase(op);
    Ok(())
}

/// Makes a loop yield the results of the loop in it.
fn hand_on(rewriter: &mut ConversionRewriter<'_>, outer: Operation, inner: Operation) {
    if let Some(last) = For(outer).yield_op(rewriter.ir()) {
        let results: Vec<_> = inner.results(rewriter.ir()).collect();
        rewriter.modify(last.0, |context| last.0.set_operands(context, &results));
    }
}

/// The arguments for carried values have the locations of the initial values, as in MLIR.
fn locate_arguments(rewriter: &mut ConversionRewriter<'_>, loop_op: For, initial: &[Value]) {
    let Some(block) = loop_op.body(rewriter.ir()) else {
        return;
    };
    for (number, value) in initial.iter().enumerate() {
        let location = value.location(rewriter.ir());
        block.set_argument_location(rewriter.context(), number + 1, location);
    }
}

/// The patterns of the pass.
pub fn patterns() -> Vec<ConversionPattern> {
    let branches = &[Branch::NAME, CondBranch::NAME];
    Vec::from([
        ConversionPattern {
            summary: "converts a loop to a condition block and a body block",
            generates: branches,
            ..ConversionPattern::new(
                ("scf-for-to-cf", For::NAME),
                source_position!(),
                Box::new(convert_for),
            )
        },
        ConversionPattern {
            summary: "converts a conditional to a conditional branch",
            generates: branches,
            ..ConversionPattern::new(
                ("scf-if-to-cf", If::NAME),
                source_position!(),
                Box::new(convert_if),
            )
        },
        ConversionPattern {
            summary: "converts a loop to a condition block and a body block",
            generates: branches,
            ..ConversionPattern::new(
                ("scf-while-to-cf", While::NAME),
                source_position!(),
                Box::new(convert_while),
            )
        },
        ConversionPattern {
            summary: "converts a loop with an empty second region to one block",
            generates: branches,
            benefit: 2,
            ..ConversionPattern::new(
                ("scf-do-while-to-cf", While::NAME),
                source_position!(),
                Box::new(convert_do_while),
            )
        },
        ConversionPattern {
            summary: "inlines the blocks of the region",
            generates: branches,
            ..ConversionPattern::new(
                ("scf-execute-region-to-cf", ExecuteRegion::NAME),
                source_position!(),
                Box::new(convert_execute_region),
            )
        },
        ConversionPattern {
            summary: "converts a switch between regions to a switch between blocks",
            generates: &[Switch::NAME, Branch::NAME],
            ..ConversionPattern::new(
                ("scf-index-switch-to-cf", IndexSwitch::NAME),
                source_position!(),
                Box::new(convert_index_switch),
            )
        },
        ConversionPattern {
            summary: "converts a loop nest without tensors to 'scf.parallel'",
            generates: &[Parallel::NAME],
            ..ConversionPattern::new(
                ("scf-forall-to-parallel", Forall::NAME),
                source_position!(),
                Box::new(convert_forall),
            )
        },
        ConversionPattern {
            summary: "converts a parallel loop nest to sequential loops",
            generates: &[For::NAME],
            ..ConversionPattern::new(
                ("scf-parallel-to-for", Parallel::NAME),
                source_position!(),
                Box::new(convert_parallel),
            )
        },
    ])
}

orison_ir::pass_options! {
    /// Options of `convert-scf-to-cf`.
    pub struct ConvertScfToCfOptions {
        /// Roll back the changes of a pattern that declines; otherwise, such changes are an error.
        allow_pattern_rollback = "allow-pattern-rollback": bool = true,
    }
}

/// The pass `convert-scf-to-cf`.
#[derive(Clone, Debug)]
pub struct ConvertScfToCf(ConvertScfToCfOptions);

impl Pass for ConvertScfToCf {
    type Options = ConvertScfToCfOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<ConvertScfToCf>(
        "convert-scf-to-cf",
        "Converts structured control flow to branches between blocks.\n\
         \n\
         `scf.for`, `scf.if`, `scf.while`, `scf.execute_region`, `scf.index_switch`, \
         `scf.parallel` and `scf.forall` without tensors are converted; if one of them cannot be \
         converted, nothing is changed.",
        source_position!(),
    );

    fn create(options: ConvertScfToCfOptions) -> Self {
        ConvertScfToCf(options)
    }

    fn options(&self) -> &ConvertScfToCfOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let mut target = ConversionTarget::new();
        target
            .illegal_operations(&[
                Forall::NAME,
                For::NAME,
                If::NAME,
                IndexSwitch::NAME,
                Parallel::NAME,
                While::NAME,
                ExecuteRegion::NAME,
            ])
            .unknown_dynamically_legal(Box::new(|_, _| Some(true)));
        if !self.0.allow_pattern_rollback {
            target.forbid_pattern_rollback();
        }
        convert(pass, ConversionMode::Partial, &target, &patterns())
    }
}
