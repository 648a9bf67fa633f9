//! Declarations: functions, the operations between instructions, and the generic instruction of
//! which every mnemonic is a case.

use orison_ir::declare::{
    Assembly, DictionaryArrayAttr, DictionaryAttr, Effects, RegionConstraint, StrAttr, Trait,
};
use orison_ir::{Attribute, attribute_form};

use super::instruction_attribute::{EncodingAttr, InstructionAttr};
use super::{assembly, verify};
use crate::control::ControlWord;

attribute_form!(
    /// `#sass.ctrl<…>`.
    ControlAttr,
    "control word",
    ControlWord,
    |context, attribute| attribute.downcast(context).copied(),
    Attribute::typed,
    strict
);

attribute_form!(
    /// `["…", "…"]`.
    TextArrayAttr named "builtin.array",
    "string array attribute",
    Vec<String>,
    |context, attribute| {
        let texts = attribute.as_array(context)?.iter();
        texts.map(|text| text.as_str(context).map(str::to_owned)).collect()
    },
    |context, value| {
        let texts: Vec<Attribute> = value.iter().map(|text| Attribute::string(context, text)).collect();
        Attribute::array(context, &texts)
    }
);

orison_ir::operations! {
    /// The code of a section: a function, with its local functions.
    ///
    /// Blocks are in the order of their addresses, and every block ends with an instruction that
    /// ends blocks (jumps, calls, returns, exits, `BSYNC`) or with `sass.fall_through`. Jumps name
    /// labels, as the text of nvdisasm does; their successors are the blocks that have these labels
    /// in a `sass.notes`, jumps first, then the next block if control may continue there.
    op Func = "sass.func" {
        attributes {
            /// The name: that of the section without `.text.`.
            sym_name = "sym_name": required(StrAttr),
            /// The machine: `sm_90a`.
            target = "target": required(StrAttr),
            /// The lines after the last instruction.
            trailing = "trailing": optional(TextArrayAttr),
            /// Registers, stack, barriers and clusters, by name; and whether it is a kernel.
            resources = "resources": optional(DictionaryAttr),
            /// `{name, offset, size, alignment}` of each parameter of a kernel.
            parameters = "parameters": optional(DictionaryArrayAttr)
        }
        regions {
            /// The blocks.
            body: one(RegionConstraint::Any)
        }
        with {
            traits: &[Trait::IsolatedFromAbove, Trait::Symbol],
            effects: Effects::Unknown,
            assembly: Assembly::Custom { parse: assembly::parse_function, print: assembly::print_function },
            verify: Some(verify::function),
            verify_regions: Some(verify::edges),
        }
    }

    /// The lines before the first section of a listing.
    op Header = "sass.header" {
        attributes {
            /// Directives, one string each: `".target\tsm_90a"`.
            notes = "notes": required(TextArrayAttr)
        }
        with {
            effects: Effects::Unknown,
            assembly: Assembly::Format("$notes attr-dict"),
            verify: Some(verify::notes),
        }
    }

    /// A section without code.
    op Section = "sass.section" {
        attributes {
            /// Its name.
            title = "title": required(StrAttr),
            /// Its lines.
            notes = "notes": required(TextArrayAttr)
        }
        with {
            effects: Effects::Unknown,
            assembly: Assembly::Format("$title $notes attr-dict"),
            verify: Some(verify::notes),
        }
    }

    /// Labels, directives and comments before the first instruction of a block.
    op Notes = "sass.notes" {
        attributes {
            /// The lines: `".L_x_3:"`, `".align\t128"`, `"// text"`.
            notes = "notes": required(TextArrayAttr)
        }
        with {
            traits: &[Trait::HasParent(&["sass.func"])],
            effects: Effects::Unknown,
            assembly: Assembly::Format("$notes attr-dict"),
            verify: Some(verify::notes),
        }
    }

    /// The end of a block after which control continues with the next one. Not an instruction.
    ///
    /// At the end of a function it has no successor.
    op FallThrough = "sass.fall_through" {
        successors {
            /// The next block.
            next: variadic,
        }
        with {
            traits: &[Trait::Terminator, Trait::HasParent(&["sass.func"])],
            effects: Effects::Unknown,
            assembly: Assembly::Custom { parse: assembly::parse_fall_through, print: assembly::print_fall_through },
        }
    }

    /// An instruction whose mnemonic the dialect does not define.
    ///
    /// The string is the output of nvdisasm; every instruction has this custom form:
    ///
    /// ```mlir
    /// sass.ldg "@!P2 LDG.E R10, desc[UR6][R2.64+0x8]" <stall = 4, wr = 0>
    /// ```
    ///
    /// The control word may be followed by `[^successors]`, `targets [labels]` of a `BRX`,
    /// `remark "SpillRefill"`, `descriptor "UR6"` for one that the text omits, and
    /// `encoding "0x…"`, the imported 128 bits, with `imported "…"`, to detect changes of the text.
    op Inst = "sass.inst" {
        attributes {
            /// Guard, mnemonic and operands.
            instruction = "instruction": required(InstructionAttr),
            /// The control word.
            control = "control": required(ControlAttr),
            /// The bits from which it was imported. Their control bits may be older than `control`.
            encoding = "encoding": optional(EncodingAttr)
        }
        with {
            traits: &[Trait::HasParent(&["sass.func"])],
            effects: Effects::Unknown,
            assembly: Assembly::Custom { parse: assembly::parse_instruction, print: assembly::print_instruction },
            verify: Some(verify::instruction),
        }
    }
}
