//! The entities of the IR: operations, blocks, regions, values.
//!
//! A handle is `Copy` and is meaningful only with its context. Every method that dereferences a
//! handle panics with "dangling" if the entity was erased, which is a bug in the caller.

mod block;
mod operation;
mod region;
mod uses;
mod value;

#[cfg(test)]
mod tests;

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

/// The values of an operand or result group.
pub type Values = smallvec::SmallVec<[Value; 4]>;

/// Defines a handle type: an index and the expected generation of the record.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name {
            pub(crate) index: u32,
            pub(crate) generation: u32,
        }

        impl $name {
            /// A dense index for side tables; unique among live entities of this kind.
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

/// Panics because a handle is dangling.
#[cold]
#[track_caller]
pub(crate) fn dangling(kind: &str) -> ! {
    panic!("dangling handle: the {kind} was erased")
}
