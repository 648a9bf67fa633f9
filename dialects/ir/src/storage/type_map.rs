//! One value for each Rust type.

use std::any::{Any, TypeId};
use std::fmt;

use rustc_hash::FxHashMap;

/// Values by their types.
#[derive(Default)]
pub(crate) struct TypeMap(FxHashMap<TypeId, Box<dyn Any + Send + Sync>>);

impl TypeMap {
    /// The value of a type.
    pub(crate) fn get<T: Any>(&self) -> Option<&T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref()
    }

    /// The value of a type, created if there is none.
    pub(crate) fn get_or_default<T: Any + Default + Send + Sync>(&mut self) -> Option<&mut T> {
        let place = self.0.entry(TypeId::of::<T>());
        let value = place.or_insert_with(|| Box::new(T::default()));
        value.downcast_mut()
    }
}

impl fmt::Debug for TypeMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values", self.0.len())
    }
}
