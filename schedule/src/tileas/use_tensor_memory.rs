//! `tileas-use-tensor-memory`: keeps the sums and left factors of `tcgen05` products in tensor memory.

use std::collections::BTreeMap;

use orison_host::arith;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Remark, RemarkKind,
};
use orison_ir::{
    Attribute, Builder, Context, InsertionPoint, Location, Operation, OperationName,
    OperationState, Region, Type, Value, source_position,
};
use orison_tileas::MemorySpace;
use orison_tileas::nv_tileas;
use orison_tileas::nv_tileas::AtomFamily;
use orison_tileas::nv_tileas::attributes::atom as atom_attribute;
use orison_tileas::nv_tileas::types::ASYNC_TOKEN_TYPE;
use orison_tileas::views::{ShapedView, byte_size, shape_and_element};

use super::attributes::{AGENT, SUMMARY};
use super::classify::atom;
use super::loop_body::LoopBody;
use super::solve::loads;
use crate::buffers::{TMEM_COLUMNS, tensor_columns};

/// The name of the transformation, in remarks.
pub(super) const RULE: &str = "use-tensor-memory";
/// Lanes of tensor memory: the rows of a tile.
const LANES: i64 = 128;

orison_ir::pass_options! {
    /// Options of `tileas-use-tensor-memory`.
    pub struct UseTensorMemoryOptions {}
}

/// The pass.
#[derive(Clone, Debug)]
pub struct UseTensorMemory {
    options: UseTensorMemoryOptions,
}

impl Pass for UseTensorMemory {
    type Options = UseTensorMemoryOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "tileas-use-tensor-memory",
        "Keep sums and left factors of tcgen05 products in tensor memory.\n\n\
         In an innermost loop, a product of 128 rows with a `tcgen05_mma` atom whose sum is a tile \
         becomes `async.dot` into an allocation in tensor memory, with `async.wait`. Readers of the \
         sum get a copy of it in registers. A sum that the loop carries stays in its allocation: it \
         is copied there before the loop, and where the loop changes it between two products. A left \
         factor that is computed in the loop is copied into an allocation. Sums that start from zero \
         share an allocation if tensor memory is short. A loop whose allocations do not fit is left \
         unchanged, with a remark.\n\n\
         Source: PTX ISA, tcgen05; FlashAttention-4.",
        source_position!(),
    );

    fn create(options: UseTensorMemoryOptions) -> Self {
        UseTensorMemory { options }
    }

    fn options(&self) -> &UseTensorMemoryOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let mut changed = false;
        for body in LoopBody::targets(pass.context, pass.op()) {
            let op = body.op;
            match use_tensor_memory(pass.context, &body) {
                Ok(looped) => {
                    changed = true;
                    report(pass, looped);
                }
                Err(reason) => {
                    let help = "products of 128 rows with a tcgen05_mma atom can use it";
                    pass.declined(op, RULE, &reason, help);
                }
            }
        }
        if !changed {
            let reason = "no loop has products that can use tensor memory";
            pass.nothing_to_do(reason, "products need a tcgen05_mma atom and 128 rows");
        }
        Ok(IRStatus::changed_if(changed))
    }
}

/// Reports a loop whose products use tensor memory.
pub(super) fn report(pass: &mut PassContext<'_>, looped: Operation) {
    if pass.wants_remarks() {
        let text = "sums and left factors of products are in tensor memory";
        let remark = Remark::new(RemarkKind::Passed, RULE, text);
        pass.remark(looped, &remark);
    }
}

/// The first value of a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Start {
    /// Zero.
    Zero,
    /// What the loop carries at this position, perhaps changed.
    Carried(usize),
    /// Another tile.
    Tile,
}

/// A product that will use tensor memory.
struct Product {
    op: Operation,
    start: Start,
    /// The allocation of the sum, and of the left factor.
    sum: usize,
    left: Option<usize>,
}

/// The products of a loop, and the tiles to allocate.
#[derive(Default)]
struct Plan {
    products: Vec<Product>,
    tiles: Vec<Type>,
}

