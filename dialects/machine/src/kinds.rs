//! The vocabulary of the table. The build script reads it from the files, and the crate exports it.

use serde::Deserialize;

/// Number of base entries of ptxas 13.0.
pub const BASE_ENTRIES: u16 = 322;

/// The family of an instruction: the file of its row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// 32-bit integers.
    Integer,
    /// 32-bit floats.
    Float,
    /// 64-bit floats.
    Double,
    /// 16-bit floats, in pairs.
    Half,
    /// Conversions between number formats.
    Conversion,
    /// Elementary functions.
    Transcendental,
    /// Moves and selections.
    Move,
    /// Predicates.
    Predicate,
    /// The uniform datapath.
    Uniform,
    /// Operations between the lanes of a warp.
    Warp,
    /// Memory.
    Memory,
    /// Bulk and tensor copies.
    Bulk,
    /// Matrix products.
    Matrix,
    /// Tensor memory.
    TensorMemory,
    /// Textures.
    Texture,
    /// Surfaces.
    Surface,
    /// The graphics pipeline.
    Graphics,
    /// Barriers, fences, waits.
    Synchronization,
    /// Branches, calls, convergence.
    Control,
    /// Other machine instructions.
    Other,
    /// Operations without an instruction.
    Pseudo,
    /// Markers of the first or last entry of a generation.
    Marker,
}

/// The hardware pipe an instruction is issued to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pipe {
    /// None.
    #[default]
    None,
    /// Integer and logic.
    Alu,
    /// Fused multiply-add.
    Fma,
    /// Multiply-add with a wide result.
    FmaWide,
    /// Half precision.
    Fp16,
    /// Half precision on the tensor pipe.
    HalfTensor,
    /// Double precision.
    Fp64,
    /// Double precision matrix products.
    Fp64Tensor,
    /// Elementary functions, conversions, bit counts.
    Transcendental,
    /// Loads, stores, atomics, shared-memory messages.
    Memory,
    /// Textures and surfaces.
    Texture,
    /// Barriers and addresses.
    Address,
    /// Branches and convergence barriers.
    Control,
    /// The uniform datapath.
    Uniform,
    /// Moves from the vector datapath to the uniform one.
    AluToUniform,
    /// Matrix products of a warp.
    Tensor,
    /// Matrix products of a warp group.
    WarpgroupTensor,
    /// Matrix products from tensor memory.
    TensorCore,
    /// Loads and stores of tensor memory.
    TensorMemory,
    /// Tensor memory accelerator.
    Tma,
}

/// The mechanism that signals that the result of an instruction is available.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Latency {
    /// After a fixed number of cycles.
    Fixed,
    /// By a scoreboard.
    Variable,
    /// Control flow and waits: not applicable.
    Control,
    /// By a wait for the group of the instruction.
    Asynchronous,
}

/// A memory space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Space {
    /// Any of the windows of the generic address space.
    Generic,
    /// Per-thread memory.
    Local,
    /// Memory of a CTA.
    Shared,
    /// Shared memory of another CTA of the cluster.
    SharedCluster,
    /// Constant banks.
    Constant,
    /// Global memory.
    Global,
    /// Surfaces.
    Surface,
    /// Textures.
    Texture,
    /// Tensor memory.
    Tensor,
}

/// A boolean property of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// Synchronises or orders.
    Barrier,
    /// Branches.
    Branch,
    /// Calls or returns.
    Call,
    /// Ends the thread.
    Exit,
    /// Writes a predicate.
    Predicate,
    /// Uses the uniform datapath.
    Uniform,
    /// Asynchronous: completion is signalled by a barrier or group.
    Asynchronous,
    /// Convergent: the effect depends on which threads of the warp execute it together, so it must
    /// not move across control flow.
    Convergent,
    /// The result may differ from one execution to the next (clocks, counters).
    Changing,
    /// Works on the groups of products of a warp group: adds a product to the open group, closes
    /// it, waits, or orders registers before products.
    Group,
}

/// The operands an instruction writes, in the text of nvdisasm.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Destinations {
    /// None.
    None,
    /// The first one.
    One,
    /// The first two.
    Two,
    /// Predicates, a register, and the predicates after it.
    Leading,
    /// Predicates, and two registers: the components of a texture.
    Texels,
    /// The operands before the first address or constant-bank value.
    BeforeAddress,
    /// All but the last one.
    AllButLast,
}

impl Destinations {
    /// The number of operands that are written, of `count` operands with kinds by place.
    pub fn count(self, count: usize, kind: impl Fn(usize) -> OperandKind) -> usize {
        let predicates = |from: usize| {
            let mut places = from..count;
            places
                .position(|place| !kind(place).is_predicate())
                .map_or(count, |more| from + more)
        };
        let written = match self {
            Destinations::None => 0,
            Destinations::One => 1,
            Destinations::Two => 2,
            Destinations::AllButLast => count.saturating_sub(1),
            Destinations::BeforeAddress => (0..count)
                .position(|place| kind(place).is_address())
                .unwrap_or_default(),
            Destinations::Texels => predicates(0) + 2,
            Destinations::Leading => match predicates(0) {
                first if first < count && kind(first).is_register() => predicates(first + 1),
                first => first,
            },
        };
        written.min(count)
    }
}

