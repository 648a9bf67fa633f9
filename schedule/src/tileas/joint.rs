//! `strategy=joint`: the joint problem of a loop, and the attributes of its solution.

use std::collections::{BTreeMap, BTreeSet};

use orison_host::arith;
use orison_ir::declare::OperationDefinition;
use orison_ir::walk::{collect, walk_nested};
use orison_ir::{Attribute, Block, Context, Operation, Value, ValueOwner};
use orison_tileas::nv_tileaa::KernelSpec;
use orison_tileas::nv_tileas;
use orison_tileas::schedule_keys::KERNEL_SPEC;

use super::attributes::{AGENT, AGENTS};
use super::classify::{is_tma_load, tile_bytes};
use super::hand_over::{passing, signal};
use super::loop_body::LoopBody;
use super::materialize::{LOAD_REGISTERS, REGISTERS_A_LANE};
use super::solve::loads;
use super::solve::memory_order::is_pure;
use super::solve::partition::root_block;
use super::solve::roles::{LOAD_ROLE, REGISTERS};
use super::tensor_memory;
use super::tokens::async_tokens;
use crate::joint::{JointOperation, JointProblem, JointSolution, Limits, Placement, Work};
use crate::machine::MachineModel;
use crate::modulo::DependenceGraph;

/// Registers of a thread for addresses, counters and barriers.
const RESERVED_REGISTERS: u32 = 24;
/// Named barriers of a block.
const NAMED_BARRIERS: usize = 16;
/// Warps of a multiprocessor.
const MOST_WARPS: u32 = 64;
/// Products.
const PRODUCTS: [&OperationDefinition; 3] = [
    nv_tileas::Dot::DEFINITION,
    nv_tileas::AsyncDot::DEFINITION,
    nv_tileas::BlockScaledMma::DEFINITION,
];

/// The agents of a loop, in the form of its attributes.
#[derive(Clone, Debug)]
pub(super) struct AgentPlan {
    /// Role and registers of each agent.
    agents: Vec<(String, u32)>,
    /// Warps of each agent.
    warps: u32,
    /// The agent of operations.
    assigned: Vec<(Operation, usize)>,
}

/// The reason that the agents of a loop are not chosen.
pub(super) fn obstacle(
    context: &Context,
    root: Operation,
    body: &LoopBody,
) -> Option<&'static str> {
    let block = root_block(context, body.op);
    let mut region = LoopBody::targets(context, root).into_iter();
    if body.op.attribute(context, AGENTS).is_some() {
        return Some("the loop lists agents");
    }
    if region.any(|other| other.op != body.op && root_block(context, other.op) == block) {
        return Some("the agents would execute several scheduled loops");
    }
    let loads = body
        .operations
        .iter()
        .filter(|op| loads::kind(context, **op).is_some());
    (loads.count() == 0).then_some("the loop has no loads for a load agent")
}

/// The joint problem of a loop.
pub(super) fn problem(
    context: &Context,
    body: &LoopBody,
    graph: &DependenceGraph,
    machine: &MachineModel,
    warps: Option<u32>,
) -> JointProblem {
    let mut invariants: Vec<Value> = Vec::new();
    let mut allocations: Vec<Value> = Vec::new();
    let mut operations = Vec::with_capacity(body.operations.len());
    for (node, &op) in body.operations.iter().enumerate() {
        operations.push(JointOperation {
            placement: placement(context, op),
            work: work(context, op, graph, node, machine),
            result_bytes: u64::from(graph.node(node).registers)
                * super::classify::WARP_REGISTER_BYTES,
            passing: passing(context, op, machine),
            keeps: kept_operands(context, body, op),
            invariants: outside_tiles(context, body, op, &mut invariants),
            storage: storage(context, op, &mut allocations),
        });
    }
    let bytes = |value: &Value| tile_bytes(context, value.ty(context)).unwrap_or(0);
    JointProblem {
        graph: graph.clone(),
        operations,
        invariants: invariants.iter().map(bytes).collect(),
        together: asynchronous_groups(context, body),
        limits: limits(context, body.op, machine, warps),
    }
}

