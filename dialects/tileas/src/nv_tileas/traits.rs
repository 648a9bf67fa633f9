//! The 23 operation traits of the dialect (TileAS reference 1.9), each with one purpose, and the
//! memory-consistency set of 1.10 as an additional one. All run before an operation's own verifier.
//!
//! The layout of a tile is the encoding of its tensor type. Tiles without a layout, as before
//! layout assignment, are compatible with every layout.

use orison_host::arith;
use orison_ir::declare::{CustomTrait, Trait, VerifyResult};
use orison_ir::{Attribute, Context, Operation, Type, TypeKind, Value};

use super::attributes::Atom;
use super::types::{A_PIPELINE, IteratorType, PIPELINE_TYPE};
use super::verify::{ensure, memory};
use crate::MemorySpace;
use crate::views::ShapedView;

/// Declares a custom trait.
macro_rules! custom_traits {
    ($( $(#[doc = $doc:literal])* $ident:ident = $name:literal, $verify:expr; )*) => { $(
        $(#[doc = $doc])*
        pub static $ident: CustomTrait = CustomTrait {
            name: $name,
            documentation: concat!($($doc),*),
            verify: $verify,
        };
    )* };
}

custom_traits! {
    /// The first operand is a pipeline that is not merged by control flow.
    FIRST_OPERAND_IS_NON_ALIASING_QUEUE = "FirstOperandIsNonAliasingQueue", first_operand_is_non_aliasing_queue;
    /// Reads memory.
    MEMORY_MODEL_READ = "MemoryModelRead", no_rule;
    /// Writes memory.
    MEMORY_MODEL_WRITE = "MemoryModelWrite", no_rule;
    /// Reads and writes memory.
    MEMORY_MODEL_READ_WRITE = "MemoryModelReadWrite", no_rule;
    /// Folds never move, duplicate or erase it.
    MEMORY_CONSISTENCY = "MemoryConsistency", no_rule;
    /// An operand or the result is in memory.
    MUST_HAVE_MEM_LAYOUT = "MustHaveMemLayoutAmongOperandsAndResult", must_have_memory;
    /// Acquires a stage: operands are pipeline and iterator, the result is a token of its side.
    PIPELINE_ACQUIRE = "PipelineAcquireOpTrait", pipeline_acquire;
    /// Releases a stage: the token belongs to the pipeline.
    PIPELINE_RELEASE = "PipelineReleaseOpTrait", token_of_pipeline;
    /// Result views are in shared memory.
    RESULTS_ARE_SHARED_ENCODING = "ResultsAreSharedEncoding", results_are_shared;
    /// Address, mask and value tiles have the same layout.
    SAME_LOAD_STORE_OPERANDS_ENCODING = "SameLoadStoreOperandsEncoding", same_operands_encoding;
    /// Address, mask and value tiles have the same shape.
    SAME_LOAD_STORE_OPERANDS_SHAPE = "SameLoadStoreOperandsShape", same_operands_shape;
    /// Address, mask, value and result tiles have the same layout.
    SAME_LOAD_STORE_OPERANDS_AND_RESULT_ENCODING = "SameLoadStoreOperandsAndResultEncoding", same_operands_and_result_encoding;
    /// Address, mask, value and result tiles have the same shape.
    SAME_LOAD_STORE_OPERANDS_AND_RESULT_SHAPE = "SameLoadStoreOperandsAndResultShape", same_operands_and_result_shape;
    /// Operand tiles have the same layout.
    SAME_OPERANDS_ENCODING = "SameOperandsEncoding", same_operands_encoding;
    /// Operand and result tiles have the same layout.
    SAME_OPERANDS_AND_RESULT_ENCODING = "SameOperandsAndResultEncoding", same_operands_and_result_encoding;
    /// Tiles with an atom layout have the layout of the same atom.
    SAME_OPERANDS_AND_RESULTS_ATOM = "SameOperandsAndResultsAtom", same_operands_and_results_atom;
    /// Results with an atom layout have the layout of the operation's atom.
    SAME_OPERATION_AND_RESULTS_ATOM = "SameOperationAndResultsAtom", same_operation_and_results_atom;
    /// The tile has the shape of the view.
    SAME_TILED_VIEW_AND_TENSOR_SHAPE = "SameTiledViewAndTensorShape", memory::same_view_and_tile_shape;
    /// Extents are powers of two and the tile size is within the limit.
    TENSOR_SIZE = "TensorSize", memory::tensor_size;
    /// Either all tiles have a layout or none has: these operations have one type of tile.
    TENSOR_TYPE_HAVING_LAYOUT = "TensorTypeHavingLayout", no_rule;
    /// Segments, count and type of coordinates.
    TILED_LOAD_STORE_OP = "TiledLoadStoreOp", memory::tiled_load_store;
    /// The tile has the element type of the view.
    TILED_LOAD_STORE_OP_SAME_ELEMENT_TYPE = "TiledLoadStoreOpSameElementType", memory::same_element_type;
    /// Padding has the element type and is consistent with `in_bounds`.
    TILED_PADDING_VALUE = "TiledPaddingValue", memory::tiled_padding;
    /// The result of a load has the layout of the addresses.
    VALID_LOAD_ENCODING = "ValidTileASLoadOperandsAndResultEncoding", valid_load_encoding;
}

/// Whether an operation is in the memory-consistency set: never moved, duplicated or erased by
/// folds (TileAS reference 1.10).
pub fn is_memory_consistent(context: &Context, op: Operation) -> bool {
    op.has_trait(context, Trait::Custom(&MEMORY_CONSISTENCY))
}

fn no_rule(_: &Context, _: Operation) -> VerifyResult {
    Ok(())
}

/// True if a value is selected by control flow: two values may then denote one object.
fn is_merged(context: &Context, value: Value) -> bool {
    if let Some(op) = value.defining_op(context) {
        let name = op.name_text(context);
        return name.starts_with("scf.") || name == arith::Select::NAME;
    }
    let owner = value.argument_owner(context);
    let parent = owner.and_then(|block| block.parent_op(context));
    parent.is_some_and(|op| op.name_text(context).starts_with("scf."))
}

fn first_operand_is_non_aliasing_queue(context: &Context, op: Operation) -> VerifyResult {
    match op.operands(context).next() {
        Some(first) if (A_PIPELINE.check)(context, first.ty(context)) => {
            if is_merged(context, first) {
                return Err(op.op_error(
                    context,
                    "expects a pipeline that is not merged by control flow as first operand",
                ));
            }
            Ok(())
        }
        _ => Err(op.op_error(context, "expects a pipeline as first operand")),
    }
}

/// Whether a value is a slot of a stage that is being filled: an argument of the region of an operation
/// that writes to a pipeline.
pub fn is_slot(context: &Context, value: Value) -> bool {
    let owner = value
        .argument_owner(context)
        .and_then(|block| block.parent_op(context));
    let traits = [&FIRST_OPERAND_IS_NON_ALIASING_QUEUE, &MEMORY_MODEL_WRITE];
    owner.is_some_and(|owner| {
        traits
            .into_iter()
            .all(|wanted| owner.has_trait(context, Trait::Custom(wanted)))
    })
}

fn must_have_memory(context: &Context, op: Operation) -> VerifyResult {
    let mut types = all_values(context, op).map(|value| value.ty(context));
    let in_memory = types.any(|ty| ShapedView::of(context, ty).is_some());
    if in_memory || op.operands(context).any(|value| is_slot(context, value)) {
        Ok(())
    } else {
        Err(op.op_error(context, "expects an operand or the result in memory"))
    }
}

fn pipeline_acquire(context: &Context, op: Operation) -> VerifyResult {
    let iterator = op.operands(context).nth(1);
    let iterator = iterator.and_then(|value| IteratorType::of(context, value.ty(context)));
    let token = op.results(context).next().map(|value| value.ty(context));
    let fits = iterator
        .zip(token)
        .is_some_and(|(iterator, token)| token.is_declared_by(context, iterator.role.token_type()));
    if fits {
        Ok(())
    } else {
        Err(op.op_error(
            context,
            "expects a token of the side of the iterator as result",
        ))
    }
}

/// The operation of this dialect that created the token operand; `None` for tokens that come from
/// control flow or from operations of other dialects.
pub(super) fn token_source(context: &Context, op: Operation) -> Option<Operation> {
    let token = op.operands(context).nth(1)?;
    let source = token.defining_op(context)?;
    source
        .name_text(context)
        .starts_with("nv_tileas.")
        .then_some(source)
}

/// A token that a pipeline operation created belongs to that pipeline.
pub(super) fn token_of_pipeline(context: &Context, op: Operation) -> VerifyResult {
    let Some(source) = token_source(context, op) else {
        return Ok(());
    };
    let takes_pipeline = source
        .operands(context)
        .next()
        .is_some_and(|first| first.ty(context).is_declared_by(context, &PIPELINE_TYPE));
    let same = source.operands(context).next() == op.operands(context).next();
    ensure(context, op, !takes_pipeline || same, || {
        "expects a token of the same pipeline".to_owned()
    })
}

fn results_are_shared(context: &Context, op: Operation) -> VerifyResult {
    for result in op.results(context) {
        let view = ShapedView::of(context, result.ty(context));
        if view.is_some_and(|view| view.space != Some(MemorySpace::Shared)) {
            return Err(op.op_error(context, "expects result views in shared memory"));
        }
    }
    Ok(())
}

fn all_values(context: &Context, op: Operation) -> impl Iterator<Item = Value> + '_ {
    op.operands(context).chain(op.results(context))
}

/// The layout of a tile, if it has one.
fn encoding(context: &Context, ty: Type) -> Option<Attribute> {
    match ty.kind(context) {
        TypeKind::Tensor { encoding, .. } => *encoding,
        _ => None,
    }
}

/// Checks that the attributes that are present are equal.
fn all_equal(
    context: &Context,
    op: Operation,
    mut attributes: impl Iterator<Item = Attribute>,
    message: &str,
) -> VerifyResult {
    match attributes.next() {
        Some(first) if !attributes.all(|other| other == first) => {
            Err(op.op_error(context, message))
        }
        _ => Ok(()),
    }
}

fn same_operands_encoding(context: &Context, op: Operation) -> VerifyResult {
    let encodings = op
        .operands(context)
        .filter_map(|v| encoding(context, v.ty(context)));
    all_equal(
        context,
        op,
        encodings,
        "requires the same encoding for all operands",
    )
}

fn same_operands_and_result_encoding(context: &Context, op: Operation) -> VerifyResult {
    let encodings = all_values(context, op).filter_map(|v| encoding(context, v.ty(context)));
    let message = "requires the same encoding for all operands and results";
    all_equal(context, op, encodings, message)
}

fn valid_load_encoding(context: &Context, op: Operation) -> VerifyResult {
    let of = |value: Option<Value>| value.and_then(|v| encoding(context, v.ty(context)));
    let address = of(op.operands(context).next());
    let result = of(op.results(context).next());
    match (address, result) {
        (Some(address), Some(result)) if address != result => Err(op.op_error(
            context,
            "requires the encoding of the addresses for the loaded tile",
        )),
        _ => Ok(()),
    }
}

fn same_shape(
    context: &Context,
    op: Operation,
    values: impl Iterator<Item = Value>,
    message: &str,
) -> VerifyResult {
    let mut shapes = values.filter_map(|value| value.ty(context).shape(context));
    match shapes.next() {
        Some(first) if !shapes.all(|other| other == first) => Err(op.op_error(context, message)),
        _ => Ok(()),
    }
}

fn same_operands_shape(context: &Context, op: Operation) -> VerifyResult {
    let message = "requires the same shape for all operands";
    same_shape(context, op, op.operands(context), message)
}

fn same_operands_and_result_shape(context: &Context, op: Operation) -> VerifyResult {
    let message = "requires the same shape for all operands and results";
    same_shape(context, op, all_values(context, op), message)
}

/// The layout of a tile, if it is an atom.
fn atom_encoding(context: &Context, value: Value) -> Option<Attribute> {
    encoding(context, value.ty(context)).filter(|encoding| Atom::of(context, *encoding).is_some())
}

fn same_operands_and_results_atom(context: &Context, op: Operation) -> VerifyResult {
    let atoms = all_values(context, op).filter_map(|value| atom_encoding(context, value));
    let message = "requires the same atom for all operands and results";
    all_equal(context, op, atoms, message)
}

fn same_operation_and_results_atom(context: &Context, op: Operation) -> VerifyResult {
    let own = op.attribute(context, "atom");
    let results = op
        .results(context)
        .filter_map(|value| atom_encoding(context, value));
    let atoms = own.into_iter().chain(results);
    all_equal(
        context,
        op,
        atoms,
        "requires the atom of the operation for all results",
    )
}
