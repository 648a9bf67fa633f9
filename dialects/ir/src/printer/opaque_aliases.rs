//! Printing of aliases in the text of opaque types and attributes.

use super::Printer;
use super::aliases::Subject;
use crate::OpaqueAlias;
use crate::attributes::AttributeKind;
use crate::spelling::alias_ranges;

impl Printer<'_> {
    /// Writes the body of an opaque type or attribute. Its aliases are replaced with those that
    /// this output defines, or are expanded if the output defines none.
    pub(super) fn opaque_body(&mut self, body: &str, aliases: &[OpaqueAlias]) {
        if aliases.is_empty() {
            self.write(body);
            return;
        }
        if self.is_collecting_aliases() {
            for alias in aliases {
                let subject = self.opaque_alias_subject(alias);
                self.note_opaque_alias(subject, &alias.name[1..]);
            }
            return;
        }
        let mut written = 0;
        for range in alias_ranges(body) {
            let name = &body[range.clone()];
            let Some(alias) = aliases.iter().find(|alias| *alias.name == *name) else {
                continue;
            };
            self.write(&body[written..range.start]);
            self.opaque_alias(alias, &body[..range.start]);
            written = range.end;
        }
        self.write(&body[written..]);
    }

    /// Writes an alias or its expansion after the preceding part of the body.
    fn opaque_alias(&mut self, alias: &OpaqueAlias, before: &str) {
        let subject = self.opaque_alias_subject(alias);
        if self.write_alias(&subject) {
            return;
        }
        if before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            self.write(" ");
        }
        match subject {
            Subject::Location(location) if is_in_location(before) => {
                self.location_in_full(location);
            }
            Subject::Location(location) => self.location(location),
            Subject::Attribute(_) | Subject::Type(_) => self.subject_in_full(subject),
        }
    }

    fn opaque_alias_subject(&self, alias: &OpaqueAlias) -> Subject {
        match alias.definition.kind(self.context) {
            AttributeKind::Type(ty) if alias.name.starts_with('!') => Subject::Type(*ty),
            AttributeKind::Location(location) => Subject::Location(*location),
            _ => Subject::Attribute(alias.definition),
        }
    }
}

/// Whether a text ends inside `loc(…)`, where a location is written without the keyword.
fn is_in_location(text: &str) -> bool {
    let Some((before, inside)) = text.rsplit_once("loc(") else {
        return false;
    };
    let is_word = !before.ends_with(|c: char| c.is_ascii_alphanumeric() || "_$.-".contains(c));
    let closed = inside.matches(')').count() > inside.matches('(').count();
    is_word && !closed
}

#[cfg(test)]
mod tests {
    use crate::{Context, Operation, PrintFlags, Source, parse_source, print_to_string};

    fn parse(context: &mut Context, text: &str) -> Operation {
        let source = Source {
            name: "test",
            text,
            first_line: 1,
        };
        parse_source(context, source).expect("parses")
    }

    #[test]
    fn a_name_that_means_two_things_becomes_two_names() {
        let mut context = Context::new();
        context.allow_unregistered_dialects(true);
        let text = |number: i32| {
            format!(
                "#a_1 = 7 : i8\n#a = {number} : i8\n!t = i{number}\n\
                 \"d.op\"() {{x = #d.x<#a, #a_1>, y = !d.y<!t>}} : () -> ()\n"
            )
        };
        let first = parse(&mut context, &text(1));
        let second = parse(&mut context, &text(2));
        let op_of = |context: &Context, module: Operation| {
            let body = module.body_block(context, 0).expect("a body");
            body.first_op(context).expect("an operation")
        };
        let (anchor, moved) = (op_of(&context, first), op_of(&context, second));
        moved.move_after(&mut context, anchor);
        let printed = print_to_string(&context, first, &PrintFlags::generic());
        let mut lines: Vec<_> = printed.lines().collect();
        lines[..5].sort_unstable();
        let expected = [
            "!t = i1",
            "!t_1 = i2",
            "#a = 1 : i8",
            "#a_1 = 7 : i8",
            "#a_2 = 2 : i8",
            "\"builtin.module\"() ({",
            "  \"d.op\"() {x = #d.x<#a, #a_1>, y = !d.y<!t>} : () -> ()",
            "  \"d.op\"() {x = #d.x<#a_2, #a_1>, y = !d.y<!t_1>} : () -> ()",
            "}) : () -> ()",
        ];
        assert_eq!(lines, expected);
        let again = parse(&mut context, &printed);
        assert_eq!(
            print_to_string(&context, again, &PrintFlags::generic()),
            printed
        );
    }

    #[test]
    fn locations_in_locations_are_found() {
        for inside in [
            "a<loc(",
            "loc(fused[",
            "loc(callsite(\"a\" at ",
            "a loc(\"x\"(",
        ] {
            assert!(super::is_in_location(inside), "{inside}");
        }
        for outside in ["", "a<", "loc(\"x\"), ", "alloc(", "loc(\"x\"(\"y\")), "] {
            assert!(!super::is_in_location(outside), "{outside}");
        }
    }
}
