//! The memory an operation accesses, and whether two operations access the same memory.
//!
//! An address is decomposed into values and a constant. Two addresses with the same values are
//! compared by their constants; symbols and spaces that share no memory never alias. An answer
//! holds for one execution of both operations with the same values: it does not hold if a value is
//! redefined in between (in another iteration); [`super::memory_flow`] handles that.

use orison_ir::declare::Effects;
use orison_ir::{Context, Operation, Value};

use super::linear::{self, LinearForm, Root};
use super::properties;
use crate::keywords::{AtomicType, Width, keyword_of};
use crate::opcodes;
use orison_machine::{Flag, Space};

/// An address: a sum of values with constant factors and a constant, in bytes. Addresses with the
/// same values differ by a constant only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// The sum. It wraps at 32 bits if all parts of the address have 32 bits.
    pub sum: LinearForm,
    /// The constant bank, for constant memory.
    pub bank: Option<i64>,
}

/// A read or write of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// The memory space; `None` if it may be any.
    pub space: Option<Space>,
    /// Whether it reads.
    pub reads: bool,
    /// Whether it writes.
    pub writes: bool,
    /// The address, if known.
    pub address: Option<Address>,
    /// The size in bytes, if known.
    pub bytes: Option<u64>,
    /// Whether the memory read is constant during the kernel.
    pub constant: bool,
}

impl Access {
    /// An access with unknown properties.
    pub const ANY: Access = Access {
        space: None,
        reads: true,
        writes: true,
        address: None,
        bytes: None,
        constant: false,
    };
}

/// Whether two accesses overlap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AliasKind {
    /// They never overlap.
    None,
    /// They may overlap.
    May,
    /// They always overlap, at least in part.
    Must,
    /// They always access exactly the same memory.
    Same,
}

/// An alias result with its reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alias {
    /// The result.
    pub kind: AliasKind,
    /// The reason.
    pub reason: &'static str,
}

/// The kind of dependence of the second of two operations on the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DependenceKind {
    /// Read after write.
    ReadAfterWrite,
    /// Write after read.
    WriteAfterRead,
    /// Write after write.
    WriteAfterWrite,
    /// One of them orders memory accesses, or is ordered itself.
    Order,
}

/// A dependence of one operation on an earlier one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dependence {
    /// The kind.
    pub kind: DependenceKind,
    /// The certainty: may or must, or exactly the same memory.
    pub alias: Alias,
}

/// The role of an operation in the ordering of memory accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// Unordered.
    Free,
    /// A full fence: earlier accesses stay before it, later ones after it.
    Full,
}

fn order(context: &Context, op: Operation) -> Order {
    if properties::is_ordered(context, op) || op.attribute(context, "barrier").is_some() {
        return Order::Full;
    }
    let Some(definition) = op.definition(context) else {
        return Order::Full;
    };
    let Some(row) = opcodes::of(context, op) else {
        let opaque =
            definition.effects == Effects::Unknown && !properties::is_unmodelled(context, op);
        return if opaque { Order::Full } else { Order::Free };
    };
    // An atomic operation that returns the old value may acquire: later accesses stay after it.
    let acquires = definition.effects == Effects::ReadWrite && op.result_count(context) > 0;
    let orders = [Flag::Barrier, Flag::Asynchronous, Flag::Call];
    let orders = orders.iter().any(|flag| row.has(*flag));
    if acquires || (orders && !properties::is_pure_call(context, op)) {
        return Order::Full;
    }
    Order::Free
}

/// Whether memory accesses must not move across an operation: barriers, fences, waits, calls,
/// asynchronous copies, ordered accesses.
pub fn orders_memory(context: &Context, op: Operation) -> bool {
    order(context, op) == Order::Full
}

/// The accesses of an operation; empty if it does not access memory. An operation that orders
/// memory counts as an unknown access.
pub fn accesses(context: &Context, op: Operation) -> Vec<Access> {
    let mut found = Vec::new();
    if orders_memory(context, op) {
        found.push(Access::ANY);
        return found;
    }
    let (reads, writes) = spaces(context, op);
    let constant = properties::reads_constants(context, op);
    let mut all: Vec<Option<Space>> = reads.iter().chain(&writes).copied().collect();
    all.sort_unstable();
    all.dedup();
    for space in all {
        found.push(Access {
            space,
            reads: reads.contains(&space),
            writes: writes.contains(&space),
            address: address(context, op, space),
            bytes: bytes(context, op),
            constant: constant && !writes.contains(&space),
        });
    }
    found
}

