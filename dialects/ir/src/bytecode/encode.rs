//! Encoding of builtin attributes, types and locations, as in MLIR's
//! `IR/BuiltinDialectBytecode.td`. All others are encoded as text.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::format::{attribute, ty};
use super::piece::{Entity, Piece};
use super::properties::Properties;
use crate::affine::AffineMap;
use crate::attributes::{DenseData, element_bytes, pack_bits};
use crate::location::LocationKind;
use crate::numbers::{ApInt, FloatKind};
use crate::types::{Signedness, TypeKind};
use crate::{
    Attribute, AttributeKind, Context, Identifier, Location, Operation, OperationName, Type,
};

/// Encodes entries of the tables of attributes and types.
#[derive(Debug)]
pub(super) struct Encoder<'c> {
    pub(super) context: &'c mut Context,
    /// Names as string attributes, which MLIR uses for all of them.
    names: FxHashMap<Identifier, Attribute>,
    /// The properties of operations, by operation name and dictionary.
    properties: FxHashMap<(OperationName, Attribute), Rc<Properties>>,
}

impl<'c> Encoder<'c> {
    pub(super) fn new(context: &'c mut Context) -> Self {
        Encoder {
            context,
            names: FxHashMap::default(),
            properties: FxHashMap::default(),
        }
    }

    /// The encoding of the properties of an operation.
    pub(super) fn properties(&mut self, op: Operation, version: u64) -> Rc<Properties> {
        let key = (op.name(self.context), op.properties(self.context));
        if let Some(known) = self.properties.get(&key) {
            return Rc::clone(known);
        }
        let properties = Rc::new(Properties::of(self.context, key, version));
        self.properties.insert(key, Rc::clone(&properties));
        properties
    }

    /// The string attribute of a name.
    fn name(&mut self, name: Identifier) -> Piece {
        if let Some(known) = self.names.get(&name) {
            return Piece::Entity(Entity::Attribute(*known));
        }
        let text = name.text(self.context).to_owned();
        let attribute = Attribute::string(self.context, &text);
        self.names.insert(name, attribute);
        Piece::Entity(Entity::Attribute(attribute))
    }

    fn attribute(&self, attribute: Attribute) -> Piece {
        Piece::Entity(Entity::of(self.context, attribute))
    }

    /// Encodes an entry; returns false if it can only be encoded as text.
    pub(super) fn entity(&mut self, entity: Entity, out: &mut Vec<Piece>) -> bool {
        match entity {
            Entity::Location(location) => {
                self.location(location, out);
                true
            }
            Entity::Attribute(attribute) => self.attribute_entry(attribute, out),
        }
    }

    fn attribute_entry(&mut self, value: Attribute, out: &mut Vec<Piece>) -> bool {
        let code = |code| Piece::Integer(code);
        match value.kind(self.context).clone() {
            AttributeKind::Unit => out.push(code(attribute::UNIT)),
            AttributeKind::Integer { ty, value } => {
                out.extend([code(attribute::INTEGER), Piece::Type(ty)]);
                known_width(value.width(), value.words(), out);
            }
            AttributeKind::Float { ty, value } => {
                out.extend([code(attribute::FLOAT), Piece::Type(ty)]);
                let bits = ApInt::from_le_bytes(value.kind().width(), &value.bits().to_le_bytes());
                known_width(bits.width(), bits.words(), out);
            }
            AttributeKind::String { value, ty } if ty == Type::NONE => {
                out.extend([code(attribute::STRING), Piece::String(value)]);
            }
            AttributeKind::String { value, ty } => {
                out.extend([code(attribute::TYPED_STRING), Piece::String(value)]);
                out.push(Piece::Type(ty));
            }
            AttributeKind::Type(ty) => out.extend([code(attribute::TYPE), Piece::Type(ty)]),
            AttributeKind::Array(elements) => {
                out.extend([
                    code(attribute::ARRAY),
                    Piece::Integer(elements.len() as u64),
                ]);
                out.extend(elements.iter().map(|element| self.attribute(*element)));
            }
            AttributeKind::Dictionary(entries) => {
                out.extend([
                    code(attribute::DICTIONARY),
                    Piece::Integer(entries.len() as u64),
                ]);
                for (key, value) in entries {
                    out.push(self.name(key));
                    out.push(self.attribute(value));
                }
            }
            AttributeKind::SymbolReference { root, nested } if nested.is_empty() => {
                out.push(code(attribute::FLAT_SYMBOL));
                out.push(self.name(root));
            }
            AttributeKind::SymbolReference { root, nested } => {
                out.push(code(attribute::SYMBOL));
                out.push(self.name(root));
                out.push(Piece::Integer(nested.len() as u64));
                for name in nested {
                    let text = name.text(self.context).to_owned();
                    let symbol = Attribute::symbol(self.context, &text);
                    out.push(Piece::Entity(Entity::Attribute(symbol)));
                }
            }
            AttributeKind::Distinct { referenced, .. } => {
                out.push(code(attribute::DISTINCT));
                out.push(self.attribute(referenced));
            }
            kind => return self.elements_entry(&kind, out),
        }
        true
    }

