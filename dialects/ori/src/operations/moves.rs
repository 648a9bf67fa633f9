//! Moves, choices, special registers, and the operations that no instruction stands for.

use orison_ir::declare::{
    Assembly, Effects, I32Attr, I64Attr, StrAttr, SymbolRefAttr, Trait, UnitAttr,
};

use crate::declare::{arithmetic_operations, machine_operations};
use crate::types::{PREDICATE, R, R_OR_R64, R64, REGISTER, SOURCE, UNIFORM, UR, UR_OR_UR64, WIDE};

use super::rules;
use super::structure;

arithmetic_operations! {
    /// A copy.
    Mov = "ori.mov": unary(SOURCE) -> R;

    /// One of two words.
    Sel = "ori.sel": select(SOURCE, SOURCE, PREDICATE) -> R;

    /// A uniform register from the first active lane of a register.
    R2ur = "ori.r2ur": unary(SOURCE) -> UR;
}

machine_operations! {
    /// A special register that does not change while the thread runs.
    op S2r = "ori.s2r" {
        results {
            /// Its value.
            result: one(R),
        }
        attributes {
            /// Its name, `SR_TID.X`.
            register = "register": required(StrAttr),
        }
        effects: None,
        verify: rules::constant_special_register,
    }

    /// A special register that may change, or a zero pair (`SRZ`), without a scoreboard.
    op Cs2r = "ori.cs2r" {
        results {
            /// Its value.
            result: one(R_OR_R64),
        }
        attributes {
            /// Its name, `SR_CLOCKLO`.
            register = "register": required(StrAttr),
            /// 64 bits.
            wide = "wide": optional(UnitAttr),
        }
        effects: Unknown,
        verify: rules::special_register_width,
    }

    /// A special register that does not change, as a uniform register.
    op S2ur = "ori.s2ur" {
        results {
            /// Its value.
            result: one(UR),
        }
        attributes {
            /// Its name, `SR_CTAID.X`.
            register = "register": required(StrAttr),
        }
        effects: None,
        verify: rules::constant_special_register,
    }

    /// A special register that may change, as a uniform register.
    op Cs2ur = "ori.cs2ur" {
        results {
            /// Its value.
            result: one(UR_OR_UR64),
        }
        attributes {
            /// Its name, `SR_CLOCKLO`.
            register = "register": required(StrAttr),
            /// 64 bits.
            wide = "wide": optional(UnitAttr),
        }
        effects: Unknown,
        verify: rules::special_register_width,
    }

    /// An address of shared memory of another CTA of the cluster.
    op Mapa = "ori.mapa" {
        operands {
            /// The address in this CTA.
            address: one(SOURCE),
            /// The rank of the other CTA.
            rank: one(SOURCE),
        }
        results {
            /// The address there.
            result: one(R),
        }
        effects: None,
    }

    /// A cache policy for memory operations that take one.
    op Createpolicy = "ori.createpolicy" {
        operands {
            /// The share of accesses it is for, as a float.
            fraction: one(SOURCE),
        }
        results {
            /// The policy.
            policy: one(R_OR_R64),
        }
        attributes {
            /// How lines of the share are treated.
            eviction = "eviction": required(crate::keywords::EvictionAttr),
            /// How the other lines are treated; as if there were no policy when absent.
            other_eviction = "other_eviction": optional(crate::keywords::EvictionAttr),
        }
        effects: None,
    }

    /// A cache policy that tells the first bytes behind an address from others behind it: windows of
    /// the smallest power of two that holds 1/128 of all bytes, and 4 kB at least.
    op CreatepolicyRange = "ori.createpolicy_range" {
        operands {
            /// Where the bytes begin, in global memory.
            address: one(WIDE),
            /// How many bytes there are that the policy is for.
            primary_size: one(SOURCE),
            /// How many bytes there are.
            total_size: one(SOURCE),
        }
        results {
            /// The policy.
            policy: one(R64),
        }
        attributes {
            /// How the first bytes are treated.
            eviction = "eviction": required(crate::keywords::EvictionAttr),
            /// How the others are treated; as if there were no policy when absent.
            other_eviction = "other_eviction": optional(crate::keywords::EvictionAttr),
        }
        effects: None,
    }
}

orison_ir::operations! {
    /// An immediate: the value of an operand slot that holds a number instead of a register.
    ///
    /// It occupies no register while every user can take it as a number; where none can, register
    /// allocation makes a move of it. Predicates are 0 and 1.
    op Imm = "ori.imm" {
        results {
            /// The number.
            result: one(REGISTER)
        }
        attributes {
            /// The bits, extended with sign from the width of the register.
            value = "value": required(I64Attr)
        }
        with {
            traits: &[Trait::ConstantLike, Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: structure::parse_immediate,
                print: structure::print_immediate,
            },
            verify: Some(rules::immediate),
            fold: Some(structure::fold_immediate),
        }
    }

    /// A word of a constant bank as an operand.
    ///
    /// As `ori.imm`, it fills an operand slot: `c[0x0][0x160]`. `ori.ldc` loads from a bank into a
    /// register.
    op Cbank = "ori.cbank" {
        results {
            /// The word or words.
            result: one(REGISTER)
        }
        attributes {
            /// Number of the bank, from 0 to 31.
            bank = "bank": required(I32Attr),
            /// Place in the bank in bytes, from 0 to 65535, aligned to the width.
            offset = "offset": required(I32Attr)
        }
        with {
            traits: &[Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Format("`[` $bank `,` $offset `]` attr-dict `:` type($result)"),
            verify: Some(rules::constant_bank),
        }
    }

    /// A register that nobody has written.
    op Undef = "ori.undef" {
        results {
            /// Any value.
            result: one(REGISTER)
        }
        with {
            traits: &[Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Format("attr-dict `:` type($result)"),
        }
    }

    /// Registers side by side as one wider register, the first lowest.
    ///
    /// Register allocation seats them next to each other, so that no instruction is needed.
    op Concat = "ori.concat" {
        operands {
            /// The parts.
            parts: variadic(REGISTER)
        }
        results {
            /// The whole.
            whole: one(REGISTER)
        }
        with {
            traits: &[Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Format("$parts attr-dict `:` functional-type(operands, results)"),
            verify: Some(rules::concatenation),
        }
    }

    /// A part of a wider register.
    op Extract = "ori.extract" {
        operands {
            /// The whole.
            whole: one(REGISTER)
        }
        results {
            /// The part.
            part: one(REGISTER)
        }
        attributes {
            /// Where the part begins, in 32-bit words.
            word = "word": required(I32Attr)
        }
        with {
            traits: &[Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Format("$whole `[` $word `]` attr-dict `:` functional-type(operands, results)"),
            verify: Some(rules::extraction),
        }
    }

    /// The address of a symbol of memory.
    op AddressOf = "ori.address_of" {
        results {
            /// The address: 32 bits for shared memory, 64 bits for others.
            result: one(REGISTER)
        }
        attributes {
            /// The symbol: `ori.memory` or `ori.func`.
            symbol = "symbol": required(SymbolRefAttr)
        }
        with {
            traits: &[Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Format("$symbol attr-dict `:` type($result)"),
            verify_symbols: Some(structure::verify_address_of),
        }
    }
}

arithmetic_operations! {
    /// A copy between uniform registers.
    Umov = "ori.umov": unary(UNIFORM) -> UR;
}
