//! What operations do: the sets that they belong to, and the memory that they access.

use orison_ir::declare::{Effects, Trait};
use orison_ir::{Context, Operation, Value};
use orison_machine::{Category, Entry, Flag, Space};
use orison_ori::analyses::properties;
use orison_ori::keywords::{Width, keyword_of};
use orison_ori::opcodes;
use orison_ori::operations as ori;
use orison_ori::types::Register;
use rustc_hash::FxHashSet;

use super::addresses::{Addresses, Base};
use super::findings::Reason;
use crate::order::{Bytes, Use, Window};

/// A set of operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    All,
    /// Operations of which nothing is known.
    Unknown,
    Terminator,
    Memory,
    /// Accesses whose order other threads observe.
    Observed,
    Synchronisation,
    /// Reads of clocks, changes of the stack.
    Changing,
    /// Products of warp groups.
    Product,
    /// Fences, commits and waits of groups of products.
    Group,
    /// Uses and definitions of values of products.
    ProductValue,
    /// What changes the threads that execute together.
    Gathering,
    Convergent,
}

/// Sets that keep their order, and the reason.
const RULES: [(Set, Set, Reason); 12] = [
    (Set::Unknown, Set::All, Reason::Unknown),
    (Set::Terminator, Set::All, Reason::Terminator),
    (
        Set::Synchronisation,
        Set::Synchronisation,
        Reason::Synchronisation,
    ),
    (Set::Synchronisation, Set::Memory, Reason::Synchronisation),
    (Set::Observed, Set::Observed, Reason::Observed),
    (Set::Changing, Set::Changing, Reason::Changing),
    (Set::Changing, Set::Memory, Reason::Changing),
    (Set::Changing, Set::Synchronisation, Reason::Changing),
    (Set::Product, Set::Product, Reason::Products),
    (Set::Group, Set::Product, Reason::ProductValues),
    (Set::Group, Set::ProductValue, Reason::ProductValues),
    (Set::Gathering, Set::Convergent, Reason::Together),
];

/// The rules, with sets as numbers of bits.
pub(super) fn pairs() -> impl Iterator<Item = (usize, usize, Reason)> {
    let rules = RULES.into_iter();
    rules.map(|(one, other, reason)| (one as usize, other as usize, reason))
}

/// Special registers whose value changes by itself.
const CHANGING: [&str; 3] = ["SR_CLOCK", "SR_GLOBALTIMER", "SR_PM"];

/// The sets of an operation, a bit each.
pub(super) fn members(
    context: &Context,
    op: Operation,
    (uses, products): (&[Use<Base>], &Products),
    is_last: bool,
) -> u32 {
    let row = opcodes::of(context, op);
    let has = |flag| row.is_some_and(|row| row.has(flag));
    let terminates = is_last && op.has_trait(context, Trait::Terminator);
    let pure = properties::is_pure_call(context, op);
    // An asynchronous operation without memory closes a group of others.
    let closes = has(Flag::Asynchronous) && uses.is_empty() && !has(Flag::Group);
    let leaves = has(Flag::Exit) && !terminates;
    let synchronises = has(Flag::Barrier)
        || has(Flag::Call) && !pure
        || closes
        || leaves
        || op.attribute(context, "barrier").is_some();
    let product = is_product(row);
    let gathers = leaves || has(Flag::Call) && !pure || op.is(context, ori::Warpsync::NAME);
    let belongs = [
        (Set::All, true),
        (Set::Unknown, is_unknown(context, op, row)),
        (Set::Terminator, terminates),
        (Set::Memory, !uses.is_empty()),
        (Set::Observed, is_observed(context, op, row)),
        (Set::Synchronisation, synchronises),
        (Set::Changing, is_changing(context, op, row)),
        (Set::Product, product),
        (Set::Group, has(Flag::Group) && !product),
        (Set::ProductValue, products.concern(context, op)),
        (Set::Gathering, gathers),
        (Set::Convergent, properties::is_convergent(context, op)),
    ];
    let sets = belongs.iter().filter(|(_, belongs)| *belongs);
    sets.fold(0, |bits, (set, _)| bits | 1 << *set as u32)
}

fn is_product(row: Option<&Entry>) -> bool {
    row.is_some_and(|row| row.has(Flag::Group) && row.category == Category::Matrix)
}

/// Whether nothing is known of an operation: it has no row, and is not declared without effects or with effects on
/// memory alone.
fn is_unknown(context: &Context, op: Operation, row: Option<&Entry>) -> bool {
    let declared = op.definition(context).map(|definition| definition.effects);
    let unknown = matches!(declared, None | Some(Effects::Unknown | Effects::Recursive));
    op.region_count(context) > 0 || row.is_none() && unknown
}

