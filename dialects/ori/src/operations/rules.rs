//! Verification of individual operations, beyond types and keywords.

use orison_ir::declare::{Variadicity, VerifyResult};
use orison_ir::{Context, Operation, Type, Value};

use crate::keywords::{
    AtomicOperation, AtomicType, BarrierMode, Cells, Format, Keyword, MatrixCount, MbarrierAction,
    Order, Reduction, Scope, Signedness, Width, keyword_of,
};
use crate::types::Register;
use crate::verify::{attribute_in_range, has_words, in_range};

fn format(context: &Context, op: Operation, key: &str) -> Option<Format> {
    keyword_of(context, op, key)
}

pub(super) fn fail(context: &Context, op: Operation, message: &str) -> VerifyResult {
    Err(op.op_error(context, message))
}

/// Checks that a format is in a set.
pub(super) fn format_among(
    context: &Context,
    op: Operation,
    key: &str,
    allowed: &[Format],
) -> VerifyResult {
    match format(context, op, key) {
        Some(found) if !allowed.contains(&found) => {
            let allowed: Vec<_> = allowed.iter().map(|format| format.keyword()).collect();
            let message = format!(
                "attribute '{key}' must be one of '{}', but is '{}'",
                allowed.join("', '"),
                found.keyword()
            );
            fail(context, op, &message)
        }
        _ => Ok(()),
    }
}

/// The 32-bit integer formats: `s32` or `u32`.
pub(super) fn signed_or_unsigned_word(context: &Context, op: Operation) -> VerifyResult {
    let signedness = keyword_of::<Signedness>(context, op, "signedness");
    let wide = [Signedness::SignedWide, Signedness::UnsignedWide];
    if signedness.is_some_and(|signedness| wide.contains(&signedness)) {
        return fail(context, op, "attribute 'signedness' must be 's32' or 'u32'");
    }
    Ok(())
}

pub(super) fn lea(context: &Context, op: Operation) -> VerifyResult {
    attribute_in_range(context, op, "shift", 0..=31)?;
    let high = op.attribute(context, "high").is_some();
    if !high && op.attribute(context, "sign_extended").is_some() {
        return fail(context, op, "'sign_extended' requires 'high'");
    }
    Ok(())
}

pub(super) fn byte_format(context: &Context, op: Operation) -> VerifyResult {
    format_among(context, op, "from", &[Format::U8, Format::S8])
}

pub(super) fn dot_product(context: &Context, op: Operation) -> VerifyResult {
    let bytes = [Format::U8, Format::S8];
    let halves = op.attribute(context, "halves").is_some();
    let left = if halves {
        [Format::U16, Format::S16]
    } else {
        bytes
    };
    format_among(context, op, "left_format", &left)?;
    format_among(context, op, "right_format", &bytes)?;
    if !halves && op.attribute(context, "high").is_some() {
        return fail(context, op, "'high' requires 'halves'");
    }
    Ok(())
}

/// Integer formats and their widths in bits.
const INTEGERS: [(Format, u32); 8] = [
    (Format::U8, 8),
    (Format::S8, 8),
    (Format::U16, 16),
    (Format::S16, 16),
    (Format::U32, 32),
    (Format::S32, 32),
    (Format::U64, 64),
    (Format::S64, 64),
];
/// Float formats of conversions, and their widths in bits.
const FLOATS: [(Format, u32); 4] = [
    (Format::F16, 16),
    (Format::Bf16, 16),
    (Format::F32, 32),
    (Format::F64, 64),
];

pub(super) fn integer_formats(context: &Context, op: Operation) -> VerifyResult {
    let narrow: Vec<_> = INTEGERS[..6].iter().map(|(format, _)| *format).collect();
    format_among(context, op, "to", &narrow)?;
    format_among(context, op, "from", &narrow)
}

pub(super) fn integer_comparison(context: &Context, op: Operation) -> VerifyResult {
    signed_or_unsigned_word(context, op)?;
    let low = op.has_operands_named(context, "low");
    let extended = op.attribute(context, "extended").is_some();
    match (low, extended) {
        (true, false) => fail(context, op, "operand 'low' requires 'extended'"),
        (false, true) => fail(context, op, "'extended' requires operand 'low'"),
        _ => Ok(()),
    }
}

pub(super) fn no_low_outcome(context: &Context, op: Operation) -> VerifyResult {
    if !op.has_operands_named(context, "low") {
        return Ok(());
    }
    fail(context, op, "operand 'low' requires an integer comparison")
}