    /// Encodes an elements attribute; the result is as for [`Encoder::entity`].
    fn elements_entry(&mut self, kind: &AttributeKind, out: &mut Vec<Piece>) -> bool {
        match kind {
            AttributeKind::DenseArray { element, data } => {
                let bytes = element_bytes(self.context, *element).unwrap_or(1).max(1);
                out.extend([
                    Piece::Integer(attribute::DENSE_ARRAY),
                    Piece::Type(*element),
                ]);
                out.push(Piece::Integer((data.len() / bytes) as u64));
                out.push(Piece::Blob(data.clone()));
            }
            AttributeKind::DenseElements {
                ty,
                data: DenseData::Bytes { bytes, splat },
            } => {
                let packed = ty.element(self.context) == Some(Type::I1);
                out.extend([Piece::Integer(attribute::DENSE_NUMBERS), Piece::Type(*ty)]);
                out.push(Piece::Blob(match (packed, splat) {
                    (false, _) => bytes.clone(),
                    (true, false) => pack_bits(bytes).into(),
                    // A splat is one byte of eight equal bits.
                    (true, true) => bytes.iter().map(|bit| 0u8.wrapping_sub(bit & 1)).collect(),
                }));
            }
            AttributeKind::DenseElements {
                ty,
                data: DenseData::Strings { strings, splat },
            } => {
                out.extend([Piece::Integer(attribute::DENSE_STRINGS), Piece::Type(*ty)]);
                out.push(Piece::Integer(u64::from(*splat)));
                out.extend(strings.iter().map(|string| Piece::String(string.clone())));
            }
            AttributeKind::DenseResource { ty, key } => {
                out.extend([Piece::Integer(attribute::DENSE_RESOURCE), Piece::Type(*ty)]);
                out.push(Piece::Resource(*key));
            }
            AttributeKind::SparseElements {
                ty,
                indices,
                values,
            } => {
                out.extend([Piece::Integer(attribute::SPARSE), Piece::Type(*ty)]);
                out.extend([self.attribute(*indices), self.attribute(*values)]);
            }
            _ => return false,
        }
        true
    }

    fn location(&mut self, location: Location, out: &mut Vec<Piece>) {
        let number = |number: u32| Piece::Integer(u64::from(number));
        match location.kind(self.context) {
            LocationKind::Unknown => out.push(Piece::Integer(attribute::UNKNOWN_LOCATION)),
            LocationKind::File {
                file,
                line,
                column,
                end: None,
            } => {
                out.push(Piece::Integer(attribute::FILE_LOCATION));
                out.push(self.name(file));
                out.extend([number(line), number(column)]);
            }
            LocationKind::File {
                file,
                line,
                column,
                end: Some(end),
            } => {
                out.push(Piece::Integer(attribute::FILE_RANGE));
                out.push(self.name(file));
                let numbers = range_numbers((line, column), end);
                out.push(Piece::Integer(numbers.len() as u64));
                out.extend(numbers.into_iter().map(number));
            }
            LocationKind::Name { name, child } => {
                out.push(Piece::Integer(attribute::NAME_LOCATION));
                out.push(self.name(name));
                out.push(Piece::Entity(Entity::Location(child)));
            }
            LocationKind::CallSite { callee, caller } => {
                out.push(Piece::Integer(attribute::CALL_SITE_LOCATION));
                out.extend([callee, caller].map(|part| Piece::Entity(Entity::Location(part))));
            }
            LocationKind::Fused {
                locations,
                metadata,
            } => {
                out.push(Piece::Integer(match metadata {
                    None => attribute::FUSED_LOCATION,
                    Some(_) => attribute::FUSED_LOCATION_WITH_METADATA,
                }));
                out.push(Piece::Integer(locations.len() as u64));
                let parts = locations.iter();
                out.extend(parts.map(|part| Piece::Entity(Entity::Location(*part))));
                out.extend(metadata.map(|metadata| self.attribute(metadata)));
            }
        }
    }

    /// Encodes a type; returns false if it can only be encoded as text.
    pub(super) fn ty(&mut self, value: Type, out: &mut Vec<Piece>) -> bool {
        let code = Piece::Integer;
        match value.kind(self.context).clone() {
            TypeKind::Integer(width, signedness) => {
                let sign = match signedness {
                    Signedness::Signless => 0,
                    Signedness::Signed => 1,
                    Signedness::Unsigned => 2,
                };
                out.extend([code(ty::INTEGER), code(u64::from(width) << 2 | sign)]);
            }
            TypeKind::Float(kind) => match float_code(kind) {
                Some(float) => out.push(code(float)),
                None => return false,
            },
            TypeKind::Index => out.push(code(ty::INDEX)),
            TypeKind::None => out.push(code(ty::NONE)),
            TypeKind::Complex(part) => out.extend([code(ty::COMPLEX), Piece::Type(part)]),
            TypeKind::Tuple(types) => {
                out.push(code(ty::TUPLE));
                types_list(&types, out);
            }
            TypeKind::Function { inputs, results } => {
                out.push(code(ty::FUNCTION));
                types_list(&inputs, out);
                types_list(&results, out);
            }
            TypeKind::Dialect { .. } | TypeKind::Opaque { .. } => return false,
            kind => self.shaped_type(kind, out),
        }
        true
    }

