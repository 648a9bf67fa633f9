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

/// Appends operations to a block. Types and attributes of dialects that MLIR does not know are
/// written as text, once.
struct Builder<'c> {
    context: &'c Context,
}

impl<'c> Builder<'c> {
    fn ty(&self, text: &str) -> Type<'c> {
        Type::parse(self.context, text).unwrap_or_else(|| panic!("no type: {text}"))
    }

    /// The first result of a new operation with these attributes, when it has results.
    fn append<'a>(
        &self,
        block: BlockRef<'c, 'a>,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[(&str, &str)],
        results: &[&str],
        regions: Vec<Region<'c>>,
    ) -> Vec<Value<'c, 'a>> {
        let attributes: Vec<_> = attributes
            .iter()
            .map(|(name, text)| {
                let value = Attribute::parse(self.context, text);
                let value = value.unwrap_or_else(|| panic!("no attribute: {text}"));
                (Identifier::new(self.context, name), value)
            })
            .collect();
        let results: Vec<_> = results.iter().map(|text| self.ty(text)).collect();
        let operation = OperationBuilder::new(name, Location::new(self.context, "gemm.rs", 1, 1))
            .add_operands(operands)
            .add_attributes(&attributes)
            .add_results(&results)
            .add_regions_vec(regions)
            .build()
            .expect("MLIR creates the operation");
        let operation = block.append_operation(operation);
        (0..results.len())
            .map(|number| operation.result(number).expect("it has the result").into())
            .collect()
    }
}

/// `acc = a * b + acc` over tiles of 64 of K.
fn build(context: &Context) -> Module<'_> {
    let builder = Builder { context };
    let location = Location::new(context, "gemm.rs", 1, 1);
    let module = Module::new(location);
    let (half, single) = ("!nv_tileaa.memref<?x?xf16>", "!nv_tileaa.memref<?x?xf32>");
    let arguments = [half, half, single, "index"].map(|text| (builder.ty(text), location));
    let body = Region::new();
    let entry = body.append_block(Block::new(&arguments));
    let argument = |number| entry.argument(number).expect("four arguments").into();

    let constant = |value: &str, ty: &str| {
        builder.append(
            entry,
            "arith.constant",
            &[],
            &[("value", value)],
            &[ty],
            vec![],
        )[0]
    };
    let zero = constant("0 : index", "index");
    let one = constant("1 : index", "index");
    let sum = constant("dense<0.0> : tensor<128x128xf32>", "tensor<128x128xf32>");
    let id = |axis: &str| {
        let attributes = [("axis", axis)];
        builder.append(
            entry,
            "nv_tileaa.get_program_id",
            &[],
            &attributes,
            &["index"],
            vec![],
        )[0]
    };
    let (m, n) = (id("0 : i32"), id("1 : i32"));
    let token = "!nv_tileaa.mem_token";
    let order = builder.append(
        entry,
        "nv_tileaa.create_mem_token",
        &[],
        &[],
        &[token],
        vec![],
    )[0];
    let view = "!nv_tileaa.tiled_view<128x64xf16, gmem>";
    let tiles = |number, view: &str| {
        let operands = [argument(number)];
        builder.append(
            entry,
            "nv_tileaa.block_tile",
            &operands,
            &[],
            &[view],
            vec![],
        )[0]
    };
    let (a, b) = (tiles(0, view), tiles(1, view));
    let out = tiles(2, "!nv_tileaa.tiled_view<128x128xf32, gmem>");

    let inside = Region::new();
    let accumulator = builder.ty("tensor<128x128xf32>");
    let block = Block::new(&[(builder.ty("index"), location), (accumulator, location)]);
    let loop_body = inside.append_block(block);
    let k = loop_body.argument(0).expect("the counter").into();
    let so_far = loop_body.argument(1).expect("the sum").into();
    let load = |tiles, row, group: &str| {
        let attributes = [
            ("atom", "#nv_tileas.atom<\"tma_load_2d\", box = [128, 64]>"),
            ("in_bounds", "array<i1: true, true>"),
            ("mem_semantic", "\"weak\""),
            ("operandSegmentSizes", "array<i32: 1, 2, 0, 1>"),
            ("tileas.schedule.constraint.gid", group),
            ("tileas.schedule.constraint.leader_gid", "1 : i32"),
        ];
        let operands = [tiles, row, k, order];
        let results = ["tensor<128x64xf16>", token];
        let name = "nv_tileas.tiled_load";
        builder.append(loop_body, name, &operands, &attributes, &results, vec![])[0]
    };
    let (left, right) = (load(a, m, "1 : i32"), load(b, n, "2 : i32"));
    let attributes = [
        ("atom", "#nv_tileas.atom<\"wgmma_m64n128k16_f32_f16_f16\">"),
        ("tileas.schedule.constraint.gid", "3 : i32"),
        ("tileas.schedule.constraint.leader_gid", "3 : i32"),
    ];
    let operands = [left, right, so_far];
    let results = ["tensor<128x128xf32>"];
    let next = builder.append(
        loop_body,
        "nv_tileas.dot",
        &operands,
        &attributes,
        &results,
        vec![],
    );
    builder.append(loop_body, "scf.yield", &next, &[], &[], vec![]);
    let operands = [zero, argument(3), one, sum];
    let total = builder.append(entry, "scf.for", &operands, &[], &results, vec![inside])[0];
    let attributes = [
        ("atom", "#nv_tileas.atom<\"stg_128\">"),
        ("in_bounds", "array<i1: true, true>"),
        ("mem_semantic", "\"weak\""),
        ("operandSegmentSizes", "array<i32: 1, 1, 2, 0, 1>"),
    ];
    let operands = [out, total, m, n, order];
    builder.append(
        entry,
        "nv_tileas.tiled_store",
        &operands,
        &attributes,
        &[token],
        vec![],
    );
    builder.append(entry, "nv_tileaa.return", &[], &[], &[], vec![]);

    let kind = format!("({half}, {half}, {single}, index) -> ()");
    let attributes = [
        ("sym_name", "\"gemm\""),
        ("function_type", kind.as_str()),
        (
            "nv_tileaa.kernel_spec",
            "{clusterDim = array<i32: 1, 1, 1>, numWarps = 8 : i32}",
        ),
    ];
    builder.append(
        module.body(),
        "nv_tileaa.func",
        &[],
        &attributes,
        &[],
        vec![body],
    );
    module
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
