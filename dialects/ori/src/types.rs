//! Register types: class and width, and after register allocation the index.

use orison_ir::declare::{ParameterDefinition, TypeBound, TypeConstraint, TypeDefinition};
use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::{Attribute, Context, DialectValue, Parameter, Parameterized, Payload, Type};

use crate::modifiers::Modifier;

/// The largest register tuple of an accumulator: more registers than a thread has.
pub const MAX_ACCUMULATOR: u32 = 255;

/// A virtual register: its register class and width.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Register {
    /// `!ori.r`: 32 bits in a general register, one value per thread.
    R,
    /// `!ori.r64`: an aligned pair of general registers.
    R64,
    /// `!ori.r128`: four aligned general registers.
    R128,
    /// `!ori.ur`: 32 bits, one value per warp.
    Ur,
    /// `!ori.ur64`: an aligned pair of uniform registers.
    Ur64,
    /// `!ori.p`: a predicate, one bit per thread.
    P,
    /// `!ori.up`: a uniform predicate, one bit per warp.
    Up,
    /// `!ori.b`: a convergence barrier.
    B,
    /// `!ori.acc<n>`: n consecutive general registers, n from 1 to [`MAX_ACCUMULATOR`].
    Accumulator(u32),
}

impl Register {
    /// The class and width that a type denotes, of a virtual or a physical register.
    #[inline]
    pub fn of(context: &Context, ty: Type) -> Option<Self> {
        let payload = ty.payload(context)?;
        let physical = || payload.downcast().map(|found: &Physical| found.register);
        payload.downcast().copied().or_else(physical)
    }

    /// The type of the register.
    pub fn ty(self, context: &mut Context) -> Type {
        Type::typed(context, self)
    }

    /// The full name of the type.
    const fn name(self) -> &'static str {
        match self {
            Register::R => "ori.r",
            Register::R64 => "ori.r64",
            Register::R128 => "ori.r128",
            Register::Ur => "ori.ur",
            Register::Ur64 => "ori.ur64",
            Register::P => "ori.p",
            Register::Up => "ori.up",
            Register::B => "ori.b",
            Register::Accumulator(_) => "ori.acc",
        }
    }

    /// Width in 32-bit words; `None` for predicates and barriers.
    pub const fn words(self) -> Option<u32> {
        match self {
            Register::R | Register::Ur => Some(1),
            Register::R64 | Register::Ur64 => Some(2),
            Register::R128 => Some(4),
            Register::Accumulator(count) => Some(count),
            Register::P | Register::Up | Register::B => None,
        }
    }

    /// The prefix of the names of physical registers.
    pub const fn prefix(self) -> &'static str {
        match self {
            Register::R | Register::R64 | Register::R128 | Register::Accumulator(_) => "R",
            Register::Ur | Register::Ur64 => "UR",
            Register::P => "P",
            Register::Up => "UP",
            Register::B => "B",
        }
    }

    /// The number of registers of the file, on the machine that has the most, without the constant
    /// one.
    const fn file_size(self) -> u32 {
        match self {
            Register::P | Register::Up => 7,
            Register::B => 16,
            _ => 255,
        }
    }

    /// The number of which the index of the first register is a multiple.
    pub const fn alignment(self) -> u32 {
        match self {
            Register::R64 | Register::Ur64 => 2,
            Register::R128 => 4,
            _ => 1,
        }
    }

    /// Whether all threads of a warp share the value.
    pub const fn is_uniform(self) -> bool {
        matches!(self, Register::Ur | Register::Ur64 | Register::Up)
    }

    /// An accumulator; one of zero registers, which is invalid, for a number out of range.
    fn accumulator(count: i64) -> Self {
        Register::Accumulator(u32::try_from(count).unwrap_or(0))
    }

    /// The general register type of a width in 32-bit words: the narrowest type of exactly this
    /// width.
    pub const fn general(words: u32) -> Self {
        match words {
            1 => Register::R,
            2 => Register::R64,
            4 => Register::R128,
            count => Register::Accumulator(count),
        }
    }
}

