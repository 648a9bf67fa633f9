//! Tests of dialect types and attributes as Rust values.

use std::cell::Cell;

use super::*;
use crate::bytecode::{BytecodeOptions, read_bytecode, write_bytecode};
use crate::declare::{DialectDefinition, ParameterDefinition, irdl_file};
use crate::parser::TokenKind;
use crate::{Operation, PrintFlags, Source, parse_source, print_to_string};

static SPAN: PayloadDefinition = PayloadDefinition::typed::<Span>("toy.span", "Two bounds.");
static TAG: PayloadDefinition = PayloadDefinition::parameterized::<Tag>(
    "toy.tag",
    "A name.",
    &[
        ParameterDefinition {
            name: "name",
            documentation: "the name",
        },
        ParameterDefinition {
            name: "of",
            documentation: "optional type",
        },
    ],
);
static POINT: PayloadDefinition = PayloadDefinition::without_parameters("toy.point", "A point.");
static TOY: DialectDefinition = DialectDefinition {
    name: "toy",
    types: &[&SPAN, &POINT],
    attributes: &[&TAG],
    ..DialectDefinition::DEFAULT
};

thread_local! {
    /// How many spans were hashed by this thread.
    static HASHED: Cell<usize> = const { Cell::new(0) };
    /// How many spans were verified by this thread.
    static VERIFIED: Cell<usize> = const { Cell::new(0) };
}

/// `!toy.span<1 to 5, @unit>`. Other tools see it as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    from: i64,
    to: i64,
    unit: Attribute,
}

impl Hash for Span {
    fn hash<H: Hasher>(&self, state: &mut H) {
        HASHED.set(HASHED.get() + 1);
        (self.from, self.to, self.unit).hash(state);
    }
}

impl DialectValue for Span {
    fn definition(&self) -> &'static PayloadDefinition {
        &SPAN
    }

    fn parse(parser: &mut Parser<'_>, _: &'static PayloadDefinition) -> ParseResult<Self> {
        parser.expect(TokenKind::Less, "expected '<'")?;
        let from = parser.parse_integer("expected the lower bound")?;
        parser.expect_keyword("to")?;
        let to = parser.parse_integer("expected the upper bound")?;
        parser.expect(TokenKind::Comma, "expected ','")?;
        let unit = parser.parse_attribute()?;
        parser.expect(TokenKind::Greater, "expected '>'")?;
        Ok(Span { from, to, unit })
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.write(&format!("<{} to {}, ", self.from, self.to));
        printer.attribute(self.unit);
        printer.write(">");
    }

    fn verify(&self, _: &Context) -> Result<(), String> {
        VERIFIED.set(VERIFIED.get() + 1);
        match self.from <= self.to {
            true => Ok(()),
            false => Err("the bounds are in the wrong order".to_owned()),
        }
    }

    fn parameters(&self, visit: &mut dyn FnMut(Parameter<'_>)) {
        visit(Parameter::Attribute(self.unit));
    }
}

/// `#toy.tag<"name">`, `#toy.tag<"name", type>`. Other tools see its parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Tag {
    name: String,
    of: Option<Type>,
}

impl DialectValue for Tag {
    fn definition(&self) -> &'static PayloadDefinition {
        &TAG
    }

    fn parse(parser: &mut Parser<'_>, _: &'static PayloadDefinition) -> ParseResult<Self> {
        parser.expect(TokenKind::Less, "expected '<'")?;
        let name = parser.parse_string()?;
        let of = match parser.eat(TokenKind::Comma)? {
            true => Some(parser.parse_type()?),
            false => None,
        };
        parser.expect(TokenKind::Greater, "expected '>'")?;
        Ok(Tag { name, of })
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.write("<");
        printer.string(self.name.as_bytes());
        if let Some(ty) = self.of {
            printer.write(", ");
            printer.ty(ty);
        }
        printer.write(">");
    }

    fn parameters(&self, visit: &mut dyn FnMut(Parameter<'_>)) {
        visit(Parameter::Text(&self.name));
        visit(Parameter::optional(self.of, Parameter::Type));
    }
}

impl Parameterized for Tag {
    fn from_parameters(
        context: &Context,
        _: &'static PayloadDefinition,
        parameters: &[Attribute],
    ) -> Option<Self> {
        let [name, of] = parameters else { return None };
        Some(Tag {
            name: name.as_str(context)?.to_owned(),
            of: Parameter::read(*of, |of| of.as_type(context))?,
        })
    }
}

fn context() -> Context {
    let mut context = Context::new();
    context.register_dialect(&TOY);
    context.allow_unregistered_dialects(true);
    context
}

fn parse(context: &mut Context, text: &str) -> Option<Operation> {
    let source = Source {
        name: "input",
        text,
        first_line: 1,
    };
    parse_source(context, source).ok()
}

/// An operation with all of the toy dialect.
const CUSTOM: &str = "\"builtin.module\"() ({\n  \
    %0 = \"test.op\"() {a = #toy.tag<\"x\", !toy.span<1 to 5, @unit>>, b = #toy.tag<\"y\">} : () -> !toy.point\n\
    }) : () -> ()\n";

/// The same as tools read it that know the dialect from IRDL.
const PLAIN: &str = "\"builtin.module\"() ({\n  \
    %0 = \"test.op\"() {a = #toy.tag<\"x\", !toy.span<\"<1 to 5, @unit>\">>, b = #toy.tag<\"y\", unit>} : () -> !toy.point\n\
    }) : () -> ()\n";

