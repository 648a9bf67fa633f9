//! What machines share, and what they do to the outside.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;

use crate::Datum;

/// Something that the outside sees, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A call of a function without body.
    Call {
        /// Its name.
        function: String,
        /// What it was given.
        arguments: Vec<Datum>,
        /// What it returned.
        results: Vec<Datum>,
    },
}

/// What machines share: the events so far, what functions without body return, and state that
/// dialects keep. A clone is independent of the original.
#[derive(Clone, Default)]
pub struct World {
    /// What the outside saw.
    pub events: Vec<Event>,
    /// What functions without body return; without it, calling one is unsupported.
    pub external: Option<External>,
    state: BTreeMap<TypeId, Box<dyn State>>,
}

/// What a function without body returns: from its name, the number of events before, and its
/// arguments. None where there is no such function.
pub type External = fn(&str, usize, &[Datum]) -> Option<Vec<Datum>>;

trait State: Any + Send + Sync {
    fn boxed_clone(&self) -> Box<dyn State>;
}

impl<T: Any + Clone + Send + Sync> State for T {
    fn boxed_clone(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn State> {
    fn clone(&self) -> Self {
        self.as_ref().boxed_clone()
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("events", &self.events)
            .field("states", &self.state.len())
            .finish_non_exhaustive()
    }
}

impl World {
    /// The state of this Rust type, made when first asked for.
    pub fn state<T: Any + Clone + Default + Send + Sync>(&mut self) -> &mut T {
        let entry = self
            .state
            .entry(TypeId::of::<T>())
            .or_insert_with(|| Box::new(T::default()));
        match (entry.as_mut() as &mut dyn Any).downcast_mut() {
            Some(state) => state,
            None => unreachable!("the key is the type of the entry"),
        }
    }

    /// The state of this Rust type, if there is any yet.
    pub fn existing_state<T: Any>(&self) -> Option<&T> {
        let entry = self.state.get(&TypeId::of::<T>())?;
        (entry.as_ref() as &dyn Any).downcast_ref()
    }
}
