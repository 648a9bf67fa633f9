//! A cursor over token trees, with errors that name a place.

use proc_macro2::{Delimiter, Group, Ident, Punct, Span, TokenStream, TokenTree};
use quote::quote_spanned;

/// What is wrong, and where.
#[derive(Debug)]
pub struct Error {
    span: Span,
    message: String,
}

impl Error {
    /// An error at a place.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        let message = message.into();
        Error { span, message }
    }

    /// The tokens that make the compiler report the error.
    pub fn into_tokens(self) -> TokenStream {
        let message = self.message;
        quote_spanned!(self.span=> ::core::compile_error!(#message);)
    }
}

/// A cursor over token trees.
pub struct Tokens {
    rest: std::iter::Peekable<std::vec::IntoIter<TokenTree>>,
    /// The place named by errors at the end of the tokens.
    last: Span,
}

impl Tokens {
    /// A cursor at the start; `last` is the place of what encloses the tokens.
    pub fn new(stream: TokenStream, last: Span) -> Self {
        let mut trees = Vec::new();
        flatten(stream, &mut trees);
        let rest = trees.into_iter().peekable();
        Tokens { rest, last }
    }

    /// Whether no token is left.
    pub fn is_empty(&mut self) -> bool {
        self.rest.peek().is_none()
    }

    /// An error at the next token.
    pub fn error(&mut self, message: impl Into<String>) -> Error {
        let span = self.rest.peek().map_or(self.last, TokenTree::span);
        Error::new(span, message)
    }

    /// The next token.
    pub fn next(&mut self) -> Option<TokenTree> {
        let next = self.rest.next();
        if let Some(tree) = &next {
            self.last = tree.span();
        }
        next
    }

    /// Takes a punctuation character if it is next.
    pub fn take(&mut self, wanted: char) -> bool {
        let is_next =
            |tree: &TokenTree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == wanted);
        let found = self.rest.peek().is_some_and(is_next);
        if found {
            self.next();
        }
        found
    }

    /// Takes a punctuation character.
    pub fn expect(&mut self, wanted: char) -> Result<(), Error> {
        match self.take(wanted) {
            true => Ok(()),
            false => Err(self.error(format!("expected '{wanted}'"))),
        }
    }

    /// Takes an identifier.
    pub fn identifier(&mut self, what: &str) -> Result<Ident, Error> {
        match self.rest.peek() {
            Some(TokenTree::Ident(name)) => {
                let name = name.clone();
                self.next();
                Ok(name)
            }
            _ => Err(self.error(format!("expected {what}"))),
        }
    }

    /// Takes a literal.
    pub fn literal(&mut self, what: &str) -> Result<TokenTree, Error> {
        match self.rest.peek() {
            Some(TokenTree::Literal(_)) => {
                self.next().ok_or_else(|| self.error("expected a literal"))
            }
            _ => Err(self.error(format!("expected {what}"))),
        }
    }

    /// Takes a group with the delimiter if it is next.
    pub fn take_group(&mut self, delimiter: Delimiter) -> Option<Group> {
        let Some(TokenTree::Group(group)) = self.rest.peek() else {
            return None;
        };
        if group.delimiter() != delimiter {
            return None;
        }
        let group = group.clone();
        self.next();
        Some(group)
    }

    /// Takes a group with the delimiter.
    pub fn group(&mut self, delimiter: Delimiter, what: &str) -> Result<Group, Error> {
        self.take_group(delimiter)
            .ok_or_else(|| self.error(format!("expected {what}")))
    }

    /// Takes the tokens up to the next comma outside of groups, and the comma.
    pub fn up_to_comma(&mut self) -> TokenStream {
        let mut taken = TokenStream::new();
        while let Some(tree) = self.next() {
            if matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == ',') {
                break;
            }
            taken.extend([tree]);
        }
        taken
    }

    /// Takes the values of `#[doc = value]`, of which there may be any number.
    pub fn documentation(&mut self) -> Result<Vec<TokenStream>, Error> {
        let mut lines = Vec::new();
        while self.take('#') {
            let attribute = self.group(Delimiter::Bracket, "'[doc = …]'")?;
            let mut inner = Tokens::new(attribute.stream(), attribute.span());
            let name = inner.identifier("'doc'")?;
            if name != "doc" {
                return Err(Error::new(name.span(), "expected 'doc'"));
            }
            inner.expect('=')?;
            lines.push(inner.rest.collect());
        }
        Ok(lines)
    }
}

/// The tokens without the invisible groups around fragments of declarative macros.
fn flatten(stream: TokenStream, into: &mut Vec<TokenTree>) {
    for tree in stream {
        match tree {
            TokenTree::Group(group)
                if group.delimiter() == Delimiter::None && is_one_token(&group) =>
            {
                flatten(group.stream(), into);
            }
            tree => into.push(tree),
        }
    }
}

/// Whether an invisible group has one token: others keep the precedence of an expression.
fn is_one_token(group: &Group) -> bool {
    group.stream().into_iter().nth(1).is_none()
}

/// The tokens inside of an invisible group, if they are in one.
pub fn visible(stream: TokenStream) -> TokenStream {
    let mut trees = stream.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => {
            group.stream()
        }
        _ => stream,
    }
}

/// Splits at commas outside of groups.
pub fn comma_separated(group: &Group) -> Vec<TokenStream> {
    let mut tokens = Tokens::new(group.stream(), group.span());
    let mut parts = Vec::new();
    while !tokens.is_empty() {
        parts.push(tokens.up_to_comma());
    }
    parts
}

/// Replaces each identifier that is a parameter by its argument, everywhere in the tokens.
pub fn substitute(stream: TokenStream, parameters: &[(Ident, TokenStream)]) -> TokenStream {
    let mut output = TokenStream::new();
    for tree in stream {
        match tree {
            TokenTree::Ident(name) => match parameters.iter().find(|(known, _)| *known == name) {
                Some((_, argument)) => output.extend(argument.clone()),
                None => output.extend([TokenTree::Ident(name)]),
            },
            TokenTree::Group(group) => {
                let inner = substitute(group.stream(), parameters);
                let mut replaced = Group::new(group.delimiter(), inner);
                replaced.set_span(group.span());
                output.extend([TokenTree::Group(replaced)]);
            }
            tree => output.extend([tree]),
        }
    }
    output
}

/// The tokens after `&` and inside of brackets, or those inside of `Some(…)`: `None` for other tokens.
pub fn unwrapped(stream: &TokenStream, wrapper: Wrapper) -> Option<Group> {
    let mut trees = stream.clone().into_iter();
    let (first, second) = (trees.next()?, trees.next()?);
    if trees.next().is_some() {
        return None;
    }
    let fits = match (&first, wrapper) {
        (TokenTree::Punct(punct), Wrapper::Slice) => is_and(punct),
        (TokenTree::Ident(name), Wrapper::Option) => name == "Some",
        _ => false,
    };
    match second {
        TokenTree::Group(group) if fits && group.delimiter() == wrapper.delimiter() => Some(group),
        _ => None,
    }
}

/// The forms that [`unwrapped`] opens.
#[derive(Clone, Copy)]
pub enum Wrapper {
    /// `&[…]`.
    Slice,
    /// `Some(…)`.
    Option,
}

impl Wrapper {
    fn delimiter(self) -> Delimiter {
        match self {
            Wrapper::Slice => Delimiter::Bracket,
            Wrapper::Option => Delimiter::Parenthesis,
        }
    }
}

fn is_and(punct: &Punct) -> bool {
    punct.as_char() == '&'
}
