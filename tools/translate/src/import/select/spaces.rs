//! Spaces and scopes of memory, and addresses in them.

use orison_ori::MachineOperation;

use super::super::emitter::{Address, Emitter};
use crate::ptx::ast::Expression;

/// Spaces of PTX, as written.
pub(super) const SPACES: [(&str, Space); 10] = [
    (".global", Space::Global),
    (".shared", Space::Shared),
    (".shared::cta", Space::Shared),
    (".shared::cluster", Space::Cluster),
    (".local", Space::Local),
    (".const", Space::Constant),
    (".param", Space::Parameter),
    (".param::entry", Space::Parameter),
    (".param::func", Space::Parameter),
    (".generic", Space::Generic),
];

/// Scopes of PTX and the keywords of the dialect.
pub(super) const SCOPES: [(&str, &str); 5] = [
    (".cta", "cta"),
    (".cluster", "cluster"),
    (".gpu", "gpu"),
    (".sys", "sys"),
    (".gl", "gpu"),
];

/// A space of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Space {
    /// Any space, selected by the address.
    #[default]
    Generic,
    /// Global memory.
    Global,
    /// Shared memory of the CTA.
    Shared,
    /// Shared memory of the cluster.
    Cluster,
    /// Local memory.
    Local,
    /// Constants.
    Constant,
    /// Parameters of the kernel.
    Parameter,
}

impl Space {
    /// Whether addresses have 32 bits.
    pub const fn is_narrow(self) -> bool {
        matches!(self, Space::Shared | Space::Local)
    }
}

/// Adds an address to an operation.
pub(super) fn addressed(
    emitter: &mut Emitter<'_, '_>,
    op: MachineOperation,
    base: &'static str,
    offset: &'static str,
    address: &Address,
) -> MachineOperation {
    let op = op.number(emitter.context(), offset, address.offset);
    match address.base {
        Some(value) => op.operand(base, value),
        None => op,
    }
}

/// The address in an operand, as operations on a space expect it. Shared memory of another CTA of
/// the cluster is accessed through the shared window.
pub(super) fn address_in<'a>(
    emitter: &mut Emitter<'_, 'a>,
    space: Space,
    place: &Expression<'a>,
) -> Option<Address> {
    if let Expression::Address(parts) = place
        && let [part] = parts.as_slice()
        && let Some(absolute) = part.as_integer()
    {
        let offset = i32::try_from(absolute).ok()?;
        (0..1 << 23).contains(&offset).then_some(())?;
        return Some(Address { base: None, offset });
    }
    if space != Space::Cluster {
        return emitter.address(place, space.is_narrow());
    }
    let narrow = emitter.address(place, true)?;
    let high = emitter.special_register("SR_SWINHI");
    let base = emitter.concat(&[narrow.base?, high]);
    Some(Address {
        base: Some(base),
        offset: narrow.offset,
    })
}
