//! Operands.

use crate::registers::Register;

/// A source or destination register with its modifiers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RegisterOperand {
    /// The register, the first one if the operand is wider.
    pub register: Register,
    /// `-`: the negative.
    pub negate: bool,
    /// `|…|`: the absolute value.
    pub absolute: bool,
    /// `~`: the complement.
    pub invert: bool,
    /// `!`: the negation of a predicate.
    pub not: bool,
    /// `.reuse`: the register is kept in the slot of the operand.
    pub reuse: bool,
    /// The text after a dot: `H0_H0`, `F32x2.HI_LO`, `ROW`; empty if absent.
    pub selector: Box<str>,
}

impl RegisterOperand {
    /// A register without modifiers.
    pub fn new(register: Register) -> RegisterOperand {
        RegisterOperand {
            register,
            negate: false,
            absolute: false,
            invert: false,
            not: false,
            reuse: false,
            selector: Box::default(),
        }
    }
}

/// A numeric constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Immediate {
    /// Written in hexadecimal, with its sign.
    Integer {
        /// Whether it is negative.
        negative: bool,
        /// The absolute value.
        magnitude: u64,
    },
    /// A floating-point number in nvdisasm syntax: `1.4426950216293334961`, `+INF`, `-2`. The
    /// format is that of the instruction. A NaN whose bits are not all set has them: `+QNAN:0x7fc00000`.
    Float(Box<str>),
}

impl Immediate {
    /// The value of an integer, sign-extended; `None` for a float, or beyond 64 bits.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Immediate::Integer {
                negative,
                magnitude,
            } => {
                let value = i128::from(*magnitude);
                i64::try_from(if *negative { -value } else { value }).ok()
            }
            Immediate::Float(_) => None,
        }
    }

    /// The value of a float.
    pub fn float(&self) -> Option<f64> {
        match self {
            Immediate::Integer { .. } => None,
            Immediate::Float(text) => text
                .split(':')
                .next()
                .unwrap_or_default()
                .trim_start_matches('+')
                .replace("QNAN", "NAN")
                .replace("SNAN", "NAN")
                .parse()
                .ok(),
        }
    }
}

/// A register in an address, with `.64`, `.X4`, `.U32` and similar selectors.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AddressRegister {
    /// The register, the first one of two if it is `.64`.
    pub register: Register,
    /// The text after a dot; empty if absent.
    pub selector: Box<str>,
}

/// The text between brackets: the sum of registers and a number.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Address {
    /// Registers in the sum, in the order of the text.
    pub registers: Vec<AddressRegister>,
    /// Constant offset in bytes; `None` if no number is written.
    pub offset: Option<i64>,
}

/// The keyword before the brackets of an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AddressSpace {
    /// Nothing: memory, in the space of the instruction.
    Plain,
    /// `gdesc`: a matrix descriptor in uniform registers.
    MatrixDescriptor,
    /// `idesc`: an instruction descriptor in a uniform register.
    InstructionDescriptor,
    /// `tmem`: tensor memory.
    Tensor,
    /// `desc` without an address after it: a descriptor in two uniform registers.
    Descriptor,
}

impl AddressSpace {
    /// The keyword before the brackets.
    pub const fn keyword(self) -> &'static str {
        match self {
            AddressSpace::Plain => "",
            AddressSpace::MatrixDescriptor => "gdesc",
            AddressSpace::InstructionDescriptor => "idesc",
            AddressSpace::Tensor => "tmem",
            AddressSpace::Descriptor => "desc",
        }
    }
}

/// An operand in memory, or a descriptor.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MemoryOperand {
    /// The address space.
    pub space: AddressSpace,
    /// The registers of `desc[UR4]` before the address.
    pub descriptor: Option<Register>,
    /// The same register pair if the instruction has it without showing it: nvdisasm omits it from
    /// the text of sm_80, but its own register lists have it.
    pub hidden_descriptor: Option<Register>,
    /// The address.
    pub address: Address,
    /// The text after a dot: `tnspB`; empty if absent.
    pub selector: Box<str>,
}

/// A value in a constant bank.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ConstantOperand {
    /// `-`: the negative.
    pub negate: bool,
    /// `|…|`: the absolute value.
    pub absolute: bool,
    /// `~`: the complement.
    pub invert: bool,
    /// The bank.
    pub bank: ConstantBank,
    /// The offset in the bank, in bytes.
    pub address: Address,
    /// The text after a dot; empty if absent.
    pub selector: Box<str>,
}

/// A constant bank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConstantBank {
    /// `c[0x0]`: by index.
    Number(u64),
    /// `cx[UR4]`: by a descriptor in two uniform registers.
    Bindless(Register),
}

/// An operand.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A register.
    Register(RegisterOperand),
    /// A numeric constant.
    Immediate(Immediate),
    /// A value in a constant bank.
    Constant(ConstantOperand),
    /// Memory, or a descriptor.
    Memory(MemoryOperand),
    /// A location in the code, or the value of a symbol: the text between `` `( `` and `)`.
    Label(Box<str>),
    /// A special register: `SR_TID.X`, `SRZ`.
    Special(Box<str>),
    /// `PR`, or `UPR` if uniform: all predicates as one number.
    AllPredicates {
        /// Whether they are the uniform ones.
        uniform: bool,
    },
    /// `{5,4,3}`: scoreboards, in the order of the text.
    Scoreboards(Vec<u8>),
    /// A jump or call target relative to a register: `R6 -0x170`.
    Relative {
        /// The register pair.
        register: Register,
        /// The offset added to it.
        target: Box<Operand>,
    },
    /// An expression that the linker resolves, as text: `32@lo((kernel + .L_x_0@srel))`.
    Relocation(Box<str>),
    /// Anything else, as text.
    Other(Box<str>),
    /// All operands, as text that is not understood ([`super::Instruction::opaque`]).
    Opaque(Box<str>),
}

impl Operand {
    /// A register without modifiers.
    pub fn register(register: Register) -> Operand {
        Operand::Register(RegisterOperand::new(register))
    }

    /// A number.
    pub fn integer(value: i64) -> Operand {
        Operand::Immediate(Immediate::Integer {
            negative: value < 0,
            magnitude: value.unsigned_abs(),
        })
    }

    /// The register operand, if it is one.
    pub fn as_register(&self) -> Option<&RegisterOperand> {
        match self {
            Operand::Register(operand) => Some(operand),
            _ => None,
        }
    }
}
