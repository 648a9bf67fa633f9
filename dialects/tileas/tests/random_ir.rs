//! Random operations generated from their declarations round-trip in both forms.
//!
//! The generator reads only declarations: counts of operands and results, constraints, attributes,
//! regions. Requirements of custom forms beyond that (a signature that matches the entry block,
//! static arrays that match the operands) are met in [`Generator::adjust`].

mod common;

use orison_ir::declare::{
    OPERAND_SEGMENTS, OperationDefinition, RESULT_SEGMENTS, RegionConstraint, Trait,
    TypeConstraint, ValueDefinition, Variadicity,
};
use orison_ir::types::DYNAMIC;
use orison_ir::{
    Attribute, Block, Context, Location, Operation, OperationName, OperationState, PrintFlags,
    Region, Source, Type, Value, parse_source, print_to_string,
};
use proptest::prelude::*;

const TYPES: &str = "
    index, i1, i8, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f4E2M1FN, si8, ui16, none,
    tensor<128x64xf16>, tensor<128x128xf32>, tensor<64x?xf32>, tensor<32xi32>, tensor<32xi1>,
    tensor<4x4xindex>, tensor<8xf16, #nv_tileas.layout<\"8,1\">>, tensor<16x!nv_tileaa.ptr<f16>>,
    !nv_tileaa.ptr<f32>, !nv_tileaa.mem_token, !nv_tileaa.memref<?x?xf16>,
    !nv_tileaa.memref<4xf32, smem, strided<[2]>>, !nv_tileaa.tiled_view<128x64xf16, gmem>,
    !nv_tileas.tiled_view<2x128x64xf16, smem>, !nv_tileas.tiled_view<?xi8, tmem>,
    !nv_tileas.memref<4xf32>, !nv_tileas.pipeline, !nv_tileas.iter<producer>,
    !nv_tileas.iter<consumer>, !nv_tileas.iter<producer, f16, 3, stride = 2, smem>,
    !nv_tileas.iter<consumer, tensor<8xf16>, 2>, !nv_tileas.producer_token,
    !nv_tileas.consumer_token, !nv_tileas.async_token, !nv_tileas.tma_desc,
    (i32, f32) -> f32, () -> (), vector<4xf32>, memref<4x?xf32>, !other.thing<1>
";

const ATTRIBUTES: &str = "
    0 : i32, 7 : i32, -3 : i32, 1 : i8, -1 : i8, 5 : i64, 3 : index, true, false, unit,
    1.5 : f32, 0.0 : f16, \"weak\", \"a \\\"b\\\" \\0A\", @symbol, f32, tensor<8xf16>,
    (i32) -> f32, [f32, i32], [], [1, 2], [{a = 1 : i32}, {}], {a, b = 2 : i8},
    array<i32>, array<i32: 1, -2>, array<i64: 0, 64>, array<i1: true, false>,
    #nv_tileas.atom<\"tma_load_2d\", box = [128, 64]>, #nv_tileas.atom<\"x\", flag, n = 1 : i32>,
    #nv_tileas.layout<\"(128,64),(64,1)\">, dense<0.0> : tensor<4xf32>, loc(\"here\"), #other.x<2>
";

