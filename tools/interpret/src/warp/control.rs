//! Instruction execution: dispatch of all actions, and control flow.

use super::Fault;
use super::action::Action;
use super::machine::{Flow, Machine, Turn};
use super::paths::{Path, Place, Wait, copy_words};
use super::registers::lanes;

impl Machine<'_, '_> {
    /// Executes an instruction for the active lanes of a path.
    pub(super) fn execute(&mut self, turn: &mut Turn<'_>) -> Result<Flow, Fault> {
        let instruction = turn.instruction;
        self.check_pending(turn)?;
        self.check_source(turn)?;
        match &instruction.action {
            Action::Compute(computation) => self.compute(turn, computation)?,
            Action::ComputeBits(computation, needed) => {
                self.compute_bits(turn, computation, *needed)?;
            }
            Action::Choose(computation) => self.select(turn, computation)?,
            Action::Compare { computation, with } => self.compare(turn, computation, *with)?,
            Action::Concat => self.concat(turn)?,
            Action::Extract(word) => self.extract(turn, *word)?,
            Action::Undefined => self.undefine(turn)?,
            Action::ConstantWord { bank, offset } => self.constant_word(turn, *bank, *offset)?,
            Action::Special(special) => self.special(turn, *special)?,
            Action::Number(number) => {
                self.write_same(turn, 0, u128::from(*number))?;
                let result = turn.instruction.results[0];
                self.registers(turn)?.make_constant(result);
            }
            Action::SlotAddress(offset) => self.slot_address(turn, *offset)?,
            Action::TakeStack { alignment } => self.take_stack(turn, *alignment)?,
            Action::StackEnd => self.stack_end(turn)?,
            Action::PutStackBack => self.put_stack_back(turn)?,
            Action::Load(transfer) => self.load(turn, transfer)?,
            Action::Store(transfer) => self.store(turn, transfer)?,
            Action::Atomic(atomic) => self.atomic(turn, atomic)?,
            Action::InWindow(space) => self.in_window(turn, *space)?,
            Action::Shuffle(mode) => self.shuffle(turn, *mode)?,
            Action::Vote(mode) => self.vote(turn, *mode)?,
            Action::Match(mode) => self.matching(turn, *mode)?,
            Action::Reduce { reduction, signed } => self.reduce(turn, *reduction, *signed)?,
            Action::Extremum(extremum) => self.extremum(turn, *extremum)?,
            Action::Elect { mask } => self.elect(turn, *mask)?,
            Action::FirstLane => self.first_lane(turn)?,
            Action::Copy(copy) => self.copy(turn, copy)?,
            Action::CloseGroup => self.close_group(turn),
            Action::WaitForGroups(most) => self.wait_for_groups(turn, *most)?,
            Action::Product(product) => self.product(turn, product)?,
            Action::Fragments(fragments) => self.fragments(turn, fragments)?,
            Action::Transpose => self.transpose(turn)?,
            Action::GroupProduct(group) => self.group_product(turn, group)?,
            Action::CloseProducts => self.close_products(turn),
            Action::FenceProducts => self.fence_products(turn)?,
            Action::WaitForProducts(most) => self.wait_for_products(turn, *most)?,
            Action::OnMbarrier(on) => self.on_mbarrier(turn, on)?,
            Action::Arrive(arrival) => self.arrive(turn, arrival)?,
            Action::WaitForPhase {
                address,
                phase,
                test,
            } => return self.wait_for_phase(turn, address, *phase, *test),
            Action::ArriveBehind(arrival) => self.arrive_behind(turn, arrival)?,
            Action::BulkCopy(copy) => self.bulk_copy(turn, copy)?,
            Action::TensorCopy(copy) => self.tensor_copy(turn, copy)?,
            Action::CloseBulks => self.close_bulks(turn),
            Action::WaitForBulks { most, reads } => self.wait_for_bulks(turn, *most, *reads)?,
            Action::SharedSymbol(place) => self.shared_symbol(turn, *place)?,
            Action::MapAddress => self.map_address(turn)?,
            Action::ArriveAtCluster => return self.arrive_at_cluster(turn),
            Action::WaitForCluster => return self.wait_for_cluster(turn),
            Action::Discard(address) => self.discard(turn, address)?,
            Action::Allocate(_)
            | Action::Free { .. }
            | Action::GivePermitUp
            | Action::LoadTensor(..)
            | Action::StoreTensor(..)
            | Action::WaitForStores
            | Action::WaitForLoads
            | Action::CopyToTensor(_)
            | Action::MultiplyTensor(_)
            | Action::CommitTensor { .. } => return self.on_tensor_memory(turn),
            Action::Barrier(barrier) => return self.barrier(turn, barrier),
            Action::Gather { mask, barrier } => return self.gather(turn, *mask, *barrier),
            Action::BeginRegion => {
                let mask = u128::from(turn.active);
                self.write_same(turn, 0, mask)?;
            }
            Action::LeaveRegion => self.leave_region(turn)?,
            Action::Nothing => {}
            Action::Pause => return Ok(Flow::Pause),
            Action::Jump => return self.jump(turn),
            Action::Branch { inverted } => return self.branch(turn, *inverted),
            Action::Indexed => return self.indexed(turn),
            Action::Exit => {
                self.check_complete(turn)?;
                return Ok(self.end(turn, turn.active));
            }
            Action::ExitWhere { inverted } => return self.end_where(turn, *inverted),
            Action::Call(function) => return self.call(turn, *function),
            Action::CallIndirect => return self.call_indirect(turn),
            Action::Succeed => self.write_same(turn, 0, 1)?,
            Action::Return => return self.give_back(turn),
            Action::Trap => return self.fault(turn, "executes a trap"),
            Action::Code(code) => return self.code(turn, *code),
            Action::Refused(why) => return self.fault(turn, why),
        }
        self.name_results(turn)?;
        Ok(Flow::Next)
    }