/// Keeps the sums of a loop's products in tensor memory; returns the loop, a new one if it carried a
/// sum.
///
/// # Errors
/// The reason that the loop is left as it is.
pub fn use_tensor_memory(context: &mut Context, body: &LoopBody) -> Result<Operation, String> {
    if body.op.attribute(context, SUMMARY).is_some() {
        let pass = "run tileas-use-tensor-memory before tileas-generate-schedule";
        return Err(format!("the loop is already scheduled; {pass}"));
    }
    let mut plan = plan(context, body, false);
    if columns(context, &plan.tiles) > TMEM_COLUMNS {
        plan = self::plan(context, body, true);
    }
    let needed = columns(context, &plan.tiles);
    if plan.products.is_empty() {
        return Err("no product has 128 rows and a sum in registers".to_owned());
    }
    if needed > TMEM_COLUMNS {
        return Err(format!(
            "its sums and factors require {needed} columns of tensor memory, but there are {TMEM_COLUMNS}"
        ));
    }
    Ok(Rewrite::new(context, body).run(body, &plan))
}

/// Columns of tensor memory of tiles.
fn columns(context: &Context, tiles: &[Type]) -> u64 {
    let bytes = tiles.iter().filter_map(|ty| {
        let (shape, element) = shape_and_element(context, *ty)?;
        byte_size(context, &shape, element)
    });
    bytes.map(tensor_columns).fold(0, u64::saturating_add)
}

/// The products of a loop. With `share`, sums of one type that start from zero have one allocation.
fn plan(context: &Context, body: &LoopBody, share: bool) -> Plan {
    let mut plan = Plan::default();
    let mut shared: BTreeMap<Type, usize> = BTreeMap::new();
    for &op in &body.operations {
        let Some(start) = start(context, body, op) else {
            continue;
        };
        let ty = op.result(context, 0).ty(context);
        let mut allocate = |ty: Type| {
            plan.tiles.push(ty);
            plan.tiles.len() - 1
        };
        let sum = match (start, share) {
            (Start::Zero, true) => *shared.entry(ty).or_insert_with(|| allocate(ty)),
            _ => allocate(ty),
        };
        let left = op.operand(context, 0);
        let left = computed_in(context, body, left).then(|| allocate(left.ty(context)));
        plan.products.push(Product {
            op,
            start,
            sum,
            left,
        });
    }
    plan
}

/// Whether a left factor is a tile that the loop computes.
fn computed_in(context: &Context, body: &LoopBody, value: Value) -> bool {
    let made_by = value.defining_op(context);
    let made_by = made_by.filter(|op| op.block(context) == Some(body.block));
    made_by.is_some_and(|op| loads::kind(context, op).is_none())
        && has_lanes(context, value.ty(context))
}

/// Whether a tile has a row for each lane.
fn has_lanes(context: &Context, ty: Type) -> bool {
    ty.is_shaped(context)
        && shape_and_element(context, ty).is_some_and(|(shape, element)| {
            let width = element.bit_width(context).unwrap_or(0);
            matches!(shape.as_slice(), [LANES, columns] if columns * i64::from(width) % 32 == 0)
        })
}

/// The first value of the sum of a product that can use tensor memory; `None` for other operations.
fn start(context: &Context, body: &LoopBody, op: Operation) -> Option<Start> {
    if !nv_tileas::Dot::matches(context, op)
        || atom(context, op)?.family() != AtomFamily::TensorMma
        || op.operand_count(context) != 3
        || !has_lanes(context, op.result(context, 0).ty(context))
    {
        return None;
    }
    let (result, sum) = (op.result(context, 0), op.operand(context, 2));
    if is_zero(context, sum) {
        return Some(Start::Zero);
    }
    let yielded = body.yielded(context);
    let mut positions = (0..yielded.len()).filter(|number| yielded[*number] == result);
    let (first, second) = (positions.next(), positions.next());
    Some(match (first, second) {
        (Some(position), None) => Start::Carried(position),
        _ => Start::Tile,
    })
}

fn is_zero(context: &Context, value: Value) -> bool {
    let constant = value.defining_op(context);
    let constant = constant.filter(|op| arith::Constant::matches(context, *op));
    let bytes = constant
        .and_then(|op| op.attribute(context, "value"))
        .and_then(|value| value.splat_bytes(context));
    bytes.is_some_and(|bytes| bytes.iter().all(|byte| *byte == 0))
}

/// Writes the new operations.
struct Rewrite<'c> {
    builder: Builder<'c>,
    location: Location,
    /// The allocations, as in [`Plan::tiles`].
    allocated: Vec<Value>,
}

impl<'c> Rewrite<'c> {
    fn new(context: &'c mut Context, body: &LoopBody) -> Self {
        let location = body.op.location(context);
        Rewrite {
            builder: Builder::at(context, InsertionPoint::Before(body.op)),
            location,
            allocated: Vec::new(),
        }
    }

