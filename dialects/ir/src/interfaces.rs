//! Open interfaces: implementations that crates attach to operations declared elsewhere.
//!
//! An interface is any type `I`: a record of functions, a reference to a trait object, plain data
//! such as a cost. The crate that defines it, and any crate above, attaches one implementation to
//! each operation that has it; who asks needs neither the operations' names nor their crates.
//!
//! ```
//! use orison_ir::declare::{DialectDefinition, Effects};
//! use orison_ir::{Context, Location, Operation, OperationName, OperationState};
//!
//! /// The interface: the latency of an operation, in cycles.
//! struct Latency(u32);
//!
//! orison_ir::operations! {
//!     /// Does nothing.
//!     op Nop = "toy.nop" { with { effects: Effects::None } }
//! }
//! static TOY: DialectDefinition = DialectDefinition {
//!     name: "toy",
//!     operations: &[Nop::DEFINITION],
//!     ..DialectDefinition::DEFAULT
//! };
//!
//! let mut context = Context::new();
//! context.register_dialect(&TOY);
//! context.attach(Nop::DEFINITION, Latency(4));
//!
//! let name = OperationName::new(&mut context, Nop::NAME);
//! let nop = Operation::create(&mut context, &OperationState::new(name, Location::UNKNOWN));
//! assert_eq!(nop.interface::<Latency>(&context).map(|latency| latency.0), Some(4));
//! ```

use std::fmt;

use crate::declare::OperationDefinition;
use crate::{Context, Operation, OperationName};

/// The implementations of one interface, by [`OperationName::index`], each with the declaration
/// that it was attached to.
type Implementations<I> = Vec<Option<(&'static OperationDefinition, I)>>;

impl Context {
    /// Attaches an implementation of the interface `I` to an operation. The operation may be
    /// registered later; it has no interfaces before. The first implementation stays: false if the
    /// operation has one already, so that a crate that is registered first can replace those of
    /// the crates below it, and registering a crate twice has no effect.
    pub fn attach<I: Send + Sync + 'static>(
        &mut self,
        definition: &'static OperationDefinition,
        implementation: I,
    ) -> bool {
        let index = OperationName::new(self, definition.name).index();
        let Some(table) = self.interfaces.get_or_default::<Implementations<I>>() else {
            return false;
        };
        if table.len() <= index {
            table.resize_with(index + 1, || None);
        }
        let place = &mut table[index];
        let is_free = place.is_none();
        place.get_or_insert((definition, implementation));
        is_free
    }

    /// The implementations of the interface `I`, for code that asks for many operations.
    pub fn interface<I: Send + Sync + 'static>(&self) -> Interface<'_, I> {
        Interface {
            context: self,
            implementations: self
                .interfaces
                .get::<Implementations<I>>()
                .map_or(&[], Vec::as_slice),
        }
    }
}

impl Operation {
    /// The implementation of the interface `I`; `None` if none is attached, or the operation is
    /// not registered. Constant time.
    pub fn interface<I: Send + Sync + 'static>(self, context: &Context) -> Option<&I> {
        context.interface().of(self)
    }
}

/// The implementations of an interface, found once.
pub struct Interface<'c, I> {
    context: &'c Context,
    implementations: &'c [Option<(&'static OperationDefinition, I)>],
}

impl<I> Clone for Interface<'_, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I> Copy for Interface<'_, I> {}

impl<I> fmt::Debug for Interface<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.implementations.iter().flatten();
        f.debug_list()
            .entries(all.map(|(definition, _)| definition.name))
            .finish()
    }
}

