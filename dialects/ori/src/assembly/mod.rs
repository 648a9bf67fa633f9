//! The custom form shared by all machine operations.
//!
//! ```text
//! %d, %c = ori.iadd3 <extended> %a, neg %b, %c carry(%p) if not %q else %x, %y : (types) -> (types)
//! %v = ori.ldg <b64, strong, gpu> [%base + %uniform + 16] if %p else %old : (types) -> !ori.r64
//! ```
//!
//! Angle brackets enclose the modifiers: keywords, names of unit attributes, and `key = value` for
//! all others and for keywords accepted by two keys of the operation. Operands follow in
//! declaration order, optional ones as `name(…)`, addresses in square brackets. `if` gives the
//! guard, `else` the values in threads where the guard does not hold. Without operands only the
//! result types are written.

mod fields;
mod parse;
mod print;

pub(crate) use parse::parse;
pub(crate) use print::print;

/// An address: the names of its operands and of its offset, which are declared consecutively in
/// this order.
pub(crate) struct AddressNames {
    /// The per-thread part.
    pub base: &'static str,
    /// The uniform part.
    pub uniform: &'static str,
    /// The attribute with the constant offset, in bytes.
    pub offset: &'static str,
}

/// All forms of addresses.
pub(crate) const ADDRESSES: [AddressNames; 2] = [
    AddressNames {
        base: "base",
        uniform: "uniform",
        offset: "offset",
    },
    AddressNames {
        base: "shared_base",
        uniform: "shared_uniform",
        offset: "shared_offset",
    },
];

/// The address whose first part is a given operand.
pub(crate) fn address_at(name: &str) -> Option<&'static AddressNames> {
    ADDRESSES.iter().find(|address| address.base == name)
}

/// Whether an operand is the second part of an address.
pub(crate) fn is_uniform_part(name: &str) -> bool {
    ADDRESSES.iter().any(|address| address.uniform == name)
}

/// Attributes that are not written in angle brackets.
pub(crate) fn is_written_elsewhere(key: &str) -> bool {
    key == crate::modifiers::MODIFIERS || ADDRESSES.iter().any(|address| address.offset == key)
}
