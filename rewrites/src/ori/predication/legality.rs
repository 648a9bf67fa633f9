//! Legality and profitability of a conversion (reference 9.1).

use std::sync::OnceLock;

use orison_ir::declare::{Effects, Trait};
use orison_ir::{Context, Operation, Value};
use orison_machine::{Category, Flag};
use orison_ori::Register;
use orison_ori::analyses::properties;
use orison_ori::analyses::{Guard, memory};
use orison_ori::knobs::Knobs;
use orison_ori::opcodes;
use orison_ori::operations::integer::Isetp;
use orison_ori::operations::moves::Sel;
use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::shape::{Hammock, Way};
use super::{Refusal, refuse};

/// The attribute of a branch that must be predicated if possible.
const MUST: &str = "ori.must_predicate";

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Table {
    extra_latency: Vec<String>,
    extra_latency_numbers: Vec<u16>,
}

/// # Panics
/// Panics if the embedded file is malformed: a bug that every test of the pass detects.
fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| match toml::from_str(include_str!("predication.toml")) {
        Ok(table) => table,
        Err(message) => panic!("predication.toml: {message}"),
    })
}

/// The statistics of an arm.
#[derive(Clone, Debug, Default)]
pub(super) struct Scan {
    operations: Vec<Operation>,
    instructions: i64,
    loads: i64,
    textures: i64,
    extra_latency: i64,
    /// The longest chain of loads in which each load's address depends on the previous one.
    load_chain: i64,
}

impl Scan {
    pub fn of(context: &Context, way: &Way) -> Self {
        let mut scan = Scan::default();
        for block in &way.blocks {
            let own = block.operations(context);
            let own = own.filter(|op| !op.has_trait(context, Trait::Terminator));
            scan.operations.extend(own);
        }
        for op in &scan.operations {
            if !properties::is_instruction(context, *op) {
                continue;
            }
            scan.instructions += 1;
            let Some(row) = opcodes::of(context, *op) else {
                continue;
            };
            let accesses = memory::accesses(context, *op);
            scan.loads += i64::from(accesses.iter().any(|access| access.reads && !access.writes));
            scan.textures += i64::from(row.category == Category::Texture);
            let slow = table().extra_latency.iter().any(|name| name == row.name)
                || row
                    .number
                    .is_some_and(|n| table().extra_latency_numbers.contains(&n));
            scan.extra_latency += i64::from(slow);
        }
        scan.load_chain = load_chain(context, &scan.operations);
        scan
    }

    /// Whether all operations can be moved before the branch.
    pub fn check(&self, context: &Context, guard: &Guard, knobs: &Knobs) -> Result<(), Refusal> {
        let mut all = self.operations.iter();
        all.try_for_each(|op| check(context, *op, guard, knobs))
    }
}

/// The longest chain of dependent loads among operations in order.
fn load_chain(context: &Context, operations: &[Operation]) -> i64 {
    let mut depths: FxHashMap<Value, i64> = FxHashMap::default();
    let mut most = 0;
    for op in operations {
        let needed = op.operands(context).filter_map(|value| depths.get(&value));
        let mut depth = needed.copied().max().unwrap_or(0);
        let accesses = memory::accesses(context, *op);
        depth += i64::from(accesses.iter().any(|access| access.reads && !access.writes));
        most = most.max(depth);
        depths.extend(op.results(context).map(|result| (result, depth)));
    }
    most
}

fn check(context: &Context, op: Operation, guard: &Guard, knobs: &Knobs) -> Result<(), Refusal> {
    if properties::is_unmodelled(context, op) {
        return refuse("an arm has an unmodelled operation", "");
    }
    if properties::is_convergent(context, op) {
        return refuse("an arm has a convergent operation", "");
    }
    let predicates = opcodes::of(context, op).is_some_and(|row| row.has(Flag::Predicate));
    let guarded = properties::guard(context, op).is_some();
    if (predicates || guarded) && !knobs.flag("PredicationOfPredicates") {
        return refuse(
            "an arm writes predicates or has guards",
            "PredicationOfPredicates=true",
        );
    }
    if properties::is_speculatable(context, op) {
        return Ok(());
    }
    let reads_constants = properties::is_pure(context, op);
    let moves = op.definition(context).is_some_and(|definition| {
        matches!(
            definition.effects,
            Effects::Read | Effects::Write | Effects::ReadWrite
        )
    });
    let atomic = op.attribute(context, "operation").is_some();
    if !(moves || reads_constants)
        || atomic
        || memory::orders_memory(context, op)
        || !properties::can_be_guarded(context, op)
    {
        return refuse(
            "an operation of an arm cannot be guarded: it is atomic, orders memory accesses, or \
             affects other threads",
            "",
        );
    }
    let uniform = opcodes::of(context, op).is_some_and(|row| row.has(Flag::Uniform));
    let wanted = if uniform { Register::Up } else { Register::P };
    if register(context, guard.predicate) != Some(wanted) {
        return refuse(
            "the condition and an operation are in different datapaths",
            "",
        );
    }
    Ok(())
}

