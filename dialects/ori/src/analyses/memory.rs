//! The memory an operation accesses, and whether two operations access the same memory.
//!
//! An address is decomposed into values and a constant. Two addresses with the same values are
//! compared by their constants; symbols and spaces that share no memory never alias. An answer
//! holds for one execution of both operations with the same values: it does not hold if a value is
//! redefined in between (in another iteration); [`super::memory_flow`] handles that.

use orison_ir::declare::Effects;
use orison_ir::{Attribute, Context, Operation, Value};

use super::properties::{self, immediate};
use crate::keywords::{AtomicType, Width, keyword_of};
use crate::modifiers::{self, Modifier};
use crate::opcodes;
use crate::operations::integer::{Iadd3, Viadd};
use crate::operations::moves::{AddressOf, Cbank, Concat, Extract};
use crate::operations::stack::SlotAddress;
use orison_machine::{Flag, Space};

/// Maximum depth to which an address is followed through additions.
const STEPS: usize = 8;

/// An address: the sum of values and a constant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Address {
    /// The values, each with the part of it that is used, in order: as a multiset they determine
    /// whether two addresses differ by a constant only.
    pub roots: Vec<Root>,
    /// The constant, in bytes.
    pub offset: i64,
    /// The constant bank, for constant memory.
    pub bank: Option<i64>,
    /// Whether the address wraps at 32 bits instead of 64.
    pub narrow: bool,
}

/// A value in an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Root {
    /// A register.
    Value(Value),
    /// The low and the high word of a pair.
    Pair(Value, Value),
    /// One or two words of a constant bank: bank and offset.
    Bank(i32, i32),
    /// A symbol of memory.
    Symbol(Attribute),
    /// A slot of the activation's frame, by name.
    Slot(Attribute),
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
    if let Some(width) = keyword_of(context, op, "width") {
        return Some(match width {
            Width::U8 | Width::S8 => 1,
            Width::U16 | Width::S16 => 2,
            Width::B32 => 4,
            Width::B64 => 8,
            Width::B128 => 16,
            Width::B256 => 32,
        });
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
    let mut address = Address {
        offset: number(names[2]).unwrap_or(0),
        bank: number("bank"),
        ..Address::default()
    };
    if space == Some(Space::Constant) && address.bank.is_none() {
        address.bank = Some(0);
    }
    let parts = [names[0], names[1]].map(|name| op.operands_named(context, name));
    let narrow = |value: &Value| is_narrow(context, *value);
    let mut all = parts.iter().flatten();
    address.narrow = all.clone().any(narrow) && all.all(narrow);
    for value in parts.concat() {
        if is_narrow(context, value) && !address.narrow {
            // The sum wraps at 64 bits, this part of it at 32: constants in it cannot be moved out.
            address.roots.push(Root::Value(value));
        } else {
            add(context, value, &mut address);
        }
    }
    address.roots.sort_unstable();
    Some(address)
}

/// Whether a part of an address has 32 bits.
fn is_narrow(context: &Context, value: Value) -> bool {
    let register = crate::Register::of(context, value.ty(context));
    register.and_then(crate::Register::words) == Some(1)
}

/// Adds the decomposition of a value to an address.
fn add(context: &Context, value: Value, address: &mut Address) {
    if is_narrow(context, value) {
        let (root, constant) = take_apart(context, value);
        address.offset = address.offset.wrapping_add(constant);
        address
            .roots
            .extend(root.map(|root| root_of(context, root)));
        return;
    }
    if let Some(constant) = immediate(context, value) {
        address.offset = address.offset.wrapping_add(constant);
        return;
    }
    let mut whole = value;
    for _ in 0..STEPS {
        let Some((base, constant)) = pair_sum(context, whole) else {
            break;
        };
        address.offset = address.offset.wrapping_add(constant);
        match base {
            Base::Whole(base) => whole = base,
            Base::Parts(low, high) => {
                address.roots.push(Root::Pair(low, high));
                return;
            }
        }
    }
    address.roots.push(root_of(context, whole));
}

fn root_of(context: &Context, value: Value) -> Root {
    let Some(op) = value.defining_op(context) else {
        return Root::Value(value);
    };
    if let Some(symbol) = AddressOf::of(context, op).and_then(|op| op.symbol(context)) {
        return Root::Symbol(symbol);
    }
    if SlotAddress::of(context, op).is_some()
        && let Some(slot) = op.attribute(context, "slot")
    {
        return Root::Slot(slot);
    }
    let bank = Cbank::of(context, op);
    let place = bank.and_then(|op| Some((op.bank(context)?, op.offset(context)?)));
    place.map_or(Root::Value(value), |(bank, offset)| {
        Root::Bank(bank, offset)
    })
}

/// Decomposes a 32-bit value into another value and a constant.
fn take_apart(context: &Context, value: Value) -> (Option<Value>, i64) {
    let (mut value, mut sum) = (value, 0i64);
    for _ in 0..STEPS {
        if let Some(constant) = immediate(context, value) {
            return (None, sum.wrapping_add(constant));
        }
        let Some((rest, constant)) = plain_sum(context, value) else {
            break;
        };
        sum = sum.wrapping_add(constant);
        value = rest;
    }
    (Some(value), sum)
}