/// The types of the dialect.
pub static TYPES: [&TypeDefinition; 9] = [
    &R_TYPE, &R64_TYPE, &R128_TYPE, &UR_TYPE, &UR64_TYPE, &P_TYPE, &UP_TYPE, &B_TYPE, &ACC_TYPE,
];

/// Declares types of registers without a parameter.
macro_rules! plain_types {
    ($($definition:ident = $register:ident: $documentation:literal;)*) => { $(
        static $definition: TypeDefinition = TypeDefinition {
            parse: |parser, _| match parser.eat(TokenKind::Less)? {
                true => Physical::parse_index(parser, Register::$register).map(Payload::new),
                false => Ok(Payload::new(Register::$register)),
            },
            print: print_index,
            verify: verify_register,
            ..TypeDefinition::without_parameters(Register::$register.name(), $documentation)
        };
    )* };
}

plain_types! {
    R_TYPE = R: "A general register of 32 bits.\n\nOne value per thread; `R0` to `R254`.";
    R64_TYPE = R64: "A pair of general registers, 64 bits.\n\nThe first register has an even number.";
    R128_TYPE = R128: "Four general registers, 128 bits.\n\nThe number of the first register is a multiple of four.";
    UR_TYPE = Ur: "A uniform register of 32 bits.\n\nOne value per warp; from sm_75 on.";
    UR64_TYPE = Ur64: "A pair of uniform registers, 64 bits.\n\nThe first register has an even number.";
    P_TYPE = P: "A predicate.\n\nOne bit per thread; `P0` to `P6`.";
    UP_TYPE = Up: "A uniform predicate.\n\nOne bit per warp; `UP0` to `UP6`.";
    B_TYPE = B: "A convergence barrier.\n\nHolds the threads that reconverge; `B0` to `B15`.";
}

static ACC_TYPE: TypeDefinition = TypeDefinition {
    parse: |parser, definition| {
        let register = Register::parse(parser, definition)?;
        if parser.eat(TokenKind::Comma)? {
            return Physical::parse_index(parser, register).map(Payload::new);
        }
        parser.expect(TokenKind::Greater, "expected '>'")?;
        Ok(Payload::new(register))
    },
    print: print_index,
    verify: verify_register,
    visit: |payload, visit| match payload.downcast::<Physical>() {
        Some(physical) => physical.parameters(visit),
        None => payload
            .downcast()
            .into_iter()
            .for_each(|found: &Register| found.parameters(visit)),
    },
    ..TypeDefinition::parameterized::<Register>(
        Register::Accumulator(1).name(),
        "Consecutive general registers, allocation class 6.\n\n`!ori.acc<32>`: the accumulator of a \
         warp-group product, a block of tensor memory, or another tuple that is wider than 128 bits.",
        &[ParameterDefinition {
            name: "count",
            documentation: "number of 32-bit registers, from 1 to 255",
        }],
    )
};

/// A physical register: a register type with the index of its first register, `!ori.r64<R2>`. The
/// result of register allocation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Physical {
    /// Class and width.
    pub register: Register,
    /// The index of the first register in its file.
    pub index: u8,
}

impl Physical {
    /// The physical register that a type denotes.
    #[inline]
    pub fn of(context: &Context, ty: Type) -> Option<Self> {
        ty.downcast(context).copied()
    }

    /// The type of the register.
    pub fn ty(self, context: &mut Context) -> Type {
        Type::typed(context, self)
    }

    /// Parses `R2>`.
    fn parse_index(parser: &mut Parser<'_>, register: Register) -> ParseResult<Self> {
        let digits = parser.current().strip_prefix(register.prefix());
        let index = digits.filter(|_| parser.at(TokenKind::BareIdentifier));
        let Some(index) = index.and_then(|digits| digits.parse().ok()) else {
            let message = format!("expected a register, '{}0' and so on", register.prefix());
            return Err(parser.error(&message));
        };
        parser.advance()?;
        parser.expect(TokenKind::Greater, "expected '>'")?;
        Ok(Physical { register, index })
    }
}

