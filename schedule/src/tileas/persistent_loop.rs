//! Loops over tiles for kernels whose programs process several tiles.
//!
//! [`build_persistent_loop`] builds the canonical form: an `scf.for` over indices, widened before
//! any arithmetic, so that no sum of 32-bit counts overflows. [`build_unpack`] computes the
//! coordinates of a tile, as [`TileGrid::unpack`](super::work_tile::TileGrid::unpack) does.
//! [`Kernel`] holds the facts about a kernel used by the two passes for persistence.
//!
//! Source: TileAS reference section 8.

use orison_host::arith;
use orison_host::arith::{constant_index, constant_integer_of};
use orison_host::scf::build_for;
use orison_ir::numbers::ApInt;
use orison_ir::pass::PassContext;
use orison_ir::walk::collect;
use orison_ir::{
    Block, Builder, Context, Diagnostic, Location, Operation, OperationName, OperationState,
    Severity, Type, Value,
};
use orison_tileas::nv_tileaa::{Func, GetProgramId};

use super::work_tile::Raster;

/// The kind of persistence of a kernel: `"static"` or `"dynamic"`, on the function.
pub const PERSISTENT: &str = "tileas.persistent";

/// The tiles of a kernel's grid, as known at compile time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StaticGrid {
    /// Tiles along each axis of the grid, each positive; their product fits 31 bits.
    pub tiles: [i64; 3],
    /// The coordinate that varies fastest, of the first two.
    pub raster: Raster,
    /// Width of a band of tiles that are numbered together, at least 1.
    pub swizzle: i64,
}

/// A pure operation with one result.
fn compute(
    builder: &mut Builder<'_>,
    location: Location,
    name: &str,
    operands: &[Value],
    ty: Type,
) -> Value {
    let name = OperationName::new(builder.context(), name);
    let mut state = OperationState::new(name, location);
    state.operands = operands.into();
    state.result_types = [ty].into_iter().collect();
    let op = builder.create(&state);
    op.result(builder.ir(), 0)
}

fn index_op(
    builder: &mut Builder<'_>,
    location: Location,
    name: &str,
    a: Value,
    b: Value,
) -> Value {
    compute(builder, location, name, &[a, b], Type::INDEX)
}

/// A count widened to an index. Counts are not negative, so zero extension is used.
fn widened(builder: &mut Builder<'_>, location: Location, count: Value) -> Value {
    if count.ty(builder.ir()) == Type::INDEX {
        return count;
    }
    compute(
        builder,
        location,
        arith::IndexCastUI::NAME,
        &[count],
        Type::INDEX,
    )
}

/// Builds `for tile = program to total step programs` at the insertion point. The three counts are
/// `i32` or `index`; the loop counts in `index`. `fill` builds the body from the tile's index and
/// the carried values (pipeline iterators, for example), and returns the values the iteration
/// yields.
///
/// # Errors
/// If the number of programs is a constant that is not positive: the loop would not terminate.
pub fn build_persistent_loop(
    builder: &mut Builder<'_>,
    location: Location,
    [program, total, programs]: [Value; 3],
    inits: &[Value],
    fill: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Vec<Value>,
) -> Result<Operation, Box<Diagnostic>> {
    if constant_integer_of(builder.ir(), programs)
        .and_then(ApInt::as_i64)
        .is_some_and(|count| count <= 0)
    {
        let message = "a persistent loop needs a positive number of programs";
        return Err(Box::new(Diagnostic::new(
            Severity::Error,
            location,
            message,
        )));
    }
    let lower = widened(builder, location, program);
    let upper = widened(builder, location, total);
    let step = widened(builder, location, programs);
    let looped = build_for(builder, location, (lower, upper, step), inits, fill);
    Ok(looped.operation())
}

/// Computes the coordinates of a tile of a static grid from its index.
pub fn build_unpack(
    builder: &mut Builder<'_>,
    location: Location,
    grid: &StaticGrid,
    tile: Value,
) -> [Value; 3] {
    let [m, n, _] = grid.tiles;
    let (long, wide) = match grid.raster {
        Raster::AlongM => (m, n),
        Raster::AlongN => (n, m),
    };
    let width = grid.swizzle.clamp(1, wide.max(1));
    let constant = |builder: &mut Builder<'_>, value| constant_index(builder, location, value);
    let batch = constant(builder, m * n);
    let l = index_op(builder, location, arith::DivUI::NAME, tile, batch);
    let rest = index_op(builder, location, arith::RemUI::NAME, tile, batch);
    let band_tiles = constant(builder, long * width);
    let band = index_op(builder, location, arith::DivUI::NAME, rest, band_tiles);
    let within = index_op(builder, location, arith::RemUI::NAME, rest, band_tiles);
    let width_value = constant(builder, width);
    let first = index_op(builder, location, arith::MulI::NAME, band, width_value);
    let band_width = if wide % width == 0 {
        width_value
    } else {
        // The last band may be narrower.
        let wide = constant(builder, wide);
        let left = index_op(builder, location, arith::SubI::NAME, wide, first);
        index_op(builder, location, arith::MinUI::NAME, left, width_value)
    };
    let major = index_op(builder, location, arith::DivUI::NAME, within, band_width);
    let across = index_op(builder, location, arith::RemUI::NAME, within, band_width);
    let minor = index_op(builder, location, arith::AddI::NAME, first, across);
    match grid.raster {
        Raster::AlongM => [major, minor, l],
        Raster::AlongN => [minor, major, l],
    }
}

