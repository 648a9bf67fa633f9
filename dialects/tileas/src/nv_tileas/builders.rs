//! Builders for operations that passes create frequently (TileAS reference 1.4).

use orison_host::arith;
use orison_ir::{
    Attribute, Block, Builder, InsertionPoint, Location, OperationState, Region, Type, Value,
};

use super::attributes::Atom;
use super::types::{ORDER_TOKEN, Role};
use super::{AgentSwitch, ConsumeOne, Dot, PipelineYield, ProduceOne, View};
use super::{TiledLoad, TiledStore};

/// Fills a region: receives the builder at the end of the block and the block arguments, and
/// returns the yielded values.
pub type FillRegion<'f> = &'f mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Vec<Value>;

/// Adds a block to an empty region, fills it, and terminates it with a pipeline yield unless the
/// filler did. Returns the yielded types. The insertion point is restored.
pub fn fill_region(
    builder: &mut Builder<'_>,
    region: Region,
    location: Location,
    arguments: &[Type],
    fill: FillRegion<'_>,
) -> Vec<Type> {
    let arguments: Vec<_> = arguments.iter().map(|ty| (*ty, location)).collect();
    let block = Block::new(builder.context(), &arguments);
    region.append_block(builder.context(), block);
    let before = builder.set_insertion_point(InsertionPoint::End(block));
    let values: Vec<_> = block.arguments(builder.ir()).collect();
    let yielded = fill(builder, &values);
    let last = block.last_op(builder.ir());
    let end = last.and_then(|last| PipelineYield::of(builder.ir(), last));
    let end = end.unwrap_or_else(|| {
        builder.set_insertion_point(InsertionPoint::End(block));
        PipelineYield::build(builder, location, &yielded)
    });
    let types = end.values(builder.ir());
    let types = types.iter().map(|value| value.ty(builder.ir())).collect();
    builder.set_insertion_point(before);
    types
}

/// Creates an operation with one region that is filled first, so that its result types are derived
/// from the yielded values.
fn with_body(
    builder: &mut Builder<'_>,
    mut state: OperationState,
    role: Role,
    payload: &[Type],
    fill: FillRegion<'_>,
) -> orison_ir::Operation {
    let region = Region::new(builder.context());
    // The region needs an owner while it is filled; the operation gets its results afterwards.
    let holder = OperationState {
        regions: [region].into_iter().collect(),
        ..OperationState::new(state.name, state.location)
    };
    let holder = orison_ir::Operation::create(builder.context(), &holder);
    let point = builder.insertion_point();
    let yielded = fill_region(builder, region, state.location, payload, fill);
    let target = Region::new(builder.context());
    region.move_blocks_to(builder.context(), target);
    holder.erase(builder.context());
    builder.set_insertion_point(point);
    let token = role.token(builder.context());
    state.result_types.push(token);
    state.result_types.extend(yielded);
    state.regions.push(target);
    builder.create(&state)
}

/// Builds `produce_one` with its body.
pub fn produce_one(
    builder: &mut Builder<'_>,
    location: Location,
    pipeline: Value,
    iterator: Value,
    payload: &[Type],
    fill: FillRegion<'_>,
) -> ProduceOne {
    let context = builder.context();
    let name = orison_ir::OperationName::new(context, ProduceOne::NAME);
    let mut state = OperationState::new(name, location);
    state.operands.extend([pipeline, iterator]);
    let types = Attribute::type_array(context, payload);
    state.set_property(context, "producer_types", types);
    ProduceOne(with_body(builder, state, Role::Producer, payload, fill))
}

/// Builds `consume_one` with its body.
pub fn consume_one(
    builder: &mut Builder<'_>,
    location: Location,
    [pipeline, iterator]: [Value; 2],
    consumer_idx: i32,
    payload: &[Type],
    fill: FillRegion<'_>,
) -> ConsumeOne {
    let context = builder.context();
    let name = orison_ir::OperationName::new(context, ConsumeOne::NAME);
    let mut state = OperationState::new(name, location);
    state.operands.extend([pipeline, iterator]);
    let types = Attribute::type_array(context, payload);
    state.set_property(context, "consumer_types", types);
    let index = Attribute::i32(context, consumer_idx);
    state.set_property(context, "consumer_idx", index);
    ConsumeOne(with_body(builder, state, Role::Consumer, payload, fill))
}