pub(super) fn predicate_mask(context: &Context, op: Operation) -> VerifyResult {
    attribute_in_range(context, op, "mask", 0..=127)?;
    let mask = op.attribute(context, "mask");
    let mask = mask.and_then(|mask| mask.as_i32(context)).unwrap_or(0);
    let named = op.operands_named(context, "predicates").len()
        + op.results_named(context, "predicates").len();
    if u32::try_from(named).is_ok_and(|named| named == mask.count_ones()) {
        return Ok(());
    }
    let message = format!(
        "'mask' has {} bits, but there are {named} predicates",
        mask.count_ones()
    );
    fail(context, op, &message)
}

pub(super) fn half_format(context: &Context, op: Operation) -> VerifyResult {
    format_among(context, op, "from", &[Format::F16, Format::Bf16])
}

pub(super) fn half_comparison(context: &Context, op: Operation) -> VerifyResult {
    half_format(context, op)?;
    no_low_outcome(context, op)
}

/// Checks that a value is as wide as a format; a format narrower than 32 bits needs a 32-bit
/// register.
fn wide_as_format(
    context: &Context,
    op: Operation,
    name: &str,
    value: Option<Value>,
    key: &str,
) -> VerifyResult {
    let format = format(context, op, key);
    let mut known = INTEGERS.iter().chain(&FLOATS);
    let bits = known.find(|(known, _)| Some(*known) == format);
    match (value, bits) {
        (Some(value), Some((_, bits))) => {
            has_words(context, op, name, value.ty(context), bits.div_ceil(32))
        }
        _ => Ok(()),
    }
}

/// Checks both sides of a conversion: formats, widths, and the flag for 64 bits.
fn conversion(
    context: &Context,
    op: Operation,
    to: &[(Format, u32)],
    from: &[(Format, u32)],
) -> VerifyResult {
    for (key, set) in [("to", to), ("from", from)] {
        let set: Vec<_> = set.iter().map(|(format, _)| *format).collect();
        format_among(context, op, key, &set)?;
    }
    let sides = [format(context, op, "to"), format(context, op, "from")];
    let wide = [Format::F64, Format::U64, Format::S64];
    let is_wide = sides.iter().flatten().any(|format| wide.contains(format));
    if is_wide != op.attribute(context, "double").is_some() {
        return fail(
            context,
            op,
            "requires 'double' if and only if 'to' or 'from' is a 64-bit format",
        );
    }
    wide_as_format(context, op, "result", op.results(context).next(), "to")?;
    wide_as_format(context, op, "a", op.operands(context).next(), "from")
}

pub(super) fn integer_to_float(context: &Context, op: Operation) -> VerifyResult {
    conversion(context, op, &FLOATS, &INTEGERS)
}

pub(super) fn float_to_integer(context: &Context, op: Operation) -> VerifyResult {
    conversion(context, op, &INTEGERS, &FLOATS)
}

pub(super) fn float_to_float(context: &Context, op: Operation) -> VerifyResult {
    conversion(context, op, &FLOATS, &FLOATS)
}

pub(super) fn rounded(context: &Context, op: Operation) -> VerifyResult {
    conversion(context, op, &FLOATS, &FLOATS)?;
    wide_as_format(context, op, "result", op.results(context).next(), "from")
}

pub(super) fn packed_floats(context: &Context, op: Operation) -> VerifyResult {
    use Format::{Bf16, E2m1, E2m3, E3m2, E4m3, E5m2, F16, F32, Tf32, Ue8m0};
    let narrow = [F16, Bf16, Tf32, E4m3, E5m2, E3m2, E2m3, E2m1, Ue8m0];
    format_among(context, op, "to", &narrow)?;
    format_among(context, op, "from", &[F32, F16, Bf16])
}

pub(super) fn unpacked_floats(context: &Context, op: Operation) -> VerifyResult {
    use Format::{Bf16, E2m1, E2m3, E3m2, E4m3, E5m2, F16, Ue8m0};
    format_among(context, op, "to", &[F16, Bf16])?;
    format_among(context, op, "from", &[E4m3, E5m2, E3m2, E2m3, E2m1, Ue8m0])
}

pub(super) fn word_format(context: &Context, op: Operation) -> VerifyResult {
    format_among(context, op, "from", &[Format::U32, Format::S32])
}