fn limits(context: &Context, op: Operation, machine: &MachineModel, warps: Option<u32>) -> Limits {
    let spec = KernelSpec::around(context, op).and_then(|spec| spec.num_warps);
    let spec = spec.and_then(|warps| u32::try_from(warps).ok());
    let count = |registers: i32| u32::try_from(registers).unwrap_or(0);
    Limits {
        warps: warps.or(spec).unwrap_or(MOST_WARPS),
        registers: count(REGISTERS_A_LANE),
        load_registers: count(LOAD_REGISTERS),
        reserved_registers: RESERVED_REGISTERS,
        most_registers: count(*REGISTERS.end()),
        shared_bytes: machine.budget("smem").unwrap_or(u64::MAX),
        barriers: NAMED_BARRIERS,
        signal: signal(machine),
    }
}

fn placement(context: &Context, op: Operation) -> Placement {
    let has_tile = op
        .results(context)
        .any(|value| value.ty(context).is_shaped(context));
    if loads::kind(context, op).is_some() {
        Placement::Load
    } else if is_pure(context, op) && (!has_tile || arith::Constant::matches(context, op)) {
        Placement::Anywhere
    } else {
        Placement::Compute
    }
}

fn work(
    context: &Context,
    op: Operation,
    graph: &DependenceGraph,
    node: usize,
    machine: &MachineModel,
) -> Work {
    let combinations = [nv_tileas::Reduce::DEFINITION, nv_tileas::Scan::DEFINITION];
    let transcendental = machine.slot("xu").map(|slot| slot.number);
    let mut uses = graph.node(node).uses.iter();
    let stores = op.definition(context).is_some_and(|definition| {
        matches!(
            definition.effects,
            orison_ir::declare::Effects::Write | orison_ir::declare::Effects::ReadWrite
        )
    });
    if op.is_one_of(context, &PRODUCTS) {
        Work::Product
    } else if stores {
        Work::Store
    } else if op.is_one_of(context, &combinations)
        || uses.any(|held| Some(held.slot) == transcendental)
    {
        Work::Softmax
    } else {
        Work::Elementwise
    }
}

/// The operations whose tiles an operation reads until it completes: factors, what is reduced, what is
/// stored.
fn kept_operands(context: &Context, body: &LoopBody, op: Operation) -> Vec<usize> {
    let is_product = op.is_one_of(context, &PRODUCTS);
    let shrinks = op.result_count(context) == 0
        || op
            .results(context)
            .all(|value| !value.ty(context).is_shaped(context))
        || nv_tileas::Reduce::matches(context, op);
    let mut kept = Vec::new();
    for (number, value) in op.operands(context).enumerate() {
        let is_kept = if is_product { number != 2 } else { shrinks };
        let made_by = value.defining_op(context);
        let node = body
            .operations
            .iter()
            .position(|other| Some(*other) == made_by);
        if is_kept {
            kept.extend(node);
        }
    }
    kept
}

/// The tiles from outside of the loop that an operation reads from registers, as positions in a list
/// of all. Constants are written in the instructions, and tiles loaded by TMA stay in shared memory.
fn outside_tiles(
    context: &Context,
    body: &LoopBody,
    op: Operation,
    all: &mut Vec<Value>,
) -> Vec<usize> {
    let mut found = Vec::new();
    let mut read = |value: Value| {
        let is_inside = match value.owner(context) {
            ValueOwner::Result(made_by, _) => body.op.is_ancestor_of(context, made_by),
            ValueOwner::Argument(block, _) => block
                .parent_op(context)
                .is_some_and(|owner| body.op.is_ancestor_of(context, owner)),
        };
        let made_by = value.defining_op(context);
        let is_free = made_by.is_some_and(|made_by| {
            arith::Constant::matches(context, made_by) || is_tma_load(context, made_by)
        });
        if is_inside || is_free || tile_bytes(context, value.ty(context)).is_none() {
            return;
        }
        let position = all.iter().position(|known| *known == value);
        found.push(position.unwrap_or_else(|| {
            all.push(value);
            all.len() - 1
        }));
    };
    op.operands(context).for_each(&mut read);
    walk_nested(context, op, |nested| {
        nested.operands(context).for_each(&mut read);
    });
    found
}

