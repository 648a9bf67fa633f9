//! Loops of one block, one behind the other, that often run equally often: written with the same
//! numbers, other ones, or other comparisons, behind the same condition or none.

use super::nests::Counter;
use super::{Generator, Together};

/// The number of iterations of a loop: its accesses stay in the memory of the thread.
const TRIPS: [i64; 6] = [1, 2, 3, 4, 5, 8];

/// The operands of a loop: start, step and bound.
type Numbers = [String; 3];

impl Generator<'_> {
    /// Two or three loops.
    pub(super) fn adjacent(&mut self, together: Together) {
        let trips = *self.random.pick(&TRIPS);
        let first = self.counter_of(trips);
        let numbers = self.numbers(&first);
        let condition = match self.random.below(10) {
            0 | 1 => Some(self.predicate()),
            2 => Some(self.goes_on(&first, &numbers[0], &numbers[2])),
            _ => None,
        };
        self.single(&first, &numbers, condition.as_deref(), together);
        for _ in 0..1 + self.random.below(2) {
            if self.random.chance(50) {
                self.between();
            }
            let (second, numbers) = match self.random.below(10) {
                0..=4 => (first.clone(), numbers.clone()),
                5 => (first.clone(), self.numbers(&first)),
                6 | 7 => {
                    let other = self.counter_of(trips);
                    let numbers = self.numbers(&other);
                    (other, numbers)
                }
                8 => self.tripled(&first, &numbers),
                _ => {
                    let trips = *self.random.pick(&TRIPS);
                    let other = self.counter_of(trips);
                    let numbers = self.numbers(&other);
                    (other, numbers)
                }
            };
            let condition = match self.random.below(20) {
                0 => None,
                1 | 2 => Some(self.predicate()),
                _ => condition.clone(),
            };
            self.single(&second, &numbers, condition.as_deref(), together);
        }
    }

    fn numbers(&mut self, counter: &Counter) -> Numbers {
        let known = if self.random.chance(50) { 100 } else { 30 };
        [
            self.bound(counter.start, counter.is_wide, known),
            self.bound(counter.step, counter.is_wide, 100),
            self.bound(counter.end, counter.is_wide, known),
        ]
    }

    /// Three times a counter that is compared for equality; another one otherwise.
    fn tripled(&mut self, counter: &Counter, numbers: &Numbers) -> (Counter, Numbers) {
        if counter.is_wide || counter.compare != "ne" {
            return (counter.clone(), numbers.clone());
        }
        let three = self.immediate(3);
        let triple = numbers.clone().map(|number| {
            self.define(
                &format!("ori.imad {number}, {three}, %zero"),
                "(!ori.r, !ori.r, !ori.r) -> !ori.r",
            )
        });
        let mut other = counter.clone();
        for number in [&mut other.start, &mut other.step, &mut other.end] {
            *number = number.wrapping_mul(3) << 32 >> 32;
        }
        (other, triple)
    }

    /// What lies between two loops.
    fn between(&mut self) {
        for _ in 0..1 + self.random.below(3) {
            match self.random.below(6) {
                0 => self.own_memory(),
                1 => self.load(),
                2 => self.store(),
                3 => self.count(),
                _ => self.arithmetic(),
            }
        }
    }

    /// A loop of one block, behind a condition or none.
    fn single(
        &mut self,
        counter: &Counter,
        [start, step, end]: &Numbers,
        condition: Option<&str>,
        together: Together,
    ) {
        let ty = counter.ty();
        let (header, exit) = (self.block(), self.block());
        let (carried, left) = (1 + self.random.below(2), 1 + self.random.below(2));
        let outside = self.scope.clone();
        if let Some(condition) = condition {
            let (enter, values) = (self.block(), self.handed(left));
            let branch = match self.random.chance(30) {
                true => format!("ori.cond_bra not {condition}, {exit}{values}, {enter} : !ori.p"),
                false => format!("ori.cond_bra {condition}, {enter}, {exit}{values} : !ori.p"),
            };
            self.line(&branch);
            self.text.push_str(&format!("{enter}:\n"));
        }
        // The number of the iteration is the second argument.
        let counters = format!("{start}, %zero");
        let entering = self.carried(&counters, &format!("{ty}, !ori.r"), carried);
        self.line(&format!("ori.bra {header}{entering}"));
        let (value, place) = (self.name(), self.name());
        let arguments = self.taken(carried);
        let arguments = arguments.trim_start_matches('(');
        self.text.push_str(&format!(
            "{header}({value}: {ty}, {place}: !ori.r, {arguments}:\n"
        ));
        if !counter.is_wide {
            self.scope.words.push(value.clone());
        }
        for _ in 0..1 + self.random.below(4) {
            match self.random.below(10) {
                0..=2 => self.element(&place),
                3 => self.load(),
                4 => self.count(),
                5 => self.store(),
                6 if together == Together::Cta && condition.is_none() => self.across(),
                _ => self.arithmetic(),
            }
        }
        let next = self.stepped(counter, &value, step);
        let one = self.immediate(1);
        let place = self.define(
            &format!("ori.iadd3 {place}, {one}, %zero"),
            "(!ori.r, !ori.r, !ori.r) -> !ori.r",
        );
        let goes = self.goes_on(counter, &next, end);
        let again = self.carried(
            &format!("{next}, {place}"),
            &format!("{ty}, !ori.r"),
            carried,
        );
        let leaving = self.handed(left);
        self.line(&format!(
            "ori.cond_bra {goes}, {header}{again}, {exit}{leaving} : !ori.p"
        ));
        // The last values of the loop may be used behind it.
        if condition.is_some() || self.random.chance(75) {
            self.scope = outside;
        }
        let arguments = self.taken(left);
        self.text.push_str(&format!("{exit}{arguments}:\n"));
    }

    /// An access to an element of an array, at a distance from that of the iteration.
    fn element(&mut self, place: &str) {
        let at = 4 * self.random.below(5);
        let (space, address, types) = match self.random.chance(60) {
            true => (
                "l",
                format!("ori.imad {place}, %four, %own"),
                "(!ori.r, !ori.r, !ori.r) -> !ori.r",
            ),
            false => (
                "g",
                format!("ori.imad_wide <u32> {place}, %four, %place"),
                "(!ori.r, !ori.r, !ori.r64) -> !ori.r64",
            ),
        };
        let ty = if space == "l" { "!ori.r" } else { "!ori.r64" };
        let address = self.define(&address, types);
        if self.random.chance(50) {
            let value = self.word();
            self.line(&format!(
                "ori.st{space} [{address} + {at}], {value} : ({ty}, !ori.r) -> ()"
            ));
        } else {
            let value = self.define(
                &format!("ori.ld{space} [{address} + {at}]"),
                &format!("({ty}) -> !ori.r"),
            );
            self.scope.words.push(value);
        }
    }
}
