//! The stage walk: what happens in each section, in order, and where an arrive is missing.
//!
//! State of a section: the anchor, which is the arrive that the next product relies on, and the
//! pending product, the last one of the open group. Everything that closes the group puts the
//! group's mark (`gsb0` in SASS) on the pending product. Seed 002, "Phase 3: Per-sequence stage
//! walk"; the order of the rules is measured.

use orison_ir::{Context, Operation, Value};
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::analyses::properties;
use orison_ori::operations::moves::{Concat, Extract, Imm, Mov};

use super::sections::{End, Section, is_barrier};
use crate::ori::matrix_registers::variables::{Variable, Variables, name_of};

/// One step of a section.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A fence, or the place before an operation where an arrive is injected.
    Arrive {
        /// The fence, or the operation.
        op: Operation,
        /// Whether it is injected.
        injected: bool,
        /// Whether a wait was met before the fence.
        waited: bool,
    },
    /// A product.
    Product(Operation),
    /// A commit of no products, which becomes a product without operands.
    Dummy(Operation),
    /// The open group is closed.
    Close {
        /// The last product of the group.
        product: Operation,
        /// The commit that does it, if one does.
        commit: Option<Operation>,
    },
    /// A wait.
    Wait(Operation, u32),
    /// An operation that reads an accumulator where a wait may be injected before it.
    Candidate(Operation),
    /// An operation that reads or writes accumulators or factors.
    Plain(Operation, Touched),
    /// Accumulators are written by copies of values that operations computed before.
    Copied(Vec<(Variable, Operation)>),
    /// Threads may end here.
    Leave(Operation),
    /// The end of the last section, after its last operation.
    Last(Option<Operation>),
}

/// What an operation that is no product does to registers of products.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    /// The values in accumulators that it reads.
    pub reads: Vec<Value>,
    /// The accumulators that it writes: no local temporaries, no dead values.
    pub accumulators: Vec<Variable>,
    /// The factors that it writes, unless they are constants, and their values.
    pub factors: Vec<(Variable, Value)>,
    /// Accumulators whose value is copied to them at the end of the block.
    pub late: Vec<Variable>,
    /// Of `accumulators`, those that no product of the block reads.
    pub unread: Vec<Variable>,
    /// Whether it writes what is copied to an accumulator.
    pub copies: bool,
}

impl Touched {
    /// What an operation reads and writes.
    pub fn of(context: &Context, variables: &mut Variables, op: Operation) -> Self {
        let mut touched = Touched::default();
        if !is_real(context, op) {
            return touched;
        }
        for (variable, value) in variables.written(context, op) {
            // Where a guard does not hold the register keeps its value: it is written in place.
            let in_place =
                variables.met.contains(&variable) && !properties::otherwise(context, op).is_empty();
            if in_place || variables.tied.contains(&variable) {
                if !is_local(context, op, value) && !is_forwarded(context, op, value) {
                    touched.accumulators.push(variable);
                    if !feeds_product(context, op, value) {
                        touched.unread.push(variable);
                    }
                }
            } else if variables.met.contains(&variable) {
                if !is_copy(context, op) && leaves_block(context, op, value) {
                    touched.late.push(variable);
                }
            } else if Imm::of(context, op).is_none() && !value.is_unused(context) {
                touched.factors.push((variable, value));
            }
        }
        touched.copies = variables.makes_copied(context, op);
        if op.successor_count(context) == 0 {
            // A register that keeps its value where a guard does not hold is not read.
            let kept = properties::otherwise(context, op).len();
            let first = otherwise_operand(context, op).unwrap_or(usize::MAX);
            let is_kept = |number: usize| (first..first.saturating_add(kept)).contains(&number);
            let operands = op.operands(context).enumerate();
            for (_, operand) in operands.filter(|(number, _)| !is_kept(*number)) {
                read_parts(context, operand, &mut |value| {
                    if variables.is_read_there(context, value) {
                        touched.reads.push(value);
                    }
                });
            }
        }
        touched
    }

    /// Whether it does nothing to them.
    pub fn is_empty(&self) -> bool {
        self.reads.is_empty()
            && self.accumulators.is_empty()
            && self.factors.is_empty()
            && self.late.is_empty()
            && !self.copies
    }
}

/// Whether an operation is an instruction, or a constant that must be moved to a register.
fn is_real(context: &Context, op: Operation) -> bool {
    match role(context, op) {
        Some(Role::Call) => true,
        Some(_) => false,
        None => Imm::of(context, op).is_some() || properties::is_instruction(context, op),
    }
}

/// The number of the first operand that a result keeps where the guard does not hold.
fn otherwise_operand(context: &Context, op: Operation) -> Option<usize> {
    let definition = op.definition(context)?;
    let mut groups = definition.operands.iter();
    let group = groups.position(|group| group.name == "otherwise")?;
    definition.operand_range(context, op, group).next()
}