fn special_register(
    context: &Context,
    op: Operation,
) -> Result<String, Box<orison_ir::Diagnostic>> {
    let name = op.attribute(context, "register");
    let name = name
        .and_then(|name| name.as_str(context))
        .unwrap_or_default();
    if name.starts_with("SR") {
        return Ok(name.to_owned());
    }
    let message = format!("special register '{name}' must start with 'SR'");
    Err(op.op_error(context, message))
}

pub(super) fn constant_special_register(context: &Context, op: Operation) -> VerifyResult {
    let name = special_register(context, op)?;
    if orison_machine::is_changing_register(&name) {
        let message = format!("special register '{name}' is not constant; use 'ori.cs2r'");
        return fail(context, op, &message);
    }
    Ok(())
}

pub(super) fn special_register_width(context: &Context, op: Operation) -> VerifyResult {
    special_register(context, op)?;
    let words = if op.attribute(context, "wide").is_some() {
        2
    } else {
        1
    };
    match op.results(context).next() {
        Some(result) => has_words(context, op, "result", result.ty(context), words),
        None => Ok(()),
    }
}

pub(super) fn immediate(context: &Context, op: Operation) -> VerifyResult {
    let value = op.attribute(context, "value");
    let value = value.and_then(|value| value.as_i64(context)).unwrap_or(0);
    let register = op.results(context).next();
    let register = register.and_then(|result| Register::of(context, result.ty(context)));
    let fits = match register {
        Some(Register::R | Register::Ur) => i32::try_from(value).is_ok(),
        Some(Register::R64 | Register::Ur64) => true,
        Some(Register::P | Register::Up) => value == 0 || value == 1,
        _ => {
            return fail(
                context,
                op,
                "expects a 32-bit register, a 64-bit register or a predicate",
            );
        }
    };
    if fits {
        return Ok(());
    }
    fail(
        context,
        op,
        &format!("value {value} does not fit in the register"),
    )
}

pub(super) fn constant_bank(context: &Context, op: Operation) -> VerifyResult {
    attribute_in_range(context, op, "bank", 0..=31)?;
    attribute_in_range(context, op, "offset", 0..=65535)?;
    let register = op.results(context).next();
    let register = register.and_then(|result| Register::of(context, result.ty(context)));
    let words = register.and_then(Register::words);
    let Some(words @ 1..=2) = words else {
        return fail(context, op, "expects a 32-bit or 64-bit register");
    };
    let offset = op.attribute(context, "offset");
    let offset = offset
        .and_then(|offset| offset.as_i32(context))
        .unwrap_or(0);
    let bytes = if words == 2 { 8 } else { 4 };
    if offset % bytes != 0 {
        let message = format!("offset {offset} is not aligned to {bytes} bytes");
        return fail(context, op, &message);
    }
    Ok(())
}

/// The class and width of a value; `None` for predicates and barriers.
fn words_of(context: &Context, ty: Type) -> Option<(bool, u32)> {
    let register = Register::of(context, ty)?;
    Some((register.is_uniform(), register.words()?))
}

pub(super) fn concatenation(context: &Context, op: Operation) -> VerifyResult {
    let message = "the parts must have the class of the result and add up to its width";
    let whole = op.results(context).next();
    let Some((uniform, wide)) = whole.and_then(|whole| words_of(context, whole.ty(context))) else {
        return fail(context, op, message);
    };
    let mut sum = 0;
    for part in op.operands(context) {
        match words_of(context, part.ty(context)) {
            Some((of_warp, words)) if of_warp == uniform => sum += words,
            _ => return fail(context, op, message),
        }
    }
    if sum == wide {
        Ok(())
    } else {
        fail(context, op, message)
    }
}

pub(super) fn extraction(context: &Context, op: Operation) -> VerifyResult {
    let whole = op.operands(context).next();
    let part = op.results(context).next();
    let word = op.attribute(context, "word");
    let word = word.and_then(|word| word.as_i32(context)).unwrap_or(-1);
    let fits = match (
        whole.and_then(|whole| words_of(context, whole.ty(context))),
        part.and_then(|part| words_of(context, part.ty(context))),
        u32::try_from(word),
    ) {
        (Some((a, wide)), Some((b, narrow)), Ok(word)) => {
            a == b && word.saturating_add(narrow) <= wide
        }
        _ => false,
    };
    if fits {
        return Ok(());
    }
    fail(
        context,
        op,
        "the part must have the class of the operand and be contained in it",
    )
}