/// The text and the parameters are those of the register type.
impl DialectValue for Physical {
    fn definition(&self) -> &'static TypeDefinition {
        self.register.definition()
    }

    fn parse(parser: &mut Parser<'_>, _: &'static TypeDefinition) -> ParseResult<Self> {
        parser.expect(TokenKind::Less, "expected '<'")?;
        Physical::parse_index(parser, Register::R)
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.write("<");
        if let Register::Accumulator(count) = self.register {
            printer.integer(count.into());
            printer.write(", ");
        }
        printer.write(self.register.prefix());
        printer.integer(self.index.into());
        printer.write(">");
    }

    fn parameters(&self, visit: &mut dyn FnMut(Parameter<'_>)) {
        self.register.parameters(visit);
        visit(Parameter::Integer(Type::I64, self.index.into()));
    }

    fn verify(&self, context: &Context) -> Result<(), String> {
        self.register.verify(context)?;
        let (index, alignment) = (u32::from(self.index), self.register.alignment());
        let prefix = self.register.prefix();
        if index % alignment != 0 {
            return Err(format!("{prefix}{index} is not a multiple of {alignment}"));
        }
        let end = index + self.register.words().unwrap_or(1);
        match self.register.file_size() {
            count if end > count => Err(format!("{prefix}{} is not a register", end - 1)),
            _ => Ok(()),
        }
    }
}

/// Prints the text of a virtual or a physical register after the name of its type.
fn print_index(payload: &Payload, printer: &mut Printer<'_>) {
    match (
        payload.downcast::<Register>(),
        payload.downcast::<Physical>(),
    ) {
        (Some(register), _) => register.print(printer),
        (_, Some(physical)) => physical.print(printer),
        _ => {}
    }
}

fn verify_register(payload: &Payload, context: &Context) -> Result<(), String> {
    match (
        payload.downcast::<Register>(),
        payload.downcast::<Physical>(),
    ) {
        (Some(register), _) => register.verify(context),
        (_, Some(physical)) => physical.verify(context),
        _ => Ok(()),
    }
}

/// The text and the parameters are those of an accumulator; other registers have none.
impl DialectValue for Register {
    fn definition(&self) -> &'static TypeDefinition {
        match self {
            Register::R => &R_TYPE,
            Register::R64 => &R64_TYPE,
            Register::R128 => &R128_TYPE,
            Register::Ur => &UR_TYPE,
            Register::Ur64 => &UR64_TYPE,
            Register::P => &P_TYPE,
            Register::Up => &UP_TYPE,
            Register::B => &B_TYPE,
            Register::Accumulator(_) => &ACC_TYPE,
        }
    }

    fn parse(parser: &mut Parser<'_>, _: &'static TypeDefinition) -> ParseResult<Self> {
        parser.expect(TokenKind::Less, "expected '<' and a number of registers")?;
        let count = parser.parse_integer("expected a number of registers")?;
        Ok(Register::accumulator(count))
    }

    fn print(&self, printer: &mut Printer<'_>) {
        if let Register::Accumulator(count) = *self {
            printer.write("<");
            printer.integer(count.into());
            printer.write(">");
        }
    }

    fn verify(&self, _: &Context) -> Result<(), String> {
        match self {
            Register::Accumulator(count) if !(1..=MAX_ACCUMULATOR).contains(count) => Err(format!(
                "number of registers must be from 1 to {MAX_ACCUMULATOR}"
            )),
            _ => Ok(()),
        }
    }

    fn parameters(&self, visit: &mut dyn FnMut(Parameter<'_>)) {
        if let Register::Accumulator(count) = *self {
            visit(Parameter::Integer(Type::I64, count.into()));
        }
    }
}

