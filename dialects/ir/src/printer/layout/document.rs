//! Conversion of a printed line to a document of the crate `pretty`.
//!
//! A line has nested levels, one for each pair of brackets. A level is a list of clauses (`:
//! types`, `-> types`, `{attributes}`), a clause is a list of items (`key = value,`), and an item
//! is a list of tokens. In a level that is too wide, clauses start new lines; in a clause that is
//! too wide, items fill lines; only an item that is wider than a line is divided.

use pretty::{Arena, DocAllocator, DocBuilder};

use super::tokens::Token;
use super::widths::{NESTED, Widths, is_before_region};

type Doc<'a> = DocBuilder<'a, Arena<'a>>;

/// The indentation of continuation lines relative to the first line of an operation.
pub(super) const CONTINUATION: usize = 4;
/// After a first clause of at most this many columns (`module`, `})`), no line break is inserted.
const SHORT: usize = 8;

/// The kind of separation at a space.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// None: the space is kept.
    None,
    /// Between two tokens of an item.
    Word,
    /// Between two items of a clause.
    Item,
    /// Between two clauses; the second starts a new line if it does not fit as a whole.
    Clause,
    /// Between two clauses; the second starts a new line if the operation does not fit.
    Line,
}

/// A level under construction.
struct Level<'a> {
    /// The opening bracket; empty for the line itself.
    open: &'a str,
    /// Finished clauses, and the separator after them.
    clauses: Doc<'a>,
    clause_gap: Gap,
    /// Finished items of the current clause.
    items: Doc<'a>,
    /// Whether the current item is the first one.
    first: bool,
    item: Doc<'a>,
}

impl<'a> Level<'a> {
    fn new(arena: &'a Arena<'a>, open: &'a str) -> Self {
        Level {
            open,
            clauses: arena.nil(),
            clause_gap: Gap::None,
            items: arena.nil(),
            first: true,
            item: arena.nil(),
        }
    }

    fn finish_item(&mut self, arena: &'a Arena<'a>) {
        let item = std::mem::replace(&mut self.item, arena.nil()).group();
        let items = std::mem::replace(&mut self.items, arena.nil());
        self.items = if std::mem::take(&mut self.first) {
            items.append(item)
        } else {
            items.append(arena.line().append(item).group())
        };
    }

    fn finish_clause(&mut self, arena: &'a Arena<'a>) {
        self.finish_item(arena);
        self.first = true;
        let clause = std::mem::replace(&mut self.items, arena.nil());
        let clauses = std::mem::replace(&mut self.clauses, arena.nil());
        let clause_below = || clause.clone().nest(NESTED as isize);
        self.clauses = match self.clause_gap {
            Gap::Line => clauses.append(arena.line()).append(clause_below()),
            Gap::Clause => {
                let below = arena.line().append(clause_below().group());
                clauses.append(below.group())
            }
            _ => clauses.append(clause),
        };
    }

    fn gap(&mut self, arena: &'a Arena<'a>, gap: Gap, space: &'a str) {
        match gap {
            Gap::None => self.add(arena.text(space)),
            Gap::Word => self.add(arena.softline()),
            Gap::Item => self.finish_item(arena),
            Gap::Clause | Gap::Line => {
                self.finish_clause(arena);
                self.clause_gap = gap;
            }
        }
    }

    fn add(&mut self, doc: Doc<'a>) {
        self.item += doc;
    }
}

/// The document of a line whose text is indented by `indent` columns.
pub(super) fn document<'a>(
    arena: &'a Arena<'a>,
    tokens: &[Token<'a>],
    indent: usize,
    width: usize,
) -> Doc<'a> {
    let widths = Widths::of(tokens);
    let mut gaps = Gaps::new(tokens, &widths, width.saturating_sub(indent + CONTINUATION));
    let mut outer = Vec::new();
    let mut level = Level::new(arena, "");
    let mut comment = arena.nil();
    for (index, token) in tokens.iter().enumerate() {
        match *token {
            Token::Text(text) => level.add(arena.text(text)),
            // Trailing space is dropped; a comment adds its own.
            Token::Space(_) if matches!(tokens.get(index + 1), None | Some(Token::Comment(_))) => {}
            Token::Space(space) => {
                let gap = gaps.at(index, level.open, outer.len());
                level.gap(arena, gap, space);
            }
            Token::Open(bracket) => {
                level.add(arena.text(bracket));
                outer.push((
                    std::mem::replace(&mut level, Level::new(arena, bracket)),
                    index,
                ));
            }
            Token::Close(bracket) => {
                level.finish_clause(arena);
                if let Some((mut around, open)) = outer.pop() {
                    around.add(bracketed(arena, level.clauses, width, widths.inside(open)));
                    around.add(arena.text(bracket));
                    level = around;
                }
            }
            Token::Comment(text) => comment = comment_document(arena, tokens, index, text),
        }
    }
    level.finish_clause(arena);
    let body = level.clauses.group().nest((indent + CONTINUATION) as isize);
    body.append(comment.nest(indent as isize))
}

