//! Dialect types and attributes.

use super::{PrintFlags, Printer, text_of};
use crate::declare::PlainForm;
use crate::{Context, Parameter, Payload};

impl Printer<'_> {
    /// Writes a dialect type (`!`) or attribute (`#`).
    pub(super) fn payload(&mut self, sigil: &str, payload: &Payload) {
        let definition = payload.definition();
        self.write(sigil);
        self.write(definition.name);
        if self.flags.irdl && self.context.is_own(definition.name) {
            self.plain_parameters(payload);
        } else {
            (definition.print)(payload, self);
        }
    }

    /// Writes `<attribute, …>`, as tools that know the dialect from IRDL read it.
    fn plain_parameters(&mut self, payload: &Payload) {
        let definition = payload.definition();
        match definition.plain {
            // Nothing, or what no IRDL definition says: then the reader refuses it.
            PlainForm::Nothing => (definition.print)(payload, self),
            PlainForm::Text => {
                let text = payload_to_string(self.context, payload);
                self.write("<");
                self.string(text.as_bytes());
                self.write(">");
            }
            PlainForm::Parameters(_) => {
                let mut separator = "<";
                (definition.visit)(payload, &mut |parameter| {
                    self.write(separator);
                    self.parameter(parameter);
                    separator = ", ";
                });
                self.write(">");
            }
        }
    }

    fn parameter(&mut self, parameter: Parameter<'_>) {
        match parameter {
            Parameter::Absent => self.write("unit"),
            Parameter::Attribute(attribute) => self.attribute(attribute),
            Parameter::Type(ty) => self.ty(ty),
            Parameter::Integer(ty, value) => {
                self.integer(value);
                self.suffix_type(ty);
            }
            Parameter::Text(text) => self.string(text.as_bytes()),
            Parameter::Integers(ty, values) => {
                self.write("array<");
                self.ty(ty);
                self.write(if values.is_empty() { "" } else { ": " });
                self.comma_separated(values.iter().copied(), Self::integer);
                self.write(">");
            }
        }
    }
}

/// The text after the name of a dialect type or attribute.
pub(crate) fn payload_to_string(context: &Context, payload: &Payload) -> String {
    text_of(context, &PrintFlags::default(), |printer| {
        (payload.definition().print)(payload, printer);
    })
}
