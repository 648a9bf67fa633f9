//! Random terminating programs: functions of `arith`, `scf`, `cf` and `func`.

use std::fmt::Write;

use crate::kinds::Kind;
use crate::random::Random;

/// A function of a random module.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// Whether it can be called from outside the module.
    pub is_public: bool,
    pub parameters: Vec<Kind>,
    pub results: Vec<Kind>,
}

/// A random module.
#[derive(Clone, Debug)]
pub struct Program {
    pub text: String,
    pub functions: Vec<Function>,
}

/// A value in scope.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub kind: Kind,
    /// Whether its bits are those of an argument or constant: the payload of a NaN is then defined.
    pub exact: bool,
}

/// Generates functions.
pub struct Generator {
    pub random: Random,
    pub text: String,
    pub values: Vec<Name>,
    pub kinds: Vec<Kind>,
    pub functions: Vec<Function>,
    next: usize,
    depth: usize,
    /// The remaining number of operations.
    budget: usize,
}

/// A module with `count` functions.
pub fn program(seed: u64, count: usize) -> Program {
    let mut generator = Generator {
        random: Random(seed),
        text: String::new(),
        values: Vec::new(),
        kinds: Vec::new(),
        functions: Vec::new(),
        next: 0,
        depth: 0,
        budget: 0,
    };
    let mut observed = Vec::new();
    for number in 0..count {
        generator.choose_kinds();
        observed.extend(generator.kinds.iter().copied());
        generator.function(number, count);
    }
    let mut text = String::new();
    let mut declared = Vec::new();
    for kind in observed {
        if !declared.contains(&kind) {
            declared.push(kind);
            let (name, ty) = (kind.name(), kind.text());
            let _ = writeln!(text, "func.func private @observe_{name}({ty}) -> {ty}");
        }
    }
    text += &generator.text;
    Program {
        text,
        functions: generator.functions,
    }
}

impl Generator {
    /// Few types per function, so that values of the same type are often combined.
    fn choose_kinds(&mut self) {
        const WIDTHS: [u32; 12] = [2, 3, 4, 7, 8, 16, 31, 32, 33, 64, 65, 128];
        let mut kinds = vec![Kind::Integer(1)];
        for _ in 0..2 {
            let width = if self.random.chance(30) {
                1 + self.random.below(128) as u32
            } else {
                *self.random.pick(&WIDTHS)
            };
            kinds.push(Kind::Integer(width));
            if self.random.chance(20) {
                kinds.push(Kind::Integers(width));
                kinds.push(Kind::Integers(1));
            }
        }
        if self.random.chance(50) {
            kinds.push(Kind::Index);
        }
        for _ in 0..self.random.below(3) {
            kinds.push(Kind::Float(*self.random.pick(&crate::kinds::FLOATS)));
        }
        kinds.sort_by_key(|kind| kind.text());
        kinds.dedup();
        self.kinds = kinds;
    }

    fn function(&mut self, number: usize, count: usize) {
        self.values.clear();
        self.next = 0;
        self.depth = 0;
        self.budget = 6 + self.random.below(16);
        // One or two values of each type, so that not everything is constant.
        let mut parameters = self.kinds.clone();
        parameters.extend(self.some_kinds(0, 3));
        let results = self.some_kinds(2, 5);
        let mut header = Vec::new();
        for kind in &parameters {
            let name = self.fresh();
            header.push(format!("{name}: {}", kind.text()));
            self.values.push(Name {
                text: name,
                kind: *kind,
                exact: true,
            });
        }
        let types = texts(&results);
        let name = format!("f{number}");
        // The last function calls others and is called by none.
        let is_public = number + 1 == count || self.random.chance(75);
        let visibility = if is_public { "" } else { "private " };
        let _ = writeln!(
            self.text,
            "func.func {visibility}@{name}({}) -> ({types}) {{",
            header.join(", ")
        );
        if self.random.chance(40) {
            self.graph(&results, "return");
        } else {
            self.statements();
            self.end("return", &results);
        }
        self.text += "}\n";
        self.functions.push(Function {
            name,
            is_public,
            parameters,
            results,
        });
    }