/// Checks the address of a memory operation.
pub(super) fn address(context: &Context, op: Operation) -> VerifyResult {
    // An offset alone is an absolute address, so only its sign can be wrong.
    let parts =
        op.operands_named(context, "base").len() + op.operands_named(context, "uniform").len();
    let offset = op.attribute(context, "offset");
    let offset = offset
        .and_then(|offset| offset.as_i32(context))
        .unwrap_or(0);
    if parts == 0 && offset < 0 {
        return fail(context, op, "has a negative absolute address");
    }
    Ok(())
}

/// The number of 32-bit words of a width.
fn width_words(width: Width) -> u32 {
    match width {
        Width::U8 | Width::S8 | Width::U16 | Width::S16 | Width::B32 => 1,
        Width::B64 => 2,
        Width::B128 => 4,
        Width::B256 => 8,
    }
}

fn transfer(context: &Context, op: Operation, value: Option<Value>) -> VerifyResult {
    address(context, op)?;
    ordering(context, op)?;
    attribute_in_range(context, op, "bank", 0..=31)?;
    let width = keyword_of::<Width>(context, op, "width").unwrap_or(Width::B32);
    match value {
        Some(value) => has_words(context, op, "value", value.ty(context), width_words(width)),
        None => Ok(()),
    }
}

/// Checks that only strong operations have a scope.
fn ordering(context: &Context, op: Operation) -> VerifyResult {
    let order = keyword_of::<Order>(context, op, "order");
    let scope = keyword_of::<Scope>(context, op, "scope");
    let unordered = matches!(
        order,
        None | Some(Order::Weak | Order::Constant | Order::Private)
    );
    if unordered && scope.is_some() {
        return fail(context, op, "'scope' requires order 'strong' or 'mmio'");
    }
    if order == Some(Order::Strong) && scope.is_none() {
        return fail(context, op, "order 'strong' requires 'scope'");
    }
    Ok(())
}

pub(super) fn load(context: &Context, op: Operation) -> VerifyResult {
    transfer(context, op, op.results(context).next())
}

pub(super) fn store(context: &Context, op: Operation) -> VerifyResult {
    if keyword_of::<Order>(context, op, "order") == Some(Order::Constant) {
        return fail(context, op, "cannot store to constant memory");
    }
    transfer(
        context,
        op,
        op.operands_named(context, "value").first().copied(),
    )
}

/// The number of matrices moved by a shared-memory matrix operation.
fn matrices(context: &Context, op: Operation, value: Option<Value>) -> VerifyResult {
    address(context, op)?;
    let count = match keyword_of::<MatrixCount>(context, op, "matrices") {
        Some(MatrixCount::X1) => 1,
        Some(MatrixCount::X2) => 2,
        _ => 4,
    };
    // A 16 by 16 matrix of bytes occupies two registers.
    let words = match keyword_of::<Cells>(context, op, "cells") {
        Some(Cells::M16n16) => 2 * count,
        _ => count,
    };
    if words > 4 {
        return fail(context, op, "the matrices must fit in four registers");
    }
    match value {
        Some(value) => has_words(context, op, "value", value.ty(context), words),
        None => Ok(()),
    }
}

pub(super) fn load_matrices(context: &Context, op: Operation) -> VerifyResult {
    matrices(context, op, op.results(context).next())
}

pub(super) fn store_matrices(context: &Context, op: Operation) -> VerifyResult {
    matrices(
        context,
        op,
        op.operands_named(context, "value").first().copied(),
    )
}

/// The number of 32-bit words of the operand of an atomic operation.
fn atomic_words(kind: AtomicType) -> u32 {
    match kind {
        AtomicType::U64
        | AtomicType::S64
        | AtomicType::F64
        | AtomicType::B64
        | AtomicType::F32x2 => 2,
        AtomicType::F32x4 | AtomicType::B128 => 4,
        _ => 1,
    }
}

/// Whether an atomic operation is defined for a type.
fn atomic_fits(operation: AtomicOperation, kind: AtomicType) -> bool {
    use AtomicOperation as O;
    use AtomicType as T;
    let float = matches!(
        kind,
        T::F16x2 | T::Bf16x2 | T::F32 | T::F64 | T::F32x2 | T::F32x4
    );
    match operation {
        O::Add => !matches!(kind, T::B32 | T::B64 | T::B128),
        O::Min | O::Max => !matches!(kind, T::B32 | T::B64 | T::B128 | T::F32 | T::F64),
        O::Inc | O::Dec | O::CountIncrement => matches!(kind, T::U32 | T::B32),
        O::And | O::Or | O::Xor => !float && kind != T::B128,
        O::Exchange | O::CompareAndSwap => !float,
        O::Arrive => kind == T::B64,
    }
}

