//! Hoisting from the loops of a function.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use orison_ir::analyses::{Liveness, NaturalLoop};
use orison_ir::pass::{IRStatus, PassContext};
use orison_ir::{Attribute, Context, Operation, Value};
use orison_ori::analyses::RegisterPressure;
use orison_ori::analyses::induction::Loop;
use orison_ori::analyses::pressure::RegisterClass;
use orison_ori::analyses::properties::is_instruction;
use rustc_hash::FxHashSet;

use super::budget::{Counts, Place, Site, inner_limit, loop_weight};
use super::constant_loads::{self, Surroundings};
use super::contents::{Contents, boundary};
use super::invariance::{Invariants, Scan, values_read_elsewhere};
use super::weights::{is_move, registers};
use super::{HOISTED, RULE, Settings, UNPROFITABLE};
use crate::ori::functions::{Function, applied};
use crate::ori::loops::{self, Loops, is_constant, reads_far, samples};
use crate::ori::matrix_registers::RegisterLimit;

/// The loops of a function, and what decides about them.
pub(super) struct Nest<'n> {
    function: Function,
    loops: &'n Loops,
    contents: Vec<Contents>,
    /// The blocks of each loop that are in no inner loop, what dominates others first.
    own: Vec<Vec<u32>>,
    registers: OnceCell<(RegisterPressure, RegisterLimit)>,
    settings: &'n Settings<'n>,
}

/// What a block of a loop could be rid of.
struct Examined {
    invariants: Invariants,
    counts: Counts,
    site: Site,
}

impl<'n> Nest<'n> {
    pub fn of(
        context: &Context,
        function: Function,
        loops: &'n Loops,
        settings: &'n Settings<'n>,
    ) -> Self {
        let mut own = vec![Vec::new(); loops.forest.loops().len()];
        for block in loops.flow.reverse_post_order() {
            if let Some(number) = loops.forest.innermost(*block) {
                own[number].push(*block);
            }
        }
        Nest {
            function,
            loops,
            contents: Contents::of(context, loops),
            own,
            registers: OnceCell::new(),
            settings,
        }
    }

