//! The parser of MLIR text.
//!
//! Parsing takes one pass: the lexer produces tokens, and a recursive descent parser builds IR
//! directly. The nesting depth is bounded by [`MAX_DEPTH`], so hostile input causes an error
//! instead of a stack overflow. Every error is emitted to the context with its position.

mod affine;
mod aliases;
mod attributes;
mod blocks;
mod custom_assembly;
mod dense;
mod elements;
mod format;
mod lexer;
mod locations;
mod name_key;
mod numbers;
mod opaque_aliases;
mod operations;
mod parameters;
mod resources;
mod rollback;
mod scopes;
mod stream;
mod suffix_cache;
mod symbols;
mod types;

use std::fmt;
use std::io::Read;

pub use attributes::DictionaryEntries;
pub use custom_assembly::{EntryArgument, UnresolvedOperand};
pub use lexer::{Token, TokenKind};
pub(crate) use operations::{only_operation, wrap_in_module};
pub(crate) use symbols::unescape;
pub use types::Dimensions;

use crate::{Attribute, Context, Diagnostic, Identifier, Location, Operation, Type};
use aliases::Aliases;
pub(crate) use aliases::{Extent, MAX_ALIAS_SIZE};
pub(crate) use dense::sparse_problem;
use lexer::{Lexer, end_of_token_before};
use resources::FileResources;
pub(crate) use rollback::discard_block;
use scopes::Scopes;
use stream::LineStream;
use suffix_cache::SuffixCache;

/// The maximum nesting depth of operations, types, attributes, locations and affine expressions
/// combined. IR within this limit can be verified, printed, copied and erased on a stack of 2 MiB,
/// in debug builds too.
pub const MAX_DEPTH: usize = 256;

/// An error that has already been emitted to the context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseError;

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("parsing failed; the error was emitted to the context")
    }
}

impl std::error::Error for ParseError {}

/// The result of a parsing step.
pub type ParseResult<T> = Result<T, ParseError>;

/// The text to parse.
#[derive(Clone, Copy, Debug)]
pub struct Source<'t> {
    /// The file name used in locations.
    pub name: &'t str,
    /// The text.
    pub text: &'t str,
    /// The number of the first line; greater than 1 for a part of a split file.
    pub first_line: u32,
}

/// The parser: one token of lookahead, and the names in scope. Custom assembly is parsed through
/// its public methods.
#[derive(Debug)]
pub struct Parser<'a> {
    /// The context that receives the IR.
    pub context: &'a mut Context,
    file: Identifier,
    lexer: Lexer<'a>,
    token: Token,
    depth: usize,
    /// The deepest level and the number of nested steps since the start of the current alias
    /// definition.
    extent: Extent,
    scopes: Scopes,
    aliases: Aliases,
    resources: FileResources,
    suffixes: SuffixCache,
    default_dialects: Vec<&'static str>,
}

/// Parses a whole file. The result is a `builtin.module`: the top-level one in the text, or a new
/// one that contains the top-level operations.
///
/// # Errors
/// Errors are emitted to the context; no IR of the invalid text remains in it.
pub fn parse_source(context: &mut Context, source: Source<'_>) -> ParseResult<Operation> {
    let mut parser = Parser::new(context, source)?;
    parser.top_level(true)
}

/// Parses a whole file that consists of one operation and returns that operation.
///
/// # Errors
/// Errors are emitted to the context; no IR of the invalid text remains in it.
pub fn parse_single_operation(context: &mut Context, source: Source<'_>) -> ParseResult<Operation> {
    let mut parser = Parser::new(context, source)?;
    parser.top_level(false)
}

/// Parses a text that is a single type; returns the type and its expanded extent.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method is not general over both lifetimes"
)]
pub(crate) fn parse_type_text(
    context: &mut Context,
    source: Source<'_>,
) -> ParseResult<(Type, Extent)> {
    parse_entry_text(context, source, "Type", |parser| parser.parse_type())
}

/// Parses a text that is a single attribute; returns the attribute and its expanded extent.
pub(crate) fn parse_attribute_text(
    context: &mut Context,
    source: Source<'_>,
) -> ParseResult<(Attribute, Extent)> {
    parse_entry_text(context, source, "Attribute", |parser| {
        parser.parse_attribute()
    })
}

fn parse_entry_text<T>(
    context: &mut Context,
    source: Source<'_>,
    kind: &str,
    parse: fn(&mut Parser<'_>) -> ParseResult<T>,
) -> ParseResult<(T, Extent)> {
    let mut parser = Parser::new(context, source)?;
    let parsed = parser.measured(parse)?;
    if parser.at(TokenKind::End) {
        return Ok(parsed);
    }
    let rest = parser.text_from(parser.token.start);
    let message = format!("trailing characters found after {kind} assembly format: {rest}");
    Err(parser.error(&message))
}

/// A text that is parsed while it is read.
pub struct Stream<'s> {
    /// The file name used in locations.
    pub name: &'s str,
    /// The source of the text.
    pub reader: &'s mut dyn Read,
    /// The number of bytes to read at once. About this much of the text is in memory at a time.
    pub block: usize,
}