/// The values that an operand stands for: the parts of a concatenation.
fn read_parts(context: &Context, operand: Value, tell: &mut impl FnMut(Value)) {
    let mut pending = vec![operand];
    while let Some(value) = pending.pop() {
        let concat = value.defining_op(context);
        match concat.filter(|op| Concat::matches(context, *op)) {
            Some(concat) => pending.extend(concat.operands(context).rev()),
            None => tell(value),
        }
    }
}

/// Whether a value is dead, or only used before the next barrier, call, fence, product, commit or
/// wait of its block: then it needs no register of its own across them.
fn is_local(context: &Context, op: Operation, value: Value) -> bool {
    let mut users: Vec<Operation> = value.users(context).collect();
    let passes =
        |user: &Operation| Concat::matches(context, *user) || Extract::matches(context, *user);
    let home = op.block(context);
    if users
        .iter()
        .any(|user| user.block(context) != home || passes(user))
    {
        return false;
    }
    users.sort_unstable();
    users.dedup();
    let mut next = op.next(context);
    while let Some(at) = next {
        let ends = at.successor_count(context) > 0
            || role(context, at).is_some()
            || is_barrier(context, at);
        if ends {
            break;
        }
        users.retain(|user| *user != at);
        if users.is_empty() {
            return true;
        }
        next = at.next(context);
    }
    users.is_empty()
}

/// Whether a constant is forwarded to all its uses, which are no products: then it is in no
/// register.
fn is_forwarded(context: &Context, op: Operation, value: Value) -> bool {
    let passes = |user: Operation| {
        user.successor_count(context) > 0
            || Concat::matches(context, user)
            || Extract::matches(context, user)
            || role(context, user).is_some()
            || properties::otherwise(context, user).contains(&value)
    };
    Imm::of(context, op).is_some() && !value.users(context).any(passes)
}

/// Whether a value is in the accumulator of a product of the block of its definition.
fn feeds_product(context: &Context, op: Operation, value: Value) -> bool {
    let home = op.block(context);
    let concats = value.users(context);
    let concats = concats.filter(|user| Concat::matches(context, *user));
    let results = concats.map(|concat| concat.result(context, 0));
    let mut users = results.flat_map(|whole| whole.users(context).collect::<Vec<_>>());
    users.any(|user| role(context, user) == Some(Role::Product) && user.block(context) == home)
}

/// Whether a value is used outside of the block of its definition.
fn leaves_block(context: &Context, op: Operation, value: Value) -> bool {
    let home = op.block(context);
    value.users(context).any(|user| {
        user.block(context) != home
            || user.successor_count(context) > 0
            || Concat::matches(context, user)
    })
}

/// Whether an operation is a copy, of a constant or a register, that runs in all threads: it stands
/// at the end of its stretch.
fn is_copy(context: &Context, op: Operation) -> bool {
    let plain = properties::guard(context, op).is_none();
    Imm::of(context, op).is_some() || (plain && Mov::of(context, op).is_some())
}

/// Fences that move down, each with the operation before which it lands; `None` where it stays.
pub(super) type Landings = Vec<(Operation, Option<Operation>)>;

/// What is known before the walk of a section.
pub(super) struct Walk<'a> {
    /// The IR.
    pub context: &'a Context,
    /// The registers.
    pub variables: &'a mut Variables,
    /// Whether a wait was met: from then on, none is injected before a read.
    pub waited: bool,
    /// Whether fences move down to what follows them: in functions with left factors in registers.
    pub sinks: bool,
    /// Accumulators that the section before leaves to write.
    pub deferred: Vec<(Variable, Operation)>,
    /// Fences that move down, each with the operation before which it lands, if it moves.
    pub landings: Landings,
}

/// The state within a section.
#[derive(Default)]
struct State {
    events: Vec<Event>,
    anchored: bool,
    pending: Option<Operation>,
    /// A fence that is moved down to the next product, commit of none, wait or fence.
    sinking: Option<Operation>,
    /// Copies to accumulators since the last fence, product, wait, barrier or call.
    copies: Vec<Operation>,
    /// Accumulators that are written by copies at the end.
    late: Vec<(Variable, Operation)>,
    /// Whether what is not read in the section is written after it: it ends with an exit that some
    /// threads take.
    defers: bool,
    /// The accumulators that are written after it.
    deferred: Vec<(Variable, Operation)>,
}

impl State {
    fn close(&mut self, commit: Option<Operation>) {
        if let Some(product) = self.pending.take() {
            self.events.push(Event::Close { product, commit });
        }
    }

    /// The arrive before a product or a commit of none.
    fn anchor(&mut self, op: Operation, landings: &mut Landings) {
        self.land(Some(op), landings);
        if !self.anchored {
            self.close(None);
            self.events.push(Event::Arrive {
                op,
                injected: true,
                waited: false,
            });
            self.anchored = true;
        }
    }

    /// Accumulators or factors are written: the next product needs an arrive.
    fn written(&mut self) {
        if self.sinking.is_none() {
            if self.anchored {
                self.close(None);
            }
            self.anchored = false;
        }
    }

