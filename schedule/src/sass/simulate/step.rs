//! One instruction: what it must wait for, and what it starts.

use orison_sass::control::{Barrier, ControlWord};

use super::hazard::{Hazard, HazardKind, Lint, LintKind};
use super::state::{InstructionIndex, Pair, Pending, Side, State, Timed};
use crate::sass::facts::{Action, FunctionFacts, Read, Write};
use crate::sass::latency::{Class, LatencyModel, Mechanism, TableFile};

/// Collects findings; during the fixpoint iteration nothing is kept.
#[derive(Default)]
pub(super) struct Findings {
    /// Whether findings are collected.
    pub(super) wanted: bool,
    pub(super) hazards: Vec<Hazard>,
    pub(super) lints: Vec<Lint>,
    /// Wait bits seen.
    pub(super) waits: u64,
    /// Dependences whose time or scoreboard was checked.
    pub(super) checked: u64,
}

impl Findings {
    fn hazard(&mut self, hazard: impl FnOnce() -> Hazard) {
        if self.wanted {
            self.hazards.push(hazard());
        }
    }
}

/// An instruction as the simulator sees it.
pub(super) struct Step<'a> {
    pub(super) model: &'a LatencyModel,
    pub(super) facts: &'a FunctionFacts,
    pub(super) index: InstructionIndex,
    pub(super) control: &'a ControlWord,
}