/// What the lanes of a warp get as results, where the operands do not decide it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lanes {
    /// The same in all threads that execute it together.
    Uniform,
    /// The value passed by another lane; uniform if all threads read one lane.
    Shuffle,
}

/// The number of 32-bit registers of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// This many.
    Count(u8),
    /// The data size in the mnemonic.
    Data,
    /// Two for an operand that is a pair, otherwise one.
    Selected,
    /// The columns of the shape in the mnemonic, divided by this.
    Columns(u8),
    /// The repetitions of the mnemonic, multiplied by this.
    Repeat(u8),
    /// The dimensions of the mnemonic, plus this many.
    Dimensions(u8),
    /// The first components of a texture.
    Texels,
    /// The rest of the components of a texture.
    TexelsRest,
    /// The coordinates of a texture.
    Coordinates,
    /// The values after the coordinates of a texture.
    CoordinatesRest,
    /// The coordinates in a surface.
    Place,
}

impl Width {
    /// Reads `2`, `data`, `columns/2`, `repeat*2`, `dimensions+2`, …
    pub fn parse(text: &str) -> Option<Width> {
        let number = |text: &str| text.parse::<u8>().ok().filter(|number| *number > 0);
        Some(match text.split_once(['/', '*', '+']) {
            Some(("columns", divisor)) => Width::Columns(number(divisor)?),
            Some(("repeat", factor)) => Width::Repeat(number(factor)?),
            Some(("dimensions", more)) => Width::Dimensions(more.parse().ok()?),
            Some(_) => return None,
            None => match text {
                "data" => Width::Data,
                "selected" => Width::Selected,
                "repeat" => Width::Repeat(1),
                "texels" => Width::Texels,
                "texels-rest" => Width::TexelsRest,
                "coordinates" => Width::Coordinates,
                "coordinates-rest" => Width::CoordinatesRest,
                "place" => Width::Place,
                _ => Width::Count(number(text)?),
            },
        })
    }
}

/// The operands to which a width applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// Every destination.
    Destinations,
    /// The destination with this index.
    Destination(usize),
    /// Every source.
    Sources,
    /// The source with this index.
    Source(usize),
    /// The last general register among the sources.
    Last,
    /// The uniform register of the address with this index.
    Address(usize),
    /// The uniform register of a matrix descriptor.
    MatrixDescriptor,
}

impl Slot {
    /// Reads `d`, `d0`, `s`, `s1`, `last`, `m0`, `gdesc`.
    pub fn parse(text: &str) -> Option<Slot> {
        Some(match text {
            "d" => Slot::Destinations,
            "s" => Slot::Sources,
            "last" => Slot::Last,
            "gdesc" => Slot::MatrixDescriptor,
            _ => {
                let number = text.get(1..)?.parse().ok()?;
                match text.as_bytes().first()? {
                    b'd' => Slot::Destination(number),
                    b's' => Slot::Source(number),
                    b'm' => Slot::Address(number),
                    _ => return None,
                }
            }
        })
    }
}

/// Declares the kinds of operands with the words of the files.
macro_rules! operand_kinds {
    ($($(#[$about:meta])* $variant:ident = $word:literal,)*) => {
        /// What an operand in the text of an instruction is.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum OperandKind { $($(#[$about])* $variant,)* }

        impl OperandKind {
            /// Reads the word of a kind.
            pub fn parse(word: &str) -> Option<OperandKind> {
                Some(match word { $($word => OperandKind::$variant,)* _ => return None })
            }
        }
    };
}

operand_kinds! {
    /// A general register.
    General = "R",
    /// A uniform register.
    Uniform = "UR",
    /// A predicate.
    Predicate = "P",
    /// A uniform predicate.
    UniformPredicate = "UP",
    /// A convergence barrier.
    Convergence = "B",
    /// A scoreboard.
    Scoreboard = "SB",
    /// A counter of groups of warp group products.
    Groups = "gsb",
    /// Several scoreboards.
    Scoreboards = "scoreboards",
    /// All predicates as one number.
    Predicates = "PR",
    /// All uniform predicates as one number.
    UniformPredicates = "UPR",
    /// A special register.
    Special = "SR",
    /// A number.
    Number = "number",
    /// A value in a constant bank.
    Constant = "constant",
    /// An address, with or without a descriptor before it.
    Memory = "memory",
    /// A descriptor of memory without an address.
    Descriptor = "descriptor",
    /// A matrix descriptor.
    MatrixDescriptor = "matrix",
    /// An instruction descriptor.
    InstructionDescriptor = "instruction",
    /// An address in tensor memory.
    TensorMemory = "tensor",
    /// A place in the code: a label, relative to a register, or for the linker.
    Code = "code",
    /// A word: a shape, a mode.
    Word = "word",
}

impl OperandKind {
    /// Whether it is a single predicate.
    fn is_predicate(self) -> bool {
        matches!(self, OperandKind::Predicate | OperandKind::UniformPredicate)
    }

    /// Whether it is a register of any file.
    fn is_register(self) -> bool {
        self as u8 <= OperandKind::Groups as u8
    }

    /// Whether it is an address or a descriptor, or in a constant bank.
    fn is_address(self) -> bool {
        matches!(
            self,
            OperandKind::Constant
                | OperandKind::Memory
                | OperandKind::Descriptor
                | OperandKind::MatrixDescriptor
                | OperandKind::InstructionDescriptor
                | OperandKind::TensorMemory
        )
    }
}
