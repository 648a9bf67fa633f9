//! Declarative assembly formats.
//!
//! A format is a string of elements separated by blanks, as in MLIR's ODS:
//!
//! | element | meaning |
//! |---|---|
//! | `` `text` `` | a literal: keyword or punctuation |
//! | `$name` | an operand (group), an inherent attribute, a region or a successor (group) |
//! | `type($name)` | the type or types of an operand or result (group) |
//! | `operands` | all operands |
//! | `functional-type(operands, results)` | all types, as a function type |
//! | `attr-dict` | attributes that no other element writes |
//! | `attr-dict-with-keyword` | the same after `attributes` |
//! | `( elements ^ )?` | written when the element before `^` is present: an optional attribute that is set, a group that is not empty; starts with a literal, operand, region, successor, type, or the name of a symbol |
//!
//! Types that no element specifies must follow from the declaration: a constraint with only one
//! type, or a trait that makes all types the same.

use super::{OperationDefinition, Trait, Variadicity};

/// An element of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Element {
    /// Punctuation or a keyword.
    Literal(String),
    /// The operand group at this index.
    Operand(usize),
    /// The inherent attribute at this index.
    Attribute(usize),
    /// The region at this index (and all later ones, if variadic).
    Region(usize),
    /// The successor at this index (and all later ones, if variadic).
    Successor(usize),
    /// The types of the operand group at this index.
    OperandType(usize),
    /// The types of the result group at this index.
    ResultType(usize),
    /// All operands.
    Operands,
    /// All types.
    FunctionalType,
    /// The remaining attributes; with the keyword `attributes` if true.
    AttrDict(bool),
    /// Optional elements, and the index of the anchor.
    Optional(Vec<Element>, usize),
}

/// Compiles the format of a declaration.
///
/// # Errors
/// A message that describes the error in the format; a test compiles every declared format.
pub fn compile(definition: &OperationDefinition, text: &str) -> Result<Vec<Element>, String> {
    let mut rest = text.trim();
    let mut elements = Vec::new();
    while !rest.is_empty() {
        rest = element(definition, rest, &mut elements)?.trim_start();
    }
    check_types(definition, &elements)?;
    Ok(elements)
}

/// Compiles one element from the start of `text`; returns the remaining text.
fn element<'t>(
    definition: &OperationDefinition,
    text: &'t str,
    elements: &mut Vec<Element>,
) -> Result<&'t str, String> {
    if let Some(rest) = text.strip_prefix('`') {
        let (literal, rest) = rest.split_once('`').ok_or("unterminated literal")?;
        elements.push(Element::Literal(literal.to_owned()));
        return Ok(rest);
    }
    if let Some(rest) = text.strip_prefix('$') {
        let (name, rest) = word(rest);
        elements.push(variable(definition, name)?);
        return Ok(rest);
    }
    if let Some(rest) = text.strip_prefix("type($") {
        let (name, rest) = word(rest);
        let rest = rest
            .strip_prefix(')')
            .ok_or("expected ')' after 'type($name'")?;
        elements.push(type_of(definition, name)?);
        return Ok(rest);
    }
    if let Some(rest) = text.strip_prefix("functional-type(operands, results)") {
        elements.push(Element::FunctionalType);
        return Ok(rest);
    }
    if let Some(rest) = text.strip_prefix('(') {
        return optional(definition, rest, elements);
    }
    for (name, element) in [
        ("attr-dict-with-keyword", Element::AttrDict(true)),
        ("attr-dict", Element::AttrDict(false)),
        ("operands", Element::Operands),
    ] {
        if let Some(rest) = text.strip_prefix(name) {
            elements.push(element);
            return Ok(rest);
        }
    }
    Err(format!("expected an element, found '{text}'"))
}

fn optional<'t>(
    definition: &OperationDefinition,
    text: &'t str,
    elements: &mut Vec<Element>,
) -> Result<&'t str, String> {
    let (mut inner, mut anchor) = (Vec::new(), None);
    let mut rest = text.trim_start();
    loop {
        if let Some(after) = rest.strip_prefix(")?") {
            let anchor = anchor.ok_or("optional group without an anchor")?;
            if !starts_group(definition, &inner[0]) {
                return Err("an optional group cannot start with this element".to_owned());
            }
            elements.push(Element::Optional(inner, anchor));
            return Ok(after);
        }
        if rest.is_empty() {
            return Err("unterminated optional group".to_owned());
        }
        rest = element(definition, rest, &mut inner)?.trim_start();
        if let Some(after) = rest.strip_prefix('^') {
            anchor = Some(inner.len() - 1);
            rest = after.trim_start();
        }
    }
}

/// Whether the token at which an element starts tells that it is present: of attributes, only the
/// name of a symbol.
fn starts_group(definition: &OperationDefinition, element: &Element) -> bool {
    match element {
        Element::Attribute(number) => definition.attributes[*number].name == "sym_name",
        Element::AttrDict(_) | Element::FunctionalType | Element::Optional(..) => false,
        _ => true,
    }
}

fn word(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    text.split_at(end)
}

