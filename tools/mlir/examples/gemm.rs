//! A compiler in Rust that has melior: it builds a GEMM loop, lets orison schedule it and make
//! agents and a pipeline of it, and prints the module with MLIR's printer.
//!
//! `tools/mlir/cargo run --example gemm`

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::attribute::Attribute;
use melior::ir::block::BlockLike;
use melior::ir::operation::OperationBuilder;
use melior::ir::{Block, BlockRef, Identifier, Location, Module, Region, RegionLike, Type, Value};
use melior::utility::register_all_dialects;

const PIPELINE: &str =
    "builtin.module(tileas-generate-schedule,tileas-materialize-schedule,canonicalize)";

// The types of the kernel.
const INDEX: &str = "index";
const HALVES: &str = "!nv_tileaa.memref<?x?xf16>";
const SINGLES: &str = "!nv_tileaa.memref<?x?xf32>";
const TOKEN: &str = "!nv_tileaa.mem_token";
const VIEW: &str = "!nv_tileaa.tiled_view<128x64xf16, gmem>";
const OUTPUT_VIEW: &str = "!nv_tileaa.tiled_view<128x128xf32, gmem>";
const TILE: &str = "tensor<128x64xf16>";
const SUM: &str = "tensor<128x128xf32>";

/// Appends operations to a block. Types and attributes of dialects that MLIR does not know are
/// written as text, once.
struct Builder<'c> {
    context: &'c Context,
}

impl<'c> Builder<'c> {
    fn location(&self) -> Location<'c> {
        Location::new(self.context, "gemm.rs", 1, 1)
    }

    fn ty(&self, text: &str) -> Type<'c> {
        Type::parse(self.context, text).unwrap_or_else(|| panic!("no type: {text}"))
    }

    fn attributes(&self, texts: &[(&str, &str)]) -> Vec<(Identifier<'c>, Attribute<'c>)> {
        let attribute = |(name, text): &(&str, &str)| {
            let value = Attribute::parse(self.context, text);
            let value = value.unwrap_or_else(|| panic!("no attribute: {text}"));
            (Identifier::new(self.context, name), value)
        };
        texts.iter().map(attribute).collect()
    }

    /// Appends a block with arguments of these types to a region.
    fn block<'a>(&self, region: &Region<'c>, arguments: &[&str]) -> BlockRef<'c, 'a> {
        let with_location = |text: &&str| (self.ty(text), self.location());
        let arguments: Vec<_> = arguments.iter().map(with_location).collect();
        region.append_block(Block::new(&arguments))
    }

    /// Appends an operation with these attributes; its results.
    fn append<'a>(
        &self,
        block: BlockRef<'c, 'a>,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[(&str, &str)],
        results: &[&str],
        regions: Vec<Region<'c>>,
    ) -> Vec<Value<'c, 'a>> {
        let results: Vec<_> = results.iter().map(|text| self.ty(text)).collect();
        let operation = OperationBuilder::new(name, self.location())
            .add_operands(operands)
            .add_attributes(&self.attributes(attributes))
            .add_results(&results)
            .add_regions_vec(regions)
            .build()
            .expect("MLIR creates the operation");
        let operation = block.append_operation(operation);
        (0..results.len())
            .map(|number| operation.result(number).expect("it has the result").into())
            .collect()
    }

    /// Appends an operation without regions that has one result.
    fn value<'a>(
        &self,
        block: BlockRef<'c, 'a>,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[(&str, &str)],
        result: &str,
    ) -> Value<'c, 'a> {
        self.append(block, name, operands, attributes, &[result], vec![])[0]
    }

    fn constant<'a>(&self, block: BlockRef<'c, 'a>, value: &str, ty: &str) -> Value<'c, 'a> {
        self.value(block, "arith.constant", &[], &[("value", value)], ty)
    }
}

fn argument<'c, 'a>(block: BlockRef<'c, 'a>, number: usize) -> Value<'c, 'a> {
    block.argument(number).expect("it has the argument").into()
}

/// Where a program works.
struct Place<'c, 'a> {
    /// The row and the column of its tile.
    row: Value<'c, 'a>,
    column: Value<'c, 'a>,
    /// What orders its accesses to memory.
    order: Value<'c, 'a>,
}

/// A module with a kernel that multiplies two matrices.
fn build(context: &Context) -> Module<'_> {
    let builder = Builder { context };
    let module = Module::new(builder.location());
    let kind = format!("({HALVES}, {HALVES}, {SINGLES}, {INDEX}) -> ()");
    let attributes = [
        ("sym_name", "\"gemm\""),
        ("function_type", kind.as_str()),
        (
            "nv_tileaa.kernel_spec",
            "{clusterDim = array<i32: 1, 1, 1>, numWarps = 8 : i32}",
        ),
    ];
    let body = vec![kernel(&builder)];
    builder.append(module.body(), "nv_tileaa.func", &[], &attributes, &[], body);
    module
}