fn atomic_operands(context: &Context, op: Operation) -> VerifyResult {
    address(context, op)?;
    if keyword_of::<Order>(context, op, "order").is_some() {
        ordering(context, op)?;
    }
    let (Some(operation), Some(kind)) = (
        keyword_of::<AtomicOperation>(context, op, "operation"),
        keyword_of::<AtomicType>(context, op, "type"),
    ) else {
        return Ok(());
    };
    if !atomic_fits(operation, kind) {
        let message = format!(
            "operation '{}' is not defined for '{}'",
            operation.keyword(),
            kind.keyword()
        );
        return fail(context, op, &message);
    }
    for name in ["value", "expected"] {
        for value in op.operands_named(context, name) {
            has_words(context, op, name, value.ty(context), atomic_words(kind))?;
        }
    }
    for result in op.results(context) {
        has_words(context, op, "old", result.ty(context), atomic_words(kind))?;
    }
    Ok(())
}

pub(super) fn atomic(context: &Context, op: Operation) -> VerifyResult {
    atomic_operands(context, op)?;
    let operation = keyword_of::<AtomicOperation>(context, op, "operation");
    let swaps = operation == Some(AtomicOperation::CompareAndSwap);
    if swaps != op.has_operands_named(context, "expected") {
        return fail(
            context,
            op,
            "requires 'expected' if and only if the operation is 'cas'",
        );
    }
    Ok(())
}

pub(super) fn reduction(context: &Context, op: Operation) -> VerifyResult {
    atomic_operands(context, op)?;
    let operation = keyword_of::<AtomicOperation>(context, op, "operation");
    if let Some(AtomicOperation::Exchange | AtomicOperation::CompareAndSwap) = operation {
        return fail(
            context,
            op,
            "'exch' and 'cas' return the old value; use 'ori.atom'",
        );
    }
    Ok(())
}

pub(super) fn copy_async(context: &Context, op: Operation) -> VerifyResult {
    address(context, op)?;
    let width = keyword_of::<Width>(context, op, "width").unwrap_or(Width::B32);
    if matches!(width, Width::B32 | Width::B64 | Width::B128) {
        return Ok(());
    }
    fail(context, op, "must copy 4, 8 or 16 bytes")
}

pub(super) fn group_count(context: &Context, op: Operation) -> VerifyResult {
    attribute_in_range(context, op, "count", 0..=63)
}

pub(super) fn mbarrier(context: &Context, op: Operation) -> VerifyResult {
    address(context, op)?;
    let action = keyword_of::<MbarrierAction>(context, op, "mbarrier");
    let counts = matches!(
        action,
        Some(MbarrierAction::Initialize | MbarrierAction::ExpectTx | MbarrierAction::CompleteTx)
    );
    if counts != op.has_operands_named(context, "count") {
        return fail(
            context,
            op,
            "requires 'count' if and only if the action is 'init', 'expect_tx' or 'complete_tx'",
        );
    }
    Ok(())
}

pub(super) fn block_copy(context: &Context, op: Operation) -> VerifyResult {
    let narrow = |name: &str| {
        let values = op.operands_named(context, name);
        let register = values
            .first()
            .and_then(|value| Register::of(context, value.ty(context)));
        register == Some(Register::Ur)
    };
    if narrow("destination") || narrow("source") {
        return Ok(());
    }
    fail(
        context,
        op,
        "requires a 32-bit shared memory address as source or destination",
    )
}

/// Checks that each optional result occurs at most once.
pub(super) fn one_at_most(context: &Context, op: Operation) -> VerifyResult {
    let Some(definition) = op.definition(context) else {
        return Ok(());
    };
    for (group, declared) in definition.results.iter().enumerate() {
        let found = definition.result_range(context, op, group).len();
        if declared.variadicity == Variadicity::Variadic && found > 1 {
            let message = format!("expects at most one '{}', found {found}", declared.name);
            return fail(context, op, &message);
        }
    }
    Ok(())
}

pub(super) fn extremum_reduction(context: &Context, op: Operation) -> VerifyResult {
    format_among(
        context,
        op,
        "from",
        &[Format::F32, Format::S32, Format::U32],
    )?;
    match keyword_of::<Reduction>(context, op, "reduction") {
        Some(Reduction::Min | Reduction::Max) => Ok(()),
        _ => fail(context, op, "attribute 'reduction' must be 'min' or 'max'"),
    }
}