fn variable(definition: &OperationDefinition, name: &str) -> Result<Element, String> {
    if let Some(number) = definition
        .operands
        .iter()
        .position(|operand| operand.name == name)
    {
        return Ok(Element::Operand(number));
    }
    if let Some(number) = definition.attributes.iter().position(|a| a.name == name) {
        return Ok(Element::Attribute(number));
    }
    if let Some(number) = definition
        .regions
        .iter()
        .position(|region| region.name == name)
    {
        return Ok(Element::Region(number));
    }
    if let Some(number) = definition.successors.iter().position(|s| s.name == name) {
        return Ok(Element::Successor(number));
    }
    Err(format!("'${name}' is not declared"))
}

fn type_of(definition: &OperationDefinition, name: &str) -> Result<Element, String> {
    if let Some(number) = definition
        .operands
        .iter()
        .position(|operand| operand.name == name)
    {
        return Ok(Element::OperandType(number));
    }
    if let Some(number) = definition
        .results
        .iter()
        .position(|result| result.name == name)
    {
        return Ok(Element::ResultType(number));
    }
    Err(format!(
        "'type(${name})' does not refer to an operand or result"
    ))
}

/// Whether an element occurs, at any depth.
fn occurs(elements: &[Element], wanted: &Element) -> bool {
    elements.iter().any(|element| match element {
        Element::Optional(inner, _) => occurs(inner, wanted),
        element => element == wanted,
    })
}

/// Checks that the type of every operand and result can be determined when the format is parsed.
fn check_types(definition: &OperationDefinition, elements: &[Element]) -> Result<(), String> {
    if occurs(elements, &Element::FunctionalType) {
        return Ok(());
    }
    let same = definition.has_trait(Trait::SameOperandsAndResultType);
    let same_operands = same || definition.has_trait(Trait::SameTypeOperands);
    for (number, operand) in definition.operands.iter().enumerate() {
        let given = occurs(elements, &Element::OperandType(number));
        let inferred = same_operands && operand.variadicity == Variadicity::One;
        if !given && operand.constraint.build.is_none() && !inferred {
            return Err(format!("missing type of operand '{}'", operand.name));
        }
        if !occurs(elements, &Element::Operand(number)) && !occurs(elements, &Element::Operands) {
            return Err(format!("missing operand '{}'", operand.name));
        }
    }
    for (number, result) in definition.results.iter().enumerate() {
        let given = occurs(elements, &Element::ResultType(number));
        let built = result.constraint.build.is_some() && result.variadicity == Variadicity::One;
        if !given && !built && !same {
            return Err(format!("missing type of result '{}'", result.name));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declare::constraints::{ANY_TYPE, INDEX};
    use crate::declare::{AttributeForm, InherentAttribute, UnitAttr, ValueDefinition};

    const DEFINITION: OperationDefinition = OperationDefinition {
        name: "toy.peek",
        operands: &[
            ValueDefinition {
                name: "source",
                variadicity: Variadicity::One,
                constraint: &ANY_TYPE,
                documentation: "",
            },
            ValueDefinition {
                name: "indices",
                variadicity: Variadicity::Variadic,
                constraint: &INDEX,
                documentation: "",
            },
        ],
        attributes: &[InherentAttribute {
            name: "mark",
            constraint: <UnitAttr as AttributeForm>::CONSTRAINT,
            optional: true,
            default: None,
            documentation: "",
        }],
        results: &[ValueDefinition {
            name: "seen",
            variadicity: Variadicity::One,
            constraint: &INDEX,
            documentation: "",
        }],
        ..OperationDefinition::DEFAULT
    };

    #[test]
    fn a_format_becomes_elements() {
        let text = "$source (`[` $indices^ `]`)? attr-dict `:` type($source)";
        let literal = |text: &str| Element::Literal(text.to_owned());
        assert_eq!(
            compile(&DEFINITION, text),
            Ok(vec![
                Element::Operand(0),
                Element::Optional(vec![literal("["), Element::Operand(1), literal("]")], 1),
                Element::AttrDict(false),
                literal(":"),
                Element::OperandType(0),
            ])
        );
    }

    #[test]
    fn broken_formats_say_what_is_wrong() {
        for (text, message) in [
            ("$nothing", "'$nothing' is not declared"),
            ("$source $indices", "missing type of operand 'source'"),
            ("type($source) $indices", "missing operand 'source'"),
            ("`,", "unterminated literal"),
            ("(`,` $indices)?", "optional group without an anchor"),
            ("(`,` $indices^ `", "unterminated literal"),
            ("(`,` $indices^", "unterminated optional group"),
            (
                "(attr-dict $indices^)?",
                "an optional group cannot start with this element",
            ),
            (
                "($mark^)?",
                "an optional group cannot start with this element",
            ),
            ("type($source", "expected ')' after 'type($name'"),
            (
                "type($where)",
                "'type($where)' does not refer to an operand or result",
            ),
            ("what", "expected an element, found 'what'"),
        ] {
            assert_eq!(
                compile(&DEFINITION, text),
                Err(message.to_owned()),
                "{text}"
            );
        }
        let untyped = OperationDefinition {
            results: DEFINITION.operands,
            ..OperationDefinition::DEFAULT
        };
        let message = "missing type of result 'source'";
        assert_eq!(compile(&untyped, "attr-dict"), Err(message.to_owned()));
        // One index has a known type; any number of them have not.
        let message = "missing type of result 'indices'";
        let text = "attr-dict `:` type($source)";
        assert_eq!(compile(&untyped, text), Err(message.to_owned()));
    }
}