/// The body of the kernel; its arguments are A, B, the result and how many tiles of K there are.
fn kernel<'c>(builder: &Builder<'c>) -> Region<'c> {
    let body = Region::new();
    let entry = builder.block(&body, &[HALVES, HALVES, SINGLES, INDEX]);
    let id = |axis| {
        let name = "nv_tileaa.get_program_id";
        builder.value(entry, name, &[], &[("axis", axis)], INDEX)
    };
    let place = Place {
        row: id("0 : i32"),
        column: id("1 : i32"),
        order: builder.value(entry, "nv_tileaa.create_mem_token", &[], &[], TOKEN),
    };
    let product = multiply(builder, entry, &place);
    let tiles = [argument(entry, 2)];
    let output = builder.value(entry, "nv_tileaa.block_tile", &tiles, &[], OUTPUT_VIEW);
    let attributes = [
        ("atom", "#nv_tileas.atom<\"stg_128\">"),
        ("in_bounds", "array<i1: true, true>"),
        ("mem_semantic", "\"weak\""),
        ("operandSegmentSizes", "array<i32: 1, 1, 2, 0, 1>"),
    ];
    let operands = [output, product, place.row, place.column, place.order];
    let name = "nv_tileas.tiled_store";
    builder.value(entry, name, &operands, &attributes, TOKEN);
    builder.append(entry, "nv_tileaa.return", &[], &[], &[], vec![]);
    body
}

/// The loop over the tiles of K, and the sum it comes to.
fn multiply<'c, 'a>(
    builder: &Builder<'c>,
    entry: BlockRef<'c, 'a>,
    place: &Place<'c, 'a>,
) -> Value<'c, 'a> {
    let zero = builder.constant(entry, "0 : index", INDEX);
    let one = builder.constant(entry, "1 : index", INDEX);
    let start = builder.constant(entry, &format!("dense<0.0> : {SUM}"), SUM);
    let tiles = |number| {
        let operands = [argument(entry, number)];
        builder.value(entry, "nv_tileaa.block_tile", &operands, &[], VIEW)
    };
    let body = accumulate(builder, tiles(0), tiles(1), place);
    let operands = [zero, argument(entry, 3), one, start];
    builder.append(entry, "scf.for", &operands, &[], &[SUM], vec![body])[0]
}

/// The body of the loop: the sum so far and the product of two tiles.
fn accumulate<'c, 'a>(
    builder: &Builder<'c>,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
    place: &Place<'c, 'a>,
) -> Region<'c> {
    let body = Region::new();
    let block = builder.block(&body, &[INDEX, SUM]);
    let (k, so_far) = (argument(block, 0), argument(block, 1));
    let load = |tiles, row, group| {
        let attributes = [
            ("atom", "#nv_tileas.atom<\"tma_load_2d\", box = [128, 64]>"),
            ("in_bounds", "array<i1: true, true>"),
            ("mem_semantic", "\"weak\""),
            ("operandSegmentSizes", "array<i32: 1, 2, 0, 1>"),
            ("tileas.schedule.constraint.gid", group),
            ("tileas.schedule.constraint.leader_gid", "1 : i32"),
        ];
        let (operands, results) = ([tiles, row, k, place.order], [TILE, TOKEN]);
        let name = "nv_tileas.tiled_load";
        builder.append(block, name, &operands, &attributes, &results, vec![])[0]
    };
    let left = load(left, place.row, "1 : i32");
    let right = load(right, place.column, "2 : i32");
    let attributes = [
        ("atom", "#nv_tileas.atom<\"wgmma_m64n128k16_f32_f16_f16\">"),
        ("tileas.schedule.constraint.gid", "3 : i32"),
        ("tileas.schedule.constraint.leader_gid", "3 : i32"),
    ];
    let operands = [left, right, so_far];
    let sum = builder.value(block, "nv_tileas.dot", &operands, &attributes, SUM);
    builder.append(block, "scf.yield", &[sum], &[], &[], vec![]);
    body
}

fn main() {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context.set_allow_unregistered_dialects(true);

    let mut module = build(&context);
    if let Err(error) = orison_mlir::run_pipeline(&mut module, PIPELINE) {
        eprintln!("{error}");
        std::process::exit(1);
    }
    print!("{}", module.as_operation());
}