/// Lays out bracketed contents: aligned with their start if there is room, else on the next line,
/// indented. `needed` is their minimum width in columns.
fn bracketed<'a>(arena: &'a Arena<'a>, contents: Doc<'a>, width: usize, needed: usize) -> Doc<'a> {
    let contents = contents.into_doc();
    arena.column(move |column| {
        let lay_out = move |nesting: usize| {
            // Aligned text far to the right would form a narrow column.
            let left = column <= nesting + width.saturating_sub(nesting) / 3;
            let contents = DocBuilder(arena, contents.into());
            let doc = if left && column + needed <= width {
                contents.nest(column as isize - nesting as isize)
            } else {
                let deeper = if nesting < width { NESTED } else { 0 };
                arena.line_().append(contents).nest(deeper as isize).group()
            };
            doc.into_doc()
        };
        arena.nesting(lay_out).into_doc()
    })
}

/// A comment at the end of the line, or below it; each line of a long comment starts with `//`.
fn comment_document<'a>(
    arena: &'a Arena<'a>,
    tokens: &[Token<'a>],
    index: usize,
    text: &'a str,
) -> Doc<'a> {
    let mut words = text.split(' ');
    // The first token is `//`.
    let mut doc = match index.checked_sub(1).map(|before| tokens[before]) {
        Some(Token::Space(space)) => arena.hardline().flat_alt(space),
        _ => arena.nil(),
    };
    doc += arena.text(words.next().unwrap_or_default());
    for (number, word) in words.enumerate() {
        let gap = match number {
            0 => arena.space(),
            _ => arena.hardline().append("// ").flat_alt(arena.space()),
        };
        doc += gap.append(word).group();
    }
    doc.group()
}

/// The separations at the spaces of a line.
struct Gaps<'t, 'a> {
    tokens: &'t [Token<'a>],
    widths: &'t Widths,
    /// The columns available to a continuation of the line.
    room: usize,
    /// The last `:` between tokens outside of brackets.
    last_colon: Option<usize>,
    /// Whether the operation name was already visited.
    named: bool,
}

impl<'t, 'a> Gaps<'t, 'a> {
    fn new(tokens: &'t [Token<'a>], widths: &'t Widths, room: usize) -> Self {
        let mut depth = 0usize;
        let mut last_colon = None;
        for (index, token) in tokens.iter().enumerate() {
            match token {
                Token::Open(_) => depth += 1,
                Token::Close(_) => depth -= 1,
                Token::Text(":") if depth == 0 => last_colon = Some(index),
                _ => {}
            }
        }
        Gaps {
            tokens,
            widths,
            room,
            last_colon,
            named: false,
        }
    }

    /// The separation at the space `index`, in brackets of kind `open` at nesting `depth`.
    fn at(&mut self, index: usize, open: &str, depth: usize) -> Gap {
        let outside = depth == 0;
        let before = index.checked_sub(1).map(|before| self.tokens[before]);
        let Some(next) = self.tokens.get(index + 1) else {
            return Gap::None;
        };
        let before = match before {
            None => "",
            Some(token) => token.text(),
        };
        let first_name = outside && !self.named && is_name(before);
        self.named |= first_name;
        match *next {
            // The start of a region moves to a new line only if it does not fit.
            _ if is_before_region(self.tokens, index) && self.widths.last() <= self.room => {
                Gap::None
            }
            _ if is_before_region(self.tokens, index) => Gap::Word,
            Token::Text("->") => Gap::Clause,
            Token::Text(":") if outside && self.last_colon == Some(index + 1) => match before {
                "}" | ">" => Gap::Clause,
                _ => self.line(index),
            },
            Token::Text(":") if open == "(" => Gap::Clause,
            Token::Text("attributes") if outside && self.opens(index + 3, "{") => self.line(index),
            Token::Text("loc") if outside && self.opens(index + 2, "(") => Gap::Clause,
            Token::Open("{") if outside && before != "attributes" => self.line(index),
            Token::Open("<") if outside && self.opens(index + 2, "{") => self.line(index),
            _ if before.ends_with(',') => Gap::Item,
            Token::Text(text) if outside && !first_name && self.is_keyword(text, before) => {
                Gap::Item
            }
            _ => Gap::Word,
        }
    }

    fn opens(&self, index: usize, bracket: &str) -> bool {
        self.tokens.get(index) == Some(&Token::Open(bracket))
    }

    /// Whether a token is a keyword that introduces the next one: `to`, `step`, `iter_args`.
    fn is_keyword(&self, text: &str, before: &str) -> bool {
        self.named && is_name(text) && !text.starts_with('"') && !matches!(before, ":" | "->" | "=")
    }

    /// The separation before a clause that starts a new line if the operation does not fit.
    fn line(&self, index: usize) -> Gap {
        let before: usize = self.tokens[..index]
            .iter()
            .take(SHORT + 1)
            .map(|t| t.text().len())
            .sum();
        if before <= SHORT {
            Gap::Word
        } else {
            Gap::Line
        }
    }
}

/// Whether a token may be an operation name or a keyword.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '"')
}
