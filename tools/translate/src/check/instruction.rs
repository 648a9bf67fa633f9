//! Instructions: guard, name, modifiers, operands.

use std::rc::Rc;

use super::modifiers::{Choice, Reason};
use super::names::{Entity, Formal};
use super::operands::{Mismatch, Operands};
use super::table::{Entry, Table};
use super::target::NEWEST;
use super::types::{Class, Type};
use super::{Checker, Chosen, calls};
use crate::ptx::Place;
use crate::ptx::ast::{Expression, Instruction};

impl<'a> Checker<'a> {
    /// Checks an instruction; reports the first error.
    pub(super) fn instruction(&mut self, place: Place, instruction: &'a Instruction<'a>) {
        let found = self.guard(instruction).or_else(|| {
            let key = (instruction.name, instruction.modifiers.as_slice());
            let chosen = match self.chosen.get(&key) {
                Some(chosen) => Rc::clone(chosen),
                None => {
                    let chosen = Rc::new(self.choose(instruction));
                    self.chosen.insert(key, Rc::clone(&chosen));
                    chosen
                }
            };
            match &*chosen {
                Ok(choices) => self.operands(instruction, choices),
                Err(_) if self.version > NEWEST => None,
                Err(message) => Some(message.clone()),
            }
        });
        if let Some(message) = found {
            self.error(place, message);
        }
    }

    fn guard(&self, instruction: &Instruction<'_>) -> Option<String> {
        let (_, name) = instruction.guard?;
        match self.names.find(name) {
            Some(Entity::Register(ty, 1)) if ty.class == Class::Predicate => None,
            Some(_) => Some(format!("guard '{name}' is not a predicate")),
            None => Some(format!("guard '{name}' is not declared")),
        }
    }

    /// The forms selected by the modifiers of an instruction.
    ///
    /// For versions newer than the table, unknown instructions are accepted.
    fn choose(&self, instruction: &'a Instruction<'a>) -> Chosen<'a> {
        let table = Table::get();
        let (name, modifiers) = (instruction.name, instruction.modifiers.as_slice());
        let Some(Entry { forms, parts }) = table.find(name, modifiers) else {
            return Err(match modifiers.first() {
                Some(first) if table.has(name) && table.has_modifier(first) => {
                    format!("'{name}' has no form that starts with '{name}{first}'")
                }
                Some(first) if table.has(name) => format!("unknown modifier '{first}' of '{name}'"),
                _ if table.has(name) => format!("'{name}' requires modifiers"),
                _ => format!("unknown instruction '{name}'"),
            });
        };
        let behind = &modifiers[parts..];
        let mut choices = Vec::new();
        let mut reasons = Vec::new();
        for form in forms {
            match Choice::of(form, behind, self.target, self.version) {
                Ok(choice) => choices.push(choice),
                Err(reason) => reasons.push(reason),
            }
        }
        match choices.is_empty() {
            true => Err(explain(&opcode(instruction), behind, &reasons)),
            false => Ok(choices),
        }
    }

    /// The error in the operands, for the form that matches best.
    fn operands(&self, instruction: &'a Instruction<'a>, choices: &[Choice<'a>]) -> Option<String> {
        let mut missing = None;
        let mut nearest: Option<Mismatch> = None;
        for choice in choices {
            let operands = Operands {
                choice,
                names: &self.names,
                target: self.target,
                version: self.version,
            };
            match (operands.check(&instruction.operands), &choice.missing) {
                (Ok(()), None) => {
                    return match instruction.name {
                        "call" => calls::check(&self.names, instruction),
                        "st" => self.parameter(&instruction.operands, 0, Formal::Input),
                        "ld" => self.parameter(&instruction.operands, 1, Formal::Output),
                        _ => None,
                    };
                }
                (Ok(()), Some(what)) => missing = Some(what),
                (Err(mismatch), _) => {
                    let is_nearer = nearest
                        .as_ref()
                        .is_none_or(|nearest| nearest.operand < mismatch.operand);
                    if is_nearer {
                        nearest = Some(mismatch);
                    }
                }
            }
        }
        let opcode = opcode(instruction);
        if let Some(missing) = missing {
            return Some(match missing.starts_with('\'') {
                true => format!("modifier {missing}"),
                false => format!("'{opcode}' {missing}"),
            });
        }
        let Mismatch { operand, message } = nearest?;
        Some(match operand {
            Some(number) => format!("operand #{number} of '{opcode}' {message}"),
            None => format!("'{opcode}' {message}"),
        })
    }

    /// Input parameters must not be written, output parameters not read: `role` is the forbidden
    /// role of the variable of an address.
    fn parameter(
        &self,
        operands: &[Expression<'_>],
        number: usize,
        role: Formal,
    ) -> Option<String> {
        let Some(Expression::Address(parts)) = operands.get(number) else {
            return None;
        };
        let mut base = parts.first()?;
        while let Expression::Binary(_, inner, _) = base {
            base = inner;
        }
        let Expression::Name(name) = base else {
            return None;
        };
        match self.names.find(name) {
            Some(Entity::Variable(variable)) if variable.role == role => Some(match role {
                Formal::Output => format!("result '{name}' cannot be read"),
                _ => format!("parameter '{name}' cannot be written"),
            }),
            _ => None,
        }
    }
}

/// The name with its modifiers.
fn opcode(instruction: &Instruction<'_>) -> String {
    format!("{}{}", instruction.name, instruction.modifiers.concat())
}

/// A message stating why no form matches the modifiers.
fn explain(opcode: &str, modifiers: &[&str], reasons: &[Reason]) -> String {
    for modifier in modifiers {
        if !Table::get().has_modifier(modifier) {
            return format!("unknown modifier '{modifier}' in '{opcode}'");
        }
    }
    // A form that lacks one modifier matches better than one that rejects a given one.
    let missing = reasons.iter().find_map(|reason| match reason {
        Reason::Missing(choices) => Some(choices),
        _ => None,
    });
    if let Some(choices) = missing {
        return format!("'{opcode}' requires {}", choices.join(" or "));
    }
    let conflict = reasons.iter().find_map(|reason| match reason {
        Reason::Conflict(modifier) | Reason::Foreign(modifier) => Some(modifier),
        _ => None,
    });
    match conflict {
        Some(modifier) => format!("modifier '{modifier}' is not valid in '{opcode}'"),
        None => {
            let types = modifiers
                .iter()
                .filter(|modifier| Type::named(modifier).is_some());
            let types: Vec<_> = types.map(|ty| format!("'{ty}'")).collect();
            match types.is_empty() {
                true => format!("'{opcode}' requires a type"),
                false => format!("'{opcode}' is not defined for {}", types.join(", ")),
            }
        }
    }
}
