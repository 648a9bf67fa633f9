//! `--mlir-print-value-users`: lists the users of each value in comments.
//!
//! Operations without results are numbered too, so that comments can refer to them.

use rustc_hash::FxHashSet;

use super::Printer;
use crate::entities::{Block, Operation, Value};

impl Printer<'_> {
    /// Writes the users comment after an operation.
    pub(super) fn operation_users(&mut self, op: Operation) {
        if !self.flags.value_users {
            return;
        }
        let context = self.context;
        let results: Vec<_> = op.results(context).collect();
        if results.is_empty() {
            if op.operand_count(context) > 0 {
                self.write(" // id: ");
                self.operation_number(op);
            }
            return;
        }
        if op.is_unused(context) {
            self.write(" // unused");
            return;
        }
        let users: FxHashSet<_> = results.iter().flat_map(|r| r.users(context)).collect();
        let values: usize = users.iter().map(|user| user.result_count(context)).sum();
        let one = results.len() == 1 && users.len() == 1 && values <= 1;
        self.write(if one { " // user: " } else { " // users: " });
        let brackets = results.len() > 1;
        self.comma_separated(results, |printer, result| {
            printer.write(if brackets { "(" } else { "" });
            printer.value_users(result);
            printer.write(if brackets { ")" } else { "" });
        });
    }

    /// Writes the users comment of each argument of a block.
    pub(super) fn argument_users(&mut self, block: Block) {
        if !self.flags.value_users {
            return;
        }
        for argument in block.arguments(self.context) {
            self.new_line();
            self.write("// ");
            self.value(argument);
            if argument.is_unused(self.context) {
                self.write(" is unused");
            } else {
                self.write(" is used by ");
                self.value_users(argument);
            }
        }
    }

    fn value_users(&mut self, value: Value) {
        let context = self.context;
        let mut seen = FxHashSet::default();
        let users = value.users(context).filter(|user| seen.insert(*user));
        let users: Vec<_> = users.collect();
        if users.is_empty() {
            self.write("unused");
        }
        self.comma_separated(users, |printer, user| {
            if user.result_count(context) == 0 {
                printer.operation_number(user);
            } else {
                printer.comma_separated(user.results(context), Self::value);
            }
        });
    }

    fn operation_number(&mut self, op: Operation) {
        match self.names.operation_number(op) {
            Some(number) => {
                self.write("%");
                self.integer(i64::from(number));
            }
            None => self.write("<<UNKNOWN OPERATION>>"),
        }
    }
}