impl<'c, I> Interface<'c, I> {
    /// The implementation of an operation.
    #[inline]
    pub fn of(self, op: Operation) -> Option<&'c I> {
        self.of_name(op.name(self.context))
    }

    /// The implementation of the operation with this name. An implementation belongs to a
    /// declaration: an operation that is not registered, or that another dialect declares under the
    /// same name, does not have it.
    #[inline]
    pub fn of_name(self, name: OperationName) -> Option<&'c I> {
        let (definition, implementation) = self.implementations.get(name.index())?.as_ref()?;
        let registered = name.definition(self.context)?;
        std::ptr::eq(*definition, registered).then_some(implementation)
    }

    /// True if nothing is attached.
    pub fn is_empty(self) -> bool {
        self.implementations.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use crate::declare::{DialectDefinition, OperationDefinition};
    use crate::{Context, Location, Operation, OperationName, OperationState};

    crate::operations! {
        /// The first operation.
        op First = "test.first" {}

        /// The second operation.
        op Second = "test.second" {}
    }

    static TEST: DialectDefinition = DialectDefinition {
        name: "test",
        operations: &[First::DEFINITION, Second::DEFINITION],
        ..DialectDefinition::DEFAULT
    };

    /// Another declaration of `test.first`.
    static FOREIGN: OperationDefinition = OperationDefinition {
        name: First::NAME,
        ..OperationDefinition::DEFAULT
    };

    #[derive(PartialEq, Debug)]
    struct Cost(u32);

    #[derive(PartialEq, Debug)]
    struct Weight(u32);

    fn operation(context: &mut Context, name: &str) -> Operation {
        let name = OperationName::new(context, name);
        Operation::create(context, &OperationState::new(name, Location::UNKNOWN))
    }

    #[test]
    fn each_operation_and_interface_has_its_own_implementation() {
        let mut context = Context::new();
        context.register_dialect(&TEST);
        assert!(context.interface::<Cost>().is_empty());
        assert!(context.attach(Second::DEFINITION, Cost(2)));
        assert!(context.attach(First::DEFINITION, Cost(1)));
        assert!(context.attach(First::DEFINITION, Weight(7)));
        let first = operation(&mut context, First::NAME);
        let second = operation(&mut context, Second::NAME);
        let toy = operation(&mut context, "toy.other");
        let costs = context.interface::<Cost>();
        assert_eq!(costs.of(first), Some(&Cost(1)));
        assert_eq!(costs.of(second), Some(&Cost(2)));
        assert_eq!(costs.of(toy), None);
        assert_eq!(first.interface(&context), Some(&Weight(7)));
        assert_eq!(second.interface::<Weight>(&context), None);
    }

    #[test]
    fn the_first_implementation_stays() {
        let mut context = Context::new();
        context.register_dialect(&TEST);
        assert!(context.attach(First::DEFINITION, Cost(1)));
        assert!(!context.attach(First::DEFINITION, Cost(2)));
        assert!(!context.attach(&FOREIGN, Cost(3)));
        let first = operation(&mut context, First::NAME);
        assert_eq!(first.interface(&context), Some(&Cost(1)));
    }

    #[test]
    fn an_operation_has_interfaces_from_its_registration_on() {
        let mut context = Context::new();
        assert!(context.attach(First::DEFINITION, Cost(1)));
        let first = operation(&mut context, First::NAME);
        assert_eq!(first.interface::<Cost>(&context), None);
        context.register_dialect(&TEST);
        assert_eq!(first.interface(&context), Some(&Cost(1)));
    }

    #[test]
    fn another_declaration_of_the_name_has_no_implementation() {
        let mut context = Context::new();
        assert!(context.attach(&FOREIGN, Cost(1)));
        context.register_dialect(&TEST);
        let first = operation(&mut context, First::NAME);
        assert_eq!(first.interface::<Cost>(&context), None);
    }

    #[test]
    fn typed_views_and_sets_of_declarations_match_registered_operations() {
        let mut context = Context::new();
        let first = operation(&mut context, First::NAME);
        let both = [First::DEFINITION, Second::DEFINITION];
        assert!(!First::matches(&context, first) && !first.is_one_of(&context, &both));
        context.register_dialect(&TEST);
        assert!(First::matches(&context, first) && !Second::matches(&context, first));
        assert!(first.is_one_of(&context, &both));
        assert!(!first.is_one_of(&context, &[Second::DEFINITION]));
    }
}