/// The allocations in tensor memory that an operation accesses, as positions in a list of all.
fn storage(context: &Context, op: Operation, all: &mut Vec<Value>) -> Vec<usize> {
    let accesses = tensor_memory::accesses(context, op).unwrap_or_default();
    let mut found = Vec::new();
    for access in accesses {
        let position = all.iter().position(|known| *known == access.allocation);
        found.push(position.unwrap_or_else(|| {
            all.push(access.allocation);
            all.len() - 1
        }));
    }
    found
}

/// Asynchronous operations with those that wait for them.
fn asynchronous_groups(context: &Context, body: &LoopBody) -> Vec<Vec<usize>> {
    let position = |op: Operation| body.operations.iter().position(|other| *other == op);
    let mut groups = Vec::new();
    for (node, &op) in body.operations.iter().enumerate() {
        for token in async_tokens(context, op) {
            let users = token.users(context);
            let waits =
                users.filter_map(|user| position(user.ancestor_in_block(context, body.block)?));
            let mut group = vec![node];
            group.extend(waits);
            groups.push(group);
        }
    }
    groups
}

impl AgentPlan {
    /// The plan of a solution.
    pub(super) fn new(
        context: &Context,
        body: &LoopBody,
        problem: &JointProblem,
        solution: &JointSolution,
    ) -> AgentPlan {
        let computing = solution.registers.len();
        let mut agents = vec![(LOAD_ROLE.to_owned(), problem.limits.load_registers)];
        let registers = shared_out(problem, solution);
        for (agent, registers) in registers.into_iter().enumerate() {
            let here = (0..problem.operations.len())
                .filter(|&node| solution.agent_of[node] == Some(agent));
            let work: Vec<Work> = here.map(|node| problem.operations[node].work).collect();
            agents.push((role(&work).to_owned(), registers));
        }
        let mut assigned = Vec::new();
        if computing > 1 {
            for (node, &op) in body.operations.iter().enumerate() {
                match problem.operations[node].placement {
                    Placement::Load => assigned.push((op, 0)),
                    Placement::Compute => {
                        assigned.extend(solution.agent_of[node].map(|agent| (op, agent + 1)));
                    }
                    Placement::Anywhere => {}
                }
            }
            assigned.extend(around_loop(context, body, &assigned));
        }
        AgentPlan {
            agents,
            warps: solution.warps,
            assigned,
        }
    }

    /// Writes the attributes of the loop and of the operations. A kernel with fewer warps than its
    /// agents gets theirs.
    pub(super) fn write(&self, context: &mut Context, loop_op: Operation) {
        self.raise_warps(context, loop_op);
        let number = |context: &mut Context, value: u32| {
            Attribute::i32(context, i32::try_from(value).unwrap_or(i32::MAX))
        };
        let mut list = Vec::new();
        for (role, registers) in &self.agents {
            let entries = [
                ("registers", number(context, *registers)),
                ("role", Attribute::string(context, role)),
                ("warps", number(context, self.warps)),
            ];
            list.push(Attribute::dictionary_of(context, &entries));
        }
        let list = Attribute::array(context, &list);
        loop_op.set_attribute(context, AGENTS, list);
        for &(op, agent) in &self.assigned {
            let agent = number(context, u32::try_from(agent).unwrap_or(0));
            op.set_attribute(context, AGENT, agent);
        }
    }

    fn raise_warps(&self, context: &mut Context, loop_op: Operation) {
        let used = i32::try_from(self.agents.len()).unwrap_or(i32::MAX)
            * i32::try_from(self.warps).unwrap_or(0);
        let specified = |op: &Operation| op.attribute(context, KERNEL_SPEC).is_some();
        let Some(function) = loop_op.ancestors(context).find(specified) else {
            return;
        };
        let spec = KernelSpec::around(context, loop_op);
        let too_few = spec
            .and_then(|spec| spec.num_warps)
            .is_some_and(|warps| warps < used);
        if let (true, Some(dictionary)) = (too_few, function.attribute(context, KERNEL_SPEC)) {
            let used = Attribute::i32(context, used);
            let dictionary = dictionary.with(context, "numWarps", used);
            function.set_attribute(context, KERNEL_SPEC, dictionary);
        }
    }