/// Checks that a texture or surface is bound by either handle or index.
fn bound(context: &Context, op: Operation) -> VerifyResult {
    attribute_in_range(context, op, "bound", 0..=8191)?;
    let handle = op.has_operands_named(context, "handle");
    if handle == op.attribute(context, "bound").is_some() {
        return fail(context, op, "requires either 'handle' or 'bound'");
    }
    Ok(())
}

pub(super) fn texture(context: &Context, op: Operation) -> VerifyResult {
    bound(context, op)?;
    attribute_in_range(context, op, "mask", 1..=15)?;
    let mask = op.attribute(context, "mask");
    let mask = mask.and_then(|mask| mask.as_i32(context)).unwrap_or(0);
    match op.results(context).next() {
        Some(value) => has_words(context, op, "value", value.ty(context), mask.count_ones()),
        None => Ok(()),
    }
}

pub(super) fn surface(context: &Context, op: Operation) -> VerifyResult {
    bound(context, op)?;
    if let (Some(operation), Some(kind)) = (
        keyword_of::<AtomicOperation>(context, op, "operation"),
        keyword_of::<AtomicType>(context, op, "type"),
    ) && !atomic_fits(operation, kind)
    {
        let message = format!(
            "operation '{}' is not defined for '{}'",
            operation.keyword(),
            kind.keyword()
        );
        return fail(context, op, &message);
    }
    let Some(width) = keyword_of::<Width>(context, op, "width") else {
        return Ok(());
    };
    let values = op.operands_named(context, "value").into_iter();
    for value in values.chain(op.results(context)) {
        has_words(context, op, "value", value.ty(context), width_words(width))?;
    }
    Ok(())
}

pub(super) fn barrier(context: &Context, op: Operation) -> VerifyResult {
    attribute_in_range(context, op, "index", 0..=15)?;
    if op.has_operands_named(context, "barrier") == op.attribute(context, "index").is_some() {
        return fail(
            context,
            op,
            "requires either operand 'barrier' or attribute 'index'",
        );
    }
    let reduces = keyword_of::<BarrierMode>(context, op, "mode") == Some(BarrierMode::Reduce);
    let parts = [
        op.has_operands_named(context, "predicate"),
        op.attribute(context, "barrier_reduction").is_some(),
        op.result_count(context) == 1,
    ];
    if parts.iter().any(|part| *part != reduces) {
        let message = "requires 'predicate', 'barrier_reduction' and one result if and only if \
                       the mode is 'reduce'";
        return fail(context, op, message);
    }
    Ok(())
}

pub(super) fn fence_scope(context: &Context, op: Operation) -> VerifyResult {
    match keyword_of::<Scope>(context, op, "scope") {
        Some(Scope::Vc) => fail(context, op, "attribute 'scope' cannot be 'vc'"),
        _ => Ok(()),
    }
}

pub(super) fn event_mask(context: &Context, op: Operation) -> VerifyResult {
    attribute_in_range(context, op, "events", 0..=0xffff)
}

pub(super) fn register_count(context: &Context, op: Operation) -> VerifyResult {
    one_at_most(context, op)?;
    let count = op.attribute(context, "count");
    let count = count.and_then(|count| count.as_i32(context)).unwrap_or(0);
    in_range(context, op, "count", count, 24..=256)?;
    if count % 8 == 0 {
        return Ok(());
    }
    fail(
        context,
        op,
        &format!("attribute 'count' must be a multiple of 8, but is {count}"),
    )
}

/// The names of memory spaces in the instruction table.
const SPACES: [&str; 9] = [
    "generic",
    "local",
    "shared",
    "shared-cluster",
    "constant",
    "global",
    "surface",
    "texture",
    "tensor",
];

pub(super) fn unmodelled(context: &Context, op: Operation) -> VerifyResult {
    let mnemonic = op.attribute(context, "mnemonic");
    if mnemonic
        .and_then(|name| name.as_str(context))
        .is_none_or(str::is_empty)
    {
        return fail(context, op, "requires a mnemonic");
    }
    for key in ["reads", "writes"] {
        let spaces = op.attribute(context, key);
        let spaces = spaces.and_then(|spaces| spaces.as_array(context));
        for space in spaces.unwrap_or_default() {
            let name = space.as_str(context).unwrap_or_default();
            if !SPACES.contains(&name) {
                let message = format!("attribute '{key}' has no memory space '{name}'");
                return fail(context, op, &message);
            }
        }
    }
    Ok(())
}