type Spaces = Vec<Option<Space>>;

/// The spaces that an operation reads and writes; `None` means any.
fn spaces(context: &Context, op: Operation) -> (Spaces, Spaces) {
    let listed = |key| -> Spaces {
        let list = op.attribute(context, key);
        match list.and_then(|list| list.as_array(context)) {
            Some(names) => {
                let names = names.iter().filter_map(|name| name.as_str(context));
                names.map(space_named).collect()
            }
            None => vec![None],
        }
    };
    if properties::is_unmodelled(context, op) {
        return (listed("reads"), listed("writes"));
    }
    match opcodes::of(context, op) {
        Some(row) => (
            row.reads.iter().copied().map(Some).collect(),
            row.writes.iter().copied().map(Some).collect(),
        ),
        None => (Vec::new(), Vec::new()),
    }
}

fn space_named(name: &str) -> Option<Space> {
    let known = [
        ("generic", Space::Generic),
        ("local", Space::Local),
        ("shared", Space::Shared),
        ("shared-cluster", Space::SharedCluster),
        ("constant", Space::Constant),
        ("global", Space::Global),
        ("surface", Space::Surface),
        ("texture", Space::Texture),
        ("tensor", Space::Tensor),
    ];
    let found = known.iter().find(|(known, _)| *known == name);
    found.map(|(_, space)| *space)
}

/// Number of bytes accessed by an operation, from its modifiers.
fn bytes(context: &Context, op: Operation) -> Option<u64> {
    if let Some(width) = keyword_of::<Width>(context, op, "width") {
        return Some(width.bytes().into());
    }
    if op.attribute(context, "operation").is_some() {
        return Some(match keyword_of(context, op, "type")? {
            AtomicType::F32x4 | AtomicType::B128 => 16,
            AtomicType::U64
            | AtomicType::S64
            | AtomicType::F64
            | AtomicType::B64
            | AtomicType::F32x2 => 8,
            _ => 4,
        });
    }
    let declared = op.definition(context)?.attribute("width")?;
    declared.default.map(|_| 4)
}

/// The address of the access to a space.
fn address(context: &Context, op: Operation, space: Option<Space>) -> Option<Address> {
    let definition = op.definition(context)?;
    let has = |name: &str| {
        definition
            .operands
            .iter()
            .any(|operand| operand.name == name)
    };
    let second = has("shared_base") && space == Some(Space::Shared);
    let names = match second {
        true => ["shared_base", "shared_uniform", "shared_offset"],
        false => ["base", "uniform", "offset"],
    };
    if !has(names[0]) {
        return None;
    }
    let number = |key| op.attribute(context, key).and_then(|n| n.as_i64(context));
    let bank = number("bank").or((space == Some(Space::Constant)).then_some(0));
    let parts = [names[0], names[1]].map(|name| op.operands_named(context, name));
    let parts = parts.concat();
    let is_narrow = |value: &Value| linear::is_word(context, *value);
    let wraps = !parts.is_empty() && parts.iter().all(is_narrow);
    let mut sum = LinearForm::constant(number(names[2]).unwrap_or(0), !wraps);
    for value in parts {
        if is_narrow(&value) && !wraps {
            // The sum wraps at 64 bits, this part of it at 32: constants in it cannot be moved out.
            sum.add_root(Root::Unsigned(value), 1);
        } else {
            sum.add(&LinearForm::of(context, value), 1);
        }
    }
    Some(Address { sum, bank })
}

/// Whether two spaces share memory.
fn spaces_meet(a: Option<Space>, b: Option<Space>) -> bool {
    use Space::{Generic, Global, Local, Shared, SharedCluster, Surface, Texture};
    let (Some(a), Some(b)) = (a, b) else {
        return true;
    };
    let meets = |a, b| match a {
        Generic => {
            matches!(
                b,
                Global | Local | Shared | SharedCluster | Surface | Texture
            )
        }
        Shared => b == SharedCluster,
        Global => matches!(b, Surface | Texture),
        Surface => b == Texture,
        _ => false,
    };
    a == b || meets(a, b) || meets(b, a)
}

