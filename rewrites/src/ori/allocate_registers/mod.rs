//! The pass `ori-allocate-registers`: physical registers for all values (phase 101 of ptxas).
//!
//! Allocation works on SSA form: first the number of live registers is brought under the limit, then one
//! walk in dominance order assigns. See docs/ori-registers.md.

mod arrives;
mod assign;
pub(in crate::ori) mod calls;
mod clusters;
mod constants;
mod divergent;
mod edges;
mod factors;
pub(in crate::ori) mod live;
mod parallel_copy;
mod predicate_words;
mod prepare;
pub(in crate::ori) mod register_set;
mod registers;
mod rematerialize;
mod residence;
mod spills;
mod tighten;
pub(in crate::ori) mod units;
mod write;

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassFailure, PassResult, Remark, RemarkKind,
    Statistic, source_position,
};
use orison_ir::{Context, Operation};
use orison_ori::analyses::{Frequencies, RegisterClass};
use orison_ori::operations::moves::Mov;
use orison_ori::operations::structure::Func;

use super::calling_convention::callees_first;
use super::functions::{Function, functions};
use super::loops::Loops;
use super::matrix_registers::RegisterLimit;
use super::verify_allocation::RecordedOperands;
use assign::{Assignment, Failure, assign, pinned};
use calls::{Callees, Registers};
use clusters::Clusters;
use live::Live;
use register_set::RegisterSet;
use residence::residence;
pub use spills::SLOT as SPILL_SLOT;
use spills::Spills;
use units::{Passed, Program};

orison_ir::pass_options! {
    /// Options of `ori-allocate-registers`.
    pub struct AllocateRegistersOptions {
        /// Registers of a thread, as -maxrregcount; 0: those that the function asks for, or of the machine.
        max_registers = "max-registers": u32[0..=255] = 0,
    }
}

const COPIES: &str = "num-copies";
const REGISTERS: &str = "num-registers";
const SPILLED: &str = "spilled-bytes";
const RULE: &str = "allocate";

/// The registers of a thread with which as many warps run as with fewer.
const UNSHARED: u32 = 32;
/// The stack pointer.
const STACK_POINTER: u32 = 1;

/// The pass `ori-allocate-registers`.
#[derive(Clone, Debug)]
pub struct AllocateRegisters(AllocateRegistersOptions);

impl Pass for AllocateRegisters {
    type Options = AllocateRegistersOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<AllocateRegisters>(
        "ori-allocate-registers",
        "Assigns physical registers to values: phase 101 of ptxas.\n\
         \n\
         The types of values get their registers: `!ori.r64<R2>`, `!ori.p<P0>`. Copies are inserted where values \
         must move: on edges, and where an instruction needs consecutive registers. R1 is the stack pointer. The \
         limit is that of `.maxnreg`, of the threads and CTAs that the function asks for, of `setmaxnreg`, or the \
         option.\n\n\
         Source: reference section 6; docs/ori-registers.md.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: COPIES,
            summary: "Number of copies",
        },
        Statistic {
            name: REGISTERS,
            summary: "Number of general registers, of all functions",
        },
        Statistic {
            name: SPILLED,
            summary: "Bytes of registers in local memory, of all functions",
        },
    ]);

    fn create(options: AllocateRegistersOptions) -> Self {
        AllocateRegisters(options)
    }

    fn options(&self) -> &AllocateRegistersOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let option = Some(self.0.max_registers).filter(|registers| *registers > 0);
        let all = functions(pass.context, pass.op());
        let (allocations, recorded) =
            allocate_functions(pass.context, (pass.op(), &all), option, pass.verifies())?;
        let mut errors = Vec::new();
        for allocation in &allocations {
            allocation.report(pass);
        }
        for (function, recorded) in &recorded {
            errors.extend(recorded.check(pass.context, *function));
        }
        match errors.is_empty() {
            true => Ok(IRStatus::Changed),
            false => Err(PassFailure::new(errors)),
        }
    }
}