    fn on_tensor_memory(&mut self, turn: &mut Turn<'_>) -> Result<Flow, Fault> {
        match &turn.instruction.action {
            Action::Allocate(columns) => return self.allocate(turn, *columns),
            Action::Free { address, columns } => self.free_columns(turn, *address, *columns)?,
            Action::GivePermitUp => self.give_permit_up(turn),
            Action::LoadTensor(transfer, address) => self.load_tensor(turn, *transfer, *address)?,
            Action::StoreTensor(transfer, operands) => {
                self.store_tensor(turn, *transfer, *operands)?;
            }
            Action::WaitForStores => self.wait_for_stores(turn),
            Action::WaitForLoads => self.wait_for_loads(turn)?,
            Action::CopyToTensor(copy) => self.copy_to_tensor(turn, copy)?,
            Action::MultiplyTensor(multiply) => self.multiply_tensor(turn, multiply)?,
            Action::CommitTensor { barrier, multicast } => {
                self.commit_tensor(turn, *barrier, *multicast)?;
            }
            _ => {}
        }
        Ok(Flow::Next)
    }

    fn jump(&mut self, turn: &mut Turn<'_>) -> Result<Flow, Fault> {
        let Some(edge) = turn.instruction.edges.first() else {
            return self.fault(turn, "leads nowhere");
        };
        let mask = turn.active;
        copy_words(self.registers(turn)?, &edge.copies, mask);
        Ok(Flow::Block(edge.block))
    }

    fn branch(&mut self, turn: &mut Turn<'_>, inverted: bool) -> Result<Flow, Fault> {
        let mut taken = 0;
        for lane in lanes(turn.active) {
            // The condition's modifiers are those of the operand; `inverted` is the branch's.
            if self.predicate(turn, 0, lane)? != inverted {
                taken |= 1 << lane;
            }
        }
        self.part(turn, &[taken, turn.active & !taken])
    }

    fn indexed(&mut self, turn: &mut Turn<'_>) -> Result<Flow, Fault> {
        let mut masks = vec![0; turn.instruction.edges.len()];
        for lane in lanes(turn.active) {
            let index = self.value(turn, 0, lane, "the index of the target")?;
            match masks.get_mut(usize::try_from(index).unwrap_or(usize::MAX)) {
                Some(mask) => *mask |= 1 << lane,
                None => {
                    let message = format!("has no target {index}, which lane {lane} selects");
                    return self.fault(turn, &message);
                }
            }
        }
        self.part(turn, &masks)
    }