impl Step<'_> {
    /// Issues the instruction.
    pub(super) fn issue(&self, state: &mut State<'_>, findings: &mut Findings) {
        self.pair(state, findings);
        self.wait(state, findings);
        self.act_before(state, findings);
        for read in self.facts.reads(self.index as usize) {
            self.check_read(state, read, findings);
        }
        for write in self.facts.writes(self.index as usize) {
            self.check_write(state, write, findings);
        }
        let fact = self.facts.fact(self.index as usize);
        state.guards.issue(self.index, fact.guard);
        self.start(state);
        state.guards.define(fact.predicates.as_deref());
        self.arm(state, findings);
        self.act_after(state);
        // A stall of zero drains everything issued: arming has taken effect, and fixed results are
        // available. After a product at -O0 its result is read at once.
        let cycles = match self.control.stall.cycles() {
            0 if self.model.is_paired(self.control) => 0,
            0 => self.model.longest_latency(),
            cycles => u32::from(cycles),
        };
        state.now += i32::try_from(cycles).unwrap_or(0);
    }

    /// Checks that an instruction whose stall pairs it with this one may issue in the same cycle, and is not the
    /// second of a pair itself.
    fn pair(&self, state: &mut State<'_>, findings: &mut Findings) {
        let pairs = self.model.is_paired(self.control);
        let before = std::mem::replace(
            &mut state.pair,
            Pair {
                pairs,
                ..Pair::default()
            },
        );
        if !before.pairs {
            return;
        }
        state.pair.is_second = true;
        let producer = self.index - 1;
        if before.is_second || !self.facts.pairs(self.model, producer as usize) {
            findings.hazard(|| Hazard {
                kind: HazardKind::NoPair,
                consumer: self.index,
                producer,
                register: None,
                needed: 1,
                found: 0,
                barriers: Vec::new(),
            });
        }
    }

    /// Whether no thread executes both this instruction and an earlier one.
    /// Uniform registers belong to all threads.
    fn excludes(&self, state: &State<'_>, earlier: InstructionIndex, file: TableFile) -> bool {
        let guard = self.facts.fact(self.index as usize).guard;
        let guard = guard.filter(|guard| guard.is_uniform() || !file.is_uniform());
        state.guards.exclusive(earlier, guard)
    }

    fn class(&self) -> &Class {
        self.model.class(self.facts.fact(self.index as usize).class)
    }

    fn wait(&self, state: &mut State<'_>, findings: &mut Findings) {
        for barrier in self.control.wait.iter() {
            findings.waits += u64::from(findings.wanted);
            self.wait_for(state, barrier, findings);
        }
    }

    fn wait_for(&self, state: &mut State<'_>, barrier: Barrier, findings: &mut Findings) {
        let needed = self.model.scoreboards().arm_cycles;
        match state.armed[usize::from(barrier.index())] {
            Some((producer, at)) if state.age(at) < needed => {
                let found = state.age(at);
                findings.hazard(|| Hazard {
                    kind: HazardKind::WaitBeforeArmed,
                    consumer: self.index,
                    producer,
                    register: None,
                    needed,
                    found,
                    barriers: vec![barrier],
                });
            }
            None if findings.wanted => findings.lints.push(Lint {
                instruction: self.index,
                kind: LintKind::WaitNeverArmed,
                barrier,
                other: None,
            }),
            Some(_) | None => {}
        }
        self.release(state, barrier);
    }

    fn release(&self, state: &mut State<'_>, barrier: Barrier) {
        let bit = 1 << barrier.index();
        if state.armed[usize::from(barrier.index())].take().is_some() {
            let ends = |timed: &Timed| timed.scoreboard == Some(barrier);
            state.timed_writes.retain_all(|timed| !ends(timed));
        }
        state.release(|pending| {
            if pending.results_covered & bit != 0 {
                Some(Side::Results)
            } else if pending.operands_covered & bit != 0 {
                Some(Side::Operands)
            } else {
                None
            }
        });
    }

    /// Effects before operands are read.
    fn act_before(&self, state: &mut State<'_>, findings: &mut Findings) {
        match self.facts.fact(self.index as usize).action {
            Action::WaitScoreboard {
                barrier,
                left,
                others,
            } => {
                for other in others.iter() {
                    self.release(state, other);
                }
                if left == 0 {
                    self.release(state, barrier);
                } else {
                    self.release_all_but(state, barrier, left);
                    self.check_partial_wait(state, barrier, findings);
                }
            }
            Action::WaitGroups { left } => state.release(|pending| {
                let over = pending
                    .groups
                    .is_some_and(|groups| u32::from(groups) > left);
                over.then_some(Side::Results)
            }),
            Action::None | Action::Product { .. } | Action::Call | Action::Synchronize => {}
        }
        if let Some(drained) = self.class().drains {
            state.release(|pending| {
                let over = self.model.class(pending.class).operand_queue == Some(drained);
                over.then_some(Side::Operands)
            });
        }
    }

    /// A wait until at most `left` operations of a scoreboard are in flight: of those that deliver
    /// in order, all but the last `left` have completed, whatever else uses the scoreboard.
    fn release_all_but(&self, state: &mut State<'_>, barrier: Barrier, left: u32) {
        let slot = usize::from(barrier.index());
        state.release(|pending| {
            let in_order = self.model.class(pending.class).result_queue.is_some();
            let done = in_order && u32::from(pending.armed_since[slot]) > left;
            done.then_some(Side::Results)
        });
    }

    /// A wait for some of a scoreboard's operations is meaningful only if they complete in issue
    /// order: copies by group do, loads do not.
    fn check_partial_wait(&self, state: &State<'_>, barrier: Barrier, findings: &mut Findings) {
        let bit = 1 << barrier.index();
        let unordered = state.pending.iter().find(|pending| {
            let class = self.model.class(pending.class);
            pending.results_covered & bit != 0 && class.result_queue.is_none()
        });
        let waits_for_it = |pending: &&Pending| {
            let mut writes = self.facts.writes(pending.producer as usize).iter();
            writes.any(|write| {
                state
                    .pending_writes
                    .get(write.register)
                    .contains(&pending.producer)
            })
        };
        if let Some(pending) = unordered.filter(waits_for_it) {
            findings.hazard(|| Hazard {
                kind: HazardKind::PartialWaitUnordered,
                consumer: self.index,
                producer: pending.producer,
                register: None,
                needed: 0,
                found: 0,
                barriers: vec![barrier],
            });
        }
    }

    fn check_read(&self, state: &State<'_>, read: &Read, findings: &mut Findings) {
        let file = read.register.file();
        for timed in state.timed_writes.get(read.register) {
            findings.checked += u64::from(findings.wanted);
            let needed = self.model.read_after_write(file, timed.column, read.row);
            let found = state.age(timed.at);
            if found < needed && !self.excludes(state, timed.producer, file) {
                findings.hazard(|| {
                    self.timed(
                        HazardKind::ReadTooEarly,
                        timed,
                        read.register,
                        needed,
                        found,
                    )
                });
            }
        }
        // Predicates are read at issue: what is in flight with operands is a result.
        let with_operands = match file {
            TableFile::Predicate => state.pending_reads.get(read.register),
            _ => &[],
        };
        for producer in with_operands {
            findings.checked += u64::from(findings.wanted);
            let found = state.find(*producer);
            if let Some(pending) = found.filter(|_| !self.excludes(state, *producer, file)) {
                let kind = HazardKind::ReadWithoutWait;
                findings.hazard(|| {
                    self.pending(kind, pending, pending.operands_covered, read.register)
                });
            }
        }
        for producer in state.pending_writes.get(read.register) {
            findings.checked += u64::from(findings.wanted);
            let Some(pending) = state.find(*producer) else {
                continue;
            };
            if self.excludes(state, *producer, file) {
                continue;
            }
            // Products in order accumulate into the same registers; a scoreboard does not cover
            // them.
            if pending.is_group && read.accumulator {
                continue;
            }
            let kind = HazardKind::ReadWithoutWait;
            findings.hazard(|| self.pending(kind, pending, pending.results_covered, read.register));
        }
    }

    fn check_write(&self, state: &State<'_>, write: &Write, findings: &mut Findings) {
        let (register, fact) = (write.register, self.facts.fact(self.index as usize));
        let file = register.file();
        for timed in state.timed_writes.get(register) {
            findings.checked += u64::from(findings.wanted);
            let first = (timed.class, timed.column);
            let second = (fact.class, write.column);
            let needed = self
                .model
                .write_after_write(file, first, timed.guarded, second);
            let found = state.age(timed.at);
            if found < needed && !self.excludes(state, timed.producer, file) {
                findings.hazard(|| {
                    self.timed(
                        HazardKind::OverwriteTooEarly,
                        timed,
                        register,
                        needed,
                        found,
                    )
                });
            }
        }
        for timed in state.timed_reads.get(register) {
            findings.checked += u64::from(findings.wanted);
            let needed = self.model.write_after_read(timed.class, fact.class);
            let found = state.age(timed.at);
            if found < needed && !self.excludes(state, timed.producer, file) {
                findings.hazard(|| {
                    self.timed(HazardKind::WriteTooEarly, timed, register, needed, found)
                });
            }
        }
        let class = self.class();
        let is_group = class.mechanism == Mechanism::TensorGroup;
        for producer in state.pending_writes.get(register) {
            findings.checked += u64::from(findings.wanted);
            let Some(pending) = state.find(*producer) else {
                continue;
            };
            if self.excludes(state, *producer, file) {
                continue;
            }
            let queue = self.model.class(pending.class).result_queue;
            let in_order = queue.is_some() && queue == class.result_queue;
            if !(in_order || pending.is_group && is_group) {
                let kind = HazardKind::OverwriteWithoutWait;
                findings.hazard(|| self.pending(kind, pending, pending.results_covered, register));
            }
        }
        for producer in state.pending_reads.get(register) {
            findings.checked += u64::from(findings.wanted);
            let Some(pending) = state.find(*producer) else {
                continue;
            };
            if self.excludes(state, *producer, file) {
                continue;
            }
            let in_order = self.model.is_read_in_order(pending.class, fact.class);
            if !(in_order || pending.is_group && is_group) {
                let kind = match file {
                    TableFile::Predicate => HazardKind::OverwriteWithoutWait,
                    _ => HazardKind::WriteWithoutWait,
                };
                findings.hazard(|| self.pending(kind, pending, pending.operands_covered, register));
            }
        }
    }

    fn timed(
        &self,
        kind: HazardKind,
        timed: &Timed,
        register: crate::sass::facts::RegisterNumber,
        needed: u32,
        found: u32,
    ) -> Hazard {
        Hazard {
            kind,
            consumer: self.index,
            producer: timed.producer,
            register: Some(register.register()),
            needed,
            found,
            barriers: Vec::new(),
        }
    }

    fn pending(
        &self,
        kind: HazardKind,
        pending: &Pending,
        covered: u8,
        register: crate::sass::facts::RegisterNumber,
    ) -> Hazard {
        let barriers = Barrier::ALL.into_iter();
        Hazard {
            kind: if pending.is_group {
                HazardKind::ProductInFlight
            } else {
                kind
            },
            consumer: self.index,
            producer: pending.producer,
            register: Some(register.register()),
            needed: 0,
            found: 0,
            barriers: barriers
                .filter(|barrier| covered >> barrier.index() & 1 == 1)
                .collect(),
        }
    }

    /// Marks results and reads as in flight.
    fn start(&self, state: &mut State<'_>) {
        let fact = self.facts.fact(self.index as usize);
        let class = self.class();
        let bit = |barrier: Option<Barrier>| barrier.map_or(0, |barrier| 1 << barrier.index());
        let written = bit(self.control.write_barrier);
        let read = bit(self.control.read_barrier);
        let pending = Pending {
            producer: self.index,
            class: fact.class,
            results_covered: written,
            operands_covered: written | read,
            armed_since: self.armed_by_result(),
            groups: None,
            is_group: class.mechanism == Mechanism::TensorGroup,
        };
        if state.find(self.index).is_some() {
            state.release(|found| (found.producer == self.index).then_some(Side::Results));
        }
        for write in self.facts.writes(self.index as usize) {
            if !fact.guarded {
                state.overwrite(write.register);
            }
        }
        let waits = matches!(
            class.mechanism,
            Mechanism::Variable | Mechanism::TensorGroup
        );
        if waits {
            self.cover_earlier(state, class, written, read);
            self.start_pending(state, pending);
        } else {
            self.start_timed(state, fact.guarded);
        }
    }

    /// A count of one for the scoreboard that its result arms.
    fn armed_by_result(&self) -> [u8; 6] {
        Barrier::ALL.map(|barrier| u8::from(self.control.write_barrier == Some(barrier)))
    }

    /// Earlier operations of the same queue have completed when this one has.
    fn cover_earlier(&self, state: &mut State<'_>, class: &Class, written: u8, read: u8) {
        if written | read == 0 {
            return;
        }
        for earlier in &mut state.pending {
            let other = self.model.class(earlier.class);
            if class.result_queue.is_some() && class.result_queue == other.result_queue {
                earlier.results_covered |= written;
                earlier.operands_covered |= written;
                for (armed, more) in earlier.armed_since.iter_mut().zip(self.armed_by_result()) {
                    *armed = armed.saturating_add(more);
                }
            }
            if class.operand_queue.is_some()
                && class.operand_queue == other.operand_queue
                && (!other.order_of_register || self.shares_operand(earlier.producer))
            {
                earlier.operands_covered |= written | read;
            }
        }
    }

    /// Whether this instruction reads a register in its queue that an earlier one reads, too.
    fn shares_operand(&self, earlier: InstructionIndex) -> bool {
        let queued = |index: InstructionIndex| {
            let reads = self.facts.reads(index as usize).iter();
            reads.filter(|read| read.queued).map(|read| read.register)
        };
        queued(earlier).any(|register| queued(self.index).any(|own| own == register))
    }

    fn start_pending(&self, state: &mut State<'_>, pending: Pending) {
        let (reads, writes) = (
            self.facts.reads(self.index as usize),
            self.facts.writes(self.index as usize),
        );
        let mut queued = reads.iter().filter(|read| read.queued).peekable();
        if writes.is_empty() && queued.peek().is_none() {
            return;
        }
        state.pending.push(pending);
        for read in queued {
            state.wait_for_operand(read.register, &pending);
        }
        for write in writes {
            if write.with_operands {
                state.wait_for_operand(write.register, &pending);
            } else {
                state.wait_for_result(write.register, &pending);
            }
        }
    }

    fn start_timed(&self, state: &mut State<'_>, guarded: bool) {
        let fact = self.facts.fact(self.index as usize);
        let at = state.now;
        let timed = |column| Timed {
            producer: self.index,
            at,
            class: fact.class,
            column,
            guarded,
            scoreboard: self.control.write_barrier,
        };
        let limit = self.model.longest_latency();
        for write in self.facts.writes(self.index as usize) {
            let old = state.now;
            state.timed_writes.retain(write.register, |entry| {
                entry.producer != self.index && (old - entry.at).unsigned_abs() < limit
            });
            state.timed_writes.push(write.register, timed(write.column));
        }
        let own = self.facts.writes(self.index as usize);
        for read in self.facts.reads(self.index as usize) {
            let overwritten = own.iter().any(|write| write.register == read.register);
            if read.register.file() != TableFile::General || overwritten && !guarded {
                continue;
            }
            let old = state.now;
            let class = fact.class;
            state.timed_reads.retain(read.register, |entry| {
                // A guard that excludes this read may not exclude the other.
                let other = entry.class != class || guarded && entry.producer != self.index;
                other && (old - entry.at).unsigned_abs() < limit
            });
            let column = self.class().write_column(TableFile::General, 0);
            state.timed_reads.push(read.register, timed(column));
        }
    }

    fn arm(&self, state: &mut State<'_>, findings: &mut Findings) {
        let closes = self.facts.fact(self.index as usize).closes_copies;
        if let Some(barrier) = self.control.write_barrier
            && self.class().delivers_nothing()
            && !closes
        {
            findings.hazard(|| Hazard {
                kind: HazardKind::NothingToSignal,
                consumer: self.index,
                producer: self.index,
                register: None,
                needed: 0,
                found: 0,
                barriers: vec![barrier],
            });
        }
        for barrier in self.control.armed().iter() {
            let slot = usize::from(barrier.index());
            if let Some((other, _)) = state.armed[slot] {
                self.check_shared(other, barrier, findings);
            }
            state.armed[slot] = Some((self.index, state.now));
        }
    }

    fn check_shared(&self, other: InstructionIndex, barrier: Barrier, findings: &mut Findings) {
        if !findings.wanted {
            return;
        }
        let theirs = self.model.class(self.facts.fact(other as usize).class);
        let mine = self.class();
        let same = theirs.name == mine.name
            || theirs.operand_queue.is_some() && theirs.operand_queue == mine.operand_queue;
        if !same {
            findings.lints.push(Lint {
                instruction: self.index,
                kind: LintKind::BarrierShared,
                barrier,
                other: Some(other),
            });
        }
    }

    /// Effects after the instruction has issued.
    fn act_after(&self, state: &mut State<'_>) {
        let action = self.facts.fact(self.index as usize).action;
        if action != (Action::Product { closes: true }) {
            return;
        }
        for pending in state.pending.iter_mut().filter(|pending| pending.is_group) {
            pending.groups = Some(pending.groups.map_or(1, |groups| groups.saturating_add(1)));
        }
    }
}
