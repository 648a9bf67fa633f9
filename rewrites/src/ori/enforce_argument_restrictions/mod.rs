//! The pass `ori-enforce-argument-restrictions`: phases 48 and 78 of ptxas (`EnforceArgumentRestrictions`,
//! `LateExpansionUnsupportedOps`).

mod addresses;
mod arrange;
mod blocks;
mod copies;
mod expand;
mod materialize;
mod operands;
mod tensor;

use orison_ir::declare::VerifyResult;
use orison_ir::pass::{IRStatus, Pass, PassContext, PassDefinition, PassResult, source_position};
use orison_ir::{Builder, Context, InsertionPoint, Location, Operation, Value};
use orison_ori::MachineOperation;
use rustc_hash::FxHashMap;

use super::functions::{Function, create_before, functions, machine_of};
use super::memory_layout::MemoryLayout;

/// The pass `ori-enforce-argument-restrictions`.
#[derive(Clone, Debug)]
pub struct EnforceArgumentRestrictions;

impl Pass for EnforceArgumentRestrictions {
    type Options = ();

    const DEFINITION: PassDefinition = PassDefinition::new::<EnforceArgumentRestrictions>(
        "ori-enforce-argument-restrictions",
        "Makes every operation one that an instruction of the machine computes: phases 48 and 78 \
         of ptxas.\n\
         \n\
         Operations that the machine lacks become others. Numbers, values in constant banks and \
         uniform registers stay operands where the instruction can have them, and are loaded into \
         registers elsewhere. Addresses of shared memory and of constants become numbers, and \
         accesses to global memory have its descriptor.",
        source_position!(),
    );

    fn create((): ()) -> Self {
        EnforceArgumentRestrictions
    }

    fn options(&self) -> &() {
        &()
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let all = functions(pass.context, pass.op());
        let mut tables = 0;
        for function in &all {
            let Some(machine) = machine_of(pass.context, function.op) else {
                continue;
            };
            let module = function.op.parent_op(pass.context).unwrap_or(function.op);
            let layout = MemoryLayout::of(pass.context, module);
            let mut legalizer = Legalizer {
                context: &mut *pass.context,
                function: *function,
                machine,
                layout,
                descriptor: None,
                tables,
                cells: FxHashMap::default(),
                shared: FxHashMap::default(),
            };
            legalizer.run()?;
            tables = legalizer.tables;
        }
        Ok(IRStatus::changed_if(!all.is_empty()))
    }
}

/// A function while it is made legal.
struct Legalizer<'c> {
    context: &'c mut Context,
    function: Function,
    machine: u16,
    layout: MemoryLayout,
    /// The descriptor of global memory, loaded at the start.
    descriptor: Option<Value>,
    /// Values that were in constant banks.
    cells: operands::Loaded,
    /// Size in bytes of the tables of branches of the module so far.
    tables: usize,
    /// Addresses of shared memory, computed at the start, by offset.
    shared: FxHashMap<i64, Value>,
}

impl Legalizer<'_> {
    fn run(&mut self) -> VerifyResult {
        self.fold_parts();
        for op in self.operations() {
            self.expand(op)?;
        }
        self.fold_parts();
        for op in self.operations() {
            self.addresses(op)?;
        }
        self.fold_parts();
        self.fold_wholes();
        self.operands()?;
        self.remove_unused();
        Ok(())
    }

    /// The operations in the order of the text.
    fn operations(&self) -> Vec<Operation> {
        let blocks = self.function.body.blocks(self.context);
        blocks
            .flat_map(|block| block.operations(self.context).collect::<Vec<_>>())
            .collect()
    }

    /// Creates an operation before another one, with its location; the first result.
    fn before(&mut self, anchor: Operation, op: MachineOperation) -> Operation {
        let location = anchor.location(self.context);
        create_before(self.context, anchor, location, op)
    }

    /// Creates an operation with one result before another one.
    fn value_before(&mut self, anchor: Operation, op: MachineOperation) -> Value {
        let op = self.before(anchor, op);
        op.result(self.context, 0)
    }

    /// Creates an operation at the start of the function.
    fn at_start(&mut self, op: MachineOperation) -> Operation {
        let (location, anchor) = self.start();
        match anchor {
            Some(anchor) => create_before(self.context, anchor, location, op),
            None => op.build(&mut Builder::new(self.context), location),
        }
    }

    /// The location and the first operation of the function.
    fn start(&self) -> (Location, Option<Operation>) {
        let entry = self.function.body.first_block(self.context);
        let first = entry.and_then(|entry| entry.first_op(self.context));
        (self.function.op.location(self.context), first)
    }

    /// Replaces an operation.
    fn replace(&mut self, op: Operation, new: MachineOperation) -> Operation {
        let new = self.before(op, new);
        for number in 0..op.result_count(self.context) {
            let (old, result) = (
                op.result(self.context, number),
                new.result(self.context, number),
            );
            result.set_type(self.context, old.ty(self.context));
            old.replace_all_uses_with(self.context, result);
        }
        op.erase(self.context);
        new
    }

    /// Replaces an operation with one result by a value.
    fn replace_by(&mut self, op: Operation, value: Value) {
        op.result(self.context, 0)
            .replace_all_uses_with(self.context, value);
        op.erase(self.context);
    }

    /// A copy of an operation, to be changed.
    fn copy(&self, op: Operation) -> Result<MachineOperation, Box<orison_ir::Diagnostic>> {
        match MachineOperation::copy_of(self.context, op) {
            Some(copy) => Ok(copy),
            None => Err(op.op_error(self.context, "has results that are not registers")),
        }
    }

    /// Inserts before an operation.
    fn builder_before(&mut self, op: Operation) -> Builder<'_> {
        Builder::at(self.context, InsertionPoint::Before(op))
    }
}
