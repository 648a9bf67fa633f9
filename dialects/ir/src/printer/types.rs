//! Printing of types.

use super::Printer;
use super::text_cache::Subject;
use crate::OpaqueAlias;
use crate::types::{DYNAMIC, Signedness, Type, TypeKind};

impl Printer<'_> {
    /// Writes a type.
    #[inline]
    pub fn ty(&mut self, ty: Type) {
        self.remembered(Subject::Type(ty), |printer| printer.type_in_full(ty));
    }

    fn type_in_full(&mut self, ty: Type) {
        let context = self.context;
        match ty.kind(context) {
            TypeKind::Integer(width, signedness) => {
                self.write(match signedness {
                    Signedness::Signless => "i",
                    Signedness::Signed => "si",
                    Signedness::Unsigned => "ui",
                });
                self.integer(i64::from(*width));
            }
            TypeKind::Float(kind) => self.write(kind.keyword()),
            TypeKind::Index => self.write("index"),
            TypeKind::None => self.write("none"),
            TypeKind::Complex(element) => {
                self.write("complex<");
                self.ty(*element);
                self.write(">");
            }
            TypeKind::Tuple(types) => {
                self.write("tuple<");
                self.types(types.iter().copied());
                self.write(">");
            }
            TypeKind::Function { inputs, results } => self.function_type(inputs, results),
            TypeKind::Vector {
                shape,
                scalable,
                element,
            } => {
                self.write("vector<");
                for (extent, scalable) in shape.iter().zip(scalable) {
                    if *scalable {
                        self.write("[");
                        self.integer(*extent);
                        self.write("]x");
                    } else {
                        self.integer(*extent);
                        self.write("x");
                    }
                }
                self.ty(*element);
                self.write(">");
            }
            TypeKind::Tensor {
                shape,
                element,
                encoding,
            } => {
                self.write("tensor<");
                self.dimensions(shape);
                self.ty(*element);
                if let Some(encoding) = encoding {
                    self.write(", ");
                    self.attribute(*encoding);
                }
                self.write(">");
            }
            TypeKind::UnrankedTensor(element) => {
                self.write("tensor<*x");
                self.ty(*element);
                self.write(">");
            }
            TypeKind::MemRef {
                shape,
                element,
                layout,
                space,
            } => {
                self.write("memref<");
                self.dimensions(shape);
                self.ty(*element);
                for part in [layout, space].into_iter().flatten() {
                    self.write(", ");
                    self.attribute_may_elide_type(*part);
                }
                self.write(">");
            }
            TypeKind::UnrankedMemRef { element, space } => {
                self.write("memref<*x");
                self.ty(*element);
                if let Some(space) = space {
                    self.write(", ");
                    self.attribute_may_elide_type(*space);
                }
                self.write(">");
            }
            TypeKind::Dialect(payload) => self.payload("!", payload),
            TypeKind::Opaque {
                dialect,
                body,
                aliases,
            } => {
                self.write("!");
                self.opaque_symbol(dialect.text(context), body, aliases);
            }
        }
    }

    /// Writes types separated by `, `.
    pub fn types(&mut self, types: impl IntoIterator<Item = Type>) {
        self.comma_separated(types, Self::ty);
    }

    /// Writes `4x?x`.
    pub fn dimensions(&mut self, shape: &[i64]) {
        for &extent in shape {
            if extent == DYNAMIC {
                self.write("?x");
            } else {
                self.integer(extent);
                self.write("x");
            }
        }
    }

    /// Writes `(inputs) -> results`.
    pub fn function_type(&mut self, inputs: &[Type], results: &[Type]) {
        self.write("(");
        self.types(inputs.iter().copied());
        self.write(") -> ");
        self.function_results(results);
    }

    /// Writes function results as in a function type: in parentheses unless there is exactly one,
    /// which is not a function type itself.
    pub fn function_results(&mut self, results: &[Type]) {
        match results {
            [only] if !matches!(only.kind(self.context), TypeKind::Function { .. }) => {
                self.ty(*only);
            }
            _ => {
                self.write("(");
                self.types(results.iter().copied());
                self.write(")");
            }
        }
    }

    /// Writes the name and body of an opaque type or attribute, in pretty form if the body allows
    /// it.
    pub(super) fn opaque_symbol(&mut self, dialect: &str, body: &str, aliases: &[OpaqueAlias]) {
        self.write(dialect);
        // A body that ends in `-` was not parsed in brackets, where `->` is one token.
        let is_pretty = is_pretty_body(body) || body.ends_with('-');
        self.verbatim(|printer| {
            printer.write(if is_pretty { "." } else { "<" });
            printer.opaque_body(body, aliases);
            printer.write(if is_pretty { "" } else { ">" });
        });
    }
}

fn is_pretty_body(body: &str) -> bool {
    if !body.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return false;
    }
    let rest = body.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_');
    rest.is_empty() || (rest.starts_with('<') && first_bracket_end(rest) == Some(rest.len()))
}

/// The position where the first bracket of a balanced text closes, as the parser reads it.
fn first_bracket_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let mut position = 0;
    while let Some(&byte) = bytes.get(position) {
        position += 1;
        match byte {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'-' if bytes.get(position) == Some(&b'>') => position += 1,
            b'"' => {
                while *bytes.get(position)? != b'"' {
                    position += if bytes[position] == b'\\' { 2 } else { 1 };
                }
                position += 1;
            }
            b'>' | b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(position);
                }
            }
            _ => {}
        }
    }
    None
}
