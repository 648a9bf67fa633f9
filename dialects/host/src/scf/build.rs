//! Typed views beyond the declared accessors, and builders that take the body as a closure.

use orison_ir::{Block, Builder, Context, InsertionPoint, Location, Region, Type, Value};

use super::{For, If, Yield};

impl For {
    /// The body block; `None` if the loop is malformed.
    pub fn body(self, context: &Context) -> Option<Block> {
        self.0.body_block(context, 0)
    }

    /// The induction variable; `None` if the loop is malformed.
    pub fn induction_variable(self, context: &Context) -> Option<Value> {
        self.body(context)?.arguments(context).next()
    }

    /// The block arguments of the carried values, in order.
    pub fn iteration_arguments(self, context: &Context) -> Vec<Value> {
        self.body(context)
            .map_or_else(Vec::new, |body| body.arguments(context).skip(1).collect())
    }

    /// The terminator of the body; `None` if the loop is malformed.
    pub fn yield_op(self, context: &Context) -> Option<Yield> {
        let last = self.body(context)?.last_op(context)?;
        Yield::of(context, last)
    }
}

impl If {
    /// The block executed if the condition is true; `None` if the conditional is malformed.
    pub fn then_block(self, context: &Context) -> Option<Block> {
        self.0.body_block(context, 0)
    }

    /// The block executed if the condition is false, if present.
    pub fn else_block(self, context: &Context) -> Option<Block> {
        self.0.body_block(context, 1)
    }
}

/// Creates a loop over `[lower, upper)`. `body` receives the induction variable and the carried
/// values, creates the operations of the body with the given builder and returns what the iteration
/// yields: one value for each of `inits`.
pub fn build_for(
    builder: &mut Builder<'_>,
    location: Location,
    (lower, upper, step): (Value, Value, Value),
    inits: &[Value],
    body: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Vec<Value>,
) -> For {
    let types: Vec<Type> = inits.iter().map(|value| value.ty(builder.ir())).collect();
    let loop_op = For::build(builder, location, lower, upper, step, inits, &types);
    let variable = lower.ty(builder.ir());
    let arguments: Vec<_> = std::iter::once(variable)
        .chain(types)
        .map(|ty| (ty, location))
        .collect();
    let region = loop_op.region(builder.ir());
    fill(builder, location, region, &arguments, |builder, block| {
        let arguments: Vec<_> = block.arguments(builder.ir()).collect();
        body(builder, arguments[0], &arguments[1..])
    });
    loop_op
}

/// Creates the operations of a region and returns the values it yields.
pub type Body<'f> = Box<dyn FnOnce(&mut Builder<'_>) -> Vec<Value> + 'f>;

/// Creates a conditional. The closures create the operations of the two regions and return the
/// values they yield, of the types `results`.
pub fn build_if(
    builder: &mut Builder<'_>,
    location: Location,
    condition: Value,
    results: &[Type],
    then: impl FnOnce(&mut Builder<'_>) -> Vec<Value>,
    otherwise: Option<Body<'_>>,
) -> If {
    let conditional = If::build(builder, location, condition, results);
    let region = conditional.then_region(builder.ir());
    fill(builder, location, region, &[], |builder, _| then(builder));
    if let Some(otherwise) = otherwise {
        let region = conditional.else_region(builder.ir());
        fill(builder, location, region, &[], |builder, _| {
            otherwise(builder)
        });
    }
    conditional
}

/// Adds a block to a region, fills it with the closure, and terminates it with a yield of the
/// returned values.
fn fill(
    builder: &mut Builder<'_>,
    location: Location,
    region: Region,
    arguments: &[(Type, Location)],
    body: impl FnOnce(&mut Builder<'_>, Block) -> Vec<Value>,
) {
    let block = Block::new(builder.context(), arguments);
    region.append_block(builder.context(), block);
    let outside = builder.set_insertion_point(InsertionPoint::End(block));
    let values = body(builder, block);
    builder.set_insertion_point(InsertionPoint::End(block));
    Yield::build(builder, location, &values);
    builder.set_insertion_point(outside);
}
