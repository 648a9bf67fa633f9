//! The registers that the phase sees: variables of the source, not values.
//!
//! ptxas does not rename accumulators: all definitions of a PTX register are one register, and a
//! product with an accumulator works in place (measured). An import with `--ptx-locations` names
//! the locations of operations after the registers they write; a definition without a name belongs
//! to the web of its value: definitions with a common use, and the accumulators before and after a
//! product.
//!
//! A value without a name that holds no product's result is in no register of a product: register
//! allocation copies it where a tuple begins, and may copy it to several.

use orison_ir::{Context, LocationKind, Operation, Value};
use orison_ori::Register;
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::analyses::properties;
use orison_ori::operations::matrix::WgmmaMma;
use orison_ori::operations::moves::{Concat, Extract, Imm};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ori::form_accumulators::operations;
use crate::ori::functions::Function;

/// A register of the source, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::ori) struct Variable(u32);

/// A web of definitions.
type Web = usize;

/// The variables of a function that matter to products.
#[derive(Debug, Default)]
pub(in crate::ori) struct Variables {
    webs: Webs,
    names: FxHashMap<String, Variable>,
    /// The variables of the words of each product's accumulator.
    tuples: FxHashMap<Operation, Vec<Variable>>,
    /// Webs that hold the result of a product.
    products: FxHashSet<Web>,
    /// Values that hold the result of a product, or have a name: they stay where they are.
    kept: FxHashSet<Value>,
    /// Values that are copied to an accumulator.
    copied: FxHashSet<Value>,
    /// Variables that products read and write in place.
    pub tied: FxHashSet<Variable>,
    /// Variables that products only write, and that other definitions meet.
    pub met: FxHashSet<Variable>,
    /// Variables of left factors in registers.
    pub factors: FxHashSet<Variable>,
    /// Webs of left factors.
    factor_webs: FxHashSet<Web>,
    /// Webs of the left factor of each product.
    own_factor_webs: FxHashMap<Operation, Vec<Web>>,
    /// A name of each web of left factors.
    factor_names: FxHashMap<Web, Variable>,
    /// A name of each web of accumulators.
    accumulator_names: FxHashMap<Web, Variable>,
    /// The constants in the accumulator of each product that needs none; in functions with loops.
    constants: FxHashMap<Operation, FxHashSet<Operation>>,
    /// These constants.
    captured: FxHashSet<Operation>,
    /// Whether the function has loops.
    has_loops: bool,
}

impl Variables {
    /// Collects the variables of a function. Close to linear in its operands.
    pub fn of(context: &Context, function: Function) -> Self {
        let mut variables = Variables::default();
        let all = operations(context, function);
        variables.kept = kept(context, &all);
        for op in &all {
            variables.connect(context, *op);
        }
        let products: Vec<WgmmaMma> = all
            .iter()
            .filter_map(|op| WgmmaMma::of(context, *op))
            .collect();
        for product in &products {
            let result = product.result(context);
            for word in 0..words(context, result) {
                let web = variables.webs.web(result, word);
                variables.products.insert(web);
            }
            variables.note_copied(context, *product);
            for (value, word) in factor_words(context, *product) {
                let web = variables.webs.web(value, word);
                variables.factor_webs.insert(web);
                let own = variables.own_factor_webs.entry(product.operation());
                own.or_default().push(web);
            }
        }
        variables.name_definitions(context, &all);
        variables.name_products(context, &products, &all);
        variables
    }

    /// Joins the words that an operation passes on without an instruction.
    fn connect(&mut self, context: &Context, op: Operation) {
        if let Some(extract) = Extract::of(context, op) {
            let first = extract
                .word(context)
                .and_then(|word| u32::try_from(word).ok());
            let (whole, part) = (extract.whole(context), extract.part(context));
            for word in 0..words(context, part) {
                let from = (whole, first.unwrap_or(0) + word);
                self.webs.join(from, (part, word));
            }
        } else if let Some(concat) = Concat::of(context, op) {
            let whole = concat.whole(context);
            // Factors are copied: each definition of one is a register of its own, unless it is passed
            // on as a whole.
            if is_tuple(context, whole) || is_passed(context, whole) {
                let mut at = 0;
                for part in op.operands(context) {
                    for word in 0..words(context, part) {
                        if self.kept.contains(&part) {
                            self.webs.join((part, word), (whole, at));
                        }
                        at += 1;
                    }
                }
            }
        } else if let Some(product) = WgmmaMma::of(context, op) {
            let result = product.result(context);
            let before = product.accumulator(context);
            let otherwise = op.operands_named(context, "otherwise");
            for value in before.into_iter().chain(otherwise) {
                self.connect_words(context, value, result);
            }
        } else if matches!(role(context, op), Some(Role::Wait(_))) {
            let passed = op.operands_named(context, "accumulators");
            for (value, complete) in passed.into_iter().zip(op.results(context)) {
                self.connect_words(context, value, complete);
            }
        } else {
            for (value, result) in properties::otherwise(context, op)
                .into_iter()
                .zip(op.results(context))
            {
                self.connect_words(context, value, result);
            }
            for (block, passed) in op.edges(context) {
                for (number, argument) in passed.into_iter().flatten().zip(block.arguments(context))
                {
                    self.connect_words(context, op.operand(context, number), argument);
                }
            }
        }
    }