impl fmt::Debug for Stream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("name", &self.name)
            .field("block", &self.block)
            .finish_non_exhaustive()
    }
}

/// The recommended block size of a [`Stream`], in bytes.
pub const STREAM_BLOCK: usize = 1 << 18;

/// Parses a file while reading it, so that the whole text is never in memory. The result is that of
/// [`parse_source`], or of [`parse_single_operation`] if `implicit_module` is false.
///
/// # Errors
/// Errors are emitted to the context, including read failures and invalid UTF-8; no IR of the
/// invalid text remains in it.
pub fn parse_stream(
    context: &mut Context,
    stream: Stream<'_>,
    implicit_module: bool,
) -> ParseResult<Operation> {
    let Stream {
        name,
        reader,
        block,
    } = stream;
    let lexer = Lexer::of_stream(LineStream::new(reader, block));
    let mut parser = Parser::start(context, name, lexer)?;
    parser.top_level(implicit_module)
}

/// Checks that the bytes are valid UTF-8, which orison requires of MLIR text.
///
/// # Errors
/// Emits an error at the first invalid byte.
pub fn check_utf8<'t>(
    context: &mut Context,
    name: &str,
    bytes: &'t [u8],
    first_line: u32,
) -> ParseResult<&'t str> {
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = &bytes[..error.valid_up_to()];
        let newlines = memchr::memchr_iter(b'\n', valid).count();
        let column = valid.len() - memchr::memrchr(b'\n', valid).map_or(0, |newline| newline + 1);
        let file = Identifier::new(context, name);
        let line = first_line.saturating_add(u32::try_from(newlines).unwrap_or(u32::MAX));
        let column = u32::try_from(column + 1).unwrap_or(u32::MAX);
        let location = Location::file(context, file, line, column);
        context.error(location, "invalid UTF-8");
        ParseError
    })
}

impl<'a> Parser<'a> {
    /// A parser at the start of a text.
    ///
    /// # Errors
    /// If the first token is malformed.
    pub fn new(context: &'a mut Context, source: Source<'a>) -> ParseResult<Self> {
        let lexer = Lexer::new(source.text, source.first_line);
        Parser::start(context, source.name, lexer)
    }

    fn start(context: &'a mut Context, name: &str, lexer: Lexer<'a>) -> ParseResult<Self> {
        let file = Identifier::new(context, name);
        let token = Token {
            start: 0,
            length: 0,
            line: 1,
            column: 1,
            kind: TokenKind::End,
        };
        let mut parser = Parser {
            context,
            file,
            lexer,
            token,
            depth: 0,
            extent: Extent::default(),
            scopes: Scopes::default(),
            aliases: Aliases::default(),
            resources: FileResources::default(),
            suffixes: SuffixCache::default(),
            default_dialects: vec!["builtin"],
        };
        parser.advance()?;
        Ok(parser)
    }

    /// The next token (not yet consumed).
    #[inline]
    pub fn token(&self) -> Token {
        self.token
    }

    /// The text of a token. It is available until the next operation is parsed: for a stream, only
    /// the needed part of the text is kept.
    #[inline]
    pub fn spelling(&self, token: Token) -> &str {
        self.lexer.spelling(token)
    }

    /// The text of the next token.
    #[inline]
    pub fn current(&self) -> &str {
        self.spelling(self.token)
    }

    /// The text starting at a byte offset, up to at least the end of its line.
    pub(crate) fn text_from(&self, start: usize) -> &str {
        self.lexer.text_from(start)
    }

