//! The entities of the IR: operations, blocks, regions, values.
//!
//! A handle is `Copy` and means nothing without its context. Every method that follows a handle
//! panics with "dangling" when the entity was erased: that is a bug in the caller, found at once.

mod block;
mod operation;
mod region;
mod uses;
mod value;

pub use block::Block;
pub(crate) use block::BlockRecord;
pub use operation::{Operation, OperationState};
pub(crate) use operation::{OperationExtra, OperationRecord};
pub use region::Region;
pub(crate) use region::RegionRecord;
pub use uses::Use;
pub(crate) use uses::{UseRecord, UseTarget};
pub(crate) use value::ValueRecord;
pub use value::{Value, ValueOwner};

/// Defines a handle type: an index and the generation the record must have.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name {
            pub(crate) index: u32,
            pub(crate) generation: u32,
        }

        impl $name {
            /// A dense number for side tables; unique among live entities of this kind.
            #[inline]
            pub fn index(self) -> usize {
                self.index as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({}v{})"), self.index, self.generation)
            }
        }
    };
}
pub(crate) use handle;

/// The panic behind every dangling handle.
#[cold]
#[track_caller]
pub(crate) fn dangling(kind: &str) -> ! {
    panic!("dangling handle: the {kind} was erased")
}
