//! Moves, selections, special registers, and operations that have no instruction.

use orison_ir::declare::{
    Assembly, Effects, I32Attr, I64Attr, StrAttr, SymbolRefAttr, Trait, UnitAttr,
};

use crate::declare::machine_operations;
use crate::types::{PREDICATE, R, R_OR_R64, R64, REGISTER, SOURCE, UNIFORM, UR, UR_OR_UR64, WIDE};

use super::rules;
use super::structure;

machine_operations! {
    /// The operations of the family.
    list OPERATIONS;

    /// A copy.
    op Mov = "ori.mov": unary(SOURCE, R);

    /// Selects one of two 32-bit values.
    op Sel = "ori.sel": select(SOURCE, SOURCE, PREDICATE, R);

    /// Moves the value of the first active lane of a register to a uniform register.
    op R2ur = "ori.r2ur": unary(SOURCE, UR);

    /// A copy between uniform registers.
    op Umov = "ori.umov": unary(UNIFORM, UR);

    /// Reads a special register that is constant during the execution of the thread.
    op S2r = "ori.s2r" {
        results {
            /// Its value.
            result: one(R),
        }
        attributes {
            /// Its name, `SR_TID.X`.
            register = "register": required(StrAttr),
        }
        with { effects: Effects::None, verify: Some(rules::constant_special_register) }
    }

    /// Reads a special register that may change, or a zero pair (`SRZ`), without a scoreboard.
    op Cs2r = "ori.cs2r" {
        results {
            /// Its value.
            result: one(R_OR_R64),
        }
        attributes {
            /// Its name, `SR_CLOCKLO`.
            register = "register": required(StrAttr),
            /// 64-bit operation.
            wide = "wide": optional(UnitAttr),
        }
        with { effects: Effects::Unknown, verify: Some(rules::special_register_width) }
    }

    /// Reads a special register that does not change into a uniform register.
    op S2ur = "ori.s2ur" {
        results {
            /// Its value.
            result: one(UR),
        }
        attributes {
            /// Its name, `SR_CTAID.X`.
            register = "register": required(StrAttr),
        }
        with { effects: Effects::None, verify: Some(rules::constant_special_register) }
    }

    /// Reads a special register that may change into a uniform register.
    op Cs2ur = "ori.cs2ur" {
        results {
            /// Its value.
            result: one(UR_OR_UR64),
        }
        attributes {
            /// Its name, `SR_CLOCKLO`.
            register = "register": required(StrAttr),
            /// 64-bit operation.
            wide = "wide": optional(UnitAttr),
        }
        with { effects: Effects::Unknown, verify: Some(rules::special_register_width) }
    }

    /// Maps an address to shared memory of another CTA of the cluster.
    op Mapa = "ori.mapa" {
        operands {
            /// The address in this CTA.
            address: one(SOURCE),
            /// The rank of the other CTA.
            rank: one(SOURCE),
        }
        results {
            /// The address in the other CTA.
            result: one(R),
        }
        with { effects: Effects::None }
    }

    /// Creates a cache policy for memory operations.
    op Createpolicy = "ori.createpolicy" {
        operands {
            /// Fraction of the accesses with the primary priority, as a float.
            fraction: one(SOURCE),
        }
        results {
            /// The policy.
            policy: one(R_OR_R64),
        }
        attributes {
            /// Primary eviction priority.
            eviction = "eviction": required(crate::keywords::Eviction),
            /// Eviction priority of the other lines; no policy if absent.
            other_eviction = "other_eviction": optional(crate::keywords::Eviction),
        }
        with { effects: Effects::None }
    }

    /// Creates a cache policy that distinguishes the first bytes after an address from the
    /// following ones, in windows of the smallest power of two that is at least 1/128 of all bytes
    /// and at least 4 kB.
    op CreatepolicyRange = "ori.createpolicy_range" {
        operands {
            /// Start address in global memory.
            address: one(WIDE),
            /// Number of bytes with the primary priority.
            primary_size: one(SOURCE),
            /// Total number of bytes.
            total_size: one(SOURCE),
        }
        results {
            /// The policy.
            policy: one(R64),
        }
        attributes {
            /// Eviction priority of the primary bytes.
            eviction = "eviction": required(crate::keywords::Eviction),
            /// Eviction priority of the other bytes; no policy if absent.
            other_eviction = "other_eviction": optional(crate::keywords::Eviction),
        }
        with { effects: Effects::None }
    }
}

orison_ir::operations! {
    /// The operations of the family without an instruction.
    list PSEUDO;

    /// An immediate operand: the value of an operand slot that holds a constant.
    ///
    /// It occupies no register if every user can encode it as an immediate; otherwise register
    /// allocation materializes it with a move. Predicates are 0 and 1.
    op Imm = "ori.imm" {
        results {
            /// The constant.
            result: one(REGISTER)
        }
        attributes {
            /// The bits, sign-extended from the width of the register.
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

    /// A constant-bank operand.
    ///
    /// Like `ori.imm`, it fills an operand slot: `c[0x0][0x160]`. `ori.ldc` loads from a bank into
    /// a register.
    op Cbank = "ori.cbank" {
        results {
            /// The value read.
            result: one(REGISTER)
        }
        attributes {
            /// Index of the bank, from 0 to 31.
            bank = "bank": required(I32Attr),
            /// Byte offset in the bank, from 0 to 65535, aligned to the width.
            offset = "offset": required(I32Attr)
        }
        with {
            traits: &[Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Format("`[` $bank `,` $offset `]` attr-dict `:` type($result)"),
            verify: Some(rules::constant_bank),
        }
    }

    /// An undefined value.
    op Undef = "ori.undef" {
        results {
            /// An undefined value.
            result: one(REGISTER)
        }
        with {
            traits: &[Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Format("attr-dict `:` type($result)"),
        }
    }

    /// Concatenates registers into one wider register, the first lowest.
    ///
    /// Register allocation assigns adjacent registers, so that no instruction is needed.
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

    /// Extracts a part of a wider register.
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
            /// Offset of the part, in 32-bit words.
            word = "word": required(I32Attr)
        }
        with {
            traits: &[Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Format("$whole `[` $word `]` attr-dict `:` functional-type(operands, results)"),
            verify: Some(rules::extraction),
        }
    }

    /// The address of a memory symbol.
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