/// Functions, and what they were before their registers were allocated.
pub type Recorded = Vec<(Operation, RecordedOperands)>;

/// Allocates the registers of functions, of which each may call others; what the functions were before is
/// recorded if asked for.
fn allocate_functions(
    context: &mut Context,
    (module, all): (Operation, &[Function]),
    option: Option<u32>,
    is_recorded: bool,
) -> Result<(Vec<Allocation>, Recorded), PassFailure> {
    let mut callees = Callees::new(context, module);
    let mut allocations = Vec::with_capacity(all.len());
    for function in callees_first(context, all) {
        allocations.push(allocate(context, function, option, &mut callees)?);
    }
    let mut recorded = Vec::new();
    if is_recorded {
        let functions = allocations.iter().map(|allocation| allocation.function.op);
        recorded
            .extend(functions.map(|function| (function, RecordedOperands::of(context, function))));
    }
    // Types change only if all functions have their registers: calls and callees agree.
    for allocation in &mut allocations {
        allocation.write(context);
    }
    if !all.is_empty() {
        write::set_declared_signatures(context, module);
    }
    Ok((allocations, recorded))
}

/// Allocates the registers of the functions in an operation, and returns what
/// [`RecordedOperands::check`] compares them with.
///
/// # Errors
/// As the pass: if there are too few registers.
pub fn allocate_recorded(
    context: &mut Context,
    root: Operation,
    registers: Option<u32>,
) -> Result<Recorded, PassFailure> {
    let all = functions(context, root);
    allocate_functions(context, (root, &all), registers, true).map(|(_, recorded)| recorded)
}

/// The registers of a function.
struct Allocation {
    function: Function,
    flow: ControlFlowGraph,
    program: Program,
    live: Live,
    found: Assignment,
    spills: Option<Spills>,
    usable: Registers,
    /// The number of copies in front of instructions and on edges.
    copies: [usize; 2],
}

fn allocate(
    context: &mut Context,
    function: Function,
    option: Option<u32>,
    callees: &mut Callees,
) -> Result<Allocation, PassFailure> {
    prepare::prepare(context, function);
    predicate_words::pass_in_words(context, function);
    for class in [
        RegisterClass::UniformPredicate,
        RegisterClass::Uniform,
        RegisterClass::Predicate,
    ] {
        rematerialize::lower(context, function, class, callees);
    }
    let is_kernel = function.op.attribute(context, "kernel").is_some();
    let loops = Loops::of(context, function);
    let frequencies = Frequencies::of(context, &loops.flow, &loops.forest, &loops.inductions);
    let flow = loops.flow;
    let program = Program::of(context, &flow, callees);
    let live = Live::of(&program, &flow);
    let mut wishes = wishes(context, &program, &live, &frequencies);
    wishes.avoid_calls(&program, &live);
    let search = Search {
        context,
        function,
        flow: &flow,
        program: &program,
        live: &live,
        frequencies: &frequencies,
        wishes: &wishes,
        kept: (!is_kernel).then(|| callees.return_address(context, function)),
        is_internal: callees.is_internal(context, function),
        limit: RegisterLimit::of(context, function.op, option).registers,
        pressure: live.pressure(&program, &flow),
    };
    let (found, spills, usable) = search.run()?;
    callees.add(context, function, changed(&program, &found));
    Ok(Allocation {
        function,
        found,
        spills,
        usable,
        copies: [0; 2],
        flow,
        program,
        live,
    })
}

/// What an assignment is looked for with.
struct Search<'a> {
    context: &'a Context,
    function: Function,
    flow: &'a ControlFlowGraph,
    program: &'a Program,
    live: &'a Live,
    frequencies: &'a Frequencies,
    wishes: &'a Clusters,
    /// The registers with the address to return to.
    kept: Option<[u32; 2]>,
    is_internal: bool,
    /// The most general registers.
    limit: u32,
    /// The most live registers, by class.
    pressure: [u32; 5],
}

