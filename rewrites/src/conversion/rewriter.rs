//! IR changes that can be rolled back.

use orison_host::builtin;
use orison_ir::{
    Block, Builder, Context, InsertionPoint, Listener, Location, Operation, OperationName,
    OperationState, Region, Type, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::log::{Action, Place, Saved};
use super::signature::SignatureConversion;

/// The name of the temporary cast between types.
pub(crate) const CAST: &str = builtin::UnrealizedConversionCast::NAME;

/// A cast that the conversion inserted.
#[derive(Clone, Debug)]
pub(super) struct Cast {
    pub(super) op: Operation,
    /// The pattern that was running, whose converter materializes the cast.
    pub(super) pattern: Option<usize>,
    /// Whether it casts to a type before the conversion.
    pub(super) to_source: bool,
}

/// Changes IR in a dialect conversion. All changes go through it, and are rolled back if their
/// result cannot be made legal. The context may be used to make types and attributes.
#[derive(Debug)]
pub struct ConversionRewriter<'c> {
    context: &'c mut Context,
    point: InsertionPoint,
    log: Vec<Action>,
    /// Operations that were removed from the IR.
    erased: FxHashSet<Operation>,
    casts: Vec<Cast>,
    cast_operations: FxHashSet<Operation>,
    /// Converted values by original value and types.
    converted: FxHashMap<(Value, Vec<Type>), Vec<Value>>,
    /// Index of the pattern that is running.
    pub(super) pattern: Option<usize>,
    /// A textual log of the changes, if requested.
    pub(super) journal: Option<String>,
}

/// Collects the operations that a builder creates.
#[derive(Default)]
struct Created(Vec<Operation>);

impl Listener for Created {
    fn created(&mut self, _context: &Context, op: Operation) {
        self.0.push(op);
    }
}

impl<'c> ConversionRewriter<'c> {
    pub(super) fn new(context: &'c mut Context) -> Self {
        ConversionRewriter {
            context,
            point: InsertionPoint::Detached,
            log: Vec::new(),
            erased: FxHashSet::default(),
            casts: Vec::new(),
            cast_operations: FxHashSet::default(),
            converted: FxHashMap::default(),
            pattern: None,
            journal: None,
        }
    }

    /// Read-only access to the IR.
    pub fn ir(&self) -> &Context {
        self.context
    }

    /// The context, for creating types and attributes: IR changes made through it are not rolled
    /// back.
    pub fn context(&mut self) -> &mut Context {
        self.context
    }

    /// Sets the position of the next operation.
    pub fn set_insertion_point(&mut self, point: InsertionPoint) {
        self.point = point;
    }

    fn note(&mut self, what: &str, op: Operation) {
        if let Some(journal) = &mut self.journal {
            let name = op.name_text(self.context);
            journal.push_str(&format!("** {what}: '{name}'\n"));
        }
    }

