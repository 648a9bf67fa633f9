//! The uniform datapath: which classes can be computed on it.

use egg::Id;
use orison_ori::Register;

use super::emit::Emitter;
use super::machine::{operations, uniform_name};
use super::term::{Head, Operator};

impl Emitter<'_, '_> {
    /// Whether the chosen term of a class, and its operands, can be computed on the uniform
    /// datapath.
    pub(super) fn is_uniform(&mut self, class: Id) -> bool {
        let class = self.setting.graph.find(class);
        if let Some(known) = self.can_be_uniform.get(&class) {
            return *known;
        }
        let chosen = self.setting.extraction.chosen(self.setting.choice, class);
        let Some((term, operands)) = chosen else {
            return false;
        };
        let head = term.head;
        let itself = match head {
            // The current replacement decides; it is not cached.
            Head::Leaf(number, _) => return self.leaf_is_uniform(number),
            Head::Number(..) => true,
            Head::Machine(form, result, _) => self.form_is_uniform(form, result),
            Head::Operator(operator) => {
                let names = operations(operator);
                let target = self.setting.target;
                let moves = matches!(operator, Operator::Low | Operator::High | Operator::Concat);
                moves
                    || names
                        .iter()
                        .all(|name| uniform_name(name, target).is_some())
            }
        };
        // Operands of a form have the same register kinds as in the program: uniform, or
        // `value_for` fails.
        let of_form = matches!(head, Head::Machine(..));
        let mut operands = operands.iter();
        let known = itself && (of_form || operands.all(|operand| self.is_uniform(operand.class)));
        self.can_be_uniform.insert(class, known);
        known
    }

    fn leaf_is_uniform(&self, number: u32) -> bool {
        let Ok(value) = self.leaf(number) else {
            return false;
        };
        let register = Register::of(self.context, value.ty(self.context));
        register.is_some_and(Register::is_uniform)
    }

    fn form_is_uniform(&self, form: u32, result: u8) -> bool {
        let machines = &self.setting.graph.analysis.machines;
        let model = usize::try_from(form)
            .ok()
            .and_then(|form| machines.get(form));
        model.is_some_and(|model| {
            let result = model.operation.result(self.context, usize::from(result));
            let register = Register::of(self.context, result.ty(self.context));
            register.is_some_and(Register::is_uniform)
        })
    }
}