    /// A description for remarks: role, warps and registers of each agent.
    pub(super) fn describe(&self) -> String {
        let agents = self.agents.iter();
        let agents = agents.map(|(role, registers)| format!("{role} {}x{registers}", self.warps));
        agents.collect::<Vec<_>>().join(", ")
    }
}

/// Registers of the threads of each compute agent: what it needs, and an equal share of the rest.
fn shared_out(problem: &JointProblem, solution: &JointSolution) -> Vec<u32> {
    let limits = &problem.limits;
    let needed: u32 = solution.registers.iter().sum();
    let available = limits.registers / solution.warps.max(1);
    let count = u32::try_from(solution.registers.len()).unwrap_or(1).max(1);
    let rest = available
        .saturating_sub(limits.load_registers)
        .saturating_sub(needed)
        / count;
    let share = |registers: &u32| (registers + rest / 8 * 8).min(limits.most_registers);
    solution.registers.iter().map(share).collect()
}

/// The role of an agent, by what it executes.
fn role(work: &[Work]) -> &'static str {
    let has = |kind: Work| work.contains(&kind);
    match (
        has(Work::Product),
        has(Work::Softmax),
        has(Work::Elementwise),
    ) {
        (true, false, false) => "mma",
        (true, ..) => "compute",
        (false, true, _) => "softmax",
        (false, false, true) => "correction",
        (false, false, false) => "store",
    }
}

/// The agents of operations around the loop: of one after it, that of the first tile it reads; of one
/// before it in the same loop, that of its only readers.
fn around_loop(
    context: &Context,
    body: &LoopBody,
    assigned: &[(Operation, usize)],
) -> Vec<(Operation, usize)> {
    let agents: BTreeMap<Operation, usize> = assigned.iter().copied().collect();
    let mut agent_of: BTreeMap<Value, usize> = BTreeMap::new();
    for (position, value) in body.yielded(context).into_iter().enumerate() {
        let agent = value.defining_op(context).and_then(|op| agents.get(&op));
        if let Some(&agent) = agent {
            agent_of.insert(body.op.result(context, position), agent);
        }
    }
    let root = root_block(context, body.op);
    let mut found = Vec::new();
    let mut inner = body.op;
    while let Some(block) = inner.block(context) {
        before(
            context,
            (block, inner),
            Some(block) == root,
            &agents,
            &mut found,
        );
        for op in block
            .operations(context)
            .skip_while(|op| *op != inner)
            .skip(1)
        {
            let read = op
                .operands(context)
                .find_map(|value| agent_of.get(&value).copied());
            let Some(agent) = read else {
                continue;
            };
            if op.has_trait(context, orison_ir::declare::Trait::Terminator) {
                continue;
            }
            found.push((op, agent));
            agent_of.extend(op.results(context).map(|value| (value, agent)));
        }
        if Some(block) == root {
            break;
        }
        let Some(owner) = block.parent_op(context) else {
            break;
        };
        inner = owner;
    }
    found
}

/// Operations with effects before a loop, in an enclosing one: of tiles that only one agent reads.
/// Those of the outermost block are moved by materialization.
fn before(
    context: &Context,
    (block, inner): (Block, Operation),
    is_root: bool,
    agents: &BTreeMap<Operation, usize>,
    found: &mut Vec<(Operation, usize)>,
) {
    if is_root {
        return;
    }
    let ops: Vec<Operation> = block
        .operations(context)
        .take_while(|op| *op != inner)
        .collect();
    for &op in ops.iter().rev().filter(|op| !is_pure(context, **op)) {
        let readers: BTreeSet<Operation> = op
            .results(context)
            .filter(|value| value.ty(context).is_shaped(context))
            .flat_map(|value| value.users(context))
            .collect();
        let agent_of = |reader: &Operation| {
            let all = collect(context, *reader);
            let own = agents.get(reader).copied();
            own.or_else(|| all.iter().find_map(|op| agents.get(op).copied()))
        };
        let chosen: BTreeSet<Option<usize>> = readers.iter().map(agent_of).collect();
        if let (1, Some(Some(agent))) = (chosen.len(), chosen.first()) {
            found.push((op, *agent));
        }
    }
}
