//! Erasing operations whose values may have users.

use crate::{Context, Diagnostic, Operation, Value, ValueOwner, walk};

impl Operation {
    /// Erases the operation and its regions, unless a value that it defines is used outside; in
    /// that case nothing changes.
    ///
    /// # Errors
    /// Those of [`Operation::check_erasable`].
    pub fn try_erase(self, context: &mut Context) -> Result<(), Box<Diagnostic>> {
        self.check_erasable(context)?;
        self.erase(context);
        Ok(())
    }

    /// Checks that no value defined by the operation or in its regions is used outside. Linear in
    /// the nested operations and the uses of their values.
    ///
    /// # Errors
    /// An error at the operation, with a note at the use.
    pub fn check_erasable(self, context: &Context) -> Result<(), Box<Diagnostic>> {
        let Some((value, user)) = self.use_outside(context) else {
            return Ok(());
        };
        let what = match value.owner(context) {
            ValueOwner::Result(..) => "result",
            ValueOwner::Argument(..) => "block argument",
        };
        let position = value.position(context);
        let message = format!("cannot be erased: its {what} #{position} is used");
        let error = self.op_error(context, message);
        Err(Box::new(
            error.with_note(user.location(context), "used here"),
        ))
    }

    /// A value defined by the operation or in its regions, and a user outside.
    fn use_outside(self, context: &Context) -> Option<(Value, Operation)> {
        let outside = |value: Value| {
            let mut users = value.users(context);
            let user = users.find(|user| *user != self && !self.is_ancestor_of(context, *user))?;
            Some((value, user))
        };
        if self.region_count(context) == 0 {
            return self.results(context).find_map(outside);
        }
        walk::collect(context, self).into_iter().find_map(|op| {
            let blocks = op
                .regions(context)
                .flat_map(|region| region.blocks(context));
            let arguments = blocks.flat_map(|block| block.arguments(context));
            op.results(context).chain(arguments).find_map(outside)
        })
    }
}