struct Generator {
    context: Context,
    types: Vec<Type>,
    attributes: Vec<Attribute>,
    /// A linear congruential generator: its statistical quality is unimportant.
    state: u64,
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut context = common::context();
        context.allow_unregistered_dialects(true);
        let text = format!("\"t\"() {{a = [{ATTRIBUTES}], t = [{TYPES}]}} : () -> ()");
        let source = Source {
            name: "pool",
            text: &text,
            first_line: 1,
        };
        let module = parse_source(&mut context, source).expect("the pools parse");
        let holder = module
            .body_block(&context, 0)
            .and_then(|b| b.first_op(&context));
        let holder = holder.expect("the operation that holds the pools");
        let list = |key| {
            holder
                .attribute(&context, key)
                .and_then(|a| a.as_array(&context))
        };
        let attributes = list("a").expect("attributes").to_vec();
        let types = list("t").expect("types");
        let types = types.iter().filter_map(|a| a.as_type(&context)).collect();
        Generator {
            context,
            types,
            attributes,
            state: seed | 1,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.state >> 40).unwrap_or(0) % bound.max(1)
    }

    fn type_for(&mut self, constraints: &[&TypeConstraint]) -> Type {
        if let Some(build) = constraints.iter().find_map(|c| c.build) {
            return build(&mut self.context);
        }
        let context = &self.context;
        let fits = |ty: &&Type| constraints.iter().all(|c| (c.check)(context, **ty));
        let fitting: Vec<_> = self.types.iter().filter(fits).copied().collect();
        assert!(
            !fitting.is_empty(),
            "no type is '{}'",
            constraints[0].summary
        );
        fitting[self.below(fitting.len())]
    }

    fn sizes(&mut self, groups: &[ValueDefinition]) -> Vec<usize> {
        let size = |g: &ValueDefinition| match g.variadicity {
            Variadicity::One => 1,
            Variadicity::Optional => self.below(2),
            Variadicity::Variadic => self.below(4),
        };
        groups.iter().map(size).collect()
    }

    fn types_of(
        &mut self,
        groups: &[ValueDefinition],
        sizes: &[usize],
        same: Option<Type>,
    ) -> Vec<Type> {
        let mut types = Vec::new();
        for (group, size) in groups.iter().zip(sizes) {
            for _ in 0..*size {
                types.push(same.unwrap_or_else(|| self.type_for(&[group.constraint])));
            }
        }
        types
    }

    /// Creates values of types with operations of an unregistered dialect.
    fn values(&mut self, block: Block, types: &[Type]) -> Vec<Value> {
        let name = OperationName::new(&mut self.context, "test.make");
        let mut made = Vec::new();
        for ty in types {
            let mut state = OperationState::new(name, Location::UNKNOWN);
            state.result_types.push(*ty);
            let op = Operation::create(&mut self.context, &state);
            block.append(&mut self.context, op);
            made.push(op.result(&self.context, 0));
        }
        made
    }

    fn region(&mut self, constraint: RegionConstraint, depth: usize) -> Region {
        let region = Region::new(&mut self.context);
        if constraint == RegionConstraint::Any && self.below(3) == 0 {
            return region;
        }
        let mut arguments = Vec::new();
        for _ in 0..self.below(3) {
            arguments.push((self.type_for(&[]), Location::UNKNOWN));
        }
        let block = Block::new(&mut self.context, &arguments);
        region.append_block(&mut self.context, block);
        for _ in 0..self.below(3) {
            if depth > 0 {
                self.operation(block, depth - 1);
            }
        }
        if self.below(2) == 0 {
            let end = orison_tileas::nv_tileas::PipelineYield::DEFINITION;
            self.declared(block, end, 0);
            return region;
        }
        let name = OperationName::new(&mut self.context, "test.end");
        let end = OperationState::new(name, Location::UNKNOWN);
        let end = Operation::create(&mut self.context, &end);
        block.append(&mut self.context, end);
        region
    }

    fn operation(&mut self, block: Block, depth: usize) {
        let dialects = [&orison_tileas::NV_TILEAS, &orison_tileas::NV_TILEAA];
        // A terminator without operands would parse the name of the next result as an operand.
        let inner = |d: &&OperationDefinition| !d.has_trait(Trait::Terminator);
        let all = dialects.iter().flat_map(|d| d.operations).copied();
        let all: Vec<_> = all.filter(inner).collect();
        let definition = all[self.below(all.len())];
        self.declared(block, definition, depth);
    }

    fn declared(&mut self, block: Block, definition: &'static OperationDefinition, depth: usize) {
        let name = OperationName::new(&mut self.context, definition.name);
        let mut state = OperationState::new(name, Location::UNKNOWN);
        let same = definition
            .has_trait(Trait::SameOperandsAndResultType)
            .then(|| {
                let groups = definition.operands.iter().chain(definition.results);
                let constraints: Vec<_> = groups.map(|group| group.constraint).collect();
                self.type_for(&constraints)
            });
        let sizes = self.sizes(definition.operands);
        let types = self.types_of(definition.operands, &sizes, same);
        state.operands = self.values(block, &types).into();
        let result_sizes = self.sizes(definition.results);
        state.result_types = self
            .types_of(definition.results, &result_sizes, same)
            .into();
        for (wanted, key, sizes) in [
            (Trait::AttrSizedOperandSegments, OPERAND_SEGMENTS, &sizes),
            (
                Trait::AttrSizedResultSegments,
                RESULT_SEGMENTS,
                &result_sizes,
            ),
        ] {
            if definition.has_trait(wanted) {
                let sizes: Vec<_> = sizes
                    .iter()
                    .map(|s| i32::try_from(*s).unwrap_or(0))
                    .collect();
                let sizes = Attribute::i32_array(&mut self.context, &sizes);
                state.set_property(&mut self.context, key, sizes);
            }
        }
        self.attributes(definition, &mut state);
        for region in definition.regions {
            let count = if region.variadic {
                1 + self.below(3)
            } else {
                1
            };
            for _ in 0..count {
                let region = self.region(region.constraint, depth);
                state.regions.push(region);
            }
        }
        self.adjust(definition, &mut state, &sizes);
        let op = Operation::create(&mut self.context, &state);
        block.append(&mut self.context, op);
    }

    fn attributes(&mut self, definition: &'static OperationDefinition, state: &mut OperationState) {
        for attribute in definition.attributes {
            if attribute.optional && attribute.default.is_none() && self.below(2) == 0 {
                continue;
            }
            let context = &self.context;
            let fits = |value: &&Attribute| (attribute.constraint.check)(context, **value);
            let fitting: Vec<_> = self.attributes.iter().filter(fits).copied().collect();
            assert!(
                !fitting.is_empty(),
                "no attribute is '{}'",
                attribute.constraint.summary
            );
            let value = fitting[self.below(fitting.len())];
            state.set_property(&mut self.context, attribute.name, value);
        }
        if self.below(3) == 0 {
            let number = self.below(self.attributes.len());
            let value = self.attributes[number];
            let key = ["extra", "nv_tile.aws.stage", "a b"][self.below(3)];
            state.attributes = state.attributes.with(&mut self.context, key, value);
        }
    }

    /// Requirements of the hand-written custom forms.
    fn adjust(
        &mut self,
        definition: &'static OperationDefinition,
        state: &mut OperationState,
        sizes: &[usize],
    ) {
        let context = &mut self.context;
        if definition.name == "nv_tileaa.func" {
            let entry = state.regions[0].first_block(context);
            let inputs = entry.map_or_else(Vec::new, |entry| entry.argument_types(context));
            let ty = Type::function(context, &inputs, &inputs);
            let ty = Attribute::ty(context, ty);
            state.set_property(context, "function_type", ty);
            for key in ["arg_attrs", "res_attrs", "sym_visibility"] {
                state.properties = state.properties.without(context, key);
            }
        }
        if definition.name.ends_with("insert_slice") {
            state.result_types[0] = state.operands[1].ty(context);
        }
        let lists = ["offsets", "sizes", "strides"];
        for (group, operand) in definition.operands.iter().enumerate() {
            let key = format!("static_{}", operand.name);
            if lists.contains(&operand.name) && definition.attribute(&key).is_some() {
                let mut entries = vec![DYNAMIC; sizes[group]];
                entries.insert(0, 8);
                let entries = Attribute::dense_array(context, Type::I64, &entries);
                state.set_property(context, &key, entries);
            }
        }
    }

    fn module(&mut self, fill: impl FnOnce(&mut Self, Block)) -> Operation {
        let region = Region::new(&mut self.context);
        let block = Block::new(&mut self.context, &[]);
        region.append_block(&mut self.context, block);
        fill(self, block);
        let name = OperationName::new(&mut self.context, "builtin.module");
        let mut state = OperationState::new(name, Location::UNKNOWN);
        state.regions.push(region);
        Operation::create(&mut self.context, &state)
    }
}