    /// Rewrites the loop; returns it, or the loop that replaces it.
    fn run(mut self, body: &LoopBody, plan: &Plan) -> Operation {
        let no = self.allocate(body, plan);
        let yielded = body.yielded(self.builder.ir());
        let mut passed_on = yielded.clone();
        for product in &plan.products {
            if let Start::Carried(position) = product.start {
                passed_on[position] = body.block.argument(self.builder.ir(), position + 1);
            }
        }
        body.terminator
            .set_operands(self.builder.context(), &passed_on);
        for product in &plan.products {
            self.product(body, product, no);
        }
        let mut carried: Vec<(usize, Value)> = Vec::new();
        for product in &plan.products {
            if let Start::Carried(position) = product.start {
                carried.push((position, self.allocated[product.sum]));
            }
        }
        carried.sort_unstable_by_key(|(position, _)| *position);
        match carried.is_empty() {
            true => body.op,
            false => self.keep(body, &carried),
        }
    }

    /// Creates the allocations, and false, at the start of the function.
    fn allocate(&mut self, body: &LoopBody, plan: &Plan) -> Value {
        let context = self.builder.ir();
        let isolated =
            |op: &Operation| op.has_trait(context, orison_ir::declare::Trait::IsolatedFromAbove);
        let function = body.op.ancestors(context).find(isolated);
        let entry = function.and_then(|op| op.body_block(context, 0));
        if let Some(first) = entry.and_then(|block| block.first_op(context)) {
            self.before(first);
        }
        for ty in &plan.tiles {
            let view = self.view(*ty);
            let space = Attribute::string(self.builder.context(), "tmem");
            let made = self.create(
                nv_tileas::AllocTensor::NAME,
                &[],
                &[view],
                &[("memspace", space)],
                None,
            );
            self.allocated.push(made.result(self.builder.ir(), 0));
        }
        let value = [("value", Attribute::FALSE)];
        let no = self.create(arith::Constant::NAME, &[], &[Type::I1], &value, None);
        no.result(self.builder.ir(), 0)
    }

    /// Starts a product and waits for it; its readers get a copy of the sum.
    fn product(&mut self, body: &LoopBody, product: &Product, no: Value) {
        let op = product.op;
        self.before(op);
        self.location = op.location(self.builder.ir());
        let operands: Vec<Value> = op.operands(self.builder.ir()).collect();
        let mut left = operands[0];
        if let Some(number) = product.left {
            left = self.allocated[number];
            self.store(operands[0], left, None);
        }
        let sum = self.allocated[product.sum];
        let mut arguments = vec![left, operands[1], sum];
        match product.start {
            Start::Zero => arguments.push(no),
            Start::Carried(position)
                if operands[2] == body.block.argument(self.builder.ir(), position + 1) => {}
            Start::Carried(_) | Start::Tile => self.store(operands[2], sum, None),
        }
        let agent = op.attribute(self.builder.ir(), AGENT);
        let token = Type::without_parameters(self.builder.context(), &ASYNC_TOKEN_TYPE);
        let view = sum.ty(self.builder.ir());
        let started = self.create(
            nv_tileas::AsyncDot::NAME,
            &arguments,
            &[view, token],
            &[],
            agent,
        );
        let (properties, attributes) = {
            let context = self.builder.ir();
            (op.properties(context), op.attributes(context))
        };
        started.set_properties(self.builder.context(), properties);
        started.set_attributes(self.builder.context(), attributes);
        let token = started.result(self.builder.ir(), 1);
        self.create(nv_tileas::AsyncWait::NAME, &[token], &[], &[], agent);
        let result = op.result(self.builder.ir(), 0);
        self.replace_by_copy(result, sum);
        op.erase(self.builder.context());
    }