    fn natural(&self, number: usize) -> &'n NaturalLoop {
        &self.loops.forest.loops()[number]
    }

    fn contents(&self, number: usize) -> &Contents {
        &self.contents[number]
    }

    /// The pressure before the first operation was moved, and the registers that a thread may have.
    fn registers(&self, context: &Context) -> &(RegisterPressure, RegisterLimit) {
        self.registers.get_or_init(|| {
            let flow = &self.loops.flow;
            let pressure = RegisterPressure::of(context, flow, &Liveness::of(context, flow));
            (pressure, RegisterLimit::of(context, self.function.op, None))
        })
    }

    /// Whether the policy of the late passes excludes a loop: `HoistLate`.
    fn is_excluded(&self, number: usize) -> bool {
        let is_innermost = self.natural(number).children.is_empty();
        let nested = is_innermost || self.settings.knobs.flag("HoistMultiDepth");
        let late = match (
            self.settings.pass_id,
            self.settings.knobs.integer("HoistLate"),
        ) {
            (0, _) | (_, 0) => true,
            (1, 1) => is_innermost,
            _ => false,
        };
        !(nested && late)
    }

    /// Whether a loop without a preheader contains invariant operations, worth it or not.
    pub fn wants_preheader(&self, context: &Context, number: usize) -> bool {
        let mut places = self.places(context, number).into_iter();
        self.natural(number).preheader(&self.loops.flow).is_none()
            && !self.is_excluded(number)
            && self.boundary(number).is_none()
            && places.any(|(block, place)| {
                let examined = self.examine(context, number, block, place);
                examined.counts.loads + examined.counts.others > 0
            })
    }

    fn boundary(&self, number: usize) -> Option<&'static str> {
        let follows_page = self.settings.follows_page;
        boundary(self.loops, number, self.contents(number), follows_page)
    }

    /// The blocks of a loop that are examined: its own, the header first, then those of its inner
    /// loops.
    fn places(&self, context: &Context, number: usize) -> Vec<(u32, Place)> {
        let natural = self.natural(number);
        if self.settings.follows_page && natural.children.is_empty() {
            return vec![(natural.header, Place::Always)];
        }
        let own = self.own[number].iter();
        let mut places: Vec<(u32, Place)> = own
            .map(|block| (*block, self.place(natural, *block)))
            .collect();
        for inner in &natural.children {
            if self.admits_inner(context, number, *inner) {
                let own = self.own[*inner].iter();
                places.extend(own.map(|block| (*block, Place::Inner)));
            }
        }
        places
    }

    fn place(&self, natural: &NaturalLoop, block: u32) -> Place {
        let mut latches = natural.latches.iter();
        if latches.all(|latch| self.loops.flow.dominates(block, *latch)) {
            Place::Always
        } else if natural.latches.contains(&block) {
            Place::BackEdge(natural.latches.len())
        } else {
            Place::Sometimes
        }
    }

    /// Whether operations of an inner loop may leave the loop around it, too.
    fn admits_inner(&self, context: &Context, number: usize, inner: usize) -> bool {
        let knobs = self.settings.knobs;
        let inner_loop = self.natural(inner);
        let size = self.contents(inner).size;
        let own = self.contents(number).size.saturating_sub(size);
        // Small loops only: the header is counted last.
        !knobs.flag("DisableNestedHoist")
            && inner_loop.children.is_empty()
            && inner_loop.latches.len() == 1
            && size > 1
            && size as f64 <= inner_limit(knobs, self.settings.pass_id)
            && own as f64 <= knobs.number("NestedHoistOuterThreshold")
            && {
                let header = self.loops.flow.block(self.natural(number).header);
                let operations = header.operations(context);
                let in_header = operations.filter(|op| is_instruction(context, *op)).count();
                let rate = knobs.number("MaxMidHeaderSizeRateForAggressiveHoist");
                (size as f64) < in_header as f64 * rate
            }
    }

    fn examine(&self, context: &Context, number: usize, block: u32, place: Place) -> Examined {
        let around = self.loops.at(context, number);
        let scan = Scan {
            around,
            block,
            writes: &self.contents(number).writes,
            is_certain: self.is_certain(number, block),
        };
        let knobs = self.settings.knobs;
        let mut invariants = match knobs.flag("UseNewLoopInvariantRoutineForHoisting") {
            true => scan.fixed_point(),
            false => scan.single_pass(),
        };
        let any = |all: &[Operation], is: fn(&Context, Operation) -> bool| {
            all.iter().any(|op| is(context, *op))
        };
        if place == Place::Inner
            && !knobs.flag("EnableHoistLowLatencyInstMidBlock")
            && !any(&invariants.operations, reads_far)
        {
            invariants.operations.clear();
        }
        let counts = self.count(context, around, block, &invariants.operations);
        let textures = any(&invariants.operations, samples);
        let contents = self.contents(number);
        let part = contents.textures as f64 / contents.size.max(1) as f64;
        let site = Site {
            pass_id: self.settings.pass_id,
            is_innermost: self.natural(number).children.is_empty(),
            place,
            textures: textures.then_some(part),
        };
        Examined {
            invariants,
            counts,
            site,
        }
    }

    /// Whether each execution of a loop executes a block before it ends, and before an inner loop,
    /// which may not end.
    fn is_certain(&self, number: usize, block: u32) -> bool {
        let natural = self.natural(number);
        let ends = natural.exits.iter().map(|(from, _)| from);
        let inner = natural.children.iter();
        let inner = inner.map(|inner| &self.natural(*inner).header);
        let mut ends = ends.chain(&natural.latches).chain(inner);
        !self.loops.inductions.at(number).may_end
            && !self.contents(number).has_call
            && ends.all(|end| self.loops.flow.dominates(block, *end))
    }

    fn count(
        &self,
        context: &Context,
        around: Loop<'_>,
        block: u32,
        invariants: &[Operation],
    ) -> Counts {
        let handle = around.flow.block(block);
        let mut counts = Counts {
            size: handle.argument_count(context),
            ..Counts::default()
        };
        for op in handle.operations(context) {
            counts.size += usize::from(is_instruction(context, op));
            counts.has_long_latency |= reads_far(context, op);
        }
        for op in invariants {
            if reads_far(context, *op) {
                counts.loads += 1;
            } else if is_instruction(context, *op) {
                counts.others += 1;
                counts.moves += usize::from(is_move(context, *op));
            }
        }
        let live = values_read_elsewhere(context, invariants);
        counts.registers = live.map(|value| registers(context, value)).sum();
        counts
    }

    /// The weighted numbers of instructions of a loop: of the header, and of the other blocks.
    fn weights(&self, context: &Context, number: usize) -> [f64; 2] {
        let header = self.loops.flow.block(self.natural(number).header);
        let operations = header.operations(context);
        let operations = operations.filter(|op| is_instruction(context, *op));
        let header = operations
            .map(|op| loop_weight(reads_far(context, op)))
            .sum();
        let contents = self.contents(number);
        let far = contents.long_latency as f64 * loop_weight(true);
        let near = (contents.size - contents.long_latency) as f64 * loop_weight(false);
        [header, far + near - header]
    }

    /// Hoists from a loop what pays.
    pub fn hoist(&self, pass: &mut PassContext<'_>, number: usize) -> IRStatus {
        let natural = self.natural(number);
        if self.is_excluded(number) {
            return IRStatus::Unchanged;
        }
        let header = self.loops.flow.block(natural.header);
        if let Some(reason) = self.boundary(number) {
            if let Some(branch) = header.terminator(pass.context) {
                pass.declined(branch, RULE, reason, "a loop of another form");
            }
            return IRStatus::Unchanged;
        }
        let preheader = natural.preheader(&self.loops.flow);
        let preheader = preheader.map(|block| self.loops.flow.block(block));
        let anchor = preheader.and_then(|block| block.terminator(pass.context));
        let places = self.places(pass.context, number);
        let mut tight = self.examine_tight(pass.context, number, &places);
        let is_crowded = self.needs_more_registers(pass.context, number, &tight);
        let weights = self.weights(pass.context, number);
        let mut status = IRStatus::Unchanged;
        for (block, place) in places {
            // What was moved before makes more invariant.
            let known = tight.remove(&block).filter(|_| !status.is_changed());
            let examined =
                known.unwrap_or_else(|| self.examine(pass.context, number, block, place));
            for (op, obstacle) in &examined.invariants.kept {
                if let Some([reason, help]) = obstacle.texts() {
                    pass.declined(*op, RULE, reason, help);
                }
            }
            let chosen = match is_crowded && is_tight(natural, place) {
                true => self.keep(pass, &examined),
                false => self.choose(pass, (number, block), &examined, weights),
            };
            if let Some(anchor) = anchor
                && self.settings.knobs.flag("HoistInvariantsMove")
            {
                status |= self.advance(pass, number, &chosen, anchor);
            }
        }
        status
    }

    /// The blocks of a loop whose budget is small, before anything is moved.
    fn examine_tight(
        &self,
        context: &Context,
        number: usize,
        places: &[(u32, Place)],
    ) -> BTreeMap<u32, Examined> {
        let natural = self.natural(number);
        let tight = places.iter().filter(|(_, place)| is_tight(natural, *place));
        let examined = tight.map(|(block, place)| {
            let examined = self.examine(context, number, *block, *place);
            (*block, examined)
        });
        examined.collect()
    }

    /// Whether arithmetic alone would need more registers than it frees, where a budget is small: in
    /// loops around others, and behind branches. ptxas was never seen to hoist it then, whatever it
    /// saves.
    fn needs_more_registers(
        &self,
        context: &Context,
        number: usize,
        tight: &BTreeMap<u32, Examined>,
    ) -> bool {
        let natural = self.natural(number);
        let mut blocks = tight.values();
        if self.settings.follows_page || blocks.any(|examined| examined.counts.loads > 0) {
            return false;
        }
        let all = tight
            .values()
            .flat_map(|examined| &examined.invariants.operations);
        let all: Vec<Operation> = all.copied().collect();
        let results = values_read_elsewhere(context, &all);
        let needed: u32 = results.map(|value| registers(context, value)).sum();
        let own: FxHashSet<Operation> = all.iter().copied().collect();
        let operands: FxHashSet<Value> = all.iter().flat_map(|op| op.operands(context)).collect();
        let is_freed = |value: &Value| {
            let defined_inside = value
                .defining_op(context)
                .is_some_and(|op| own.contains(&op));
            let mut users = value.users(context);
            !defined_inside
                && users.all(|user| own.contains(&user) || self.is_before(context, natural, user))
        };
        let freed = operands.iter().filter(|value| is_freed(value));
        let freed: u32 = freed.map(|value| registers(context, *value)).sum();
        needed > freed
    }

    /// Whether an operation is executed before a loop only.
    fn is_before(&self, context: &Context, natural: &NaturalLoop, op: Operation) -> bool {
        let flow = &self.loops.flow;
        let home = flow.block_around(context, op);
        home.is_some_and(|home| !natural.contains(home) && flow.dominates(home, natural.header))
    }

    /// Hoists nothing from a block.
    fn keep(&self, pass: &mut PassContext<'_>, examined: &Examined) -> Vec<Operation> {
        if let Some(first) = examined.invariants.operations.first() {
            pass.count(UNPROFITABLE, 1);
            let reason = "it needs more registers than it frees";
            pass.declined(*first, RULE, reason, "fewer values, or an innermost loop");
        }
        Vec::new()
    }

    /// The invariant operations of a block that are hoisted.
    fn choose(
        &self,
        pass: &mut PassContext<'_>,
        (number, block): (usize, u32),
        examined: &Examined,
        weights: [f64; 2],
    ) -> Vec<Operation> {
        let context = &*pass.context;
        let all = &examined.invariants.operations;
        let counts = &examined.counts;
        if counts.loads + counts.others == 0 {
            return Vec::new();
        }
        let [gain, cost] = counts.sides(&examined.site, weights, self.settings.knobs);
        if gain >= cost {
            return all.clone();
        }
        let chosen = self.constant_loads(context, number, block, all);
        let first = all.iter().find(|op| !chosen.contains(op));
        if let Some(first) = first {
            pass.count(UNPROFITABLE, 1);
            if pass.wants_remarks() {
                let reason = format!(
                    "{} invariant operations of the block save {gain:.2}, and need {cost} registers",
                    all.len() - chosen.len()
                );
                let help = "a smaller block, or larger budgets";
                pass.declined(*first, RULE, &reason, help);
            }
        }
        chosen
    }

    /// The reads of constant banks that are hoisted from a block that is not worth it.
    fn constant_loads(
        &self,
        context: &Context,
        number: usize,
        block: u32,
        invariants: &[Operation],
    ) -> Vec<Operation> {
        let mut chosen = constant_loads::with_operands(context, invariants);
        let header = self.natural(number).header;
        let dominators = self.loops.flow.dominators();
        let depth = dominators.depth(block);
        let surroundings = Surroundings {
            contents: self.contents(number),
            depth: depth.saturating_sub(dominators.depth(header)),
            knobs: self.settings.knobs,
        };
        let registers = || {
            let (pressure, limit) = self.registers(context);
            let live = pressure.block(header);
            [live.get(RegisterClass::General), limit.registers]
        };
        if !chosen.is_empty() && !surroundings.allow(registers) {
            chosen.clear();
        }
        chosen
    }

    /// Moves operations in front of a loop, with the constants that they read.
    fn advance(
        &self,
        pass: &mut PassContext<'_>,
        number: usize,
        chosen: &[Operation],
        anchor: Operation,
    ) -> IRStatus {
        for op in chosen {
            self.advance_constants(pass.context, number, *op, anchor);
            applied(pass, *op, RULE, "hoisted from the loop");
            op.move_before(pass.context, anchor);
            op.set_attribute(pass.context, loops::HOISTED, Attribute::UNIT);
        }
        let count = u64::try_from(chosen.len()).unwrap_or(u64::MAX);
        pass.count(HOISTED, count);
        match chosen.is_empty() {
            true => IRStatus::Unchanged,
            false => IRStatus::Changed,
        }
    }

    /// Moves the constants in a loop that an operation reads, and those that they are parts of.
    fn advance_constants(
        &self,
        context: &mut Context,
        number: usize,
        op: Operation,
        anchor: Operation,
    ) {
        let operands: Vec<Value> = op.operands(context).collect();
        for value in operands {
            let around = self.loops.at(context, number);
            let maker = value.defining_op(context).filter(|maker| {
                let home = self.loops.flow.block_around(context, *maker);
                home.is_some_and(|home| around.natural.contains(home))
                    && is_constant(context, *maker)
            });
            if let Some(maker) = maker {
                self.advance_constants(context, number, maker, anchor);
                maker.move_before(context, anchor);
            }
        }
    }
}

/// Whether the budget of a block is a small one.
fn is_tight(natural: &NaturalLoop, place: Place) -> bool {
    !natural.children.is_empty() || place == Place::Sometimes
}
