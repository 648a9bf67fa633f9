//! Memory spaces of buffers and views.

use std::fmt;

use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::{Attribute, Context};

/// The memory space of a buffer (TileAS reference 1.2), with its numeric value in later passes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemorySpace {
    /// Registers, also "generic": `rmem`.
    Register = 0,
    /// Local memory of a thread: `local`.
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
    /// All spaces in numeric order.
    pub const ALL: [MemorySpace; 6] = [
        MemorySpace::Register,
        MemorySpace::Local,
        MemorySpace::Shared,
        MemorySpace::Global,
        MemorySpace::Tensor,
        MemorySpace::Constant,
    ];

    /// The keyword of the space.
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

    /// The space of a keyword. Long spellings are accepted too.
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

    /// The numeric value used by later passes.
    pub const fn number(self) -> u8 {
        self as u8
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
