//! The roles of the operands of an instruction.

use crate::kinds::OperandKind;

/// A place among the operands of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Role {
    /// The kinds of operands it may have, a bit each.
    kinds: u32,
    /// Whether the text may lack it.
    pub optional: bool,
}

impl Role {
    /// A role that operands of these kinds have.
    pub const fn of(kinds: &[OperandKind], optional: bool) -> Role {
        let mut set = 0;
        let mut place = 0;
        while place < kinds.len() {
            set |= 1 << kinds[place] as u32;
            place += 1;
        }
        Role {
            kinds: set,
            optional,
        }
    }

    /// Whether an operand of a kind may have it.
    pub const fn allows(self, kind: OperandKind) -> bool {
        self.kinds >> kind as u32 & 1 == 1
    }

    /// Whether operands have these roles, in order.
    fn fit(roles: &[Role], operands: &[OperandKind]) -> bool {
        let Some((role, more)) = roles.split_first() else {
            return operands.is_empty();
        };
        let taken = operands
            .split_first()
            .is_some_and(|(first, rest)| role.allows(*first) && Role::fit(more, rest));
        taken || role.optional && Role::fit(more, operands)
    }
}

/// The roles of the operands of an instruction, in the order of nvdisasm's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Roles {
    /// Of those that are written.
    pub results: &'static [Role],
    /// Of the others.
    pub sources: &'static [Role],
}

impl Roles {
    /// The number of operands that are written, the most that is possible; `None` if these operands
    /// do not have the roles.
    pub fn written(&self, operands: &[OperandKind]) -> Option<usize> {
        let fits = |count: &usize| {
            let (results, sources) = operands.split_at(*count);
            Role::fit(self.results, results) && Role::fit(self.sources, sources)
        };
        (0..=operands.len()).rev().find(fits)
    }
}