/// The value and the constant added by a 32-bit sum without guard and carries in.
fn plain_sum(context: &Context, value: Value) -> Option<(Value, i64)> {
    let op = value.defining_op(context)?;
    let adds = Iadd3::of(context, op).is_some() || Viadd::of(context, op).is_some();
    let plain = adds
        && op.result(context, 0) == value
        && properties::guard(context, op).is_none()
        && op.attribute(context, "extended").is_none();
    if !plain {
        return None;
    }
    let mut rest = None;
    let mut sum = 0i64;
    for (number, operand) in op.operands(context).enumerate() {
        let set = modifiers::of_operand(context, op, number);
        match immediate(context, operand) {
            Some(constant) if set.contains(Modifier::Invert) => sum = sum.wrapping_add(!constant),
            Some(constant) if set.contains(Modifier::Negate) => sum = sum.wrapping_sub(constant),
            Some(constant) => sum = sum.wrapping_add(constant),
            None if rest.is_none() && set == modifiers::ModifierSet::NONE => rest = Some(operand),
            None => return None,
        }
    }
    Some((rest?, sum))
}

/// The base of a 64-bit sum with a constant.
enum Base {
    /// A pair of registers.
    Whole(Value),
    /// Two registers.
    Parts(Value, Value),
}

/// A 64-bit sum: two additions connected by a carry, as a concatenation.
fn pair_sum(context: &Context, value: Value) -> Option<(Base, i64)> {
    let whole = value.defining_op(context)?;
    Concat::of(context, whole)?;
    if whole.operand_count(context) != 2 {
        return None;
    }
    let [low, high] = [0, 1].map(|part| whole.operand(context, part));
    let low_op = low.defining_op(context)?;
    let high_op = high.defining_op(context)?;
    Iadd3::of(context, low_op)?;
    Iadd3::of(context, high_op)?;
    let guarded = [low_op, high_op].map(|op| properties::guard(context, op).is_some());
    let extended = [low_op, high_op].map(|op| op.attribute(context, "extended").is_some());
    let carries = high_op.operands_named(context, "carry");
    let [carry] = carries[..] else { return None };
    let first_carry = low_op.results_named(context, "carries").first().copied();
    // The carry may be inverted.
    let plain = modifiers::of_operand(context, high_op, 3) == modifiers::ModifierSet::NONE;
    if guarded != [false; 2] || extended != [false, true] || first_carry != Some(carry) || !plain {
        return None;
    }
    let (low_rest, low_sum) = word_sum(context, low_op)?;
    let (high_rest, high_sum) = word_sum(context, high_op)?;
    let constant = (high_sum << 32) | (low_sum & 0xffff_ffff);
    let part = |value: Value, word: i32| {
        let op = value.defining_op(context)?;
        let extract = Extract::of(context, op)?;
        (extract.word(context) == Some(word)).then(|| op.operand(context, 0))
    };
    match (part(low_rest, 0), part(high_rest, 1)) {
        (Some(a), Some(b)) if a == b => Some((Base::Whole(a), constant)),
        _ => Some((Base::Parts(low_rest, high_rest), constant)),
    }
}

/// The value and the only nonzero constant added by a word of a 64-bit sum. A negated constant is
/// excluded, since its carry differs, and so is an inverted one.
fn word_sum(context: &Context, op: Operation) -> Option<(Value, i64)> {
    let (mut rest, mut constant) = (None, 0i64);
    for (number, value) in op.operands(context).take(3).enumerate() {
        let plain = modifiers::of_operand(context, op, number) == modifiers::ModifierSet::NONE;
        match immediate(context, value) {
            Some(0) if plain => {}
            Some(number) if plain && constant == 0 => constant = number,
            None if plain && rest.is_none() => rest = Some(value),
            _ => return None,
        }
    }
    Some((rest?, constant))
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
    if left.roots == right.roots && left.narrow == right.narrow && a.space == b.space {
        return by_offset(left, right, a.bytes, b.bytes);
    }
    match (&left.roots[..], &right.roots[..]) {
        ([Root::Symbol(left)], [Root::Symbol(right)]) if left != right => {
            answer(AliasKind::None, "the symbols differ")
        }
        ([Root::Slot(left)], [Root::Slot(right)]) if left != right => {
            answer(AliasKind::None, "the slots of the frame differ")
        }
        _ => answer(AliasKind::May, "the addresses have different base values"),
    }
}

/// Compares addresses that differ by a constant.
fn by_offset(left: &Address, right: &Address, a: Option<u64>, b: Option<u64>) -> Alias {
    let answer = |kind, reason| Alias { kind, reason };
    // Modulo the size of the address space, as the value closest to zero.
    let bits = if left.narrow { 32 } else { 64 };
    let unused = 64 - bits;
    let distance = (right.offset.wrapping_sub(left.offset) << unused) >> unused;
    let distance = i128::from(distance);
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
