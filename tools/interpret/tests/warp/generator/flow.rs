//! Branches, loops, switches, and values that they choose.

use super::{Generator, Together};

impl Generator<'_> {
    /// Values passed along an edge, one of each type.
    pub(super) fn handed(&mut self, count: usize) -> String {
        let values: Vec<_> = (0..count).map(|_| self.word()).collect();
        if values.is_empty() {
            return String::new();
        }
        let types = vec!["!ori.r"; count].join(", ");
        format!("({} : {types})", values.join(", "))
    }

    /// Arguments of a block, which are added to the scope.
    pub(super) fn taken(&mut self, count: usize) -> String {
        let names: Vec<_> = (0..count).map(|_| self.name()).collect();
        self.scope.words.extend(names.iter().cloned());
        if names.is_empty() {
            return String::new();
        }
        let typed: Vec<_> = names.iter().map(|name| format!("{name}: !ori.r")).collect();
        format!("({})", typed.join(", "))
    }

    fn label(&mut self, block: &str, arguments: &str) {
        self.text.push_str(&format!("{block}{arguments}:\n"));
    }

    /// A condition: per thread, or uniform in the CTA.
    fn condition(&mut self, together: Together) -> (String, Together) {
        if together == Together::No || self.random.chance(60) {
            return (self.predicate(), Together::No);
        }
        let number = self.random.below(4) as i64;
        let number = self.immediate(number);
        let uniform = self.define(
            &format!("ori.isetp <le, u32> %ntid, {number}"),
            "(!ori.r, !ori.r) -> !ori.p",
        );
        (uniform, together)
    }

    pub(super) fn diamond(&mut self, depth: usize, together: Together) {
        let (condition, inner) = self.condition(together);
        let (yes, no, join) = (self.block(), self.block(), self.block());
        let count = self.random.below(3);
        let direct = self.random.chance(30);
        let not = self.maybe(30, "not ");
        if direct {
            let values = self.handed(count);
            self.line(&format!(
                "ori.cond_bra {not}{condition}, {yes}, {join}{values} : !ori.p"
            ));
        } else {
            self.line(&format!(
                "ori.cond_bra {not}{condition}, {yes}, {no} : !ori.p"
            ));
        }
        let sides = if direct { vec![yes] } else { vec![yes, no] };
        let outside = self.scope.clone();
        for side in sides {
            self.label(&side, "");
            if depth < 2 && self.random.chance(25) {
                // A diamond whose condition depends on a value that only this side loads.
                self.load();
                self.compare();
                self.diamond(depth + 1, Together::No);
            }
            self.statements(depth + 1, inner);
            let values = self.handed(count);
            self.line(&format!("ori.bra {join}{values}"));
            self.scope = outside.clone();
        }
        let arguments = self.taken(count);
        self.label(&join, &arguments);
    }

    /// A loop with a few iterations and an optional early exit.
    pub(super) fn repeat(&mut self, depth: usize, together: Together) {
        let uniform = together != Together::No && self.random.chance(50);
        let inner = if uniform { together } else { Together::No };
        let trips = if uniform {
            let trips = self.random.below(5) as i64;
            self.immediate(trips)
        } else {
            self.index(8)
        };
        let (header, body, behind) = (self.block(), self.block(), self.block());
        let carried = 1 + self.random.below(2);
        let values = self.handed(carried);
        let values = values.trim_start_matches('(').trim_end_matches(')');
        let (names, types) = values.split_once(" : ").unwrap_or(("", ""));
        self.line(&format!(
            "ori.bra {header}(%zero, {names} : !ori.r, {types})"
        ));
        let counter = self.name();
        let outside = self.scope.clone();
        let arguments = self.taken(carried);
        let arguments = arguments.trim_start_matches('(');
        self.label(&header, &format!("({counter}: !ori.r, {arguments}"));
        // Behind a divergent loop, the counter of a thread is that of its last iteration.
        if self.random.chance(40) {
            self.scope.words.push(counter.clone());
        }
        let around = self.scope.clone();
        let goes = self.define(
            &format!("ori.isetp <lt, s32> {counter}, {trips}"),
            "(!ori.r, !ori.r) -> !ori.p",
        );
        let left = self.handed(carried);
        self.line(&format!(
            "ori.cond_bra {goes}, {body}, {behind}{left} : !ori.p"
        ));
        self.label(&body, "");
        self.scope.words.push(counter.clone());
        self.statements(depth + 1, inner);
        if !uniform && self.random.chance(30) {
            let (early, next) = (self.predicate(), self.block());
            let left = self.handed(carried);
            self.line(&format!(
                "ori.cond_bra {early}, {behind}{left}, {next} : !ori.p"
            ));
            self.label(&next, "");
        }
        let one = self.immediate(1);
        let stepped = self.define(
            &format!("ori.iadd3 {counter}, {one}, %zero"),
            "(!ori.r, !ori.r, !ori.r) -> !ori.r",
        );
        let values = self.handed(carried);
        let values = values.trim_start_matches('(').trim_end_matches(')');
        let (names, types) = values.split_once(" : ").unwrap_or(("", ""));
        self.line(&format!(
            "ori.bra {header}({stepped}, {names} : !ori.r, {types})"
        ));
        // Definitions of the header dominate the code after the loop.
        self.scope = if self.random.chance(50) {
            around
        } else {
            outside
        };
        let arguments = self.taken(carried);
        self.label(&behind, &arguments);
    }

    pub(super) fn switch(&mut self, depth: usize) {
        let index = self.index(4);
        let cases: Vec<_> = (0..4).map(|_| self.block()).collect();
        let join = self.block();
        self.line(&format!("ori.brx {index}, [{}] : !ori.r", cases.join(", ")));
        let outside = self.scope.clone();
        for case in cases {
            self.label(&case, "");
            self.statements(depth + 1, Together::No);
            let values = self.handed(1);
            self.line(&format!("ori.bra {join}{values}"));
            self.scope = outside.clone();
        }
        let arguments = self.taken(1);
        self.label(&join, &arguments);
    }

    /// One of two values that are the same in all threads, chosen by a condition of each thread: what
    /// depends on it differs by thread, though both values do not.
    pub(super) fn chosen(&mut self, together: Together) {
        let condition = self.predicate();
        let (yes, no, join) = (self.block(), self.block(), self.block());
        let values = [0, 1].map(|_| {
            let number = self.random.below(8) as i64;
            self.immediate(number)
        });
        self.line(&format!("ori.cond_bra {condition}, {yes}, {no} : !ori.p"));
        for (side, value) in [yes, no].iter().zip(&values) {
            self.label(side, "");
            if self.random.chance(20) {
                self.count();
            }
            self.line(&format!("ori.bra {join}({value} : !ori.r)"));
        }
        let value = self.name();
        self.label(&join, &format!("({value}: !ori.r)"));
        self.scope.words.push(value.clone());
        match self.random.below(4) {
            0 => self.count(),
            1 => {
                let limit = self.immediate(3);
                let differs = self.define(
                    &format!("ori.isetp <lt, u32> {value}, {limit}"),
                    "(!ori.r, !ori.r) -> !ori.p",
                );
                self.scope.predicates.push(differs);
            }
            2 if together != Together::No => self.across(),
            _ => {}
        }
    }
}
