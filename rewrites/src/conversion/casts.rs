//! Casts between types: those of a conversion, and the pass `reconcile-unrealized-casts`.

use orison_ir::pass::{IRStatus, Pass, PassContext, PassDefinition, PassResult, source_position};
use orison_ir::printer::type_to_string;
use orison_ir::{Context, Diagnostic, InsertionPoint, Operation, Type, Value, walk};
use rustc_hash::FxHashSet;

use super::rewriter::CAST;
use super::{ConversionPattern, ConversionRewriter};

/// The cast whose results are exactly the operands of a cast, in order.
fn source_cast(context: &Context, cast: Operation) -> Option<Operation> {
    let first = cast.operands(context).next()?;
    let source = first.defining_op(context)?;
    let all = source.results(context).eq(cast.operands(context));
    (all && source.is(context, CAST)).then_some(source)
}

/// The original values of a cast or a chain of casts, if they have the result types of the cast.
fn origin(context: &Context, cast: Operation) -> Option<Vec<Value>> {
    let wanted = cast.result_types(context);
    let mut current = cast;
    let mut seen = FxHashSet::default();
    // Casts in unreachable code may form cycles.
    while seen.insert(current) {
        if current.operand_types(context) == wanted {
            return Some(current.operands(context).collect());
        }
        current = source_cast(context, current)?;
    }
    None
}

/// Removes the casts of a conversion that are not needed; the converters of the patterns that made
/// the others materialize them.
///
/// # Errors
/// Fails if a cast cannot be materialized and its converter does not keep casts.
pub(super) fn resolve(
    rewriter: &mut ConversionRewriter<'_>,
    patterns: &[ConversionPattern],
) -> Result<(), Box<Diagnostic>> {
    for cast in rewriter.live_casts() {
        if let Some(values) = origin(rewriter.ir(), cast.op) {
            rewriter.replace(cast.op, &values);
        }
    }
    // Later casts may be the only users of earlier ones.
    for cast in rewriter.live_casts().into_iter().rev() {
        if cast.op.is_unused(rewriter.ir()) {
            rewriter.erase(cast.op);
        }
    }
    for cast in rewriter.live_casts() {
        let converter = cast
            .pattern
            .and_then(|number| patterns[number].converter.as_ref());
        let Some(converter) = converter else {
            continue;
        };
        let op = cast.op;
        let types = op.result_types(rewriter.ir());
        let inputs: Vec<_> = op.operands(rewriter.ir()).collect();
        let location = op.location(rewriter.ir());
        rewriter.set_insertion_point(InsertionPoint::Before(op));
        let made = converter.materialize(rewriter, cast.to_source, &types, &inputs, location);
        match made {
            Some(values) if values.len() == types.len() => rewriter.replace(op, &values),
            _ if converter.keeps_casts => {}
            _ => {
                let from = op.operand_types(rewriter.ir());
                let message = format!(
                    "failed to legalize unresolved materialization from ({}) to ({}) that remained \
                     live after conversion",
                    type_list(rewriter.ir(), &from),
                    type_list(rewriter.ir(), &types)
                );
                return Err(op.error(rewriter.ir(), message));
            }
        }
    }
    Ok(())
}

fn type_list(context: &Context, types: &[Type]) -> String {
    let all = types
        .iter()
        .map(|ty| format!("'{}'", type_to_string(context, *ty)));
    all.collect::<Vec<_>>().join(", ")
}

/// The pass `reconcile-unrealized-casts`.
#[derive(Clone, Debug)]
pub struct ReconcileUnrealizedCasts(());

impl Pass for ReconcileUnrealizedCasts {
    type Options = ();

    const DEFINITION: PassDefinition = PassDefinition::new::<ReconcileUnrealizedCasts>(
        "reconcile-unrealized-casts",
        "Simplifies and eliminates unrealized conversion casts.\n\
         \n\
         Partial conversions leave `builtin.unrealized_conversion_cast` between converted and \
         unconverted operations. A chain of casts that ends in its original types is eliminated, \
         and so are casts without live users.",
        source_position!(),
    );

    fn create((): ()) -> Self {
        ReconcileUnrealizedCasts(())
    }

    fn options(&self) -> &() {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let mut casts = walk::collect(pass.context, pass.op());
        casts.retain(|op| op.is(pass.context, CAST));
        let mut status = IRStatus::Unchanged;
        for cast in &casts {
            let Some(values) = origin(pass.context, *cast) else {
                continue;
            };
            let results: Vec<_> = cast.results(pass.context).collect();
            for (result, value) in results.into_iter().zip(values) {
                status |= IRStatus::changed_if(!result.is_unused(pass.context));
                result.replace_all_uses_with(pass.context, value);
            }
        }
        let dead = dead(pass.context, &casts);
        // In unreachable code, they may use each other.
        for cast in &dead {
            cast.set_operands(pass.context, &[]);
        }
        for cast in dead {
            cast.erase(pass.context);
            status = IRStatus::Changed;
        }
        Ok(status)
    }
}

/// The casts without uses, except by other dead casts.
fn dead(context: &Context, casts: &[Operation]) -> Vec<Operation> {
    let mut live: FxHashSet<Operation> = FxHashSet::default();
    let mut pending: Vec<Operation> = Vec::new();
    for cast in casts {
        let mut users = cast
            .results(context)
            .flat_map(|result| result.users(context));
        if users.any(|user| !user.is(context, CAST)) && live.insert(*cast) {
            pending.push(*cast);
        }
    }
    while let Some(cast) = pending.pop() {
        let sources = cast
            .operands(context)
            .filter_map(|value| value.defining_op(context));
        for source in sources {
            if source.is(context, CAST) && live.insert(source) {
                pending.push(source);
            }
        }
    }
    let dead = casts.iter().filter(|cast| !live.contains(cast));
    dead.copied().collect()
}
