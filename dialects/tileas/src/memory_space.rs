//! Memory spaces of buffers and views.

use std::fmt;

use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::{Attribute, Context};

/// Where a buffer lives (TileAS reference 1.2). The numbers are those later passes use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemorySpace {
    /// Registers, also "generic": `rmem`.
    Register = 0,
    /// Memory of one thread: `local`.
    Local = 1,
    /// Shared memory of a block: `smem`.
    Shared = 2,
    /// Global memory: `gmem`.
    Global = 3,
    /// Tensor memory: `tmem`.
    Tensor = 4,
    /// Constant memory: `constant`.
    Constant = 5,
}

impl MemorySpace {
    /// Every space, by number.
    pub const ALL: [MemorySpace; 6] = [
        MemorySpace::Register,
        MemorySpace::Local,
        MemorySpace::Shared,
        MemorySpace::Global,
        MemorySpace::Tensor,
        MemorySpace::Constant,
    ];

    /// How the space is written.
    pub const fn keyword(self) -> &'static str {
        match self {
            MemorySpace::Register => "rmem",
            MemorySpace::Local => "local",
            MemorySpace::Shared => "smem",
            MemorySpace::Global => "gmem",
            MemorySpace::Tensor => "tmem",
            MemorySpace::Constant => "constant",
        }
    }

    /// The space of a keyword. Long spellings are understood too.
    pub fn from_keyword(keyword: &str) -> Option<Self> {
        match keyword {
            "generic" => Some(MemorySpace::Register),
            "shared" => Some(MemorySpace::Shared),
            "global" => Some(MemorySpace::Global),
            _ => Self::ALL
                .into_iter()
                .find(|space| space.keyword() == keyword),
        }
    }

    /// The number later passes use.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The space as a parameter of a type.
    pub(crate) fn attribute(self, context: &mut Context) -> Attribute {
        Attribute::string(context, self.keyword())
    }

    /// The space of a string attribute.
    pub fn of(context: &Context, attribute: Attribute) -> Option<Self> {
        Self::from_keyword(attribute.as_str(context)?)
    }

    /// Parses a keyword.
    pub(crate) fn parse(parser: &mut Parser<'_>) -> ParseResult<Self> {
        let token = parser.token();
        let space = Self::from_keyword(parser.current());
        match space.filter(|_| parser.at(TokenKind::BareIdentifier)) {
            Some(space) => {
                parser.advance()?;
                Ok(space)
            }
            None => Err(parser.error_at(
                token,
                "expected a memory space: rmem, local, smem, gmem, tmem or constant",
            )),
        }
    }
}

impl fmt::Display for MemorySpace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.keyword())
    }
}