    /// Whether the next token has this kind.
    #[inline]
    pub fn at(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    /// Whether the next token is this keyword.
    pub fn at_keyword(&self, keyword: &str) -> bool {
        self.at(TokenKind::BareIdentifier) && self.current() == keyword
    }

    /// Consumes the next token and returns it.
    ///
    /// # Errors
    /// If the following token is malformed.
    pub fn advance(&mut self) -> ParseResult<Token> {
        match self.lexer.next() {
            Ok(next) => Ok(std::mem::replace(&mut self.token, next)),
            Err(error) => Err(self.error_at(error.token, &error.message)),
        }
    }

    /// Marks the text before the next token as no longer needed, except in messages.
    #[inline]
    fn forget_text(&mut self) {
        self.lexer.keep_from(self.token.start);
    }

    /// Consumes the next token if it has this kind.
    ///
    /// # Errors
    /// If the following token is malformed.
    #[inline]
    pub fn eat(&mut self, kind: TokenKind) -> ParseResult<bool> {
        let found = self.at(kind);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Consumes the keyword if it is the next token.
    ///
    /// # Errors
    /// If the following token is malformed.
    pub fn eat_keyword(&mut self, keyword: &str) -> ParseResult<bool> {
        let found = self.at_keyword(keyword);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Consumes a token that must have this kind.
    ///
    /// # Errors
    /// If it has another kind; `message` states what was expected.
    #[inline]
    pub fn expect(&mut self, kind: TokenKind, message: &str) -> ParseResult<Token> {
        if self.at(kind) {
            self.advance()
        } else {
            Err(self.wrong_token(message))
        }
    }

    /// Consumes a required keyword.
    ///
    /// # Errors
    /// If the next token is not the keyword.
    pub fn expect_keyword(&mut self, keyword: &str) -> ParseResult<()> {
        if self.eat_keyword(keyword)? {
            Ok(())
        } else {
            Err(self.error(&format!("expected '{keyword}'")))
        }
    }

    /// Emits an error at the next token. As in MLIR, an error at the end of the text is located at
    /// its last byte.
    pub fn error(&mut self, message: &str) -> ParseError {
        let token = self.place();
        self.error_at(token, message)
    }

    fn place(&self) -> Token {
        let token = self.token;
        match token.kind {
            TokenKind::End if token.start > 0 => self.moved_back(token, token.start - 1),
            _ => token,
        }
    }

    /// Emits an error about an unexpected token. As in MLIR, it is located at the end of the text
    /// before that token, where the missing text belongs.
    pub fn wrong_token(&mut self, message: &str) -> ParseError {
        let token = self.place();
        let before = self.lexer.text_before(token.start);
        let back = before.len() - end_of_token_before(before, before.len());
        let token = match token.start - back {
            0 => token,
            end => self.moved_back(token, end),
        };
        self.error_at(token, message)
    }

    /// A copy of the token moved to an earlier byte of the text.
    fn moved_back(&self, token: Token, to: usize) -> Token {
        let before = self.lexer.text_before(token.start).as_bytes();
        let at = before.len().saturating_sub(token.start - to);
        let newlines = memchr::memchr_iter(b'\n', &before[at..]).count();
        let mut moved = Token { start: to, ..token };
        let column = if newlines > 0 {
            moved.line -= u32::try_from(newlines).unwrap_or(token.line - 1);
            at - memchr::memrchr(b'\n', &before[..at]).map_or(0, |newline| newline + 1) + 1
        } else {
            (token.column as usize).saturating_sub(token.start - to)
        };
        moved.column = u32::try_from(column).unwrap_or(u32::MAX);
        moved
    }

    /// Emits an error at a token.
    pub fn error_at(&mut self, token: Token, message: &str) -> ParseError {
        let location = self.location_of(token);
        self.context.error(location, message);
        ParseError
    }

    /// Emits an error with a note.
    pub fn error_with_note(
        &mut self,
        token: Token,
        message: &str,
        note_at: Location,
        note: &str,
    ) -> ParseError {
        let location = self.location_of(token);
        let diagnostic = Diagnostic::error(location, message).with_note(note_at, note);
        self.context.diagnostics.emit(diagnostic);
        ParseError
    }

    /// The location of a token.
    pub fn location_of(&mut self, token: Token) -> Location {
        Location::file(self.context, self.file, token.line, token.column)
    }

    /// Runs `step` one nesting level deeper.
    ///
    /// # Errors
    /// If the nesting exceeds [`MAX_DEPTH`], and the errors of `step`.
    pub fn nested<T>(&mut self, step: impl FnOnce(&mut Self) -> ParseResult<T>) -> ParseResult<T> {
        self.deepen()?;
        let depth = self.depth;
        let result = step(self);
        self.depth = depth - 1;
        result
    }

    /// Increments the nesting depth.
    fn deepen(&mut self) -> ParseResult<()> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(&format!("nesting deeper than {MAX_DEPTH} levels")));
        }
        self.depth += 1;
        self.extent.depth = self.extent.depth.max(self.depth);
        self.extent.size = self.extent.size.saturating_add(1);
        Ok(())
    }

    /// Parses `item` separated by commas until `close`, which is consumed too.
    ///
    /// # Errors
    /// The errors of `item`, and a missing `close`.
    pub fn comma_list_until(
        &mut self,
        close: TokenKind,
        message: &str,
        mut item: impl FnMut(&mut Self) -> ParseResult<()>,
    ) -> ParseResult<()> {
        if self.eat(close)? {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.eat(TokenKind::Comma)? {
                self.expect(close, message)?;
                return Ok(());
            }
        }
    }

    /// Moves the lexer to a byte of the text after the current token.
    fn jump_to(&mut self, position: usize) -> ParseResult<()> {
        let token = self.token;
        self.lexer.reset(&token, position);
        self.advance()?;
        Ok(())
    }
}