impl Parameterized for Register {
    fn from_parameters(
        context: &Context,
        _: &'static TypeDefinition,
        parameters: &[Attribute],
    ) -> Option<Self> {
        let [count] = parameters else { return None };
        count.as_i64(context).map(Register::accumulator)
    }
}

/// A register of each type.
const EACH: [Register; 9] = [
    Register::R,
    Register::R64,
    Register::R128,
    Register::Ur,
    Register::Ur64,
    Register::P,
    Register::Up,
    Register::B,
    // Any count serves: it is a parameter and not part of the name; 4 is valid in every set with
    // accumulators.
    Register::Accumulator(4),
];

/// Moves the included types to the front; returns them and their number.
const fn chosen(included: [bool; EACH.len()]) -> ([TypeBound; EACH.len()], usize) {
    let mut bounds = [TypeBound::Named(""); EACH.len()];
    let (mut number, mut count) = (0, 0);
    while number < EACH.len() {
        if included[number] {
            bounds[count] = TypeBound::Named(EACH[number].name());
            count += 1;
        }
        number += 1;
    }
    (bounds, count)
}

/// Defines register sets for declarations, each with the modifiers allowed for its operands.
macro_rules! operand_sets {
    ($( $(#[$doc:meta])* $name:ident = $summary:literal, $pattern:pat, [$($modifier:ident),*]; )*) => {
        $(
            $(#[$doc])*
            pub static $name: TypeConstraint = TypeConstraint::new($summary, |context, ty| {
                matches!(Register::of(context, ty), Some($pattern))
            })
            .within({
                const IN: [bool; EACH.len()] = {
                    let mut included = [false; EACH.len()];
                    let mut number = 0;
                    while number < EACH.len() {
                        included[number] = matches!(EACH[number], $pattern);
                        number += 1;
                    }
                    included
                };
                const BOUNDS: &([TypeBound; EACH.len()], usize) = &chosen(IN);
                BOUNDS.0.split_at(BOUNDS.1).0
            });
        )*

        /// The modifiers allowed for an operand declared with a register set.
        pub fn allowed_modifiers(set: &TypeConstraint) -> &'static [Modifier] {
            $( if std::ptr::eq(set, &$name) { return &[$(Modifier::$modifier),*]; } )*
            &[]
        }
    };
}

operand_sets! {
    /// A 32-bit register.
    R = "32-bit register", Register::R, [];
    /// A register pair.
    R64 = "64-bit register", Register::R64, [];
    /// Four consecutive registers.
    R128 = "128-bit register", Register::R128, [];
    /// A uniform register.
    UR = "uniform register", Register::Ur, [];
    /// A uniform pair.
    UR64 = "64-bit uniform register", Register::Ur64, [];
    /// A predicate result.
    P = "predicate", Register::P, [];
    /// A uniform predicate result.
    UP = "uniform predicate", Register::Up, [];
    /// A convergence barrier.
    B = "convergence barrier", Register::B, [];
    /// Consecutive registers.
    ACC = "accumulator", Register::Accumulator(_), [];
    /// Any register.
    REGISTER = "register", Register::R | Register::R64 | Register::R128 | Register::Ur | Register::Ur64 | Register::P | Register::Up | Register::B | Register::Accumulator(_), [];
    /// A loaded or stored value.
    DATA = "general register of any width", Register::R | Register::R64 | Register::R128 | Register::Accumulator(_), [];
    /// 32 bits, per thread or uniform.
    SOURCE = "32-bit register", Register::R | Register::Ur, [];
    /// 32 bits as an integer, with negation or inversion.
    INTEGER = "32-bit register, optionally negated", Register::R | Register::Ur, [Negate, Invert];
    /// 32 bits as a float.
    FLOAT = "32-bit register, optionally negated or absolute", Register::R | Register::Ur, [Negate, Absolute];
    /// Two halves of a 32-bit register.
    HALF2 = "pair of halves, optionally negated, absolute or broadcast", Register::R | Register::Ur, [Negate, Absolute, LowHalf, HighHalf];
    /// 64 bits, per thread or uniform.
    WIDE = "64-bit register", Register::R64 | Register::Ur64, [];
    /// 64 bits as an integer.
    WIDE_INTEGER = "64-bit register, optionally negated", Register::R64 | Register::Ur64, [Negate, Invert];
    /// 64 bits as a float.
    DOUBLE = "64-bit register, optionally negated or absolute", Register::R64 | Register::Ur64, [Negate, Absolute];
    /// Two floats in a pair.
    FLOAT2 = "64-bit register of two floats, optionally negated", Register::R64 | Register::Ur64, [Negate];
    /// 32 or 64 bits, selected by a modifier.
    SOURCE_OR_WIDE = "32- or 64-bit register, optionally negated or absolute", Register::R | Register::Ur | Register::R64 | Register::Ur64, [Negate, Absolute];
    /// A result of 32 or 64 bits.
    R_OR_R64 = "32- or 64-bit register", Register::R | Register::R64, [];
    /// A uniform result of 32 or 64 bits.
    UR_OR_UR64 = "32- or 64-bit uniform register", Register::Ur | Register::Ur64, [];
    /// A predicate operand.
    PREDICATE = "predicate, optionally inverted", Register::P | Register::Up, [Invert];
    /// 32 uniform bits.
    UNIFORM = "uniform register", Register::Ur, [];
    /// 32 uniform bits as an integer.
    UNIFORM_INTEGER = "uniform register, optionally negated", Register::Ur, [Negate, Invert];
    /// 32 uniform bits as a float.
    UNIFORM_FLOAT = "uniform register, optionally negated or absolute", Register::Ur, [Negate, Absolute];
    /// 64 uniform bits.
    UNIFORM_WIDE = "64-bit uniform register", Register::Ur64, [];
    /// 64 uniform bits as an integer.
    UNIFORM_WIDE_INTEGER = "64-bit uniform register, optionally negated", Register::Ur64, [Negate, Invert];
    /// A uniform predicate operand.
    UNIFORM_PREDICATE = "uniform predicate, optionally inverted", Register::Up, [Invert];
    /// The per-thread part of an address.
    ADDRESS = "32- or 64-bit register", Register::R | Register::R64, [];
    /// The uniform part of an address.
    UNIFORM_ADDRESS = "32- or 64-bit uniform register", Register::Ur | Register::Ur64, [];
    /// A factor of a matrix product, in registers of the thread.
    FRAGMENT = "general register of any width", Register::R | Register::R64 | Register::R128 | Register::Accumulator(_), [];
    /// A factor of a warp-group product: registers or a shared-memory descriptor.
    FRAGMENT_OR_DESCRIPTOR = "four registers or a 64-bit descriptor", Register::R128 | Register::Accumulator(4) | Register::R64 | Register::Ur64, [Negate];
    /// A shared-memory descriptor.
    DESCRIPTOR = "64-bit descriptor", Register::R64 | Register::Ur64, [Negate];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_register_is_the_register_of_its_type() {
        let mut context = Context::new();
        crate::register(&mut context);
        let all = EACH.into_iter();
        let all = all.chain([1, 8, MAX_ACCUMULATOR].map(Register::Accumulator));
        for register in all {
            let ty = register.ty(&mut context);
            assert_eq!(Register::of(&context, ty), Some(register));
        }
        assert_eq!(Register::of(&context, Type::I32), None);
    }

    #[test]
    fn sets_with_equal_members_keep_their_own_modifiers() {
        assert_eq!(allowed_modifiers(&SOURCE), []);
        assert_eq!(
            allowed_modifiers(&FLOAT),
            [Modifier::Negate, Modifier::Absolute]
        );
        assert_eq!(allowed_modifiers(&PREDICATE), [Modifier::Invert]);
    }

    #[test]
    fn the_general_register_of_a_width_has_that_width() {
        for words in 1..=16 {
            assert_eq!(Register::general(words).words(), Some(words));
        }
    }
}
