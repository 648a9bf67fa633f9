//! Random instances of the left sides of patterns.

use std::collections::BTreeMap;

use orison_ir::declare::{
    BuildParts, InherentAttribute, OperationDefinition, TypeConstraint, Variadicity,
};
use orison_ir::pattern::PatternDialect;
use orison_ir::pattern::tree::{AttributeTree, OperandKind, OperandTree, OperationTree};
use orison_ir::{
    Attribute, Block, Builder, Context, InsertionPoint, Operation, OperationName, OperationState,
    PrintFlags, Rewriter, Rule, Source, Value, parse_source, print_to_string,
};
use orison_ori::Register;
use orison_ori::modifiers::{MODIFIERS, Modifier, ModifierSet, attribute};
use orison_ori::patterns::OriPatterns;
use orison_ori::semantics::evaluate;
use orison_ori::types::allowed_modifiers;

/// A deterministic random number generator (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: &str) -> Self {
        let fold = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Random(seed.bytes().fold(0xcbf2_9ce4_8422_2325, fold))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Boundary values of integers and of floats.
const WORDS: [u32; 24] = [
    0,
    1,
    2,
    3,
    4,
    8,
    31,
    32,
    33,
    0xff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0xffff_fffe,
    0x3f80_0000,
    0xbf80_0000,
    0x4000_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x0000_0001,
    0x8000_0001,
    0x0080_0000,
    0x7f7f_ffff,
];
/// Named truth tables.
const TABLES: [i32; 12] = [
    0xF0, 0xCC, 0xAA, 0xC0, 0xFC, 0x3C, 0, 0xFF, 0x96, 0xE8, 0x0F, 0xCA,
];
/// The arguments of an instance's function.
const ARGUMENTS: &str = "%a0: !ori.r, %a1: !ori.r, %a2: !ori.r, %u0: !ori.ur, %u1: !ori.ur, \
     %u2: !ori.ur, %d0: !ori.r64, %d1: !ori.r64, %v0: !ori.ur64, %p0: !ori.p, %p1: !ori.p, \
     %p2: !ori.p, %q0: !ori.up, %q1: !ori.up, %q2: !ori.up, %w: !ori.r128";

/// A function with an instance of a rule's left side.
pub struct Instance {
    context: Context,
    module: Operation,
    body: Block,
    root: Operation,
}

struct Maker<'r> {
    random: &'r mut Random,
    context: Context,
    body: Block,
    values: BTreeMap<String, (Value, ModifierSet)>,
    constants: BTreeMap<String, i64>,
    attributes: BTreeMap<String, Option<Attribute>>,
}