    /// Accumulators are written by copies.
    fn copied(&mut self, written: Vec<(Variable, Operation)>) {
        if !written.is_empty() {
            self.events.push(Event::Copied(written));
            self.written();
        }
    }

    /// Puts a fence that is moved down before an operation, or at the end.
    fn land(&mut self, before: Option<Operation>, landings: &mut Landings) {
        if let Some(op) = self.sinking.take() {
            self.events.push(Event::Arrive {
                op,
                injected: false,
                waited: false,
            });
            landings.push((op, before));
        }
    }
}

impl Walk<'_> {
    /// The events of a section. Linear in its operations.
    pub fn section(&mut self, section: &Section, is_last: bool, defers: bool) -> Vec<Event> {
        let mut state = State {
            defers,
            ..State::default()
        };
        state.copied(std::mem::take(&mut self.deferred));
        for op in section.operations.iter().copied() {
            self.step(&mut state, op);
        }
        self.flush(&mut state);
        let late = std::mem::take(&mut state.late);
        state.copied(late);
        self.deferred = std::mem::take(&mut state.deferred);
        state.land(None, &mut self.landings);
        if section.end == End::ExitIf
            && let Some(op) = section.operations.last()
        {
            state.events.push(Event::Leave(*op));
        }
        state.close(None);
        if is_last {
            state.events.push(Event::Last(last_of(section)));
        }
        state.events
    }

    fn step(&mut self, state: &mut State, op: Operation) {
        match role(self.context, op) {
            Some(Role::Arrive) => self.fence(state, op),
            Some(Role::Wait(left)) => {
                self.flush(state);
                state.land(Some(op), &mut self.landings);
                state.close(None);
                self.waited = true;
                state.events.push(Event::Wait(op, left));
            }
            Some(Role::Product) => {
                self.flush(state);
                state.anchor(op, &mut self.landings);
                state.events.push(Event::Product(op));
                state.pending = Some(op);
            }
            Some(Role::Commit) => {
                // Copies before a commit stand behind it.
                self.commit(state, op);
                self.flush(state);
            }
            Some(Role::Call) => {
                self.flush(state);
                self.plain(state, op);
            }
            None if is_barrier(self.context, op) => {
                self.flush(state);
                self.plain(state, op);
            }
            None if is_copy(self.context, op) => state.copies.push(op),
            None => self.plain(state, op),
        }
    }

    fn fence(&mut self, state: &mut State, op: Operation) {
        self.flush(state);
        state.land(Some(op), &mut self.landings);
        state.close(None);
        state.anchored = true;
        if self.sinks {
            state.sinking = Some(op);
        } else {
            state.events.push(Event::Arrive {
                op,
                injected: false,
                waited: self.waited,
            });
        }
    }

    fn commit(&mut self, state: &mut State, op: Operation) {
        if state.pending.is_some() {
            state.close(Some(op));
            return;
        }
        state.anchor(op, &mut self.landings);
        state.events.push(Event::Dummy(op));
        state.events.push(Event::Close {
            product: op,
            commit: Some(op),
        });
    }

    /// Puts the copies of a stretch where they stand.
    fn flush(&mut self, state: &mut State) {
        for copy in std::mem::take(&mut state.copies) {
            self.plain(state, copy);
        }
    }

    fn plain(&mut self, state: &mut State, op: Operation) {
        let mut touched = Touched::of(self.context, self.variables, op);
        if touched.is_empty() {
            return;
        }
        if !touched.reads.is_empty() && !self.waited {
            state.events.push(Event::Candidate(op));
        }
        let late = std::mem::take(&mut touched.late).into_iter();
        state.late.extend(late.map(|one| (one, op)));
        if state.defers {
            let unread = &touched.unread;
            touched.accumulators.retain(|one| !unread.contains(one));
            let unread = std::mem::take(&mut touched.unread).into_iter();
            state.deferred.extend(unread.map(|one| (one, op)));
        }
        let writes =
            !touched.accumulators.is_empty() || !touched.factors.is_empty() || touched.copies;
        state.events.push(Event::Plain(op, touched));
        if writes {
            state.written();
        }
    }
}

/// The last instruction of a section; not a call, which has the line of the one before it.
fn last_of(section: &Section) -> Option<Operation> {
    let calls = matches!(section.end, End::Call | End::ExternCall);
    let behind = usize::from(calls && section.operations.len() > 1);
    let last = section.operations.iter().rev().nth(behind).copied();
    section.branch.or(last)
}

/// The operation whose line a message about `op` has: a copy between registers of the source has
/// none of its own.
pub(super) fn told_by(context: &Context, op: Operation) -> Operation {
    let is_silent = |at: Operation| {
        let copies = Mov::of(context, at).is_some() && name_of(context, at).is_some();
        copies || !properties::is_instruction(context, at)
    };
    let mut at = op;
    if Mov::of(context, op).is_none() || name_of(context, op).is_none() {
        return op;
    }
    while is_silent(at) {
        match at.next(context) {
            Some(next) => at = next,
            None => return op,
        }
    }
    at
}