fn register(context: &Context, value: Value) -> Option<Register> {
    Register::of(context, value.ty(context))
}

/// How many instructions select the joined values, if none of them is free.
pub(super) fn selections(context: &Context, hammock: &Hammock) -> Result<i64, Refusal> {
    let [left, right] = &hammock.ways;
    let arguments = hammock.meet.argument_count(context);
    if left.values.len() != arguments || right.values.len() != arguments {
        return refuse("the values passed to the join block are unknown", "");
    }
    let mut moves = 0;
    for (a, b) in left.values.iter().zip(&right.values) {
        if a == b {
            continue;
        }
        let choice = register(context, hammock.guard.predicate);
        let uniform_choice = choice == Some(Register::Up);
        moves += match register(context, *a) {
            Some(Register::B) | None => {
                return refuse("the arms pass different convergence barriers", "");
            }
            Some(Register::Ur | Register::Up) if uniform_choice => 1,
            Some(Register::Ur64) if uniform_choice => 2,
            Some(Register::Ur | Register::Up | Register::Ur64) => {
                return refuse(
                    "the arms pass different uniform registers",
                    "a uniform condition",
                );
            }
            Some(Register::P) if uniform_choice => {
                return refuse(
                    "a uniform condition cannot select a per-thread predicate",
                    "",
                );
            }
            Some(Register::P) => 1,
            Some(wide) => i64::from(wide.words().unwrap_or(1)),
        };
    }
    Ok(moves)
}

/// Whether the conversion is requested regardless of cost: by the branch, or because its condition
/// tests a select between constants, which was a select in the source.
pub(super) fn is_wanted(context: &Context, branch: Operation, guard: &Guard) -> bool {
    branch.attribute(context, MUST).is_some() || is_selected(context, guard.predicate)
}

/// Whether a predicate compares a select between constants with a constant.
fn is_selected(context: &Context, predicate: Value) -> bool {
    let Some(compare) = predicate.defining_op(context) else {
        return false;
    };
    let constant = |value: Value| properties::immediate(context, value).is_some();
    let choice = compare.operands(context).find_map(|value| {
        let op = value.defining_op(context)?;
        Sel::of(context, op).map(|_| op)
    });
    Isetp::of(context, compare).is_some()
        && compare.operand_count(context) == 2
        && compare.operands(context).any(constant)
        && choice.is_some_and(|op| (0..2).all(|number| constant(op.operand(context, number))))
}

/// How much longer an arm of a divergent branch may be if there are loads. Measured with ptxas 13.0.88, from sm_80 to
/// sm_120: 8 instructions without loads, 20 with one, two or four; stores do not count.
const LOADING: (i64, i64) = (20, 8);

/// Whether a conversion is profitable.
pub(super) fn decide(
    scans: &[Scan; 2],
    moves: i64,
    varying: bool,
    knobs: &Knobs,
) -> Result<(), Refusal> {
    let [then, other] = scans;
    let sizes = [then.instructions, other.instructions];
    // Only a select: the branch is equivalent to SEL.
    if sizes == [0, 0] && moves <= knobs.integer("PredicationMovThreshold") {
        return Ok(());
    }
    let extra = [then.extra_latency, other.extra_latency];
    if extra.iter().all(|extra| *extra > 0) && knobs.flag("PredicationRejectBothLatency") {
        return refuse(
            "both arms have operations of extra latency",
            "PredicationRejectBothLatency=false",
        );
    }
    // All threads execute both arms, so that dependent loads stall all of them.
    if then.load_chain > knobs.integer("PredicationExtendedThreshold") {
        return refuse(
            "the taken arm has a chain of dependent loads",
            "PredicationExtendedThreshold",
        );
    }
    let texture = then.textures + other.textures > 0;
    let limit = knobs.integer(match (varying, texture) {
        (true, false) => "PredicationBaseLimit",
        (true, true) => "PredicationTexLimit",
        (false, false) => "PredicationUniformLimit",
        (false, true) => "PredicationUniformTexLimit",
    });
    // A load that waits for no branch overlaps with others.
    let has_loads = varying && !texture && then.loads + other.loads > 0;
    let limit = match has_loads {
        true => limit * LOADING.0 / LOADING.1,
        false => limit,
    };
    let count = sizes[0].max(sizes[1]);
    let quick = extra[0].min(extra[1]) <= knobs.integer("PredicationBaseExtraLatency");
    let small = moves <= knobs.integer("PredicationMovThreshold") && count <= limit;
    if small && (quick || texture || !varying) {
        return Ok(());
    }
    if sizes[0] + sizes[1] > knobs.integer("PredicationCombinedLimit") {
        return refuse("the arms together are too long", "PredicationCombinedLimit");
    }
    if other.loads > 0 || sizes[1] <= knobs.integer("PredicationFallThroughLimit") {
        return Ok(());
    }
    refuse(
        "the fall-through arm is too long",
        "PredicationFallThroughLimit",
    )
}