    fn shaped_type(&mut self, kind: TypeKind, out: &mut Vec<Piece>) {
        let code = Piece::Integer;
        match kind {
            TypeKind::Vector {
                shape,
                scalable,
                element,
            } => {
                if scalable.contains(&true) {
                    out.extend([code(ty::SCALABLE_VECTOR), code(scalable.len() as u64)]);
                    out.extend(scalable.iter().map(|flag| Piece::Byte(u8::from(*flag))));
                } else {
                    out.push(code(ty::VECTOR));
                }
                shape_and_element(&shape, element, out);
            }
            TypeKind::Tensor {
                shape,
                element,
                encoding,
            } => {
                match encoding {
                    None => out.push(code(ty::TENSOR)),
                    Some(encoding) => {
                        out.extend([code(ty::TENSOR_WITH_ENCODING), self.attribute(encoding)]);
                    }
                }
                shape_and_element(&shape, element, out);
            }
            TypeKind::UnrankedTensor(element) => {
                out.extend([code(ty::UNRANKED_TENSOR), Piece::Type(element)]);
            }
            TypeKind::MemRef {
                shape,
                element,
                layout,
                space,
            } => {
                match space {
                    None => out.push(code(ty::MEMREF)),
                    Some(space) => {
                        out.extend([code(ty::MEMREF_WITH_SPACE), self.attribute(space)]);
                    }
                }
                shape_and_element(&shape, element, out);
                // MLIR stores the identity map where orison has no layout.
                let rank = u32::try_from(shape.len()).unwrap_or(u32::MAX);
                let layout = layout.unwrap_or_else(|| {
                    let identity = AttributeKind::AffineMap(AffineMap::identity(rank));
                    Attribute::new(self.context, identity)
                });
                out.push(self.attribute(layout));
            }
            TypeKind::UnrankedMemRef { element, space } => {
                match space {
                    None => out.push(code(ty::UNRANKED_MEMREF)),
                    Some(space) => {
                        out.extend([code(ty::UNRANKED_MEMREF_WITH_SPACE), self.attribute(space)]);
                    }
                }
                out.push(Piece::Type(element));
            }
            _ => {}
        }
    }
}

/// Encodes an integer whose width is known to the reader.
fn known_width(width: u32, words: &[u64], out: &mut Vec<Piece>) {
    let first = words.first().copied().unwrap_or(0);
    if width <= 8 {
        out.push(Piece::Byte(first.to_le_bytes()[0]));
    } else if width <= 64 {
        out.push(Piece::Signed(first.cast_signed()));
    } else {
        // At least one word, as in MLIR, where zero has one active word.
        let active = words
            .iter()
            .rposition(|word| *word != 0)
            .map_or(1, |last| last + 1);
        out.push(Piece::Integer(active as u64));
        let words = words[..active].iter();
        out.extend(words.map(|word| Piece::Signed(word.cast_signed())));
    }
}

/// The numbers that encode a file range: as few as necessary.
fn range_numbers(start: (u32, u32), end: (u32, u32)) -> Vec<u32> {
    let ((line, column), (end_line, end_column)) = (start, end);
    let same_line = line == end_line;
    if (line, column, end_line, end_column) == (0, 0, 0, 0) {
        vec![]
    } else if column == 0 && same_line {
        vec![line]
    } else if end_column == column && same_line {
        vec![line, column]
    } else if same_line {
        vec![line, column, end_column]
    } else {
        vec![line, column, end_line, end_column]
    }
}

fn float_code(kind: FloatKind) -> Option<u64> {
    Some(match kind {
        FloatKind::BF16 => ty::BF16,
        FloatKind::F16 => ty::F16,
        FloatKind::F32 => ty::F32,
        FloatKind::F64 => ty::F64,
        FloatKind::F80 => ty::F80,
        FloatKind::F128 => ty::F128,
        _ => return None,
    })
}

fn types_list(types: &[Type], out: &mut Vec<Piece>) {
    out.push(Piece::Integer(types.len() as u64));
    out.extend(types.iter().map(|ty| Piece::Type(*ty)));
}

fn shape_and_element(shape: &[i64], element: Type, out: &mut Vec<Piece>) {
    out.push(Piece::Integer(shape.len() as u64));
    out.extend(shape.iter().map(|extent| Piece::Signed(*extent)));
    out.push(Piece::Type(element));
}