impl Search<'_> {
    /// The assignment with the fewest general registers, from those that are live at once on, and what is spilled.
    fn run(&self) -> Result<(Assignment, Option<Spills>, Registers), PassFailure> {
        // One more for the stack pointer.
        let needed = self.pressure[RegisterClass::General as usize] + 1;
        let mut general = (needed + 1).next_multiple_of(8).min(self.limit);
        loop {
            match self.attempt(general, None) {
                // Units move only for want of room.
                Ok(found) if general < UNSHARED.min(self.limit) && found.moves() => {
                    general = (general + 8).min(self.limit);
                }
                Ok(found) => {
                    let (found, general) = self.fewer(found, general, needed);
                    return Ok((found, None, usable(general, self.kept)));
                }
                Err(failure) if failure.class == RegisterClass::General && general < self.limit => {
                    general = (general + 8).min(self.limit);
                }
                Err(failure) => return self.spill(general, failure),
            }
        }
    }

    fn attempt(&self, general: u32, spills: Option<&Spills>) -> Result<Assignment, Failure> {
        let usable = usable(general, self.kept);
        let mut clusters = self.wishes.clone();
        clusters.place(&usable);
        let scope = (self.program, self.live);
        assign(
            self.context,
            scope,
            self.flow,
            &mut clusters,
            &usable,
            spills,
        )
    }

    /// An assignment with fewer registers, if there is one that costs little.
    fn fewer(&self, found: Assignment, general: u32, needed: u32) -> (Assignment, u32) {
        let share = if self.is_internal {
            tighten::RARE_COPIES
        } else {
            tighten::COPIES
        };
        let scope = (self.program, self.live);
        let attempt = |few| self.attempt(few, None);
        let fewer = tighten::fewer(scope, self.frequencies, &found, (needed, share), attempt);
        fewer.unwrap_or((found, general))
    }

    /// The assignment with as many registers as there are, where not all units are in one all the time.
    fn spill(
        &self,
        general: u32,
        mut failure: Failure,
    ) -> Result<(Assignment, Option<Spills>, Registers), PassFailure> {
        let usable = usable(general, self.kept);
        let mut fewer = usable[RegisterClass::General as usize];
        loop {
            let pinned = pinned(self.context, self.program);
            let scope = (self.program, self.live);
            let found = residence(scope, self.flow, RegisterClass::General, fewer, &pinned);
            let is_general = failure.class == RegisterClass::General;
            let Some(found) = found.filter(|_| is_general && fewer.count() > 0) else {
                return Err(refuse(self.context, self.function, failure, self.pressure));
            };
            let spills = Spills::of(self.context, self.program, found);
            match self.attempt(general, Some(&spills)) {
                Ok(found) => return Ok((found, Some(spills), usable)),
                Err(next) => failure = next,
            }
            // Tuples may not fit into what is free: fewer units in registers leave more room.
            (0..4).for_each(|_| fewer.remove(fewer.end().saturating_sub(1)));
        }
    }
}

/// The registers that a function changes: its own, and those of the functions that it calls.
fn changed(program: &Program, found: &Assignment) -> Registers {
    let calls = program
        .instructions
        .iter()
        .filter_map(|found| found.changes.as_deref());
    calls.fold(found.used, |all, more| {
        std::array::from_fn(|class| all[class].union(more[class]))
    })
}

/// The registers that may be assigned, by class: not the stack pointer, and not the address to return to.
fn usable(general: u32, return_address: Option<[u32; 2]>) -> Registers {
    let mut words = RegisterSet::below(general);
    words.remove(STACK_POINTER);
    for register in return_address.into_iter().flatten() {
        words.remove(register);
    }
    let predicates = RegisterSet::below(7);
    [
        words,
        RegisterSet::below(63),
        predicates,
        predicates,
        RegisterSet::below(16),
    ]
}

fn refuse(
    context: &Context,
    function: Function,
    failure: Failure,
    pressure: [u32; 5],
) -> PassFailure {
    let message = format!(
        "register allocation failed: {} registers of file '{}' are live at once",
        pressure[failure.class as usize],
        failure.class.prefix()
    );
    PassFailure::from(failure.op.unwrap_or(function.op).op_error(context, message))
}

