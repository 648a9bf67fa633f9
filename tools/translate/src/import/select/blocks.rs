//! Selections with control flow: rare paths of an expansion, and threads one at a time.

use orison_ir::declare::OPERAND_SEGMENTS;
use orison_ir::{Attribute, Block, InsertionPoint, OperationName, OperationState, Value};
use orison_ori::operations as ori;
use orison_ori::operations::control::{Bra, CondBra};
use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use crate::ptx::ast::Expression;

impl<'e, 'a> Emitter<'e, 'a> {
    /// A new block after the current one, with arguments of these register types.
    fn block_behind(&mut self, after: Block, arguments: &[Register]) -> Option<Block> {
        let location = self.location;
        let context = self.context();
        let region = after.region(context)?;
        let anchor = after.next(context);
        let arguments: Vec<_> = arguments
            .iter()
            .map(|register| (register.ty(context), location))
            .collect();
        let block = Block::new(context, &arguments);
        region.insert_block_before(context, anchor, block);
        Some(block)
    }

    fn current_block(&self) -> Option<Block> {
        match self.builder.insertion_point() {
            InsertionPoint::End(block) => Some(block),
            _ => None,
        }
    }

    fn jump(&mut self, target: Block, values: &[Value]) {
        let location = self.location;
        let name = OperationName::new(self.context(), Bra::NAME);
        let mut state = OperationState::new(name, location);
        state.operands.extend(values.iter().copied());
        state.successors.push(target);
        self.builder.create(&state);
    }

    fn branch(
        &mut self,
        condition: Value,
        inverted: bool,
        targets: [Block; 2],
        values: [&[Value]; 2],
    ) {
        let location = self.location;
        let context = self.context();
        let name = OperationName::new(context, CondBra::NAME);
        let mut state = OperationState::new(name, location);
        let sizes = values.map(|values| i32::try_from(values.len()).unwrap_or(i32::MAX));
        let sizes = Attribute::i32_array(context, &[1, sizes[0], sizes[1]]);
        state.set_property(context, OPERAND_SEGMENTS, sizes);
        if inverted {
            state.set_property(context, "inverted", Attribute::UNIT);
        }
        state.operands.push(condition);
        state.operands.extend(values.concat());
        state.successors.extend(targets);
        self.builder.create(&state);
    }

    /// The value of `rare` if a predicate holds, else `common`, as one value of a register type.
    /// The rest of the selection must not fail, since blocks cannot be rolled back.
    pub(super) fn rarely(
        &mut self,
        predicate: Value,
        common: Value,
        register: Register,
        rare: impl FnOnce(&mut Self) -> Value,
    ) -> Option<Value> {
        let before = self.current_block()?;
        let path = self.block_behind(before, &[])?;
        let behind = self.block_behind(path, &[register])?;
        self.branch(predicate, false, [path, behind], [&[], &[common]]);
        self.builder.set_insertion_point(InsertionPoint::End(path));
        let value = rare(self);
        self.jump(behind, &[value]);
        self.builder
            .set_insertion_point(InsertionPoint::End(behind));
        Some(behind.argument(self.builder.ir(), 0))
    }

    /// Emits code that runs only if the guard of the instruction holds, after a branch. The rest of
    /// the selection must not fail, as in [`Self::rarely`].
    pub(super) fn only_where_guarded(
        &mut self,
        each: impl FnOnce(&mut Emitter<'e, 'a>),
    ) -> Option<()> {
        let Some((predicate, inverted)) = self.guard.take() else {
            each(self);
            return Some(());
        };
        let before = self.current_block()?;
        let path = self.block_behind(before, &[])?;
        let behind = self.block_behind(path, &[])?;
        self.branch(predicate, inverted, [path, behind], [&[], &[]]);
        self.builder.set_insertion_point(InsertionPoint::End(path));
        each(self);
        self.jump(behind, &[]);
        self.builder
            .set_insertion_point(InsertionPoint::End(behind));
        self.guard = Some((predicate, inverted));
        Some(())
    }