    /// Notes what is copied to the accumulator of a product. Constants are put there in front of its fence.
    fn note_copied(&mut self, context: &Context, product: WgmmaMma) {
        let accumulator = product.accumulator(context);
        let concat = accumulator.and_then(|value| value.defining_op(context));
        if let Some(concat) = concat.filter(|op| Concat::matches(context, *op)) {
            let is_constant = |part: &Value| {
                let made = part.defining_op(context);
                made.is_some_and(|op| Imm::of(context, op).is_some())
            };
            let parts = concat.operands(context);
            let parts = parts.filter(|part| !self.kept.contains(part) && !is_constant(part));
            self.copied.extend(parts);
        }
    }

    /// Whether an operation makes values that are copied to an accumulator.
    pub fn makes_copied(&self, context: &Context, op: Operation) -> bool {
        let mut written = written(context, op).into_iter();
        !self.copied.is_empty() && written.any(|(value, _)| self.copied.contains(&value))
    }

    fn connect_words(&mut self, context: &Context, a: Value, b: Value) {
        if !self.kept.contains(&a) {
            return;
        }
        for word in 0..words(context, a).min(words(context, b)) {
            self.webs.join((a, word), (b, word));
        }
    }

    /// Gives the factors their variables: those of all definitions of their webs.
    fn name_definitions(&mut self, context: &Context, all: &[Operation]) {
        for op in all.iter().filter(|op| is_definition(context, **op)) {
            for (value, name) in written(context, *op) {
                let web = self.webs.web(value, 0);
                if self.factor_webs.contains(&web) {
                    let variable = self.variable(name, web);
                    self.factors.insert(variable);
                    self.factor_names.entry(web).or_insert(variable);
                }
            }
        }
    }

    /// Gives the accumulators their variables.
    fn name_products(&mut self, context: &Context, products: &[WgmmaMma], all: &[Operation]) {
        let mut members: FxHashMap<Web, u32> = FxHashMap::default();
        for op in all.iter().filter(|op| is_definition(context, **op)) {
            for result in op.results(context) {
                for word in 0..words(context, result) {
                    *members.entry(self.webs.web(result, word)).or_default() += 1;
                }
            }
        }
        for product in products {
            let (op, result) = (product.operation(), product.result(context));
            let count = words(context, result);
            let names = name_of(context, op).map(|text| tuple_names(&text));
            let names = names.filter(|names| names.len() == count as usize);
            let in_place = product.accumulator(context).is_some();
            let mut tuple = Vec::new();
            for word in 0..count {
                let web = self.webs.web(result, word);
                let name = names.as_ref().map(|names| names[word as usize].clone());
                let variable = self.variable(name, web);
                self.accumulator_names.entry(web).or_insert(variable);
                if in_place {
                    self.tied.insert(variable);
                } else if members.get(&web).is_some_and(|count| *count > 1) {
                    self.met.insert(variable);
                }
                tuple.push(variable);
            }
            self.tuples.insert(op, tuple);
        }
        self.met.retain(|variable| !self.tied.contains(variable));
    }