/// A kernel that could be made persistent.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The function.
    pub function: Operation,
    /// Its only block.
    pub block: Block,
    /// The operations of the block without the terminator.
    pub body: Vec<Operation>,
    /// Its `get_program_id` operations, at any depth.
    pub program_ids: Vec<GetProgramId>,
}

impl Kernel {
    /// The kernels under an operation, in order; functions without a body are excluded.
    pub fn all(context: &Context, root: Operation) -> Vec<Operation> {
        let is_kernel = |op: &Operation| {
            Func::of(context, *op).is_some() && op.body_block(context, 0).is_some()
        };
        collect(context, root)
            .into_iter()
            .filter(is_kernel)
            .collect()
    }

    /// The kernels that a pass can make persistent. Warns if there are none, unless a kernel is
    /// already persistent, which has a separate warning.
    ///
    /// # Errors
    /// As [`Kernel::of`].
    pub fn all_to_make_persistent(
        pass: &mut PassContext<'_>,
        rule: &str,
    ) -> Result<Vec<Self>, Box<Diagnostic>> {
        let mut kernels = Vec::new();
        let functions = Kernel::all(pass.context, pass.op());
        let is_persistent =
            |function: &Operation| function.attribute(pass.context, PERSISTENT).is_some();
        let warned = functions.iter().any(is_persistent);
        for function in functions {
            kernels.extend(Kernel::to_make_persistent(pass, function, rule)?);
        }
        if kernels.is_empty() && !warned {
            let reason = "no kernel reads its program id";
            pass.nothing_to_do(reason, "'nv_tileaa.get_program_id' reads it");
        }
        Ok(kernels)
    }

    /// A kernel that a pass can make persistent. Emits a warning for one that already is, and a
    /// remark under the name of the rule for one whose programs all do the same.
    ///
    /// # Errors
    /// As [`Kernel::of`].
    fn to_make_persistent(
        pass: &mut PassContext<'_>,
        function: Operation,
        rule: &str,
    ) -> Result<Option<Self>, Box<Diagnostic>> {
        if let Some(warning) = already_persistent(pass.context, function) {
            pass.context.diagnostics.emit(warning);
            return Ok(None);
        }
        let kernel = Kernel::of(pass.context, function)?;
        if kernel.program_ids.is_empty() {
            let help = "read the program id in the kernel";
            let reason = "the programs do not depend on their program ids";
            pass.declined(function, rule, reason, help);
            return Ok(None);
        }
        Ok(Some(kernel))
    }

    /// The facts about a kernel.
    ///
    /// # Errors
    /// A located error if it returns a value or has several blocks.
    pub fn of(context: &Context, function: Operation) -> Result<Self, Box<Diagnostic>> {
        let region = function.region(context, 0);
        let Some(block) = region
            .first_block(context)
            .filter(|_| region.has_one_block(context))
        else {
            let message = "cannot be made persistent: its body has several blocks";
            return Err(function.op_error(context, message));
        };
        let end = block.terminator(context);
        if let Some(end) = end.filter(|end| end.operand_count(context) > 0) {
            let message = "Kernel functions do not support return with operands";
            return Err(end.op_error(context, message));
        }
        Ok(Kernel {
            function,
            block,
            body: block.body(context),
            program_ids: collect(context, function)
                .into_iter()
                .filter_map(|op| GetProgramId::of(context, op))
                .collect(),
        })
    }

    /// Moves the body before an operation, and replaces the program ids by the coordinates.
    pub fn move_before(&self, context: &mut Context, place: Operation, coordinates: [Value; 3]) {
        for &op in &self.body {
            op.move_before(context, place);
        }
        for id in &self.program_ids {
            let axis = id.axis(context).unwrap_or(0);
            let coordinate = usize::try_from(axis)
                .ok()
                .and_then(|axis| coordinates.get(axis));
            if let Some(&coordinate) = coordinate {
                let old = id.id(context);
                old.replace_all_uses_with(context, coordinate);
                id.operation().erase(context);
            }
        }
    }
}