    /// Sends lanes along the edges of a branch. Divergent lanes reconverge at the post-dominator.
    fn part(&mut self, turn: &mut Turn<'_>, masks: &[u32]) -> Result<Flow, Fault> {
        let edges = &turn.instruction.edges;
        if edges.len() < masks.len() {
            return self.fault(turn, "leads nowhere");
        }
        for (edge, mask) in edges.iter().zip(masks) {
            copy_words(self.registers(turn)?, &edge.copies, *mask);
        }
        let mut taken = edges.iter().zip(masks).filter(|(_, mask)| **mask != 0);
        if let (Some((edge, _)), None) = (taken.next(), taken.next()) {
            return Ok(Flow::Block(edge.block));
        }
        self.statistics.divergent_branches += 1;
        let kernel = self.kernel;
        let number = turn.path.frame;
        let warp = &mut self.ctas[turn.cta].warps[turn.warp];
        let Some(frame) = warp.frame(number) else {
            return Ok(Flow::Left);
        };
        let function = &kernel.functions[frame.function];
        let block = function.block_of[turn.path.pc];
        let mut meetings = turn.path.meetings.clone();
        if let Some(block) = function.blocks[block].meeting {
            let place = Place::Block {
                frame: number,
                block,
            };
            let innermost = meetings.last().map(|last| warp.meetings[*last].place);
            // Lanes that leave a loop at different times reconverge at one location.
            if innermost != Some(place) {
                meetings.push(warp.add_meeting(turn.path, place));
            }
        }
        for (edge, mask) in edges.iter().zip(masks).filter(|(_, mask)| **mask != 0) {
            let part = Path {
                frame: number,
                pc: 0,
                mask: *mask,
                meetings: meetings.clone(),
                wait: Wait::Ready,
            };
            let next = self.enter(function, turn.cta, turn.warp, part, edge.block);
            self.ctas[turn.cta].warps[turn.warp].paths.extend(next);
        }
        Ok(Flow::Left)
    }

    /// Splits off the lanes whose guard is false: they continue after the instruction.
    pub(super) fn split_inactive(&mut self, turn: &mut Turn<'_>) {
        let rest = turn.path.mask & !turn.active;
        if rest != 0 {
            let mut other = turn.path.clone();
            other.mask = rest;
            other.pc += 1;
            turn.path.mask = turn.active;
            self.ctas[turn.cta].warps[turn.warp].paths.push(other);
        }
    }

    /// Ends lanes; the others continue after the instruction.
    fn end(&mut self, turn: &mut Turn<'_>, mask: u32) -> Flow {
        let complete = self.ctas[turn.cta].warps[turn.warp].end_lanes(mask);
        for (place, path) in complete {
            self.resume(turn.cta, turn.warp, place, path);
        }
        turn.path.mask &= !mask;
        if turn.path.mask == 0 {
            // A barrier may have been waiting only for these lanes.
            return Flow::Left;
        }
        Flow::Next
    }

    fn end_where(&mut self, turn: &mut Turn<'_>, inverted: bool) -> Result<Flow, Fault> {
        let mut ended = 0;
        for lane in lanes(turn.active) {
            if self.predicate(turn, 0, lane)? != inverted {
                ended |= 1 << lane;
            }
        }
        if ended == 0 {
            return Ok(Flow::Next);
        }
        self.check_complete(turn)?;
        Ok(self.end(turn, ended))
    }

    /// Resumes a path after a reconvergence point.
    fn resume(&mut self, cta: usize, warp: usize, place: Place, mut path: Path) {
        let next = match place {
            Place::Return { frame, pc } => {
                path.frame = frame;
                path.pc = pc;
                Some(path)
            }
            Place::Block { block, .. } => {
                let kernel = self.kernel;
                let frame = self.ctas[cta].warps[warp].frame(path.frame);
                let function = frame.map(|frame| &kernel.functions[frame.function]);
                function.and_then(|function| self.enter(function, cta, warp, path, block))
            }
        };
        self.ctas[cta].warps[warp].paths.extend(next);
    }

    /// Begins a call: the lanes reconverge after it once all have returned.
    fn call(&mut self, turn: &mut Turn<'_>, function: usize) -> Result<Flow, Fault> {
        self.split_inactive(turn);
        let meeting = self.meet_behind(turn);
        self.begin_call(turn, meeting, (function, turn.active, 0))?;
        Ok(Flow::Left)
    }

    /// Calls the functions whose addresses the lanes hold; all lanes reconverge after the call.
    fn call_indirect(&mut self, turn: &mut Turn<'_>) -> Result<Flow, Fault> {
        let mut callees: Vec<(usize, u32)> = Vec::new();
        for lane in lanes(turn.active) {
            let address = self.value(turn, 0, lane, "the address of a function")? as u64;
            let function = super::memory::function_at(address);
            let Some(function) = function.filter(|it| *it < self.kernel.functions.len()) else {
                let message = format!("calls {address:#x} in lane {lane}, which is not a function");
                return self.fault(turn, &message);
            };
            match callees.iter_mut().find(|(known, _)| *known == function) {
                Some((_, mask)) => *mask |= 1 << lane,
                None => callees.push((function, 1 << lane)),
            }
        }
        for (function, _) in &callees {
            self.check_call(turn, *function)?;
        }
        self.split_inactive(turn);
        let meeting = self.meet_behind(turn);
        for (function, mask) in callees {
            self.begin_call(turn, meeting, (function, mask, 1))?;
        }
        Ok(Flow::Left)
    }

