//! `tileas-verify-shapes`: checks problem, tile, cluster and products of kernels.

use orison_host::scf;
use orison_ir::pass::{IRStatus, Pass, PassContext, PassDefinition, PassFailure, PassResult};
use orison_ir::walk::collect;
use orison_ir::{Attribute, Context, Diagnostic, Operation, source_position};
use orison_tileas::nv_tileaa::KernelSpec;
use orison_tileas::nv_tileas::{Dot, TiledLoad};

use super::classify::atom;
use super::persistent_loop::Kernel;
use super::shapes::{Shapes, atom_shape, verify_atom, verify_shapes};

/// `{problem = array<i64: M, N, K, L>, tile = array<i64: M, N, K>, ctas = n : i32, masked}` on a
/// kernel; `ctas` is 1 if absent.
pub const SHAPES: &str = "tileas.shapes";

/// The pass.
#[derive(Clone, Debug)]
pub struct VerifyShapes;

impl Pass for VerifyShapes {
    type Options = ();

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "tileas-verify-shapes",
        "Check that problem, tile, cluster and matrix products of a kernel are consistent.\n\n\
         `tileas.shapes` on a kernel gives the problem and the tile, `nv_tileaa.kernel_spec` the \
         cluster. The shapes of matrix products must divide the tile, and if the tile does not \
         divide K, loads must not be marked in bounds. Kernels without `tileas.shapes` are not \
         checked.\n\n\
         Source: TileAS reference section 8.",
        source_position!(),
    );

    fn create((): ()) -> Self {
        VerifyShapes
    }

    fn options(&self) -> &() {
        &()
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let mut errors = Vec::new();
        let kernels = Kernel::all(pass.context, pass.op());
        let has_shapes = |kernel: &Operation| kernel.attribute(pass.context, SHAPES).is_some();
        if !kernels.iter().any(has_shapes) {
            let help = "it gives the problem that the kernel solves";
            pass.nothing_to_do("no kernel has 'tileas.shapes'", help);
        }
        for function in kernels {
            let Some(attribute) = function.attribute(pass.context, SHAPES) else {
                continue;
            };
            errors.extend(
                check(pass.context, function, attribute)
                    .err()
                    .map(|error| *error),
            );
        }
        if errors.is_empty() {
            Ok(IRStatus::Unchanged)
        } else {
            Err(PassFailure::new(errors))
        }
    }
}

fn check(
    context: &Context,
    function: Operation,
    attribute: Attribute,
) -> Result<(), Box<Diagnostic>> {
    let shapes = read(context, function, attribute)?;
    verify_shapes(&shapes).map_err(|error| function.op_error(context, error.to_string()))?;
    let ops = collect(context, function);
    for dot in ops.iter().filter(|op| Dot::of(context, **op).is_some()) {
        let shape = atom(context, *dot).and_then(|atom| atom_shape(&atom.name));
        if let Some(shape) = shape {
            verify_atom(shapes.tile, shape)
                .map_err(|error| dot.op_error(context, error.to_string()))?;
        }
    }
    if shapes.problem[2] % shapes.tile[2] == 0 {
        return Ok(());
    }
    for &load in ops
        .iter()
        .filter(|op| TiledLoad::of(context, **op).is_some())
    {
        let in_bounds = load.attribute(context, "in_bounds");
        let flags = in_bounds.and_then(|flags| flags.as_integer_array(context));
        let claims = flags.is_some_and(|(_, flags)| flags.iter().all(|flag| *flag != 0));
        let in_loop = load
            .ancestors(context)
            .any(|op| scf::For::matches(context, op));
        if claims && in_loop {
            let message = format!(
                "must not be in bounds along K: {} elements are not a multiple of {} of a tile",
                shapes.problem[2], shapes.tile[2]
            );
            return Err(load.op_error(context, message));
        }
    }
    Ok(())
}

fn read(
    context: &Context,
    function: Operation,
    attribute: Attribute,
) -> Result<Shapes, Box<Diagnostic>> {
    let malformed = || {
        let message = format!(
            "attribute '{SHAPES}' must be {{problem = array<i64: M, N, K, L>, tile = array<i64: M, \
             N, K>}}"
        );
        function.op_error(context, message)
    };
    let list = |key: &str| {
        let values = attribute.get(context, key)?.as_integer_array(context)?;
        Some(values.1)
    };
    let problem = list("problem").and_then(|list| list.try_into().ok());
    let tile = list("tile").and_then(|list| list.try_into().ok());
    let ctas = match attribute.get(context, "ctas") {
        Some(count) => count.as_i32(context).ok_or_else(malformed)?,
        None => 1,
    };
    let cluster = KernelSpec::around(context, function).and_then(|spec| spec.cluster_dim);
    let cluster: [i32; 3] = cluster
        .and_then(|cluster| cluster.try_into().ok())
        .unwrap_or([1, 1, 1]);
    Ok(Shapes {
        problem: problem.ok_or_else(malformed)?,
        tile: tile.ok_or_else(malformed)?,
        cluster: cluster.map(i64::from),
        ctas: i64::from(ctas),
        masked: attribute.get(context, "masked").is_some(),
    })
}