    fn some_kinds(&mut self, least: usize, most: usize) -> Vec<Kind> {
        let count = least + self.random.below(most - least + 1);
        (0..count).map(|_| self.kind()).collect()
    }

    pub fn kind(&mut self) -> Kind {
        *self.random.pick(&self.kinds)
    }

    pub fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%{}", self.next)
    }

    pub fn define(&mut self, text: String, kind: Kind) {
        self.values.push(Name {
            text,
            kind,
            exact: false,
        });
    }

    /// A new constant of a type.
    pub fn constant(&mut self, kind: Kind) -> String {
        let value = kind.value(&mut self.random);
        let (name, literal) = (self.fresh(), kind.literal(&value));
        if kind == Kind::Integer(1) {
            let _ = writeln!(self.text, "{name} = arith.constant {literal}");
        } else {
            let _ = writeln!(
                self.text,
                "{name} = arith.constant {literal} : {}",
                kind.text()
            );
        }
        self.values.push(Name {
            text: name.clone(),
            kind,
            exact: true,
        });
        name
    }

    /// A value of a type: often a recent one, sometimes a new constant.
    pub fn operand(&mut self, kind: Kind) -> String {
        let of_kind: Vec<_> = self
            .values
            .iter()
            .filter(|name| name.kind == kind)
            .collect();
        if of_kind.is_empty() || self.random.chance(20) {
            return self.constant(kind);
        }
        let recent = of_kind.len().saturating_sub(4);
        let from = if self.random.chance(60) { recent } else { 0 };
        of_kind[from + self.random.below(of_kind.len() - from)]
            .text
            .clone()
    }

    pub fn operands(&mut self, kinds: &[Kind]) -> String {
        let operands: Vec<_> = kinds.iter().map(|kind| self.operand(*kind)).collect();
        operands.join(", ")
    }

    /// The most recent values of these types, so that most results are used.
    fn latest(&mut self, kinds: &[Kind]) -> String {
        let mut latest: Vec<String> = Vec::new();
        for kind in kinds {
            let fresh = |name: &&Name| name.kind == *kind && !latest.contains(&name.text);
            let found = self
                .values
                .iter()
                .rev()
                .find(fresh)
                .map(|name| name.text.clone());
            latest.push(found.unwrap_or_else(|| self.operand(*kind)));
        }
        latest.join(", ")
    }

    /// A terminator with operands of these types.
    fn end(&mut self, name: &str, kinds: &[Kind]) {
        let operands = self.latest(kinds);
        let _ = match kinds {
            [] => writeln!(self.text, "{name}"),
            _ => writeln!(self.text, "{name} {operands} : {}", texts(kinds)),
        };
    }

    fn statements(&mut self) {
        for _ in 0..2 + self.random.below(8) {
            self.statement();
        }
    }

    fn statement(&mut self) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        if self.random.chance(15) {
            self.observe();
        }
        match self.random.below(20) {
            0..12 => self.arithmetic(),
            12 | 13 => self.conditional(),
            14 => self.counted_loop(),
            15 => self.while_loop(),
            16 => self.choice(),
            17 => self.call(),
            18 => self.once(),
            _ => self.parallel_forall_or_assertion(),
        }
    }

    /// Writes the body of a region with a terminator; its definitions remain local.
    fn region(&mut self, arguments: &[(String, Kind)], terminator: &str, results: &[Kind]) {
        let visible = self.values.len();
        for (name, kind) in arguments {
            self.define(name.clone(), *kind);
        }
        self.depth += 1;
        if self.depth < 4 {
            self.statements();
        }
        self.end(terminator, results);
        self.depth -= 1;
        self.values.truncate(visible);
    }

    /// The left side of an operation with results, which `publish` adds to the scope.
    fn results(&mut self, kinds: &[Kind]) -> (String, Vec<Name>) {
        if kinds.is_empty() {
            return (String::new(), Vec::new());
        }
        let base = self.fresh();
        let name = |number: usize| match kinds.len() {
            1 => base.clone(),
            _ => format!("{base}#{number}"),
        };
        let names = kinds.iter().enumerate();
        let names = names.map(|(number, kind)| Name {
            text: name(number),
            kind: *kind,
            exact: false,
        });
        let names = names.collect();
        let left = match kinds.len() {
            1 => format!("{base} = "),
            count => format!("{base}:{count} = "),
        };
        (left, names)
    }

    fn conditional(&mut self) {
        let kinds = self.some_kinds(0, 2);
        let condition = self.operand(Kind::Integer(1));
        let (left, names) = self.results(&kinds);
        let types = texts(&kinds);
        let _ = writeln!(self.text, "{left}scf.if {condition} -> ({types}) {{");
        self.region(&[], "scf.yield", &kinds);
        if !kinds.is_empty() || self.random.chance(50) {
            self.text += "} else {\n";
            self.region(&[], "scf.yield", &kinds);
        }
        self.text += "}\n";
        self.values.extend(names);
    }

    /// A constant in a range, the same in every lane.
    pub fn repeated(&mut self, kind: Kind, least: u32, most: u32) -> String {
        let value = least as usize + self.random.below((most - least + 1) as usize);
        let name = self.fresh();
        let literal = match kind {
            Kind::Integers(1) => format!("dense<{}>", value == 1),
            Kind::Integers(_) => format!("dense<{value}>"),
            Kind::Integer(1) => (value == 1).to_string(),
            _ => value.to_string(),
        };
        let ty = if kind == Kind::Integer(1) {
            String::new()
        } else {
            format!(" : {}", kind.text())
        };
        let _ = writeln!(self.text, "{name} = arith.constant {literal}{ty}");
        name
    }

    /// A small integer constant.
    fn small(&mut self, kind: Kind, least: usize, most: usize) -> String {
        let value = least + self.random.below(most - least + 1);
        let name = self.fresh();
        let _ = writeln!(
            self.text,
            "{name} = arith.constant {value} : {}",
            kind.text()
        );
        name
    }

    fn counted_loop(&mut self) {
        let wide = |kind: &&Kind| matches!(kind, Kind::Integer(4..) | Kind::Index);
        let counters: Vec<_> = self.kinds.iter().filter(wide).copied().collect();
        let Some(counter) = counters.first().copied() else {
            return self.arithmetic();
        };
        let kinds = self.some_kinds(0, 2);
        let (lower, upper) = (self.small(counter, 0, 2), self.small(counter, 0, 5));
        let stride = self.small(counter, 1, 2);
        let initial: Vec<_> = kinds.iter().map(|kind| self.operand(*kind)).collect();
        let variable = self.fresh();
        let mut arguments = vec![(variable.clone(), counter)];
        let mut carried = Vec::new();
        for (kind, initial) in kinds.iter().zip(initial) {
            let name = self.fresh();
            carried.push(format!("{name} = {initial}"));
            arguments.push((name, *kind));
        }
        let (left, names) = self.results(&kinds);
        let carries = match kinds.as_slice() {
            [] => String::new(),
            _ => format!("iter_args({}) -> ({}) ", carried.join(", "), texts(&kinds)),
        };
        let unsigned = if self.random.chance(15) {
            "unsigned "
        } else {
            ""
        };
        let _ = writeln!(
            self.text,
            "{left}scf.for {unsigned}{variable} = {lower} to {upper} step {stride} {carries}: {} {{",
            counter.text()
        );
        self.region(&arguments, "scf.yield", &kinds);
        self.text += "}\n";
        self.values.extend(names);
    }

    /// A loop with a decreasing counter; its condition may end it earlier.
    fn while_loop(&mut self) {
        let counter = Kind::Integer(32);
        let mut kinds = vec![counter];
        kinds.extend(self.some_kinds(0, 2));
        let start = self.small(counter, 0, 4);
        let mut initial = vec![start];
        for kind in &kinds[1..] {
            initial.push(self.operand(*kind));
        }
        let before: Vec<_> = kinds.iter().map(|kind| (self.fresh(), *kind)).collect();
        let after: Vec<_> = kinds.iter().map(|kind| (self.fresh(), *kind)).collect();
        let (left, names) = self.results(&kinds);
        let starts: Vec<_> = before
            .iter()
            .zip(&initial)
            .map(|((name, _), initial)| format!("{name} = {initial}"))
            .collect();
        let types = texts(&kinds);
        let _ = writeln!(
            self.text,
            "{left}scf.while ({}) : ({types}) -> ({types}) {{",
            starts.join(", ")
        );
        self.while_condition(&before, &kinds);
        let header: Vec<_> = after
            .iter()
            .map(|(name, kind)| format!("{name}: {}", kind.text()))
            .collect();
        let _ = writeln!(self.text, "}} do {{\n^bb0({}):", header.join(", "));
        self.while_body(&after, &kinds);
        self.text += "}\n";
        // `i32` may not be in the list of types; its values may be used nevertheless.
        self.values.extend(names);
    }

    fn while_condition(&mut self, arguments: &[(String, Kind)], kinds: &[Kind]) {
        let visible = self.values.len();
        for (name, kind) in arguments {
            self.define(name.clone(), *kind);
        }
        let counter = arguments[0].0.clone();
        let (zero, more) = (self.small(Kind::Integer(32), 0, 0), self.fresh());
        let _ = writeln!(
            self.text,
            "{more} = arith.cmpi sgt, {counter}, {zero} : i32"
        );
        let mut condition = more;
        if self.random.chance(40) {
            let (other, both) = (self.operand(Kind::Integer(1)), self.fresh());
            let _ = writeln!(self.text, "{both} = arith.andi {condition}, {other} : i1");
            condition = both;
        }
        let mut operands = vec![counter];
        for kind in &kinds[1..] {
            operands.push(self.operand(*kind));
        }
        let (list, types) = (operands.join(", "), texts(kinds));
        let _ = writeln!(self.text, "scf.condition({condition}) {list} : {types}");
        self.values.truncate(visible);
    }

    fn while_body(&mut self, arguments: &[(String, Kind)], kinds: &[Kind]) {
        let visible = self.values.len();
        for (name, kind) in arguments {
            self.define(name.clone(), *kind);
        }
        self.depth += 1;
        if self.depth < 4 {
            self.statements();
        }
        let (one, less) = (self.small(Kind::Integer(32), 1, 1), self.fresh());
        let counter = &arguments[0].0;
        let _ = writeln!(self.text, "{less} = arith.subi {counter}, {one} : i32");
        let mut operands = vec![less];
        for kind in &kinds[1..] {
            operands.push(self.operand(*kind));
        }
        let _ = writeln!(
            self.text,
            "scf.yield {} : {}",
            operands.join(", "),
            texts(kinds)
        );
        self.depth -= 1;
        self.values.truncate(visible);
    }

    /// `scf.index_switch`.
    fn choice(&mut self) {
        let kinds = self.some_kinds(0, 2);
        let argument = match self.random.chance(30) {
            true => self.small(Kind::Index, 0, 3),
            false => {
                let (bit, name) = (self.operand(Kind::Integer(1)), self.fresh());
                let _ = writeln!(self.text, "{name} = arith.index_castui {bit} : i1 to index");
                name
            }
        };
        let (left, names) = self.results(&kinds);
        let arrow = match kinds.as_slice() {
            [] => String::new(),
            _ => format!("-> {} ", texts(&kinds)),
        };
        let _ = writeln!(self.text, "{left}scf.index_switch {argument} {arrow}");
        for case in 0..self.random.below(3) {
            let _ = writeln!(self.text, "case {case} {{");
            self.region(&[], "scf.yield", &kinds);
            self.text += "}\n";
        }
        self.text += "default {\n";
        self.region(&[], "scf.yield", &kinds);
        self.text += "}\n";
        self.values.extend(names);
    }

    /// A call of an earlier function, or of an external one.
    fn call(&mut self) {
        let known = !self.functions.is_empty() && self.random.chance(40);
        if known {
            let function = self.random.pick(&self.functions).clone();
            let arguments = self.operands(&function.parameters);
            let (left, names) = self.results(&function.results);
            let (from, to) = (texts(&function.parameters), texts(&function.results));
            let name = function.name;
            if self.random.chance(30) {
                let value = self.fresh();
                let ty = format!("({from}) -> ({to})");
                let _ = writeln!(self.text, "{value} = func.constant @{name} : {ty}");
                let _ = writeln!(
                    self.text,
                    "{left}func.call_indirect {value}({arguments}) : {ty}"
                );
                self.values.extend(names);
                return;
            }
            let _ = writeln!(
                self.text,
                "{left}func.call @{name}({arguments}) : ({from}) -> ({to})"
            );
            self.values.extend(names);
            return;
        }
        self.observe();
    }

    /// Passes the most recent value of a type to an external function.
    fn observe(&mut self) {
        let kind = self.kind();
        let (argument, result) = (self.latest(&[kind]), self.fresh());
        let (name, ty) = (kind.name(), kind.text());
        let call = format!("func.call @observe_{name}({argument}) : ({ty}) -> {ty}");
        let _ = writeln!(self.text, "{result} = {call}");
        self.define(result, kind);
    }

    /// `scf.execute_region`, of one or more blocks.
    fn once(&mut self) {
        let kinds = self.some_kinds(0, 2);
        let (left, names) = self.results(&kinds);
        let arrow = match kinds.as_slice() {
            [] => String::new(),
            _ => format!("-> ({}) ", texts(&kinds)),
        };
        let _ = writeln!(self.text, "{left}scf.execute_region {arrow}{{");
        let visible = self.values.len();
        self.depth += 1;
        if self.depth < 3 && self.random.chance(50) {
            self.graph(&kinds, "scf.yield");
        } else {
            self.end("scf.yield", &kinds);
        }
        self.depth -= 1;
        self.values.truncate(visible);
        self.text += "}\n";
        self.values.extend(names);
    }

    fn parallel_forall_or_assertion(&mut self) {
        if self.random.chance(25) {
            let condition = self.operand(Kind::Integer(1));
            let number = self.next;
            let _ = writeln!(self.text, "cf.assert {condition}, \"number {number}\"");
            return;
        }
        if self.random.chance(30) {
            let (one, other) = (self.fresh(), self.fresh());
            let (upper, stride) = (1 + self.random.below(3), 1 + self.random.below(2));
            let limit = self.small(Kind::Index, 0, 2);
            let ranges =
                format!("({one}, {other}) = (0, 0) to ({upper}, {limit}) step ({stride}, 1)");
            let _ = writeln!(self.text, "scf.forall {ranges} {{");
            let visible = self.values.len();
            self.define(one, Kind::Index);
            self.define(other, Kind::Index);
            self.call();
            self.arithmetic();
            self.values.truncate(visible);
            self.text += "}\n";
            return;
        }
        self.parallel();
    }

    fn parallel(&mut self) {
        let kind = self.kind();
        let bounds: Vec<_> = [(0, 1), (0, 3), (1, 2)]
            .map(|(least, most)| self.small(Kind::Index, least, most))
            .into();
        let (initial, variable, result) = (self.operand(kind), self.fresh(), self.fresh());
        let _ = writeln!(
            self.text,
            "{result} = scf.parallel ({variable}) = ({}) to ({}) step ({}) init ({initial}) -> {} {{",
            bounds[0],
            bounds[1],
            bounds[2],
            kind.text()
        );
        let visible = self.values.len();
        self.define(variable, Kind::Index);
        self.arithmetic();
        let own = self.operand(kind);
        let (left, right) = (self.fresh(), self.fresh());
        let ty = kind.text();
        let _ = writeln!(
            self.text,
            "scf.reduce({own} : {ty}) {{\n^bb0({left}: {ty}, {right}: {ty}):"
        );
        self.define(left, kind);
        self.define(right, kind);
        self.arithmetic();
        let combined = self.operand(kind);
        let _ = writeln!(self.text, "scf.reduce.return {combined} : {ty}\n}}\n}}");
        self.values.truncate(visible);
        self.define(result, kind);
    }

    /// Blocks that branch to each other. Every block has a counter; a backward branch is taken only
    /// while it is positive, and decreases it.
    fn graph(&mut self, results: &[Kind], terminator: &str) {
        let visible = self.values.len();
        let scope = self.fresh();
        let label = |number: usize| format!("^bb{}_{number}", &scope[1..]);
        let count = 2 + self.random.below(4);
        let mut signatures = vec![Vec::new()];
        for _ in 1..count {
            signatures.push(self.some_kinds(0, 3));
        }
        let mut fuel = self.small(Kind::Integer(32), 2, 4);
        self.statements();
        let shared = self.values.len();
        for block in 0..count {
            if block > 0 {
                self.values.truncate(shared);
                fuel = self.fresh();
                let mut header = vec![format!("{fuel}: i32")];
                for kind in signatures[block].clone() {
                    let name = self.fresh();
                    header.push(format!("{name}: {}", kind.text()));
                    self.define(name, kind);
                }
                let _ = writeln!(self.text, "{}({}):", label(block), header.join(", "));
                self.statements();
            }
            if block + 1 == count {
                self.end(terminator, results);
            } else {
                self.branch(block, &fuel, &signatures, &label);
            }
        }
        self.values.truncate(visible);
    }

    /// A branch to a block with arguments.
    fn target(
        &mut self,
        block: usize,
        fuel: &str,
        signatures: &[Vec<Kind>],
        label: &dyn Fn(usize) -> String,
    ) -> String {
        let mut operands = vec![fuel.to_owned()];
        let mut kinds = vec![Kind::Integer(32)];
        for kind in &signatures[block] {
            operands.push(self.operand(*kind));
            kinds.push(*kind);
        }
        format!(
            "{}({} : {})",
            label(block),
            operands.join(", "),
            texts(&kinds)
        )
    }

    fn branch(
        &mut self,
        block: usize,
        fuel: &str,
        signatures: &[Vec<Kind>],
        label: &dyn Fn(usize) -> String,
    ) {
        let count = signatures.len();
        let later = |random: &mut Random| block + 1 + random.below(count - block - 1);
        match self.random.below(5) {
            0 => {
                let to = later(&mut self.random);
                let target = self.target(to, fuel, signatures, label);
                let _ = writeln!(self.text, "cf.br {target}");
            }
            1 | 2 => {
                let condition = self.operand(Kind::Integer(1));
                let (one, other) = (later(&mut self.random), later(&mut self.random));
                let one = self.target(one, fuel, signatures, label);
                let other = self.target(other, fuel, signatures, label);
                let _ = writeln!(self.text, "cf.cond_br {condition}, {one}, {other}");
            }
            3 => self.switch(block, fuel, signatures, label),
            _ => {
                let back = 1 + self.random.below(block.max(1));
                let to = later(&mut self.random);
                if block == 0 {
                    let target = self.target(to, fuel, signatures, label);
                    let _ = writeln!(self.text, "cf.br {target}");
                    return;
                }
                let (zero, more) = (self.small(Kind::Integer(32), 0, 0), self.fresh());
                let (one, less) = (self.small(Kind::Integer(32), 1, 1), self.fresh());
                let _ = writeln!(self.text, "{more} = arith.cmpi sgt, {fuel}, {zero} : i32");
                let _ = writeln!(self.text, "{less} = arith.subi {fuel}, {one} : i32");
                let back = self.target(back, &less, signatures, label);
                let on = self.target(to, fuel, signatures, label);
                let _ = writeln!(self.text, "cf.cond_br {more}, {back}, {on}");
            }
        }
    }

    fn switch(
        &mut self,
        block: usize,
        fuel: &str,
        signatures: &[Vec<Kind>],
        label: &dyn Fn(usize) -> String,
    ) {
        let scalar = |kind: &&Kind| matches!(kind, Kind::Integer(2..=64));
        let flags: Vec<_> = self.kinds.iter().filter(scalar).copied().collect();
        let kind = flags.first().copied().unwrap_or(Kind::Integer(1));
        let count = signatures.len();
        let flag = self.operand(kind);
        let mut cases = Vec::new();
        for case in [0, 1, -2] {
            if self.random.chance(60) && (kind != Kind::Integer(1) || case == 0) {
                let to = block + 1 + self.random.below(count - block - 1);
                let target = self.target(to, fuel, signatures, label);
                cases.push(format!("{case}: {target}"));
            }
        }
        let to = block + 1 + self.random.below(count - block - 1);
        cases.insert(
            0,
            format!("default: {}", self.target(to, fuel, signatures, label)),
        );
        let _ = writeln!(
            self.text,
            "cf.switch {flag} : {}, [\n{}\n]",
            kind.text(),
            cases.join(",\n")
        );
    }
}

/// A list of types as text.
pub fn texts(kinds: &[Kind]) -> String {
    let texts: Vec<_> = kinds.iter().map(|kind| kind.text()).collect();
    texts.join(", ")
}