/// If a kernel is already persistent: the warning to emit, naming the kind.
fn already_persistent(context: &Context, function: Operation) -> Option<Diagnostic> {
    let how = function.attribute(context, PERSISTENT)?;
    let how = how.as_str(context).unwrap_or("dynamic").to_owned();
    let message = format!("Kernel is already {how} persistent");
    let place = function.location(context);
    Some(Diagnostic::new(Severity::Warning, place, message))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use orison_ir::InsertionPoint;
    use orison_ir::walk::walk_nested;

    use super::super::work_tile::TileGrid;
    use super::*;

    /// The values that the operations of a block compute if its first argument is `input`.
    fn evaluate(context: &Context, block: Block, input: u64) -> BTreeMap<Value, u64> {
        let mut values = BTreeMap::from([(block.argument(context, 0), input)]);
        for op in block.operations(context) {
            let of = |number: usize| values[&op.operand(context, number)];
            let value = match op.name_text(context) {
                "arith.constant" => constant_integer_of(context, op.result(context, 0))
                    .and_then(ApInt::as_i64)
                    .and_then(|value| u64::try_from(value).ok())
                    .expect("a count"),
                "arith.divui" => of(0) / of(1),
                "arith.remui" => of(0) % of(1),
                "arith.muli" => of(0) * of(1),
                "arith.addi" => of(0) + of(1),
                "arith.subi" => of(0) - of(1),
                "arith.minui" => of(0).min(of(1)),
                other => panic!("{other} was not expected"),
            };
            values.insert(op.result(context, 0), value);
        }
        values
    }

    fn context() -> Context {
        let mut context = Context::new();
        orison_host::register(&mut context);
        orison_tileas::register(&mut context);
        context
    }

    /// The emitted operations compute the same coordinates as the grid, for every tile.
    #[test]
    fn built_coordinates_are_those_of_the_grid() {
        for raster in [Raster::AlongM, Raster::AlongN] {
            for (m, n, l) in [(1, 1, 1), (2, 3, 2), (5, 4, 1), (4, 7, 3)] {
                for swizzle in [1, 2, 3, 8] {
                    let mut context = context();
                    let location = Location::UNKNOWN;
                    let block = Block::new(&mut context, &[(Type::INDEX, location)]);
                    let tile = block.argument(&context, 0);
                    let grid = StaticGrid {
                        tiles: [m, n, l],
                        raster,
                        swizzle,
                    };
                    let mut builder = Builder::at(&mut context, InsertionPoint::End(block));
                    let coordinates = build_unpack(&mut builder, location, &grid, tile);
                    let unsigned = |count: i64| u64::try_from(count).expect("positive");
                    let tiles = grid.tiles.map(unsigned);
                    let expected = TileGrid::new(tiles, 1, raster, unsigned(swizzle));
                    let expected = expected.expect("small");
                    for number in 0..expected.count() {
                        let values = evaluate(&context, block, number);
                        let found = coordinates.map(|value| values[&value]);
                        assert_eq!(Some(found), expected.unpack(number), "{grid:?} {number}");
                    }
                }
            }
        }
    }

    /// Counts are widened first: the loop's bounds contain no 32-bit arithmetic.
    #[test]
    fn counts_are_widened_first() {
        let mut context = context();
        let location = Location::UNKNOWN;
        let block = Block::new(&mut context, &[(Type::I32, location); 3]);
        let counts: Vec<Value> = block.arguments(&context).collect();
        let mut builder = Builder::at(&mut context, InsertionPoint::End(block));
        let counts = [counts[0], counts[1], counts[2]];
        let looped = build_persistent_loop(&mut builder, location, counts, &[], |_, _, _| vec![]);
        let looped = looped.expect("the step is not known to be 0");
        for (number, count) in counts.into_iter().enumerate() {
            let bound = looped.operand(&context, number);
            assert_eq!(bound.ty(&context), Type::INDEX);
            let cast = bound.defining_op(&context).expect("a cast");
            assert_eq!(cast.name_text(&context), "arith.index_castui");
            assert_eq!(cast.operand(&context, 0), count);
        }
        let mut inside = 0;
        walk_nested(&context, looped, |_| inside += 1);
        assert_eq!(inside, 1, "the yield alone");
    }

    #[test]
    fn a_loop_that_would_not_end_is_refused() {
        for step in [0, -1] {
            let mut context = context();
            let location = Location::UNKNOWN;
            let block = Block::new(&mut context, &[(Type::INDEX, location)]);
            let program = block.argument(&context, 0);
            let mut builder = Builder::at(&mut context, InsertionPoint::End(block));
            let step = constant_index(&mut builder, location, step);
            let counts = [program, program, step];
            let built =
                build_persistent_loop(&mut builder, location, counts, &[], |_, _, _| vec![]);
            let error = built.expect_err("no end");
            assert!(error.message.contains("positive number of programs"));
        }
    }
}
