//! Declarations as they are written, with the parts of groups merged into operations.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::tokens::{Error, Tokens, Wrapper, comma_separated, substitute, unwrapped, visible};

/// How many values, regions or successors a part stands for, or whether an attribute is required.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Exactly one.
    One,
    /// None or one; an attribute that may be absent.
    Optional,
    /// Any number.
    Variadic,
    /// An attribute that must be present.
    Required,
    /// An attribute with a value if it is not written.
    Default,
}

/// An operand, result, region or successor.
#[derive(Clone)]
pub struct Part {
    pub documentation: Vec<TokenStream>,
    pub name: Ident,
    pub kind: Kind,
    /// The constraint; empty for successors.
    pub constraint: TokenStream,
}

/// An attribute.
#[derive(Clone)]
pub struct AttributePart {
    pub documentation: Vec<TokenStream>,
    pub name: Ident,
    /// The key in the IR, a literal.
    pub key: TokenTree,
    pub kind: Kind,
    /// The type that implements `AttributeForm`.
    pub form: TokenStream,
    /// The default value; empty without one.
    pub default: TokenStream,
}

/// The parts of an operation.
#[derive(Clone, Default)]
pub struct Body {
    pub operands: Vec<Part>,
    pub results: Vec<Part>,
    pub attributes: Vec<AttributePart>,
    pub regions: Vec<Part>,
    pub successors: Vec<Part>,
    /// Traits.
    pub traits: Vec<TokenStream>,
    /// Verifiers, in the order in which they run.
    pub verifiers: Vec<TokenStream>,
    /// Other fields of the definition.
    pub fields: Vec<(Ident, TokenStream)>,
}

/// An operation with all of its parts.
pub struct Operation {
    pub documentation: Vec<TokenStream>,
    pub rust: Ident,
    /// The name in the IR, a literal.
    pub name: TokenTree,
    pub body: Body,
}

/// An invocation.
pub struct Invocation {
    pub operations: Vec<Operation>,
    /// The name and the documentation of the list of all declarations, if there is one.
    pub list: Option<(Ident, Vec<TokenStream>)>,
}

/// A group: its parameters, and the tokens of its parts, in which arguments replace them.
struct Shared {
    parameters: Vec<Ident>,
    body: Group,
}

/// What an invocation consists of.
const ITEMS: &str = "'op', 'group', 'base' or 'list'";

/// Reads an invocation.
pub fn parse(input: TokenStream) -> Result<Invocation, Error> {
    let mut tokens = Tokens::new(input, Span::call_site());
    let mut base = Body::default();
    let mut list = None;
    let mut groups = BTreeMap::new();
    let mut operations = Vec::new();
    while !tokens.is_empty() {
        let documentation = tokens.documentation()?;
        let keyword = tokens.identifier(ITEMS)?;
        match keyword.to_string().as_str() {
            "base" => base = body(&tokens.group(Delimiter::Brace, "the parts in braces")?)?,
            "group" => {
                let (name, shared) = shared(&mut tokens)?;
                if groups.insert(name.to_string(), shared).is_some() {
                    return Err(Error::new(name.span(), "a group has this name already"));
                }
            }
            "op" => operations.push(operation(&mut tokens, documentation, &groups, &base)?),
            "list" => {
                let name = tokens.identifier("the name of the list")?;
                tokens.expect(';')?;
                if list.is_some() {
                    return Err(Error::new(name.span(), "there is a list already"));
                }
                list = Some((name, documentation));
            }
            _ => return Err(Error::new(keyword.span(), format!("expected {ITEMS}"))),
        }
    }
    Ok(Invocation { operations, list })
}

fn shared(tokens: &mut Tokens) -> Result<(Ident, Shared), Error> {
    let name = tokens.identifier("the name of the group")?;
    let mut parameters = Vec::new();
    if let Some(list) = tokens.take_group(Delimiter::Parenthesis) {
        let mut list = Tokens::new(list.stream(), list.span());
        while !list.is_empty() {
            parameters.push(list.identifier("a parameter")?);
            if !list.is_empty() {
                list.expect(',')?;
            }
        }
    }
    let body = tokens.group(Delimiter::Brace, "the parts in braces")?;
    Ok((name, Shared { parameters, body }))
}

