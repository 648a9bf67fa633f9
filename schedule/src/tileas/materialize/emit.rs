//! Creating operations.

use orison_host::arith;
use orison_host::scf;
use orison_ir::declare::TypeDefinition;
use orison_ir::{
    Attribute, Block, Builder, Context, InsertionPoint, Location, Mapping, Operation,
    OperationName, OperationState, Region, Type, Value,
};

use super::super::attributes::{self, CYCLE, INTERVAL, ORDER, STAGE, SUMMARY};
use super::super::binding_attribute::BUFFERS;

/// Creates operations at an insertion point and a location.
pub(super) struct Emitter<'e> {
    pub(super) builder: Builder<'e>,
    pub(super) location: Location,
}

/// Properties of an operation to create.
pub(super) type Properties<'p> = &'p [(&'p str, Attribute)];

impl Emitter<'_> {
    /// Creates an operation with properties and regions of one empty block.
    pub(super) fn create(
        &mut self,
        name: &str,
        operands: &[Value],
        results: &[Type],
        properties: Properties<'_>,
        regions: usize,
    ) -> Operation {
        let location = self.location;
        let context = self.builder.context();
        let name = OperationName::new(context, name);
        let mut state = OperationState::new(name, location);
        state.operands = operands.into();
        state.result_types = results.into();
        state.properties = Attribute::dictionary_of(context, properties);
        for _ in 0..regions {
            let region = Region::new(context);
            let block = Block::new(context, &[]);
            region.append_block(context, block);
            state.regions.push(region);
        }
        self.builder.create(&state)
    }

    pub(super) fn pipeline_op(
        &mut self,
        name: &str,
        operands: &[Value],
        results: &[Type],
        properties: Properties<'_>,
        regions: usize,
    ) -> Operation {
        let name = format!("nv_tileas.async.pipeline.{name}");
        self.create(&name, operands, results, properties, regions)
    }

    pub(super) fn i32(&mut self, value: i32) -> Attribute {
        Attribute::i32(self.builder.context(), value)
    }

    /// The type of a declaration without parameters.
    pub(super) fn ty(&mut self, definition: &'static TypeDefinition) -> Type {
        Type::without_parameters(self.builder.context(), definition)
    }

    pub(super) fn ir(&self) -> &Context {
        self.builder.ir()
    }

    pub(super) fn result(&self, op: Operation, number: usize) -> Value {
        op.result(self.builder.ir(), number)
    }

    pub(super) fn type_of(&self, value: Value) -> Type {
        value.ty(self.builder.ir())
    }

    pub(super) fn types_of(&self, values: &[Value]) -> Vec<Type> {
        values.iter().map(|value| self.type_of(*value)).collect()
    }

    /// Enters the block of a region; returns the previous insertion point.
    pub(super) fn enter(&mut self, op: Operation, region: usize) -> (Block, InsertionPoint) {
        let block = op.body_block(self.builder.ir(), region);
        // Operations with regions are created with a block in each.
        let Some(block) = block else {
            unreachable!("regions are created with a block")
        };
        (
            block,
            self.builder.set_insertion_point(InsertionPoint::End(block)),
        )
    }

    /// Restores an insertion point.
    pub(super) fn leave(&mut self, point: InsertionPoint) {
        self.builder.set_insertion_point(point);
    }

    /// Ends a pipeline region.
    pub(super) fn pipeline_yield(&mut self, values: &[Value]) {
        self.pipeline_op("yield", values, &[], &[], 0);
    }

    /// Ends the region of a loop or branch.
    pub(super) fn scf_yield(&mut self, values: &[Value]) {
        self.create(scf::Yield::NAME, values, &[], &[], 0);
    }

    /// Adds a block argument.
    pub(super) fn argument(&mut self, block: Block, ty: Type) -> Value {
        let location = self.location;
        block.add_argument(self.builder.context(), ty, location)
    }

    /// An `scf.for` whose body has the induction variable and one argument for each initial value;
    /// moves the insertion point into the body. Returns the loop, its arguments and the previous
    /// insertion point.
    pub(super) fn loop_over(
        &mut self,
        bounds: [Value; 3],
        initial: &[Value],
    ) -> (Operation, Vec<Value>, InsertionPoint) {
        let mut operands = bounds.to_vec();
        operands.extend_from_slice(initial);
        let types = self.types_of(initial);
        let looped = self.create(scf::For::NAME, &operands, &types, &[], 1);
        let (block, outside) = self.enter(looped, 0);
        let index = self.type_of(bounds[0]);
        let mut arguments = vec![self.argument(block, index)];
        for ty in types {
            arguments.push(self.argument(block, ty));
        }
        (looped, arguments, outside)
    }

    /// Copies an operation with its regions. Drops constraints and cycles, which only the scheduler
    /// uses.
    pub(super) fn copy(&mut self, op: Operation, mapping: &mut Mapping) -> Operation {
        let context = self.builder.context();
        let copy = op.clone_into(context, mapping);
        for key in [
            attributes::GROUP,
            attributes::LEADER,
            attributes::MAX_DEPTH,
            attributes::FORCE_SERIAL,
            attributes::AGENT,
            CYCLE,
        ] {
            copy.remove_attribute(context, key);
        }
        self.builder.insert(copy);
        copy
    }

    /// Gives a loop or branch the attributes of its original. Of the schedule's summary only the
    /// interval remains, which a timed run is compared with, for `iterations` of the original.
    pub(super) fn keep_attributes(&mut self, from: Operation, to: Operation, iterations: i32) {
        let attributes = from.attributes(self.ir());
        let summary = attributes.get(self.ir(), SUMMARY);
        let interval = summary.and_then(|summary| summary.get(self.ir(), "ii"));
        let interval = interval.and_then(|interval| interval.as_i32(self.ir()));
        let context = self.builder.context();
        let attributes = attributes.without(context, SUMMARY);
        let attributes = attributes.without(context, attributes::AGENTS);
        let attributes = attributes.without(context, BUFFERS);
        to.set_attributes(context, attributes);
        if let Some(interval) = interval {
            let interval = Attribute::i32(context, interval.saturating_mul(iterations));
            to.set_attribute(context, INTERVAL, interval);
        }
    }

    /// Copies stage and order, the public result of scheduling.
    pub(super) fn copy_schedule(&mut self, from: Operation, to: Operation) {
        for key in [STAGE, ORDER] {
            if let Some(value) = from.attribute(self.builder.ir(), key) {
                to.set_attribute(self.builder.context(), key, value);
            }
        }
    }

    /// Writes stage and order.
    pub(super) fn set_schedule(&mut self, op: Operation, pair: (u32, u32)) {
        for (key, value) in [(STAGE, pair.0), (ORDER, pair.1)] {
            let value = self.i32(i32::try_from(value).unwrap_or(i32::MAX));
            op.set_attribute(self.builder.context(), key, value);
        }
    }

    /// Removes stage and order: operations copied for address computation have none.
    pub(super) fn forget_schedule(&mut self, op: Operation) {
        for key in [STAGE, ORDER] {
            op.remove_attribute(self.builder.context(), key);
        }
    }

    /// An integer constant of the type of a loop's bounds.
    pub(super) fn constant(&mut self, ty: Type, value: i64) -> Value {
        let value = Attribute::integer(self.builder.context(), ty, value);
        let made = self.create(arith::Constant::NAME, &[], &[ty], &[("value", value)], 0);
        self.result(made, 0)
    }

    /// Whether a signed integer is less than another one.
    pub(super) fn less(&mut self, a: Value, b: Value) -> Value {
        // `slt` of `arith.cmpi`.
        let predicate = Attribute::i64(self.builder.context(), 2);
        let properties = [("predicate", predicate)];
        let made = self.create(arith::CmpI::NAME, &[a, b], &[Type::I1], &properties, 0);
        self.result(made, 0)
    }

    /// A binary operation of `arith` on operands of one type.
    pub(super) fn arith(&mut self, name: &str, a: Value, b: Value) -> Value {
        let ty = self.type_of(a);
        let made = self.create(&format!("arith.{name}"), &[a, b], &[ty], &[], 0);
        self.result(made, 0)
    }
}