fn module() -> (Context, Operation, Block) {
    let mut context = Context::new();
    context.allow_unregistered_dialects(true);
    orison_host::register(&mut context);
    orison_ori::register(&mut context);
    let text = format!("ori.func @f({ARGUMENTS}) target \"sm_100a\" {{\n  ori.ret\n}}");
    let source = Source {
        name: "instance",
        text: &text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the frame is well-formed");
    let function = module
        .body_block(&context, 0)
        .and_then(|block| block.first_op(&context));
    let body = function.and_then(|function| function.body_block(&context, 0));
    (context, module, body.expect("a body"))
}

/// Checks that the operand groups of a pattern exist, and that attributes with a default are written.
pub fn check_declared(rule: &str, tree: &OperationTree) {
    let declared = tree.definition;
    for attribute in declared.attributes {
        let written = tree
            .attributes
            .iter()
            .any(|(key, _)| *key == attribute.name);
        let needed = !attribute.optional || attribute.default.is_some();
        assert!(
            written || !needed,
            "{rule}: '{}' always has '{}': the pattern never fits",
            declared.name,
            attribute.name
        );
    }
    for (group, _) in &tree.groups {
        let known = declared.operands.iter().any(|known| known.name == group);
        assert!(
            known,
            "{rule}: '{}' has no operand '{group}'",
            declared.name
        );
    }
    let groups = tree.groups.iter().map(|(_, operand)| operand);
    for operand in tree.operands.iter().chain(groups) {
        if let OperandKind::Operation(inner) = &operand.kind {
            check_declared(rule, inner);
        }
    }
}

impl Instance {
    /// A random instance; `None` if the chosen operands are incompatible.
    pub fn build(rule: &Rule, random: &mut Random) -> Option<Instance> {
        let tree = rule.pattern?.tree().ok()?;
        let (context, module, body) = module();
        let mut maker = Maker {
            random,
            context,
            body,
            values: BTreeMap::new(),
            constants: BTreeMap::new(),
            attributes: BTreeMap::new(),
        };
        let value = maker.operation(&tree.source)?;
        let mut context = maker.context;
        let root = value.defining_op(&context)?;
        let name = OperationName::new(&mut context, "test.use");
        let mut state = OperationState::new(name, orison_ir::Location::UNKNOWN);
        state.operands.push(value);
        let user = Operation::create(&mut context, &state);
        let end = body.last_op(&context);
        body.insert_before(&mut context, end, user);
        let instance = Instance {
            context,
            module,
            body,
            root,
        };
        instance.is_valid().then_some(instance)
    }

    fn is_valid(&self) -> bool {
        orison_ir::verify(&self.context, self.module).is_ok()
    }

    /// A copy of the instance, parsed from its own text.
    pub fn copy(&self) -> Instance {
        let text = self.text();
        let (mut context, ..) = module();
        let source = Source {
            name: "copy",
            text: &text,
            first_line: 1,
        };
        let module = parse_source(&mut context, source).expect("printed IR parses");
        let function = module
            .body_block(&context, 0)
            .and_then(|block| block.first_op(&context));
        let body = function.and_then(|function| function.body_block(&context, 0));
        let body = body.expect("a body");
        let root = body.first_op(&context).expect("an operation");
        Instance {
            context,
            module,
            body,
            root,
        }
    }

    pub fn text(&self) -> String {
        print_to_string(&self.context, self.module, &PrintFlags::default())
    }

    /// Applies a rule to the root; returns whether it applied, and checks that the result is valid.
    pub fn apply(&mut self, rule: &Rule) -> bool {
        let before = self.text();
        let mut rewriter = Rewriter::new(Builder::new(&mut self.context));
        rewriter.set_insertion_point(InsertionPoint::Before(self.root));
        let applied = (rule.apply)(&mut rewriter, self.root).is_ok();
        assert!(self.is_valid(), "{}: {before}\n{}", rule.name, self.text());
        assert!(
            applied || before == self.text(),
            "{}: changed and declined",
            rule.name
        );
        applied
    }

    fn widths(&self) -> Vec<u32> {
        let arguments = self.body.arguments(&self.context);
        let register = |value: Value| Register::of(&self.context, value.ty(&self.context));
        let words = |value| register(value).and_then(Register::words);
        arguments
            .map(|value| words(value).map_or(1, |words| 32 * words))
            .collect()
    }

    pub fn random_input(&self, random: &mut Random) -> Vec<u128> {
        let widths = self.widths();
        widths
            .into_iter()
            .map(|width| {
                let words = (0..4).map(|_| match random.below(3) {
                    0 => random.next() as u32,
                    _ => random.pick(&WORDS),
                });
                let bits = words.fold(0_u128, |bits, word| bits << 32 | u128::from(word));
                let high_word = matches!(width, 64) && random.chance(50);
                let bits = if high_word {
                    bits & !u128::from(u32::MAX)
                } else {
                    bits
                };
                if width == 128 {
                    bits
                } else {
                    bits & ((1 << width) - 1)
                }
            })
            .collect()
    }

    /// All pairs of 8-bit values, sign-extended, as the first two operands that are not constants;
    /// the others are random.
    pub fn inputs_of_eight_bits(&self, random: &mut Random) -> Vec<Vec<u128>> {
        let base = self.random_input(random);
        let widths = self.widths();
        let arguments: Vec<_> = self.body.arguments(&self.context).collect();
        let used: Vec<_> = (0..arguments.len())
            .filter(|number| !arguments[*number].is_unused(&self.context))
            .filter(|number| widths[*number] >= 32)
            .take(2)
            .collect();
        let all: i64 = if used.is_empty() {
            1
        } else {
            1 << (8 * used.len())
        };
        // Unoptimized, one pair of 61 is enough: 61 and 256 have no common divisor.
        let step = if used.len() == 2 && cfg!(debug_assertions) {
            61
        } else {
            1
        };
        (0..all)
            .step_by(step)
            .map(|number| {
                let mut input = base.clone();
                for (place, argument) in used.iter().enumerate() {
                    let byte = i128::from((number >> (8 * place)) as i8);
                    input[*argument] =
                        byte.cast_unsigned() & ((1 << widths[*argument].min(64)) - 1);
                }
                input
            })
            .collect()
    }

    /// The values returned by the function for given arguments; `None` if they are undefined.
    pub fn evaluate(&self, input: &[u128]) -> Option<u128> {
        let context = &self.context;
        let mut known: BTreeMap<Value, u128> = self
            .body
            .arguments(context)
            .zip(input.iter().copied())
            .collect();
        for op in self.body.operations(context) {
            let operands: Option<Vec<_>> = op
                .operands(context)
                .map(|value| known.get(&value).copied())
                .collect();
            let operands = operands?;
            if op.is(context, "test.use") {
                return operands.first().copied();
            }
            let results = evaluate(context, op, &operands)?;
            known.extend(op.results(context).zip(results));
        }
        None
    }
}

impl Maker<'_> {
    fn operation(&mut self, tree: &OperationTree) -> Option<Value> {
        let declared = tree.definition;
        let location = orison_ir::Location::UNKNOWN;
        let mut groups = Vec::new();
        let mut sets = Vec::new();
        let mut positional = tree.operands.iter();
        for (number, group) in declared.operands.iter().enumerate() {
            let named = tree.groups.iter().filter(|(name, _)| name == group.name);
            let mut trees: Vec<_> = named.map(|(_, tree)| tree).collect();
            if trees.is_empty() && group.variadicity == Variadicity::One {
                trees.extend(positional.next());
            } else if trees.is_empty() && number == 0 {
                trees.extend(positional.by_ref());
            }
            let mut values = Vec::new();
            for tree in trees {
                let (value, set) = self.operand(tree, group.constraint)?;
                values.push(value);
                sets.push(set);
            }
            groups.push(values);
        }
        let mut parts = BuildParts::new(&mut self.context, declared, location);
        for values in &groups {
            parts.operand_group(values);
        }
        for attribute in declared.attributes {
            let wanted = tree
                .attributes
                .iter()
                .find(|(key, _)| *key == attribute.name);
            let Some((_, wanted)) = wanted else {
                continue;
            };
            if let Some(value) = self.attribute(attribute, wanted) {
                parts.attribute(&mut self.context, attribute.name, value);
            }
        }
        if let Some(value) = attribute(&mut self.context, &sets) {
            parts.attribute(&mut self.context, MODIFIERS, value);
        }
        let result = self.result(declared, &groups)?;
        parts.result_group(&[result]);
        let state = parts.finish(&mut self.context);
        let end = self.body.last_op(&self.context)?;
        let mut builder = Builder::at(&mut self.context, InsertionPoint::Before(end));
        let op = builder.create(&state);
        Some(op.result(&self.context, 0))
    }

    fn result(
        &mut self,
        declared: &OperationDefinition,
        groups: &[Vec<Value>],
    ) -> Option<orison_ir::Type> {
        let constraint = declared.results.first()?.constraint;
        let types = groups.iter().flatten().map(|value| value.ty(&self.context));
        let registers = types.map(|ty| Register::of(&self.context, ty));
        let words: u32 = registers.flatten().filter_map(Register::words).sum();
        let register = match declared.name {
            "ori.concat" => Register::general(words),
            "ori.extract" => self.random.pick(&[Register::R, Register::R64]),
            _ => return OriPatterns.type_of(&mut self.context, constraint),
        };
        Some(register.ty(&mut self.context))
    }

    fn operand(
        &mut self,
        tree: &OperandTree,
        constraint: &'static TypeConstraint,
    ) -> Option<(Value, ModifierSet)> {
        let written: ModifierSet = {
            let all = Modifier::ALL.into_iter();
            let is_written = |modifier: &Modifier| {
                OriPatterns
                    .modifier(modifier.keyword())
                    .is_some_and(|bit| tree.modifiers & bit != 0)
            };
            all.filter(is_written).collect()
        };
        match &tree.kind {
            OperandKind::Operation(inner) => Some((self.operation(inner)?, written)),
            OperandKind::Number(bits) => Some((self.immediate(*bits, constraint)?, written)),
            OperandKind::Constant(name) => {
                let known = self.constants.get(name).copied();
                let bits = known.unwrap_or_else(|| self.constant());
                self.constants.insert(name.clone(), bits);
                Some((self.immediate(bits, constraint)?, written))
            }
            OperandKind::Anything => self.any(constraint),
            OperandKind::Value(name) => {
                let (value, inner) = match self.values.get(name) {
                    Some(known) => *known,
                    None => self.any(constraint)?,
                };
                self.values.insert(name.clone(), (value, inner));
                Some((value, inner.iter().chain(written.iter()).collect()))
            }
        }
    }

    /// A constant; sometimes one that adds up to a word's width with an earlier one.
    fn constant(&mut self) -> i64 {
        if let Some(known) = self.constants.values().next().copied()
            && self.random.chance(40)
        {
            return 32 - known;
        }
        match self.random.below(4) {
            0 => i64::from(self.random.pick(&WORDS).cast_signed()),
            1 => i64::from(self.random.next() as i32),
            2 => 1 << self.random.below(31),
            _ => self.random.below(34) as i64,
        }
    }

    fn immediate(&mut self, bits: i64, constraint: &'static TypeConstraint) -> Option<Value> {
        let ty = OriPatterns.type_of(&mut self.context, constraint)?;
        let location = orison_ir::Location::UNKNOWN;
        let state = OriPatterns.constant_state(&mut self.context, bits, ty, location)?;
        let end = self.body.last_op(&self.context)?;
        let mut builder = Builder::at(&mut self.context, InsertionPoint::Before(end));
        let op = builder.create(&state);
        Some(op.result(&self.context, 0))
    }

    /// An argument, or a constant, possibly with modifiers.
    fn any(&mut self, constraint: &'static TypeConstraint) -> Option<(Value, ModifierSet)> {
        let allowed = allowed_modifiers(constraint);
        let set = if self.random.chance(30) {
            allowed
                .iter()
                .copied()
                .filter(|_| self.random.chance(40))
                .collect()
        } else {
            ModifierSet::NONE
        };
        if self.random.chance(15) {
            let bits = self.constant();
            return Some((self.immediate(bits, constraint)?, set));
        }
        let arguments: Vec<_> = self.body.arguments(&self.context).collect();
        let fitting = arguments.into_iter();
        let fits = |value: &Value| (constraint.check)(&self.context, value.ty(&self.context));
        let fitting: Vec<_> = fitting.filter(fits).collect();
        (!fitting.is_empty()).then(|| (self.random.pick(&fitting), set))
    }

    fn attribute(
        &mut self,
        declared: &InherentAttribute,
        tree: &AttributeTree,
    ) -> Option<Attribute> {
        match tree {
            AttributeTree::Present => Some(Attribute::UNIT),
            AttributeTree::Number(number) => Some(Attribute::i32(&mut self.context, *number)),
            AttributeTree::Keyword(set, number) => {
                Some((set.attribute)(&mut self.context, *number))
            }
            AttributeTree::Anything => self.any_attribute(declared),
            AttributeTree::Name(name) => {
                if let Some(known) = self.attributes.get(name) {
                    return *known;
                }
                let value = self.any_attribute(declared);
                self.attributes.insert(name.clone(), value);
                value
            }
        }
    }

    fn any_attribute(&mut self, declared: &InherentAttribute) -> Option<Attribute> {
        if declared.optional && declared.name != "combine" && self.random.chance(50) {
            return None;
        }
        if let Some(set) = declared.constraint.keywords {
            let word = self.random.pick(set.words);
            return set.parse(&mut self.context, word);
        }
        let number = match declared.name {
            "lut" if self.random.chance(60) => self.random.pick(&TABLES),
            "lut" => self.random.below(256) as i32,
            "shift" => self.random.below(32) as i32,
            "word" => self.random.below(4) as i32,
            _ => return Some(Attribute::UNIT),
        };
        Some(Attribute::i32(&mut self.context, number))
    }
}