    /// Removes carried sums from the loop: they stay in their allocations.
    fn keep(mut self, body: &LoopBody, carried: &[(usize, Value)]) -> Operation {
        let op = body.op;
        let starts = body.initial_values(self.builder.ir());
        let kept = |number: &usize| carried.iter().all(|(position, _)| position != number);
        let count = op.result_count(self.builder.ir());
        let numbers: Vec<usize> = (0..count).filter(kept).collect();
        let yielded = body.yielded(self.builder.ir());
        let yielded: Vec<Value> = numbers.iter().map(|number| yielded[*number]).collect();
        body.terminator
            .set_operands(self.builder.context(), &yielded);
        for &(position, sum) in carried.iter().rev() {
            let argument = body.block.argument(self.builder.ir(), position + 1);
            let reader = self.reader(argument);
            if let Some(first) = body.block.first_op(self.builder.ir()) {
                self.before(first);
            }
            self.replace_by_copy(argument, sum);
            body.block
                .erase_argument(self.builder.context(), position + 1);
            self.before(op);
            self.store(starts[position], sum, reader);
        }
        let context = self.builder.ir();
        let mut state = OperationState::new(op.name(context), op.location(context));
        let initial = numbers.iter().map(|number| starts[*number]);
        state.operands = body.bounds(context).into_iter().chain(initial).collect();
        let results: Vec<Value> = op.results(context).collect();
        let types = numbers.iter().map(|number| results[*number].ty(context));
        state.result_types = types.collect();
        state.properties = op.properties(context);
        state.attributes = op.attributes(context);
        let region = Region::new(self.builder.context());
        op.region(self.builder.ir(), 0)
            .move_blocks_to(self.builder.context(), region);
        state.regions.push(region);
        self.before(op);
        let new = self.builder.create(&state);
        for (position, number) in numbers.iter().enumerate() {
            let result = new.result(self.builder.ir(), position);
            results[*number].replace_all_uses_with(self.builder.context(), result);
        }
        for &(position, sum) in carried {
            self.replace_by_copy(results[position], sum);
        }
        op.erase(self.builder.context());
        new
    }

    fn before(&mut self, op: Operation) {
        self.builder.set_insertion_point(InsertionPoint::Before(op));
    }

    /// The type of a view in tensor memory of a tile.
    fn view(&mut self, tile: Type) -> Type {
        let (shape, element) =
            shape_and_element(self.builder.ir(), tile).unwrap_or((Vec::new(), tile));
        ShapedView::tileas(&shape, element, MemorySpace::Tensor).ty(self.builder.context())
    }

    /// The agent of the first operation that reads a value.
    fn reader(&self, value: Value) -> Option<Attribute> {
        let context = self.builder.ir();
        let mut agents = value
            .users(context)
            .filter_map(|user| user.attribute(context, AGENT));
        agents.next()
    }

    /// Copies a tile into an allocation, in the agent that computes it, or else in the given one.
    fn store(&mut self, tile: Value, to: Value, agent: Option<Attribute>) {
        let context = self.builder.ir();
        let own = tile.defining_op(context);
        let agent = own.and_then(|op| op.attribute(context, AGENT)).or(agent);
        let atom = self.atom("st", to);
        self.create(
            nv_tileas::Copy::NAME,
            &[tile, to],
            &[],
            &[("atom", atom)],
            agent,
        );
    }

    /// Replaces a tile by a copy from its allocation, if it is read.
    fn replace_by_copy(&mut self, tile: Value, from: Value) {
        let context = self.builder.ir();
        if tile.is_unused(context) {
            return;
        }
        let (agent, ty) = (self.reader(tile), tile.ty(context));
        let atom = self.atom("ld", from);
        let copy = self.create(
            nv_tileas::Copy::NAME,
            &[from],
            &[ty],
            &[("atom", atom)],
            agent,
        );
        let copied = copy.result(self.builder.ir(), 0);
        tile.replace_all_uses_with(self.builder.context(), copied);
    }

    /// The atom that copies all columns of an allocation.
    fn atom(&mut self, direction: &str, view: Value) -> Attribute {
        let context = self.builder.ir();
        let columns = shape_and_element(context, view.ty(context)).map_or(1, |(shape, element)| {
            let width = i64::from(element.bit_width(context).unwrap_or(32));
            shape.last().map_or(1, |extent| extent * width / 32)
        });
        let name = format!("tcgen05_{direction}_32x32b_x{}", columns.clamp(1, 128));
        atom_attribute(self.builder.context(), &name, &[])
    }

    fn create(
        &mut self,
        name: &str,
        operands: &[Value],
        results: &[Type],
        properties: &[(&str, Attribute)],
        agent: Option<Attribute>,
    ) -> Operation {
        let location = self.location;
        let context = self.builder.context();
        let mut state = OperationState::new(OperationName::new(context, name), location);
        state.operands = operands.into();
        state.result_types = results.into();
        state.properties = Attribute::dictionary_of(context, properties);
        let op = self.builder.create(&state);
        if let Some(agent) = agent {
            op.set_attribute(self.builder.context(), AGENT, agent);
        }
        op
    }
}
