//! What the linker and the driver put into places.

/// A kind of relocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The number.
    pub number: u32,
    /// The name that cuobjdump has.
    pub name: &'static str,
    /// The word before the symbol in an operand: `32@lo` of `32@lo(counter)`; empty if an operand has none.
    pub operand: &'static str,
}

/// The kinds of relocations in code and data of sm_75 and later that ptxas 12.8 to 13.2 and nvlink write.
pub const KINDS: &[Kind] = &[
    Kind {
        number: 1,
        name: "R_CUDA_32",
        operand: "",
    },
    Kind {
        number: 2,
        name: "R_CUDA_64",
        operand: "",
    },
    Kind {
        number: 4,
        name: "R_CUDA_G64",
        operand: "",
    },
    Kind {
        number: 55,
        name: "R_CUDA_ABS32_32",
        operand: "",
    },
    Kind {
        number: 56,
        name: "R_CUDA_ABS32_LO_32",
        operand: "32@lo",
    },
    Kind {
        number: 57,
        name: "R_CUDA_ABS32_HI_32",
        operand: "32@hi",
    },
    Kind {
        number: 58,
        name: "R_CUDA_ABS47_34",
        operand: "",
    },
    Kind {
        number: 64,
        name: "R_CUDA_CONST_FIELD19_40",
        operand: "",
    },
    Kind {
        number: 66,
        name: "R_CUDA_CONST_FIELD21_38",
        operand: "",
    },
    Kind {
        number: 73,
        name: "R_CUDA_UNUSED_CLEAR64",
        operand: "",
    },
    Kind {
        number: 74,
        name: "R_CUDA_ABS24_40",
        operand: "",
    },
    Kind {
        number: 75,
        name: "R_CUDA_ABS55_16_34",
        operand: "",
    },
];

/// The low half of an address, in bits 32 to 63 of an instruction.
pub const LOW: u32 = 56;
/// The high half of an address, in bits 32 to 63 of an instruction.
pub const HIGH: u32 = 57;
/// The address of a function that is called, before sm_90.
pub const CALL: u32 = 58;
/// The address of a function that is called, from sm_90 on.
pub const CALL_SINCE_90: u32 = 75;
/// 32 bits of an address.
pub const SHORT_ADDRESS: u32 = 1;
/// 64 bits of an address.
pub const ADDRESS: u32 = 2;
/// 64 bits of a generic address.
pub const GENERIC_ADDRESS: u32 = 4;

/// Whether a kind is the address of a function that is called.
pub fn is_call(number: u32) -> bool {
    matches!(number, CALL | CALL_SINCE_90)
}

/// The kind with a number.
pub fn kind(number: u32) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.number == number)
}

/// The kind with a name.
pub fn named(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}