fn operation(
    tokens: &mut Tokens,
    documentation: Vec<TokenStream>,
    groups: &BTreeMap<String, Shared>,
    base: &Body,
) -> Result<Operation, Error> {
    let rust = tokens.identifier("the name of the operation in Rust")?;
    tokens.expect('=')?;
    let name = tokens.literal("the name of the operation")?;
    let mut merged = Body::default();
    merged.append_rules(base);
    if tokens.take(':') {
        loop {
            merged.append(&used(tokens, groups)?);
            if !tokens.take('+') {
                break;
            }
        }
    }
    match tokens.take_group(Delimiter::Brace) {
        Some(own) => {
            let shared = std::mem::take(&mut merged.attributes);
            merged.append(&body(&own)?);
            merged.attributes.extend(shared);
        }
        None => tokens.expect(';')?,
    }
    merged.append_parts(base);
    Ok(Operation {
        documentation,
        rust,
        name,
        body: merged,
    })
}

/// The parts of a group that an operation names.
fn used(tokens: &mut Tokens, groups: &BTreeMap<String, Shared>) -> Result<Body, Error> {
    let name = tokens.identifier("the name of a group")?;
    let Some(shared) = groups.get(&name.to_string()) else {
        return Err(Error::new(name.span(), "no group above has this name"));
    };
    let list = tokens.take_group(Delimiter::Parenthesis);
    let arguments = list.as_ref().map(comma_separated).unwrap_or_default();
    if arguments.len() != shared.parameters.len() {
        let expected = shared.parameters.len();
        let message = format!("expected {expected} arguments, found {}", arguments.len());
        return Err(Error::new(name.span(), message));
    }
    let parameters = shared.parameters.iter().cloned().zip(arguments);
    let parameters: Vec<_> = parameters.collect();
    let mut parts = Group::new(
        Delimiter::Brace,
        substitute(shared.body.stream(), &parameters),
    );
    parts.set_span(shared.body.span());
    body(&parts)
}

impl Body {
    fn append(&mut self, other: &Body) {
        self.append_parts(other);
        self.append_rules(other);
    }

    /// Adds operands, results, attributes, regions and successors after the own ones.
    fn append_parts(&mut self, other: &Body) {
        self.operands.extend_from_slice(&other.operands);
        self.results.extend_from_slice(&other.results);
        self.attributes.extend_from_slice(&other.attributes);
        self.regions.extend_from_slice(&other.regions);
        self.successors.extend_from_slice(&other.successors);
    }

    /// Adds traits and verifiers after the own ones; other fields replace those of the same name.
    fn append_rules(&mut self, other: &Body) {
        self.traits.extend_from_slice(&other.traits);
        self.verifiers.extend_from_slice(&other.verifiers);
        let is_new =
            |(name, _): &(Ident, TokenStream)| !other.fields.iter().any(|(other, _)| other == name);
        self.fields.retain(is_new);
        self.fields.extend_from_slice(&other.fields);
    }
}

fn body(group: &Group) -> Result<Body, Error> {
    let mut tokens = Tokens::new(group.stream(), group.span());
    let mut body = Body::default();
    while !tokens.is_empty() {
        let list = tokens.identifier("a list of parts")?;
        let inner = tokens.group(Delimiter::Brace, "the parts in braces")?;
        let mut inner = Tokens::new(inner.stream(), inner.span());
        let read: fn(&mut Tokens, &mut Body) -> Result<(), Error> = match list.to_string().as_str()
        {
            "operands" => {
                |inner, body| part(inner, VALUES, true).map(|part| body.operands.push(part))
            }
            "results" => {
                |inner, body| part(inner, VALUES, true).map(|part| body.results.push(part))
            }
            "regions" => {
                |inner, body| part(inner, BLOCKS, true).map(|part| body.regions.push(part))
            }
            "successors" => {
                |inner, body| part(inner, BLOCKS, false).map(|part| body.successors.push(part))
            }
            "attributes" => |inner, body| attribute(inner).map(|part| body.attributes.push(part)),
            "with" => field,
            _ => {
                let known = "operands, results, attributes, regions, successors, with";
                return Err(Error::new(list.span(), format!("expected one of {known}")));
            }
        };
        while !inner.is_empty() {
            read(&mut inner, &mut body)?;
        }
    }
    Ok(body)
}