/// What should lie together: tuples, arguments and what is passed to them, the two sides of copies.
fn wishes(
    context: &Context,
    program: &Program,
    live: &Live,
    frequencies: &Frequencies,
) -> Clusters {
    let mut clusters = Clusters::new(program, live);
    let mut tuples = Vec::new();
    let mut pairs = Vec::new();
    for (number, block) in (0..).zip(&program.blocks) {
        let weight = frequencies.block(number);
        tuples.extend(block.arguments.clone().map(|tuple| (tuple, weight)));
        for at in block.instructions.clone() {
            let found = &program.instructions[at as usize];
            tuples.extend(
                found
                    .uses
                    .clone()
                    .chain(found.defs.clone())
                    .map(|tuple| (tuple, weight)),
            );
            for (used, made) in &found.ties {
                let both = program.members(*made).iter().zip(program.members(*used));
                pairs.extend(both.map(|(made, used)| (*made, *used, 2.0 * weight)));
            }
            if Mov::of(context, found.op).is_some()
                && let (Some(made), Some(used)) =
                    (found.defs.clone().next(), found.uses.clone().next())
            {
                pairs.push((program.members(made)[0], program.members(used)[0], weight));
            }
        }
        for (argument, passed) in block.ways.iter().flat_map(|way| &way.passed) {
            if let Passed::Unit(unit) = passed {
                pairs.push((*argument, *unit, weight));
            }
        }
    }
    tuples.sort_by(|one, two| two.1.total_cmp(&one.1));
    for (tuple, weight) in tuples {
        let is_single =
            program.members(tuple).len() == 1 && program.tuples[tuple as usize].fixed.is_none();
        if !is_single {
            clusters.line_up(program, tuple, weight);
        }
    }
    pairs.sort_by(|one, two| two.2.total_cmp(&one.2));
    for (unit, other, weight) in pairs {
        let class = |unit: u32| program.units.get(unit as usize).map(|unit| unit.class);
        if class(unit).is_some() && class(unit) == class(other) {
            clusters.join(unit, other, 0, weight);
        }
    }
    clusters
}

impl Allocation {
    /// Writes the registers into the function.
    fn write(&mut self, context: &mut Context) {
        let scope = (&self.program, &self.live, &self.found);
        let edges = edges::edges(context, &self.flow, scope, &self.usable);
        let on_edges: usize = edges.iter().flatten().map(|edge| edge.copies.len()).sum();
        let inside: usize = self
            .found
            .transfers
            .values()
            .map(|found| found.list.len())
            .sum();
        self.copies = [inside, on_edges];
        let scope = (&self.program, &self.found, self.spills.as_ref());
        write::write(context, self.function, &self.flow, scope, &edges);
        arrives::order_writes(context, self.function);
    }

    fn report(&self, pass: &mut PassContext<'_>) {
        let used = changed(&self.program, &self.found).map(RegisterSet::end);
        let registers = used[RegisterClass::General as usize].max(STACK_POINTER + 1);
        let [inside, on_edges] = self.copies;
        let spilled = self.spills.as_ref().map_or(0, Spills::size);
        pass.count(COPIES, (inside + on_edges) as u64);
        pass.count(REGISTERS, registers.into());
        pass.count(SPILLED, u64::try_from(spilled).unwrap_or(0));
        if pass.wants_remarks() {
            let name = Func(self.function.op)
                .sym_name(pass.context)
                .unwrap_or_default();
            let reason = format!(
                "'{name}' uses {registers} registers, {} uniform registers, {} predicates, {} uniform predicates; \
                 {inside} copies in front of instructions, {on_edges} on edges; {spilled} bytes of spilled registers",
                used[RegisterClass::Uniform as usize],
                used[RegisterClass::Predicate as usize],
                used[RegisterClass::UniformPredicate as usize],
            );
            pass.remark(
                self.function.op,
                &Remark::new(RemarkKind::Passed, RULE, reason),
            );
        }
    }
}