/// The resources of an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agent {
    /// Register budget of a thread; 0 inherits.
    pub max_regs: i32,
    /// Warps; 0 inherits.
    pub num_warps: i32,
    /// First warp.
    pub warp_id: i32,
    /// Distance to the next agent of the group.
    pub stride: i32,
}

/// Builds `agent_switch` with an empty block for each agent.
pub fn agent_switch(
    builder: &mut Builder<'_>,
    location: Location,
    captures: &[Value],
    agents: &[Agent],
    num_agents_per_group: i32,
) -> (AgentSwitch, Vec<Block>) {
    let context = builder.context();
    let name = orison_ir::OperationName::new(context, AgentSwitch::NAME);
    let mut state = OperationState::new(name, location);
    state.operands = captures.into();
    let lists = [
        (
            "max_regs",
            agents
                .iter()
                .map(|agent| agent.max_regs)
                .collect::<Vec<_>>(),
        ),
        (
            "num_warps",
            agents.iter().map(|agent| agent.num_warps).collect(),
        ),
        (
            "warp_id",
            agents.iter().map(|agent| agent.warp_id).collect(),
        ),
        (
            "agent_strides",
            agents.iter().map(|agent| agent.stride).collect(),
        ),
    ];
    for (key, list) in lists {
        let list = Attribute::i32_array(context, &list);
        state.set_property(context, key, list);
    }
    let per_group = Attribute::i32(context, num_agents_per_group);
    state.set_property(context, "num_agents_per_group", per_group);
    state.set_property(context, "isolated", Attribute::FALSE);
    let mut blocks = Vec::new();
    for _ in agents {
        let region = Region::new(context);
        let block = Block::new(context, &[]);
        region.append_block(context, block);
        state.regions.push(region);
        blocks.push(block);
    }
    (AgentSwitch(builder.create(&state)), blocks)
}

/// Builds `view` and a `tiled_load` of it.
pub fn view_and_tiled_load(
    builder: &mut Builder<'_>,
    location: Location,
    source: Value,
    view: Type,
    coordinates: &[Value],
    [tile, token]: [Type; 2],
    after: Option<Value>,
) -> TiledLoad {
    let view = View::build(builder, location, source, view);
    let view = view.view(builder.ir());
    let after = after.as_slice();
    let token = Some(token);
    TiledLoad::build(
        builder,
        location,
        view,
        coordinates,
        &[],
        after,
        tile,
        token,
    )
}

/// Builds `view` and a `tiled_store` to it.
pub fn view_and_tiled_store(
    builder: &mut Builder<'_>,
    location: Location,
    [destination, value]: [Value; 2],
    [view, token]: [Type; 2],
    coordinates: &[Value],
    after: Option<Value>,
) -> TiledStore {
    let view = View::build(builder, location, destination, view);
    let view = view.view(builder.ir());
    let after = after.as_slice();
    let token = Some(token);
    TiledStore::build(
        builder,
        location,
        view,
        value,
        coordinates,
        &[],
        after,
        token,
    )
}

/// Builds a `dot` that adds to zero: an `arith.constant` of zeros of the accumulator type. `None`
/// if the type has no zero or `atom` is not an atom attribute.
pub fn zero_dot(
    builder: &mut Builder<'_>,
    location: Location,
    [a, b]: [Value; 2],
    sum: Type,
    atom: Attribute,
) -> Option<Dot> {
    Atom::of(builder.ir(), atom)?;
    let bits = sum.scalar(builder.ir()).bit_width(builder.ir())?;
    let bytes = vec![0u8; usize::try_from(bits.div_ceil(8)).ok()?];
    let zeros = Attribute::dense(builder.context(), sum, &bytes).ok()?;
    let name = orison_ir::OperationName::new(builder.context(), arith::Constant::NAME);
    let mut state = OperationState::new(name, location);
    state.set_property(builder.context(), "value", zeros);
    state.result_types.push(sum);
    let zero = builder.create(&state).result(builder.ir(), 0);
    Some(Dot::build(builder, location, a, b, zero, None, atom, sum))
}

/// The memory-order or async token on which a tiled operation depends.
pub fn order_token(context: &orison_ir::Context, op: orison_ir::Operation) -> Option<Value> {
    let token = op.operands_named(context, "token").first().copied()?;
    (ORDER_TOKEN.check)(context, token.ty(context)).then_some(token)
}