fn kind(tokens: &mut Tokens, known: &[(&str, Kind)]) -> Result<Kind, Error> {
    let name = tokens.identifier("a kind")?;
    let found = known.iter().find(|(known, _)| name == known);
    found.map(|(_, kind)| *kind).ok_or_else(|| {
        let known: Vec<_> = known.iter().map(|(name, _)| *name).collect();
        Error::new(name.span(), format!("expected one of {}", known.join(", ")))
    })
}

/// The kinds of operands and results.
const VALUES: &[(&str, Kind)] = &[
    ("one", Kind::One),
    ("optional", Kind::Optional),
    ("variadic", Kind::Variadic),
];
/// The kinds of regions and successors, whose definitions have no optional form.
const BLOCKS: &[(&str, Kind)] = &[("one", Kind::One), ("variadic", Kind::Variadic)];

fn part(tokens: &mut Tokens, kinds: &[(&str, Kind)], constrained: bool) -> Result<Part, Error> {
    let documentation = tokens.documentation()?;
    let name = tokens.identifier("a name")?;
    tokens.expect(':')?;
    let kind = kind(tokens, kinds)?;
    let constraint = match constrained {
        true => tokens
            .group(Delimiter::Parenthesis, "the constraint in parentheses")?
            .stream(),
        false => TokenStream::new(),
    };
    end(tokens)?;
    Ok(Part {
        documentation,
        name,
        kind,
        constraint,
    })
}

fn attribute(tokens: &mut Tokens) -> Result<AttributePart, Error> {
    let documentation = tokens.documentation()?;
    let name = tokens.identifier("a name")?;
    tokens.expect('=')?;
    let key = tokens.literal("the key of the attribute")?;
    tokens.expect(':')?;
    let kinds = [
        ("required", Kind::Required),
        ("optional", Kind::Optional),
        ("default", Kind::Default),
    ];
    let kind = kind(tokens, &kinds)?;
    let inner = tokens.group(Delimiter::Parenthesis, "the form in parentheses")?;
    let mut inner = Tokens::new(inner.stream(), inner.span());
    let form = inner.up_to_comma();
    let default = inner.up_to_comma();
    if (kind == Kind::Default) == default.is_empty() {
        return Err(Error::new(
            name.span(),
            "a default value belongs to 'default'",
        ));
    }
    end(tokens)?;
    Ok(AttributePart {
        documentation,
        name,
        key,
        kind,
        form,
        default,
    })
}

fn field(tokens: &mut Tokens, body: &mut Body) -> Result<(), Error> {
    let name = tokens.identifier("a field of the definition")?;
    tokens.expect(':')?;
    let value = visible(tokens.up_to_comma());
    let expected = |form: &str| Error::new(name.span(), format!("expected '{form}'"));
    if name == "traits" {
        let list = unwrapped(&value, Wrapper::Slice).ok_or_else(|| expected("&[…]"))?;
        body.traits.extend(comma_separated(&list));
    } else if name == "verify" {
        if value.to_string() == "None" {
            return Ok(());
        }
        let list = unwrapped(&value, Wrapper::Option).ok_or_else(|| expected("Some(…)"))?;
        body.verifiers.push(list.stream());
    } else {
        body.fields.push((name, value));
    }
    Ok(())
}

/// Takes the comma after a part, which the last one may lack.
fn end(tokens: &mut Tokens) -> Result<(), Error> {
    match tokens.is_empty() {
        true => Ok(()),
        false => tokens.expect(','),
    }
}

#[cfg(test)]
mod tests;