    fn variable(&mut self, name: Option<String>, web: Web) -> Variable {
        let next = Variable(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        let name = name.unwrap_or_else(|| format!("web {web}"));
        *self.names.entry(name).or_insert(next)
    }

    /// A variable that nothing else is.
    pub fn fresh(&mut self) -> Variable {
        let number = self.names.len();
        self.variable(Some(format!("fresh {number}")), 0)
    }

    /// The variables of a product's accumulator, word by word.
    pub fn tuple(&self, product: Operation) -> &[Variable] {
        self.tuples.get(&product).map_or(&[], Vec::as_slice)
    }

    /// The webs of a product's left factor, if it is in registers.
    pub fn factor_webs(&self, product: Operation) -> &[Web] {
        let webs = self.own_factor_webs.get(&product);
        webs.map_or(&[], Vec::as_slice)
    }

    /// The variables of a product's left factor, if it is in registers.
    pub fn factor(&self, product: Operation) -> Vec<Variable> {
        let webs = self.factor_webs(product).iter();
        webs.filter_map(|web| self.factor_names.get(web).copied())
            .collect()
    }

    /// The variables of accumulators and left factors that a value is in.
    pub fn of_value(&mut self, context: &Context, value: Value) -> Vec<Variable> {
        let webs = (0..words(context, value)).map(|word| self.webs.web(value, word));
        let names = [&self.accumulator_names, &self.factor_names];
        let name = |web: Web| names.iter().find_map(|names| names.get(&web).copied());
        webs.filter_map(name).collect()
    }

    /// Keeps constants in the registers of accumulators, as ptxas does in functions with loops: those
    /// that products take, also if the product does not need its accumulator because it is zero.
    pub fn keep_constants(&mut self, context: &Context, function: Function) {
        self.has_loops = true;
        for block in function.body.blocks(context) {
            let mut last: FxHashMap<Variable, Operation> = FxHashMap::default();
            for op in block.operations(context) {
                if let Some(product) = WgmmaMma::of(context, op) {
                    let is_read = !product.result(context).is_unused(context);
                    for variable in self.tuples.get(&op).into_iter().flatten() {
                        let constant = last.remove(variable).filter(|_| is_read);
                        if let Some(constant) = constant {
                            self.constants.entry(op).or_default().insert(constant);
                            self.captured.insert(constant);
                        }
                    }
                    continue;
                }
                for (_, name) in written(context, op) {
                    let variable = name.and_then(|name| self.names.get(&name).copied());
                    let Some(variable) = variable else { continue };
                    match Imm::of(context, op) {
                        Some(_) => last.insert(variable, op),
                        None => last.remove(&variable),
                    };
                }
            }
        }
    }

    /// The constants in the registers of a product without accumulator before it.
    pub fn constants(&self, product: Operation) -> impl Iterator<Item = Operation> + '_ {
        self.constants.get(&product).into_iter().flatten().copied()
    }

    /// Whether a product without accumulator has a constant in its registers before.
    pub fn takes_constant(&self, product: Operation, constant: Operation) -> bool {
        let own = self.constants.get(&product);
        own.is_some_and(|own| own.contains(&constant))
    }

    /// Whether an operation that reads a value reads a register of products: constants are forwarded
    /// to their uses, except for those that are kept.
    pub fn is_read_there(&mut self, context: &Context, value: Value) -> bool {
        let constant = value.defining_op(context);
        match constant.filter(|op| Imm::of(context, *op).is_some()) {
            Some(op) if self.captured.contains(&op) => true,
            Some(_) if !self.has_loops => false,
            _ => self.is_accumulator(context, value),
        }
    }

    /// Whether a value is in a register that a product writes or reads as accumulator.
    pub fn is_accumulator(&mut self, context: &Context, value: Value) -> bool {
        let mut all = 0..words(context, value);
        all.any(|word| self.products.contains(&self.webs.web(value, word)))
    }

    /// The accumulators and factors that an operation writes: the variable and the value.
    pub fn written(&mut self, context: &Context, op: Operation) -> Vec<(Variable, Value)> {
        let mut found = Vec::new();
        for (value, name) in written(context, op) {
            let web = self.webs.web(value, 0);
            let known = match &name {
                Some(name) => self.names.get(name).copied(),
                None => self.names.get(&format!("web {web}")).copied(),
            };
            let matters = |variable: &Variable| {
                let sets = [&self.tied, &self.met, &self.factors];
                sets.iter().any(|set| set.contains(variable))
            };
            let known = known.filter(matters);
            found.extend(known.map(|variable| (variable, value)));
        }
        found
    }
}

/// The values that stay in their registers where they meet others: results of products, also through
/// parts, tuples, waits and block arguments, and what has a name. Linear in the operands.
fn kept(context: &Context, all: &[Operation]) -> FxHashSet<Value> {
    let mut pending: Vec<Value> = Vec::new();
    let mut becomes: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
    for op in all {
        if WgmmaMma::matches(context, *op) || name_of(context, *op).is_some() {
            pending.extend(op.results(context));
        }
        for (value, same) in passed_on(context, *op) {
            becomes.entry(value).or_default().push(same);
        }
    }
    let mut kept: FxHashSet<Value> = FxHashSet::default();
    while let Some(value) = pending.pop() {
        if kept.insert(value) {
            pending.extend(becomes.get(&value).into_iter().flatten());
        }
    }
    kept
}