#[test]
fn equal_values_have_equal_handles_however_they_are_made() {
    let mut context = context();
    let span = Span {
        from: 1,
        to: 5,
        unit: Attribute::UNIT,
    };
    let ty = Type::typed(&mut context, span);
    assert_eq!(Type::typed(&mut context, span), ty);
    let kind = TypeKind::Dialect(Payload::new(span));
    assert_eq!(Type::new(&mut context, kind.clone()), ty);
    assert_eq!(ty.kind(&context), &kind);
    let longer = Type::typed(&mut context, Span { to: 6, ..span });
    assert_ne!(longer, ty);
    assert_eq!(
        longer.downcast::<Span>(&context).map(|span| span.to),
        Some(6)
    );
}

#[test]
fn a_value_is_read_only_as_its_own_rust_type() {
    let mut context = context();
    let point = Type::without_parameters(&mut context, &POINT);
    assert_eq!(Type::without_parameters(&mut context, &POINT), point);
    assert!(point.is_declared_by(&context, &POINT));
    assert!(!point.is_declared_by(&context, &SPAN));
    assert!(!Type::I32.is_declared_by(&context, &POINT));
    assert_eq!(point.downcast::<Span>(&context), None);
    let name = "x".to_owned();
    let tag = Attribute::typed(&mut context, Tag { name, of: None });
    assert_eq!(tag.downcast::<Span>(&context), None);
    assert_eq!(
        tag.downcast::<Tag>(&context).map(|tag| &*tag.name),
        Some("x")
    );
    assert_eq!(Attribute::UNIT.downcast::<Tag>(&context), None);
}

#[test]
fn a_value_is_hashed_once() {
    let mut context = context();
    let before = HASHED.get();
    for to in 0..1000 {
        let unit = Attribute::UNIT;
        Type::typed(&mut context, Span { from: 0, to, unit });
    }
    assert_eq!(HASHED.get() - before, 1000);
}

/// The parser's check is that of the interned value; an invalid value is refused each time.
#[test]
fn a_valid_value_is_verified_once() {
    let mut context = context();
    let unit = Attribute::UNIT;
    let mut span = |from, to| Type::typed(&mut context, Span { from, to, unit });
    let (valid, invalid) = (span(0, 1), span(1, 0));
    let verify =
        |ty: Type, context: &Context| ty.payload(context).map(|found| found.verify(context));
    let before = VERIFIED.get();
    for _ in 0..3 {
        assert_eq!(verify(valid, &context), Some(Ok(())));
    }
    assert_eq!(VERIFIED.get() - before, 1);
    let wrong = "the bounds are in the wrong order".to_owned();
    for _ in 0..2 {
        assert_eq!(verify(invalid, &context), Some(Err(wrong.clone())));
    }
    assert_eq!(VERIFIED.get() - before, 3);
    let text = r#""test.op"() {a = !toy.span<0 to 2, unit>} : () -> ()"#;
    assert!(parse(&mut context, text).is_some());
    let parsed = Type::typed(
        &mut context,
        Span {
            from: 0,
            to: 2,
            unit,
        },
    );
    let before = VERIFIED.get();
    assert_eq!(verify(parsed, &context), Some(Ok(())));
    assert_eq!(VERIFIED.get(), before);
}

#[test]
fn values_survive_text_and_bytecode() {
    let mut context = context();
    let module = parse(&mut context, CUSTOM).expect("valid text");
    let generic = PrintFlags::generic();
    assert_eq!(print_to_string(&context, module, &generic), CUSTOM);
    let bytes = write_bytecode(&mut context, module, &BytecodeOptions::default());
    let mut other = self::context();
    let module = read_bytecode(&mut other, "f", &bytes.expect("bytes"), true).expect("a file");
    assert_eq!(print_to_string(&other, module, &generic), CUSTOM);
}

#[test]
fn values_survive_the_form_for_irdl() {
    let mut context = context();
    let module = parse(&mut context, CUSTOM).expect("valid text");
    let flags = PrintFlags {
        irdl: true,
        ..PrintFlags::generic()
    };
    assert_eq!(print_to_string(&context, module, &flags), PLAIN);
    context.read_irdl_form(true);
    let module = parse(&mut context, PLAIN).expect("valid text");
    assert_eq!(
        print_to_string(&context, module, &PrintFlags::generic()),
        CUSTOM
    );
    for invalid in [
        "#toy.tag<\"x\">",
        "#toy.tag<\"x\", 1>",
        "!toy.span<\"<1 to 5>\">",
        "!toy.span<\"<1 to 5, @unit> \\22\">",
        "!toy.span<\"<5 to 1, @unit>\">",
        "!toy.span<1 to 5, @unit>",
    ] {
        let text = format!("\"test.op\"() {{a = {invalid}}} : () -> ()");
        assert_eq!(parse(&mut context, &text), None, "{invalid}");
    }
}

#[test]
fn irdl_declares_the_parameters_or_the_text() {
    let file = irdl_file(&[&TOY]);
    for part in [
        "  irdl.type @span {\n    %0 = irdl.any\n    irdl.parameters(text: %0)\n  }\n",
        "  irdl.type @point {\n  }\n",
        "  irdl.attribute @tag {\n    %0 = irdl.any\n    %1 = irdl.any\n    \
         irdl.parameters(name: %0, of: %1)\n  }\n",
    ] {
        assert!(file.contains(part), "{file}");
    }
}

#[test]
fn attributes_are_found_in_types_inside_of_attributes() {
    let mut context = context();
    let unit = Attribute::symbol(&mut context, "unit");
    let (from, to) = (0, 1);
    let of = Type::typed(&mut context, Span { from, to, unit });
    let name = "x".to_owned();
    let tag = Payload::new(Tag { name, of: Some(of) });
    let mut found = Vec::new();
    tag.attributes(&context, &mut |attribute| found.push(attribute));
    assert_eq!(found, [unit]);
}