    /// The values that `each` computes for destinations if the guard of the instruction holds,
    /// after a branch, else their previous values. The rest of the selection must not fail, as in
    /// [`Self::rarely`].
    pub(super) fn values_where_guarded(
        &mut self,
        destinations: &[(&Expression<'a>, Register)],
        each: impl FnOnce(&mut Self) -> Vec<Value>,
    ) -> Option<Vec<Value>> {
        let Some((predicate, inverted)) = self.guard.take() else {
            return Some(each(self));
        };
        let registers: Vec<_> = destinations.iter().map(|(_, register)| *register).collect();
        let otherwise: Vec<_> = destinations
            .iter()
            .map(|(destination, register)| self.kept_or_zero(destination, *register))
            .collect();
        let before = self.current_block()?;
        let path = self.block_behind(before, &[])?;
        let behind = self.block_behind(path, &registers)?;
        self.branch(predicate, inverted, [path, behind], [&[], &otherwise]);
        self.builder.set_insertion_point(InsertionPoint::End(path));
        let values = each(self);
        self.jump(behind, &values);
        self.builder
            .set_insertion_point(InsertionPoint::End(behind));
        // The values are already selected.
        (self.guard, self.guarded) = (Some((predicate, inverted)), true);
        let context = self.builder.ir();
        Some(
            (0..registers.len())
                .map(|number| behind.argument(context, number))
                .collect(),
        )
    }

    /// Emits code that runs once for each active thread (whose guard holds), as ptxas does: threads
    /// are elected one at a time. The rest of the selection must not fail, as in [`Self::rarely`].
    pub(super) fn one_by_one(&mut self, each: impl FnOnce(&mut Self)) -> Option<()> {
        let before = self.current_block()?;
        let elects = self.block_behind(before, &[])?;
        let path = self.block_behind(elects, &[])?;
        let behind = self.block_behind(path, &[])?;
        match self.guard {
            Some((predicate, inverted)) => {
                self.branch(predicate, inverted, [elects, behind], [&[], &[]]);
            }
            None => self.jump(elects, &[]),
        }
        self.builder
            .set_insertion_point(InsertionPoint::End(elects));
        let elected = self.emit(MachineOperation::new(ori::Elect::NAME).result(Register::P));
        self.branch(elected, false, [path, elects], [&[], &[]]);
        self.builder.set_insertion_point(InsertionPoint::End(path));
        let guard = self.guard.take();
        each(self);
        self.guard = guard;
        self.jump(behind, &[]);
        self.builder
            .set_insertion_point(InsertionPoint::End(behind));
        Some(())
    }

    /// A compare-and-swap loop: `first` reads memory, `swap` tries to replace its input and returns
    /// the previous value. It ends when both are equal; that is the result. If the guard of the
    /// instruction is false, nothing is done, and the result is `kept`. The rest of the selection
    /// must not fail, as in [`Self::rarely`].
    pub(super) fn retried(
        &mut self,
        kept: Value,
        register: Register,
        first: impl FnOnce(&mut Self) -> Value,
        swap: impl FnOnce(&mut Self, Value) -> Option<Value>,
    ) -> Option<Value> {
        let before = self.current_block()?;
        let enters = self.block_behind(before, &[])?;
        let again = self.block_behind(enters, &[register])?;
        let behind = self.block_behind(again, &[register])?;
        match self.guard {
            Some((predicate, inverted)) => {
                self.branch(predicate, inverted, [enters, behind], [&[], &[kept]]);
            }
            None => self.jump(enters, &[]),
        }
        let guard = self.guard.take();
        self.builder
            .set_insertion_point(InsertionPoint::End(enters));
        let old = first(self);
        self.jump(again, &[old]);
        self.builder.set_insertion_point(InsertionPoint::End(again));
        let old = again.argument(self.builder.ir(), 0);
        let found = swap(self, old)?;
        let words = register.words()?;
        let parts: Vec<_> = (0..words)
            .map(|word| (self.word(found, word), self.word(old, word)))
            .collect();
        let mut differs = None;
        for (a, b) in parts {
            let other = self.compared("ne", false, a, b);
            differs = Some(match differs {
                Some(before) => self.predicates2(super::emit::table::OR, before, other),
                None => other,
            });
        }
        self.branch(differs?, false, [again, behind], [&[found], &[old]]);
        self.guard = guard;
        self.builder
            .set_insertion_point(InsertionPoint::End(behind));
        Some(behind.argument(self.builder.ir(), 0))
    }
}
