//! The custom form that machine operations share.
//!
//! ```text
//! %d, %c = ori.iadd3 <extended> %a, neg %b, %c carry(%p) if not %q else %x, %y : (types) -> (types)
//! %v = ori.ldg <b64, strong, gpu> [%base + %uniform + 16] if %p else %old : (types) -> !ori.r64
//! ```
//!
//! In angle brackets stand the modifiers: words, names of units, `key = value` for all others and
//! for words that two keys of the operation know. Operands follow in the order of the declaration,
//! those that may be absent as `name(…)`, addresses in square brackets. `if` gives the guard, `else`
//! the values of threads that it keeps out. Without operands only the result types are written.

mod fields;
mod parse;
mod print;

pub(crate) use parse::parse;
pub(crate) use print::print;

/// An address: names of the operands and of the offset it consists of. They are declared in this
/// order, one behind the other.
pub(crate) struct AddressNames {
    /// The part each thread has.
    pub base: &'static str,
    /// The part the warp has.
    pub uniform: &'static str,
    /// The attribute with the constant part, in bytes.
    pub offset: &'static str,
}

/// The addresses an operation may have.
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

/// The address that an operand is the start of.
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