    /// Creates operations at the insertion point with a builder.
    pub fn build<T>(&mut self, build: impl FnOnce(&mut Builder<'_>) -> T) -> T {
        let mut created = Created::default();
        let mut builder = Builder::at(self.context, self.point).with_listener(&mut created);
        let result = build(&mut builder);
        for op in created.0 {
            self.note("Insert  ", op);
            self.log.push(Action::Created(op));
        }
        result
    }

    /// Creates an operation at the insertion point.
    pub fn create(&mut self, state: &OperationState) -> Operation {
        self.build(|builder| builder.create(state))
    }

    /// Creates a block with arguments before another one, or at the end of a region.
    pub fn create_block(
        &mut self,
        region: Region,
        before: Option<Block>,
        arguments: &[(Type, Location)],
    ) -> Block {
        let block = Block::new(self.context, arguments);
        region.insert_block_before(self.context, before, block);
        self.log.push(Action::CreatedBlock(block));
        block
    }

    /// Adds an argument at the end of a block.
    pub fn add_argument(&mut self, block: Block, ty: Type, location: Location) -> Value {
        let argument = block.add_argument(self.context, ty, location);
        self.log.push(Action::AddedArgument(block));
        argument
    }

    /// Redirects all uses of a value.
    pub fn replace_all_uses(&mut self, value: Value, replacement: Value) {
        let uses: Vec<_> = value.uses(self.context).collect();
        let uses = uses
            .into_iter()
            .map(|use_of| (use_of.owner, use_of.operand));
        let uses: Vec<_> = uses.collect();
        for (op, number) in &uses {
            op.set_operand(self.context, *number, replacement);
        }
        self.log.push(Action::Replaced(value, uses));
    }

    /// Removes an operation from the IR. Its results must have no uses when the conversion ends.
    pub fn erase(&mut self, op: Operation) {
        self.note("Erase   ", op);
        let Some(place) = Place::of(self.context, op) else {
            return;
        };
        let operands: Vec<_> = op.operands(self.context).collect();
        op.detach(self.context);
        op.set_operands(self.context, &[]);
        self.erased.insert(op);
        self.log.push(Action::Erased(op, place, operands));
    }

    /// Replaces each result of an operation with a value, and removes the operation. A value whose
    /// type differs from that of the result must have the converted type.
    pub fn replace(&mut self, op: Operation, values: &[Value]) {
        let lists: Vec<_> = values.iter().map(|value| vec![*value]).collect();
        self.replace_with_lists(op, &lists);
    }

    /// Replaces each result of an operation with the values of its converted types.
    pub fn replace_with_lists(&mut self, op: Operation, values: &[Vec<Value>]) {
        self.note("Replace ", op);
        let results: Vec<_> = op.results(self.context).collect();
        let point = self.point;
        for (result, values) in results.into_iter().zip(values) {
            self.point = InsertionPoint::Before(op);
            self.replace_value(result, values, op.location(self.context));
        }
        self.point = point;
        self.erase(op);
    }

    /// Replaces a value with its converted values; a cast at the insertion point makes a value of
    /// the original type for remaining users.
    fn replace_value(&mut self, value: Value, values: &[Value], location: Location) {
        let ty = value.ty(self.context);
        if let [single] = values
            && single.ty(self.context) == ty
        {
            self.replace_all_uses(value, *single);
            return;
        }
        if value.is_unused(self.context) {
            return;
        }
        let cast = self.cast(values, &[ty], location, true);
        self.replace_all_uses(value, cast[0]);
    }

    /// Creates a cast at the insertion point.
    fn cast(
        &mut self,
        values: &[Value],
        types: &[Type],
        location: Location,
        to_source: bool,
    ) -> Vec<Value> {
        let name = OperationName::new(self.context, CAST);
        let mut state = OperationState::new(name, location);
        state.operands.extend_from_slice(values);
        state.result_types.extend_from_slice(types);
        let op = self.create(&state);
        self.cast_operations.insert(op);
        self.casts.push(Cast {
            op,
            pattern: self.pattern,
            to_source,
        });
        op.results(self.context).collect()
    }

    /// The converted values of a value, with these types: a cast makes them if they do not exist.
    pub(super) fn converted(&mut self, value: Value, types: &[Type]) -> Vec<Value> {
        if types == [value.ty(self.context)] {
            return vec![value];
        }
        if let Some(op) = value.defining_op(self.context)
            && op.is(self.context, CAST)
            && op.operand_types(self.context) == types
        {
            return op.operands(self.context).collect();
        }
        let key = (value, types.to_vec());
        if let Some(known) = self.converted.get(&key)
            && known.iter().all(|value| value.is_live(self.context))
        {
            return known.clone();
        }
        let point = self.point;
        self.point = match (
            value.defining_op(self.context),
            value.parent_block(self.context),
        ) {
            (Some(op), Some(block)) => match op.next(self.context) {
                Some(next) => InsertionPoint::Before(next),
                None => InsertionPoint::End(block),
            },
            (None, Some(block)) => front(self.context, block),
            (_, None) => point,
        };
        let location = value.location(self.context);
        let values = self.cast(&[value], types, location, false);
        self.point = point;
        self.converted.insert(key, values.clone());
        values
    }

    /// Changes an operation in place: operands, attributes, successors, types of results.
    pub fn modify<T>(&mut self, op: Operation, change: impl FnOnce(&mut Context) -> T) -> T {
        self.note("Modified", op);
        self.log
            .push(Action::Modified(Box::new(Saved::of(self.context, op))));
        change(self.context)
    }

    /// Moves an operation before another one, or to the end of a block.
    pub fn move_operation(&mut self, op: Operation, block: Block, before: Option<Operation>) {
        if let Some(place) = Place::of(self.context, op) {
            op.detach(self.context);
            self.log.push(Action::Moved(op, place));
            block.insert_before(self.context, before, op);
        }
    }

    /// Moves the operations of a block starting at `op` into a new block after it. Linear in their
    /// number.
    pub fn split_block(&mut self, block: Block, op: Option<Operation>) -> Option<Block> {
        let region = block.region(self.context)?;
        let rest = self.create_block(region, block.next(self.context), &[]);
        let mut current = op;
        while let Some(op) = current {
            current = op.next(self.context);
            self.move_operation(op, rest, None);
        }
        Some(rest)
    }

    /// Moves the operations of a block before an operation, or to the end of a block, replacing its
    /// arguments with values. The block is erased.
    pub fn inline_block(
        &mut self,
        block: Block,
        target: Block,
        before: Option<Operation>,
        values: &[Value],
    ) {
        let arguments: Vec<_> = block.arguments(self.context).collect();
        for (argument, value) in arguments.into_iter().zip(values) {
            self.replace_all_uses(argument, *value);
        }
        let operations: Vec<_> = block.operations(self.context).collect();
        for op in operations {
            self.move_operation(op, target, before);
        }
        self.detach_block(block);
    }

    fn detach_block(&mut self, block: Block) {
        if let Some(region) = block.region(self.context) {
            let action = Action::MovedBlock(block, region, block.next(self.context));
            block.detach(self.context);
            self.log.push(action);
        }
    }

    /// Moves all blocks of a region before a block of another one.
    pub fn inline_region(&mut self, region: Region, before: Block) {
        let Some(target) = before.region(self.context) else {
            return;
        };
        let blocks: Vec<_> = region.blocks(self.context).collect();
        for block in blocks {
            self.detach_block(block);
            target.insert_block_before(self.context, Some(before), block);
        }
    }

    /// Replaces a block with a new one that has the arguments of a converted signature, also in
    /// branches to it.
    pub fn convert_signature(&mut self, block: Block, conversion: &SignatureConversion) -> Block {
        let Some(region) = block.region(self.context) else {
            return block;
        };
        let old: Vec<_> = block.arguments(self.context).collect();
        if old.len() != conversion.types().len() {
            return block;
        }
        let mut arguments = Vec::new();
        for (number, types) in conversion.types().iter().enumerate() {
            let location = block.argument_location(self.context, number);
            arguments.extend(types.iter().map(|ty| (*ty, location)));
        }
        let new = self.create_block(region, Some(block), &arguments);
        let operations: Vec<_> = block.operations(self.context).collect();
        for op in operations {
            self.move_operation(op, new, None);
        }
        let mut first = 0;
        let point = self.point;
        for (argument, types) in old.into_iter().zip(conversion.types()) {
            let values: Vec<_> = (first..first + types.len())
                .map(|number| new.argument(self.context, number))
                .collect();
            first += types.len();
            self.point = front(self.context, new);
            let location = argument.location(self.context);
            self.replace_value(argument, &values, location);
        }
        self.point = point;
        self.redirect(block, new);
        self.detach_block(block);
        new
    }

    /// Redirects all branches to a block to another one.
    fn redirect(&mut self, from: Block, to: Block) {
        let branches: Vec<_> = from.predecessor_terminators(self.context).collect();
        for op in branches {
            self.modify(op, |context| {
                let successors: Vec<_> = op.successors(context).collect();
                for (number, successor) in successors.into_iter().enumerate() {
                    if successor == from {
                        op.set_successor(context, number, to);
                    }
                }
            });
        }
    }
}

/// The interface for the legalizer.
impl ConversionRewriter<'_> {
    pub(super) fn mark(&self) -> usize {
        self.log.len()
    }

