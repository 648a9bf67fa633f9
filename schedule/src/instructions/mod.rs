//! The instruction scheduler: orders instructions of blocks, before and after register allocation.
//!
//! One engine for both: a [`Region`] is a block with the dependences of its instructions, whatever they are,
//! and a [`Clock`] says when they issue in an order. [`strategies`] find orders.

mod bound;
pub mod budget;
mod clock;
mod heights;
mod knobs;
pub mod machine_code;
mod occupancy;
pub mod ori;
mod ready;
mod region;
pub mod registers;
mod resources;
pub mod strategies;

pub use clock::{Clock, Cost};
pub use heights::heights;
pub use knobs::{LONGEST_BATCH, PriorityKnobs};
pub use occupancy::Occupancy;
pub use ready::{ReadyList, list};
pub use region::{Departure, Entry, Event, Node, Region, Temperature};
pub use resources::Unit;

/// The number of a node.
pub(crate) fn narrow(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