/// Whether other threads observe the order of an access: it is strong or volatile, or reads and writes at once.
fn is_observed(context: &Context, op: Operation, row: Option<&Entry>) -> bool {
    let at_once = row.is_some_and(|row| {
        let mut reads = row.reads.iter();
        reads.any(|space| *space != Space::Tensor && row.writes.contains(space))
    });
    at_once || properties::is_ordered(context, op)
}

/// Whether an operation reads what changes by itself, or changes the stack. Of what can read special registers the
/// register decides.
fn is_changing(context: &Context, op: Operation, row: Option<&Entry>) -> bool {
    let register = op.attribute(context, "register");
    match register.and_then(|register| register.as_str(context)) {
        Some(name) => CHANGING.iter().any(|prefix| name.starts_with(prefix)),
        None => row.is_some_and(|row| row.has(Flag::Changing)),
    }
}

/// The general registers that products of warp groups use and make.
pub(super) struct Products(FxHashSet<Value>);

impl Products {
    pub(super) fn of(context: &Context, operations: impl Iterator<Item = Operation>) -> Products {
        let products = operations.filter(|op| is_product(opcodes::of(context, *op)));
        let values = products.flat_map(|op| {
            let operands = op.operands(context).collect::<Vec<_>>();
            operands.into_iter().chain(op.results(context))
        });
        let is_general = |value: &Value| {
            let register = Register::of(context, value.ty(context));
            register.is_some_and(|register| !register.is_uniform() && register.words().is_some())
        };
        Products(values.filter(is_general).collect())
    }

    fn concern(&self, context: &Context, op: Operation) -> bool {
        let mut operands = op.operands(context);
        let mut results = op.results(context);
        operands.any(|value| self.0.contains(&value))
            || results.any(|value| self.0.contains(&value))
    }
}

/// The accesses of an operation to memory.
pub(super) fn uses(
    context: &Context,
    op: Operation,
    addresses: &mut Addresses<'_>,
) -> Vec<Use<Base>> {
    let (reads, writes) = spaces(context, op);
    let reads = if properties::reads_constants(context, op) {
        Vec::new()
    } else {
        reads
    };
    let read_only = reads.iter().filter(|windows| !writes.contains(windows));
    let all = read_only.map(|windows| (*windows, false));
    let all = all.chain(writes.iter().map(|windows| (*windows, true)));
    let found = all.filter(|(windows, _)| !windows.is_empty());
    found
        .map(|(windows, writes)| Use {
            windows,
            writes,
            bytes: bytes(context, op, windows, addresses),
        })
        .collect()
}

/// The windows that an operation reads, and those that it writes, by space.
fn spaces(context: &Context, op: Operation) -> (Vec<&'static [Window]>, Vec<&'static [Window]>) {
    let anything = vec![Window::ALL];
    if op.is(context, ori::Inst::NAME) {
        let listed = |key| match op
            .attribute(context, key)
            .map(|list| list.as_array(context))
        {
            Some(Some([])) => Vec::new(),
            _ => anything.clone(),
        };
        return (listed("reads"), listed("writes"));
    }
    if let Some(row) = opcodes::of(context, op) {
        let of = |spaces: &[Space]| spaces.iter().map(|space| Window::of(*space)).collect();
        return (of(row.reads), of(row.writes));
    }
    match op.definition(context).map(|definition| definition.effects) {
        Some(Effects::None | Effects::Allocate) => (Vec::new(), Vec::new()),
        Some(Effects::Read) => (anything, Vec::new()),
        _ => (anything.clone(), anything),
    }
}

/// The bytes that a load, a store or a copy accesses in windows; `None` if they may be any.
fn bytes(
    context: &Context,
    op: Operation,
    windows: &[Window],
    addresses: &mut Addresses<'_>,
) -> Option<Bytes<Base>> {
    const PLAIN: [&str; 8] = [
        ori::Ld::NAME,
        ori::Ldg::NAME,
        ori::Lds::NAME,
        ori::Ldl::NAME,
        ori::St::NAME,
        ori::Stg::NAME,
        ori::Sts::NAME,
        ori::Stl::NAME,
    ];
    let copies = op.is(context, ori::Ldgsts::NAME);
    if !copies && !PLAIN.iter().any(|name| op.is(context, name)) {
        return None;
    }
    let names = match copies && windows == [Window::Shared] {
        true => ["shared_base", "shared_uniform", "shared_offset"],
        false => ["base", "uniform", "offset"],
    };
    let mut parts = op.operands_named(context, names[0]);
    parts.extend(op.operands_named(context, names[1]));
    let offset = op.attribute(context, names[2]);
    let offset = offset
        .and_then(|offset| offset.as_i64(context))
        .unwrap_or(0);
    let (base, first) = addresses.of(windows, &parts, offset);
    Some(Bytes {
        named: matches!(base, Base::Named(_)),
        base,
        first,
        count: keyword_of(context, op, "width")
            .unwrap_or(Width::B32)
            .bytes(),
    })
}
