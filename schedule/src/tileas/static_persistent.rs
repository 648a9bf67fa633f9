//! `tileas-static-persistent`: a fixed number of programs, each processing every n-th tile.

use orison_host::arith::constant_integer;
use orison_ir::pass::{IRStatus, Pass, PassContext, PassDefinition, PassResult};
use orison_ir::{
    Attribute, Builder, Context, Diagnostic, InsertionPoint, Operation, Type, source_position,
};
use orison_tileas::nv_tileaa::GetProgramId;

use super::persistent_loop::{Kernel, PERSISTENT, StaticGrid, build_persistent_loop, build_unpack};
use super::work_tile::Raster;

/// `array<i32: x, y, z>` on a kernel: the programs of its grid, one per tile.
pub const GRID: &str = "tileas.grid";
/// `array<i32: x, y, z>` on a persistent kernel: the tiles that its programs share.
pub const TILES: &str = "tileas.tiles";

orison_ir::option_enum! {
    /// The coordinate that varies fastest.
    pub enum RasterChoice {
        /// The first axis of the grid.
        AlongM = "along-m",
        /// The second axis of the grid.
        AlongN = "along-n",
    }
}

orison_ir::pass_options! {
    /// Options of `tileas-static-persistent`.
    pub struct StaticPersistentOptions {
        /// Programs to launch; by default the number of multiprocessors of an H100.
        programs = "programs": u32[1..=i32::MAX as u32] = 132,
        /// Which coordinate varies fastest when tiles are numbered.
        raster = "raster": RasterChoice = RasterChoice::AlongM,
        /// Width of a band of tiles that are numbered together; at most the width of the grid.
        swizzle = "swizzle": u32[1..=i32::MAX as u32] = 1,
    }
}

/// The name of the transformation, in remarks.
const RULE: &str = "static-persistent";

/// The pass.
#[derive(Clone, Debug)]
pub struct StaticPersistentPass {
    options: StaticPersistentOptions,
}

impl Pass for StaticPersistentPass {
    type Options = StaticPersistentOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "tileas-static-persistent",
        "Make kernels static persistent: a fixed number of programs processes all tiles.\n\n\
         The body of a kernel becomes a loop `for tile = program to tiles step programs`, and the \
         coordinates of the tile replace its program ids. `tileas.grid` on the kernel gives the \
         number of tiles along each axis; the pass changes it to the number of programs to launch, \
         and `tileas.tiles` gives the number of tiles that they share.\n\n\
         Source: TileAS reference section 8.",
        source_position!(),
    );

    fn create(options: StaticPersistentOptions) -> Self {
        StaticPersistentPass { options }
    }

    fn options(&self) -> &StaticPersistentOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let mut prepared = Vec::new();
        for kernel in Kernel::all_to_make_persistent(pass, RULE)? {
            let tiles = grid(pass.context, kernel.function)?;
            prepared.push((kernel, tiles));
        }
        for (kernel, tiles) in &prepared {
            self.explain_swizzle(pass, kernel.function, *tiles);
            self.rewrite(pass.context, kernel, *tiles)?;
        }
        Ok(IRStatus::changed_if(!prepared.is_empty()))
    }
}

impl StaticPersistentPass {
    /// Reports that a band is wider than the grid, which truncates it.
    fn explain_swizzle(&self, pass: &mut PassContext<'_>, kernel: Operation, tiles: [i32; 3]) {
        let across = match self.options.raster {
            RasterChoice::AlongM => tiles[1],
            RasterChoice::AlongN => tiles[0],
        };
        let asked = self.options.swizzle;
        if i64::from(asked) > i64::from(across) {
            let reason = format!("bands are {across} tiles wide instead of {asked}");
            pass.declined(kernel, RULE, &reason, "the grid is not wider");
        }
    }

    fn rewrite(
        &self,
        context: &mut Context,
        kernel: &Kernel,
        tiles: [i32; 3],
    ) -> Result<(), Box<Diagnostic>> {
        let total: i32 = tiles.iter().product();
        let programs = i32::try_from(self.options.programs)
            .unwrap_or(i32::MAX)
            .min(total);
        let grid = StaticGrid {
            tiles: tiles.map(i64::from),
            raster: match self.options.raster {
                RasterChoice::AlongM => Raster::AlongM,
                RasterChoice::AlongN => Raster::AlongN,
            },
            swizzle: i64::from(self.options.swizzle),
        };
        let location = kernel.function.location(context);
        let mut builder = match kernel.body.first() {
            Some(first) => Builder::at(context, InsertionPoint::Before(*first)),
            None => return Ok(()),
        };
        let program = GetProgramId::build(&mut builder, location, 0, Type::INDEX);
        let program = program.id(builder.ir());
        let total_value = constant_integer(&mut builder, location, Type::I32, i64::from(total));
        let step = constant_integer(&mut builder, location, Type::I32, i64::from(programs));
        let mut coordinates = None;
        let bounds = [program, total_value, step];
        let looped =
            build_persistent_loop(&mut builder, location, bounds, &[], |builder, tile, _| {
                coordinates = Some(build_unpack(builder, location, &grid, tile));
                Vec::new()
            })?;
        let end = looped
            .body_block(context, 0)
            .and_then(|block| block.terminator(context));
        if let (Some(end), Some(coordinates)) = (end, coordinates) {
            kernel.move_before(context, end, coordinates);
        }
        let how = Attribute::string(context, "static");
        let launched = Attribute::i32_array(context, &[programs, 1, 1]);
        let tiles = Attribute::i32_array(context, &tiles);
        for (key, value) in [(PERSISTENT, how), (GRID, launched), (TILES, tiles)] {
            kernel.function.set_attribute(context, key, value);
        }
        Ok(())
    }
}

/// The tiles along each axis of a kernel's grid.
fn grid(context: &Context, function: Operation) -> Result<[i32; 3], Box<Diagnostic>> {
    let Some(attribute) = function.attribute(context, GRID) else {
        let message = format!(
            "cannot be made static persistent: requires attribute '{GRID}', the number of tiles \
             along each axis"
        );
        return Err(function.op_error(context, message));
    };
    let extents = attribute.as_i32_array(context);
    let extents: Option<[i32; 3]> = extents.and_then(|extents| extents.try_into().ok());
    let extents = extents.filter(|extents| extents.iter().all(|extent| *extent > 0));
    let Some(extents) = extents else {
        let message = format!("attribute '{GRID}' must be array<i32: x, y, z> of positive extents");
        return Err(function.op_error(context, message));
    };
    let total = extents
        .iter()
        .try_fold(1i32, |count, extent| count.checked_mul(*extent));
    match total {
        Some(_) => Ok(extents),
        None => {
            let message = "cannot be made static persistent: it has more than 2147483647 tiles";
            Err(function.op_error(context, message))
        }
    }
}