    /// Reports an error if the arguments or results of a function do not match an indirect call.
    fn check_call(&self, turn: &Turn<'_>, function: usize) -> Result<(), Fault> {
        let callee = &self.kernel.functions[function];
        let behind =
            usize::from(turn.instruction.guard.is_some()) + turn.instruction.otherwise.len();
        let count = turn.instruction.operands.len() - behind;
        let given = turn.instruction.operands[1..count]
            .iter()
            .map(|it| it.slot.bits);
        let taken = callee.arguments.iter().map(|it| it.bits);
        let wanted = turn.instruction.results.iter().map(|it| it.bits);
        if given.eq(taken) && wanted.eq(callee.results.iter().copied()) {
            return Ok(());
        }
        self.fault(turn, "the arguments or results do not match the callee")
    }

    /// Adds a reconvergence point after the call.
    fn meet_behind(&mut self, turn: &Turn<'_>) -> usize {
        let place = Place::Return {
            frame: turn.path.frame,
            pc: turn.path.pc + 1,
        };
        self.ctas[turn.cta].warps[turn.warp].add_meeting(turn.path, place)
    }

    /// Begins a call of some lanes, whose arguments are the operands from an index on.
    fn begin_call(
        &mut self,
        turn: &Turn<'_>,
        meeting: usize,
        (function, mask, first): (usize, u32, usize),
    ) -> Result<(), Fault> {
        /// The maximum depth of calls.
        const DEEPEST: usize = 1024;
        let mut frame = self.frame(function);
        self.enter_frame(turn, &mut frame, mask)?;
        let arguments = &self.kernel.functions[function].arguments;
        let operands = turn.instruction.operands.iter().skip(first);
        let registers = self.registers(turn)?;
        for (operand, argument) in operands.zip(arguments) {
            for word in 0..operand.slot.words.min(argument.words) {
                let mut row = registers.row(operand.slot.first + word);
                // The fences of the caller are not those of the callee.
                row.fences = 0;
                frame.registers.set_row(argument.first + word, &row, mask);
            }
        }
        let warp = &mut self.ctas[turn.cta].warps[turn.warp];
        let callee = warp.add_frame(frame);
        let around = turn
            .path
            .meetings
            .iter()
            .map(|number| &warp.meetings[*number].place);
        let depth = around.filter(|place| matches!(place, Place::Return { .. }));
        if depth.count() >= DEEPEST {
            let message = format!("exceeds the call depth of {DEEPEST}");
            return self.fault(turn, &message);
        }
        let mut path = turn.path.clone();
        path.mask = mask;
        path.meetings.push(meeting);
        path.frame = callee;
        path.pc = 0;
        warp.paths.push(path);
        Ok(())
    }

    /// Returns from a call for some lanes: passes results to the caller, and the lanes to their
    /// reconvergence point.
    fn give_back(&mut self, turn: &mut Turn<'_>) -> Result<Flow, Fault> {
        let operands = turn.instruction.operands.clone();
        let registers = self.registers(turn)?;
        let rows: Vec<_> = operands
            .iter()
            .flat_map(|operand| (0..operand.slot.words).map(|word| operand.slot.first + word))
            .map(|word| registers.row(word))
            .collect();
        self.leave_frame(turn);
        let kernel = self.kernel;
        let callee = turn.path.frame;
        let warp = &mut self.ctas[turn.cta].warps[turn.warp];
        let Some(&number) = turn.path.meetings.last() else {
            return Ok(self.end(turn, turn.path.mask));
        };
        let Place::Return { frame, pc } = warp.meetings[number].place else {
            return self.fault(turn, "returns inside a convergence region");
        };
        if let Some(caller) = warp.frame(frame) {
            let call = &kernel.functions[caller.function].instructions[pc - 1];
            let words = call
                .results
                .iter()
                .flat_map(|slot| (0..slot.words).map(|word| slot.first + word));
            for (word, mut row) in words.zip(rows) {
                row.fences = 0;
                caller.registers.set_row(word, &row, turn.path.mask);
            }
        }
        let behind = warp.arrive(turn.path, number);
        if !warp.is_running(callee) {
            warp.frames[callee] = None;
        }
        warp.paths.extend(behind);
        Ok(Flow::Left)
    }

    fn leave_region(&mut self, turn: &mut Turn<'_>) -> Result<(), Fault> {
        for lane in lanes(turn.path.mask) {
            let mask = self.value(turn, 0, lane, "a convergence barrier")?;
            let rest = mask & !u128::from(turn.active);
            let result = turn.instruction.results[0];
            self.registers(turn)?.set_bits(result, lane, Some(rest));
        }
        Ok(())
    }
}