/// Whether two accesses overlap.
pub fn alias(a: &Access, b: &Access) -> Alias {
    let answer = |kind, reason| Alias { kind, reason };
    if !spaces_meet(a.space, b.space) {
        return answer(AliasKind::None, "the memory spaces are disjoint");
    }
    if (a.constant && b.writes) || (b.constant && a.writes) {
        return answer(AliasKind::None, "constant memory is never written");
    }
    let (Some(left), Some(right)) = (&a.address, &b.address) else {
        return answer(AliasKind::May, "an address is unknown");
    };
    if left.bank != right.bank && a.space == b.space {
        return answer(AliasKind::None, "the constant banks differ");
    }
    let (left, right) = (&left.sum, &right.sum);
    let same = left.terms() == right.terms() && left.is_wide() == right.is_wide();
    if same && a.space == b.space {
        return by_offset(left, right, a.bytes, b.bytes);
    }
    match apart(left, right) {
        Some(reason) => answer(AliasKind::None, reason),
        None => answer(AliasKind::May, "the addresses have different base values"),
    }
}

/// Why two addresses, with any offsets, are in memory of different names; `None` if they may not be.
pub(super) fn apart(left: &LinearForm, right: &LinearForm) -> Option<&'static str> {
    match (left.terms(), right.terms()) {
        ([(Root::Symbol(left), 1)], [(Root::Symbol(right), 1)]) if left != right => {
            Some("the symbols differ")
        }
        ([(Root::Slot(left), 1)], [(Root::Slot(right), 1)]) if left != right => {
            Some("the slots of the frame differ")
        }
        _ => None,
    }
}

/// Compares addresses that differ by a constant.
fn by_offset(left: &LinearForm, right: &LinearForm, a: Option<u64>, b: Option<u64>) -> Alias {
    let answer = |kind, reason| Alias { kind, reason };
    let mut between = LinearForm::constant(right.offset(), right.is_wide());
    between.add_constant(left.offset().wrapping_neg());
    let distance = i128::from(between.offset());
    let (Some(a), Some(b)) = (a, b) else {
        let kind = if distance == 0 {
            AliasKind::Must
        } else {
            AliasKind::May
        };
        return answer(kind, "an access size is unknown");
    };
    if distance == 0 && a == b {
        return answer(AliasKind::Same, "same address and size");
    }
    if distance >= i128::from(a) || -distance >= i128::from(b) {
        return answer(AliasKind::None, "same base, disjoint byte ranges");
    }
    answer(AliasKind::Must, "same base, overlapping byte ranges")
}

/// The dependences of the second of two operations on the first, if they are executed in this order
/// with the same values: each kind once, with the highest certainty.
pub fn dependences(context: &Context, first: Operation, second: Operation) -> Vec<Dependence> {
    let touches = |op| !accesses(context, op).is_empty();
    let ordered = [first, second].map(|op| orders_memory(context, op));
    if ordered != [false; 2] {
        if !touches(first) || !touches(second) {
            return Vec::new();
        }
        let alias = Alias {
            kind: AliasKind::Must,
            reason: "one of the operations orders memory accesses",
        };
        let kind = DependenceKind::Order;
        return vec![Dependence { kind, alias }];
    }
    let mut found: Vec<Dependence> = Vec::new();
    for a in accesses(context, first) {
        for b in accesses(context, second) {
            let alias = alias(&a, &b);
            if alias.kind == AliasKind::None {
                continue;
            }
            let kinds = [
                (a.writes && b.reads, DependenceKind::ReadAfterWrite),
                (a.reads && b.writes, DependenceKind::WriteAfterRead),
                (a.writes && b.writes, DependenceKind::WriteAfterWrite),
            ];
            for (_, kind) in kinds.into_iter().filter(|(holds, _)| *holds) {
                match found.iter_mut().find(|known| known.kind == kind) {
                    Some(known) if known.alias.kind == AliasKind::May => known.alias = alias,
                    Some(_) => {}
                    None => found.push(Dependence { kind, alias }),
                }
            }
        }
    }
    found.sort_by_key(|dependence| dependence.kind);
    found
}
