//! Builders create operations that the verifier accepts.

mod common;

use orison_ir::{
    Block, Builder, InsertionPoint, Location, Operation, OperationName, OperationState, PrintFlags,
    Region, Type, Value, print_to_string,
};
use orison_tileas::MemorySpace;
use orison_tileas::nv_tileaa::{Func, MEM_TOKEN_TYPE, Return};
use orison_tileas::nv_tileas::builders::{
    Agent, agent_switch, consume_one, order_token, produce_one, view_and_tiled_load,
    view_and_tiled_store, zero_dot,
};
use orison_tileas::nv_tileas::{
    CreateIterator, CreatePipeline, IteratorType, PipelineYield, Role, atom, types,
};
use orison_tileas::views::ShapedView;

/// Runs `fill` in a function with arguments of these types; verifies and prints it.
fn in_function(
    context: &mut orison_ir::Context,
    arguments: &[Type],
    fill: impl FnOnce(&mut Builder<'_>, &[Value]),
) -> String {
    let name = OperationName::new(context, "builtin.module");
    let mut state = OperationState::new(name, Location::UNKNOWN);
    let region = Region::new(context);
    let block = Block::new(context, &[]);
    region.append_block(context, block);
    state.regions.push(region);
    let module = Operation::create(context, &state);
    let ty = Type::function(context, arguments, &[]);
    let mut builder = Builder::at(context, InsertionPoint::End(block));
    let unknown = Location::UNKNOWN;
    let function = Func::build(&mut builder, unknown, "f", ty);
    let arguments: Vec<_> = arguments.iter().map(|ty| (*ty, unknown)).collect();
    let entry = Block::new(builder.context(), &arguments);
    let body = function.body(builder.ir());
    body.append_block(builder.context(), entry);
    let values: Vec<_> = entry.arguments(builder.ir()).collect();
    builder.set_insertion_point(InsertionPoint::End(entry));
    fill(&mut builder, &values);
    Return::build(&mut builder, unknown, &[]);
    let verified = context.verify(module);
    let messages = common::messages(context);
    let text = print_to_string(context, module, &PrintFlags::default());
    assert!(verified.is_ok(), "{messages}\nin\n{text}");
    text
}

#[test]
fn producers_and_consumers() {
    let mut context = common::context();
    let payload = Type::tensor(&mut context, &[8], Type::F32);
    let pipeline = Type::without_parameters(&mut context, &types::PIPELINE_TYPE);
    let producer = IteratorType::new(Role::Producer).ty(&mut context);
    let consumer = IteratorType::new(Role::Consumer).ty(&mut context);
    let unknown = Location::UNKNOWN;
    let text = in_function(&mut context, &[], |builder, _| {
        let pipe = CreatePipeline::build(builder, unknown, None, 2, 0, 1, pipeline);
        pipe.set_payload(builder.context(), vec![payload]);
        let pipe = pipe.pipeline(builder.ir());
        let made = CreateIterator::build(builder, unknown, pipe, "producer", producer);
        let made = made.iterator(builder.ir());
        let used = CreateIterator::build(builder, unknown, pipe, "consumer", consumer);
        let used = used.iterator(builder.ir());
        produce_one(builder, unknown, pipe, made, &[payload], &mut |_, _| {
            Vec::new()
        });
        let read = consume_one(
            builder,
            unknown,
            [pipe, used],
            0,
            &[payload],
            &mut |_, values| values.to_vec(),
        );
        assert_eq!(read.values(builder.ir()).len(), 1);
        let agents = [Agent {
            max_regs: 40,
            num_warps: 4,
            warp_id: 0,
            stride: 1,
        }; 2];
        let (_, blocks) = agent_switch(builder, unknown, &[pipe], &agents, 1);
        let before = builder.insertion_point();
        for block in blocks {
            builder.set_insertion_point(InsertionPoint::End(block));
            PipelineYield::build(builder, unknown, &[]);
        }
        builder.set_insertion_point(before);
    });
    assert!(
        text.contains("consume_one %Pipe_0, %consumer consumer 0 payload [tensor<8xf32>]"),
        "{text}"
    );
    assert!(text.contains("-> tensor<8xf32>"), "{text}");
}

#[test]
fn loads_stores_and_products() {
    let mut context = common::context();
    let tile = Type::tensor(&mut context, &[16, 16], Type::F32);
    let flat = ShapedView::tileas(&[256], Type::F32, MemorySpace::Global).ty(&mut context);
    let view = ShapedView::tileas(&[16, 16], Type::F32, MemorySpace::Global).ty(&mut context);
    let token = Type::without_parameters(&mut context, &MEM_TOKEN_TYPE);
    let mma = atom(&mut context, "mma_m16n8k8", &[]);
    let unknown = Location::UNKNOWN;
    let text = in_function(
        &mut context,
        &[flat, Type::INDEX, token],
        |builder, values| {
            let [flat, index, after] = [values[0], values[1], values[2]];
            let at = [index, index];
            let load = view_and_tiled_load(
                builder,
                unknown,
                flat,
                view,
                &at,
                [tile, token],
                Some(after),
            );
            assert_eq!(order_token(builder.ir(), load.operation()), Some(after));
            let loaded = load.tile(builder.ir());
            let product = zero_dot(builder, unknown, [loaded, loaded], tile, mma);
            let sum = product.expect("a product").d(builder.ir());
            view_and_tiled_store(
                builder,
                unknown,
                [flat, sum],
                [view, token],
                &at,
                Some(after),
            );
            assert!(zero_dot(builder, unknown, [loaded, loaded], Type::INDEX, mma).is_none());
        },
    );
    assert!(
        text.contains("arith.constant dense<0.000000e+00> : tensor<16x16xf32>"),
        "{text}"
    );
}
