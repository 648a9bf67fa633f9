//! The order of operands: numbers and the like stand where the instruction can have them.

use orison_ir::declare::AttributeForm;
use orison_ir::{Attribute, Operation};
use orison_ori::analyses::properties;
use orison_ori::keywords::{Compare, FloatCompare, keyword_of};
use orison_ori::modifiers::{self, MODIFIERS, Modifier, ModifierSet};
use orison_ori::operations as ori;

use super::Legalizer;
use crate::ori::instruction_forms::{self as forms, Kinds, Slot};

/// How an operation stays the same when two of its operands change places.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exchange {
    /// By nothing else.
    Free,
    /// The choice is inverted.
    Choice,
    /// The comparison is that of the other order.
    Comparison,
    /// The truth table has its columns exchanged.
    Table,
}

impl Legalizer<'_> {
    /// Exchanges operands so that one that is not a register stands where it can.
    pub(super) fn arrange(&mut self, op: Operation) {
        let Some(exchange) = self.exchange(op) else {
            return;
        };
        let mut places: Vec<usize> = match exchange {
            Exchange::Free => properties::commuting_operands(self.context, op),
            _ => ["a", "b", "c"]
                .iter()
                .filter(|group| exchange == Exchange::Table || **group != "c")
                .flat_map(|group| op.operand_range_named(self.context, group))
                .collect(),
        };
        places.sort_unstable();
        for first in places.clone() {
            let Some(kinds) = self.kinds(op, first) else {
                return;
            };
            if self.fits(op, first, kinds) {
                continue;
            }
            let other = places
                .iter()
                .copied()
                .find(|second| *second != first && self.would_fit(op, first, *second));
            if let Some(second) = other {
                self.swap(op, first, second, exchange);
            }
        }
    }

    fn exchange(&self, op: Operation) -> Option<Exchange> {
        let context = &*self.context;
        let choices = [
            ori::Sel::DEFINITION,
            ori::Fsel::DEFINITION,
            ori::Usel::DEFINITION,
            ori::Ufsel::DEFINITION,
        ];
        let tables = [
            ori::Lop3::DEFINITION,
            ori::Lop3Test::DEFINITION,
            ori::Ulop3::DEFINITION,
        ];
        if op.is_one_of(context, &choices) {
            return Some(Exchange::Choice);
        }
        if op.is_one_of(context, &tables) {
            return Some(Exchange::Table);
        }
        if op.attribute(context, "compare").is_some()
            || op.attribute(context, "float_compare").is_some()
        {
            return Some(Exchange::Comparison);
        }
        (properties::commuting_operands(context, op).len() > 1).then_some(Exchange::Free)
    }

    /// What the instruction can have in the place of an operand.
    fn kinds(&self, op: Operation, number: usize) -> Option<Kinds> {
        let group = self.group_of(op, number);
        let form = forms::select(self.context, op, self.machine)?;
        let mut slots = form.instructions.first()?.operands.iter();
        slots.find_map(|slot| match slot {
            Slot::Value(slot) if &*slot.name.group == group => Some(slot.kinds),
            _ => None,
        })
    }

    /// Whether both operands are possible in the place of the other one.
    fn would_fit(&self, op: Operation, first: usize, second: usize) -> bool {
        let kinds = |number| self.kinds(op, number).unwrap_or_default();
        self.fits(op, first, kinds(second)) && self.fits(op, second, kinds(first))
    }

    fn swap(&mut self, op: Operation, first: usize, second: usize, exchange: Exchange) {
        let values = [first, second].map(|number| op.operand(self.context, number));
        op.set_operand(self.context, first, values[1]);
        op.set_operand(self.context, second, values[0]);
        let count = op.operand_count(self.context);
        let sets = (0..count).map(|number| modifiers::of_operand(self.context, op, number));
        let mut sets: Vec<ModifierSet> = sets.collect();
        sets.swap(first, second);
        match exchange {
            Exchange::Free => {}
            Exchange::Choice => {
                for number in op.operand_range_named(self.context, "choice") {
                    sets[number] = toggled(sets[number]);
                }
            }
            Exchange::Comparison => self.mirror(op),
            Exchange::Table => self.exchange_columns(op, first, second),
        }
        match modifiers::attribute(self.context, &sets) {
            Some(attribute) => op.set_attribute(self.context, MODIFIERS, attribute),
            None => op.remove_attribute(self.context, MODIFIERS),
        }
    }

    /// The comparison of the operands in the other order.
    fn mirror(&mut self, op: Operation) {
        use Compare::{Ge, Gt, Le, Lt};
        let whole =
            keyword_of::<Compare>(self.context, op, "compare").map(|compare| match compare {
                Lt => Gt,
                Gt => Lt,
                Le => Ge,
                Ge => Le,
                other => other,
            });
        if let Some(compare) = whole {
            let value = Compare::write(self.context, compare);
            op.set_attribute(self.context, "compare", value);
        }
        let float = keyword_of::<FloatCompare>(self.context, op, "float_compare");
        let float = float.map(|compare| match compare {
            FloatCompare::Lt => FloatCompare::Gt,
            FloatCompare::Gt => FloatCompare::Lt,
            FloatCompare::Le => FloatCompare::Ge,
            FloatCompare::Ge => FloatCompare::Le,
            FloatCompare::Ltu => FloatCompare::Gtu,
            FloatCompare::Gtu => FloatCompare::Ltu,
            FloatCompare::Leu => FloatCompare::Geu,
            FloatCompare::Geu => FloatCompare::Leu,
            other => other,
        });
        if let Some(compare) = float {
            let value = FloatCompare::write(self.context, compare);
            op.set_attribute(self.context, "float_compare", value);
        }
    }

    /// The truth table of a function of three words with two of them exchanged.
    fn exchange_columns(&mut self, op: Operation, first: usize, second: usize) {
        let bit = |number: usize| match self.group_of(op, number) {
            "a" => 2,
            "b" => 1,
            _ => 0,
        };
        let (first, second) = (bit(first), bit(second));
        let table = op.attribute(self.context, "lut");
        let table = table
            .and_then(|table| table.as_i32(self.context))
            .unwrap_or(0);
        let exchanged = (0..8).fold(0, |exchanged, row: i32| {
            let (x, y) = (row >> first & 1, row >> second & 1);
            let other = row & !(1 << first) & !(1 << second) | y << first | x << second;
            exchanged | (table >> other & 1) << row
        });
        let value = Attribute::i32(self.context, exchanged);
        op.set_attribute(self.context, "lut", value);
    }
}

/// The modifiers with the inversion of a predicate added or removed.
fn toggled(set: ModifierSet) -> ModifierSet {
    if set.contains(Modifier::Invert) {
        return set
            .iter()
            .filter(|modifier| *modifier != Modifier::Invert)
            .collect();
    }
    set.with(Modifier::Invert)
}