fn reparse(text: &str, flags: &PrintFlags) -> String {
    let mut context = common::context();
    context.allow_unregistered_dialects(true);
    let source = Source {
        name: "test.mlir",
        text,
        first_line: 1,
    };
    match parse_source(&mut context, source) {
        Ok(module) => print_to_string(&context, module, flags),
        Err(_) => panic!("{}\nin\n{text}", common::messages(&mut context)),
    }
}

fn round_trips(context: &Context, module: Operation) {
    let generic = print_to_string(context, module, &PrintFlags::generic());
    let custom = print_to_string(context, module, &PrintFlags::default());
    assert_eq!(generic, reparse(&generic, &PrintFlags::generic()));
    assert_eq!(
        generic,
        reparse(&custom, &PrintFlags::generic()),
        "through\n{custom}"
    );
    assert_eq!(custom, reparse(&generic, &PrintFlags::default()));
}

#[test]
fn every_operation_round_trips() {
    for dialect in [&orison_tileas::NV_TILEAS, &orison_tileas::NV_TILEAA] {
        for definition in dialect.operations {
            for seed in 0..24 {
                let mut generator = Generator::new(seed * 7919 + 13);
                let module = generator.module(|g, block| g.declared(block, definition, 1));
                round_trips(&generator.context, module);
                // Random operations are rarely valid; the verifier must return and not panic.
                let _ = orison_ir::verify(&generator.context, module);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_modules_round_trip(seed in any::<u64>(), length in 1usize..12) {
        let mut generator = Generator::new(seed);
        let module = generator.module(|g, block| {
            for _ in 0..length {
                g.operation(block, 3);
            }
        });
        round_trips(&generator.context, module);
        let _ = orison_ir::verify(&generator.context, module);
    }
}
