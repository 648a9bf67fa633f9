//! The operations of the dialect: one for each row of the table of instructions.

use std::sync::OnceLock;

use orison_ir::Context;
use orison_ir::declare::{
    AttributeDefinition, DialectDefinition, OperationDefinition, SuccessorDefinition, Trait,
};

use orison_machine::{Destinations, Latency, Row};

use super::control_attribute::CONTROL_ATTRIBUTE;
use super::instruction_attribute::{ENCODING_ATTRIBUTE, INSTRUCTION_ATTRIBUTE};
use super::operations::{FallThrough, Func, Header, Inst, Notes, Section};
use crate::instruction::{Flow, Instruction, flow};

const DOCUMENTATION: &str = "\
Real machine code, after register allocation.

`orison-translate --nvdisasm-to-sass` makes it of what `nvdisasm -c -hex` prints. Registers are
physical and stand in an attribute; every instruction has a control word, and the 128 bits it was
imported with. There is an operation for each mnemonic of the table
(`dialects/machine/instructions`), without its modifiers and in small letters;
everything else is `sass.inst`. All of them have the attributes and the form of `sass.inst`.";

static ATTRIBUTES: [&AttributeDefinition; 3] = [
    &INSTRUCTION_ATTRIBUTE,
    &CONTROL_ATTRIBUTE,
    &ENCODING_ATTRIBUTE,
];

/// The dialect.
#[derive(Clone, Copy, Debug)]
pub struct Sass;

/// The dialect.
pub const SASS: Sass = Sass;

impl Sass {
    /// The declaration, built from the table once.
    pub fn definition(self) -> &'static DialectDefinition {
        static DEFINITION: OnceLock<&'static DialectDefinition> = OnceLock::new();
        DEFINITION.get_or_init(|| {
            Box::leak(Box::new(DialectDefinition {
                name: "sass",
                documentation: DOCUMENTATION,
                operations: operations(),
                attributes: &ATTRIBUTES,
                ..DialectDefinition::DEFAULT
            }))
        })
    }
}

/// Registers the dialect in a context.
pub fn register(context: &mut Context) {
    context.register_dialect(SASS.definition());
}

/// Declarations live as long as the program, so these are never freed.
fn operations() -> &'static [&'static OperationDefinition] {
    let mut operations = vec![
        Func::DEFINITION,
        Header::DEFINITION,
        Section::DEFINITION,
        Notes::DEFINITION,
        FallThrough::DEFINITION,
        Inst::DEFINITION,
    ];
    for row in Row::all() {
        if let Some(destinations) = row.destinations {
            operations.push(Box::leak(Box::new(definition(row, destinations))));
        }
    }
    Vec::leak(operations)
}

const IN_FUNCTION: Trait = Trait::HasParent(&["sass.func"]);
const SUCCESSORS: &[SuccessorDefinition] = &[SuccessorDefinition {
    name: "successors",
    variadic: true,
    documentation: "The branch targets, then the next block if control may fall through.",
}];

fn definition(row: &'static Row, destinations: Destinations) -> OperationDefinition {
    let name = format!("sass.{}", row.name.to_ascii_lowercase());
    let ends = flow(&Instruction::new(row.name)).ends_block();
    OperationDefinition {
        name: String::leak(name),
        rust_name: "Inst",
        documentation: String::leak(documentation(row, destinations)),
        traits: if ends {
            &[Trait::Terminator, IN_FUNCTION]
        } else {
            &[IN_FUNCTION]
        },
        successors: if ends { SUCCESSORS } else { &[] },
        file: row.file,
        line: row.line,
        ..*Inst::DEFINITION
    }
}

fn documentation(row: &Row, destinations: Destinations) -> String {
    let written = match destinations {
        Destinations::None => "It writes none of its operands.",
        Destinations::One => "It writes its first operand.",
        Destinations::Two => "It writes its first two operands.",
        Destinations::Leading => {
            "It writes its first operands: predicates, a register, and the predicates after it."
        }
        Destinations::Texels => {
            "It writes the predicates and two registers before its coordinates."
        }
        Destinations::BeforeAddress => "It writes the operands before the address.",
        Destinations::AllButLast => "It writes all operands but the last.",
    };
    let latency = match row.latency(u16::MAX) {
        Latency::Fixed => "Its latency is fixed.",
        Latency::Variable => "Its latency is variable and tracked by a scoreboard.",
        Latency::Control => "",
        Latency::Asynchronous => "It is asynchronous: a wait for its group completes it.",
    };
    let flow = match flow(&Instruction::new(row.name)) {
        Flow::Next => "",
        _ => "It ends its block.",
    };
    let sentences = [written, latency, flow].join(" ");
    format!("{}\n\n{}", row.about, sentences.trim())
}