/// The values that an operation passes on without an instruction, and what they become.
fn passed_on(context: &Context, op: Operation) -> Vec<(Value, Value)> {
    if Extract::matches(context, op) || Concat::matches(context, op) {
        let whole = op.result(context, 0);
        return op.operands(context).map(|value| (value, whole)).collect();
    }
    if matches!(role(context, op), Some(Role::Wait(_))) {
        let passed = op.operands_named(context, "accumulators").into_iter();
        return passed.zip(op.results(context)).collect();
    }
    let otherwise = properties::otherwise(context, op).into_iter();
    let mut found: Vec<_> = otherwise.zip(op.results(context)).collect();
    for (block, passed) in op.edges(context) {
        let passed = passed.into_iter().flatten();
        let values = passed.map(|number| op.operand(context, number));
        found.extend(values.zip(block.arguments(context)));
    }
    found
}

/// The words of a left factor in registers: the parts that it is concatenated from, or its own.
fn factor_words(context: &Context, product: WgmmaMma) -> Vec<(Value, u32)> {
    let factor = product.a(context);
    if Register::of(context, factor.ty(context)) != Some(Register::R128) {
        return Vec::new();
    }
    match factor.defining_op(context) {
        Some(concat) if Concat::matches(context, concat) && !is_passed(context, factor) => {
            concat.operands(context).map(|part| (part, 0)).collect()
        }
        _ => (0..4).map(|word| (factor, word)).collect(),
    }
}

/// Whether a branch passes a value.
fn is_passed(context: &Context, value: Value) -> bool {
    let mut users = value.users(context);
    users.any(|user| user.successor_count(context) > 0)
}

/// The number of words of a value; 0 for predicates and barriers.
pub(in crate::ori) fn words(context: &Context, value: Value) -> u32 {
    let register = Register::of(context, value.ty(context));
    register.and_then(Register::words).unwrap_or(0)
}

/// Whether a value is an accumulator or a tuple of that form.
fn is_tuple(context: &Context, value: Value) -> bool {
    matches!(
        Register::of(context, value.ty(context)),
        Some(Register::Accumulator(_))
    )
}

/// Whether an operation defines its results, rather than passing values on.
fn is_definition(context: &Context, op: Operation) -> bool {
    !Extract::matches(context, op)
        && !Concat::matches(context, op)
        && !matches!(role(context, op), Some(Role::Wait(_)))
}

/// The one-word values that an operation writes, and their names: its results, or the parts that
/// are taken from a wider one.
fn written(context: &Context, op: Operation) -> Vec<(Value, Option<String>)> {
    let mut found = Vec::new();
    for result in op.results(context) {
        match Register::of(context, result.ty(context)) {
            Some(Register::R) => found.push((result, name_of(context, op))),
            Some(Register::R64 | Register::R128) => {
                for user in result.users(context) {
                    if let Some(extract) = Extract::of(context, user) {
                        found.push((extract.part(context), name_of(context, user)));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The name of the registers that an operation writes.
pub(in crate::ori) fn name_of(context: &Context, op: Operation) -> Option<String> {
    match op.location(context).kind(context) {
        LocationKind::Name { name, .. } => Some(name.text(context).to_owned()),
        _ => None,
    }
}

/// The names in `{%d0, %d1}`.
fn tuple_names(text: &str) -> Vec<String> {
    let inner = text.trim_start_matches('{').trim_end_matches('}');
    inner.split(", ").map(str::to_owned).collect()
}

/// Disjoint sets of words of values.
#[derive(Debug, Default)]
struct Webs {
    number: FxHashMap<(Value, u32), Web>,
    parent: Vec<Web>,
}

impl Webs {
    fn node(&mut self, word: (Value, u32)) -> Web {
        let next = self.parent.len();
        let node = *self.number.entry(word).or_insert(next);
        if node == next {
            self.parent.push(next);
        }
        node
    }

    fn web(&mut self, value: Value, word: u32) -> Web {
        let mut node = self.node((value, word));
        while self.parent[node] != node {
            self.parent[node] = self.parent[self.parent[node]];
            node = self.parent[node];
        }
        node
    }

    fn join(&mut self, a: (Value, u32), b: (Value, u32)) {
        let (a, b) = (self.web(a.0, a.1), self.web(b.0, b.1));
        self.parent[a.max(b)] = a.min(b);
    }
}