    /// Undoes everything since the mark.
    pub(super) fn roll_back(&mut self, mark: usize) {
        while self.log.len() > mark {
            let Some(action) = self.log.pop() else { break };
            if let Action::Erased(op, ..) = &action {
                self.erased.remove(op);
            }
            action.undo(self.context);
        }
        // Casts are undone in log order, the last one first.
        while let Some(cast) = self.casts.pop_if(|cast| !cast.op.is_live(self.context)) {
            self.cast_operations.remove(&cast.op);
        }
    }

    /// Whether an operation, or one that encloses it, was removed from the IR.
    pub(super) fn is_gone(&self, op: Operation) -> bool {
        let outermost = op.ancestors(self.context).last().unwrap_or(op);
        self.erased.contains(&outermost)
    }

    /// The operations that were created or changed since a mark, in order, without casts.
    pub(super) fn touched(&self, mark: usize) -> Vec<Operation> {
        let mut touched = Vec::new();
        let mut seen = FxHashSet::default();
        for action in &self.log[mark..] {
            let op = match action {
                Action::Created(op) => *op,
                Action::Modified(saved) => saved.op,
                _ => continue,
            };
            let is_cast = self.cast_operations.contains(&op);
            if !is_cast && !self.erased.contains(&op) && seen.insert(op) {
                touched.push(op);
            }
        }
        touched
    }

    /// The casts that are still in the IR.
    pub(super) fn live_casts(&self) -> Vec<Cast> {
        let mut casts = self.casts.clone();
        casts.retain(|cast| !self.erased.contains(&cast.op));
        casts
    }

    /// A removed operation with results that are still used in the IR.
    pub(super) fn used_although_gone(&self) -> Option<Operation> {
        let gone = self.log.iter().filter_map(|action| match action {
            Action::Erased(op, ..) => Some(*op),
            _ => None,
        });
        let is_used = |op: &Operation| {
            op.results(self.context).any(|result| {
                let mut users = result.users(self.context);
                users.any(|user| !self.is_gone(user))
            })
        };
        gone.into_iter().find(is_used)
    }

    /// Frees what was removed from the IR: nothing can be rolled back afterwards.
    pub(super) fn commit(&mut self) {
        let log = std::mem::take(&mut self.log);
        for action in log.iter().rev() {
            if let Action::Erased(op, ..) = action {
                op.erase(self.context);
            }
        }
        for action in log {
            if let Action::MovedBlock(block, ..) = action
                && block.is_live(self.context)
                && block.region(self.context).is_none()
            {
                block.erase(self.context);
            }
        }
    }
}

/// The insertion point before the first operation of a block.
fn front(context: &Context, block: Block) -> InsertionPoint {
    match block.first_op(context) {
        Some(first) => InsertionPoint::Before(first),
        None => InsertionPoint::End(block),
    }
}
