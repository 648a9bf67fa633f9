//! The fundamental types of PTX, and the registers an instruction of a type accepts.

/// The class of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// `.b32`: any class of the same size.
    Bits,
    /// `.u32`, `.s32`.
    Integer,
    /// `.f32`, `.f16x2`: a float format.
    Float,
    /// `.pred`.
    Predicate,
    /// `.texref` and similar.
    Opaque,
}

/// A type of registers, variables or instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Type {
    /// Its class.
    pub class: Class,
    /// Its size in bits.
    pub bits: u32,
    /// The name, without the dot.
    pub name: &'static str,
}

/// All types. Formats without registers of their own type, `bf16` among them, are held in `.bN`.
const TYPES: [(&str, Class, u32); 53] = [
    ("b1", Class::Bits, 1),
    ("b8", Class::Bits, 8),
    ("b16", Class::Bits, 16),
    ("b32", Class::Bits, 32),
    ("b64", Class::Bits, 64),
    ("b128", Class::Bits, 128),
    ("u2", Class::Integer, 2),
    ("s2", Class::Integer, 2),
    ("u4", Class::Integer, 4),
    ("s4", Class::Integer, 4),
    ("u8", Class::Integer, 8),
    ("s8", Class::Integer, 8),
    ("u16", Class::Integer, 16),
    ("s16", Class::Integer, 16),
    ("u32", Class::Integer, 32),
    ("s32", Class::Integer, 32),
    ("u64", Class::Integer, 64),
    ("s64", Class::Integer, 64),
    ("u8x4", Class::Integer, 32),
    ("s8x4", Class::Integer, 32),
    ("u16x2", Class::Integer, 32),
    ("s16x2", Class::Integer, 32),
    ("f16", Class::Float, 16),
    ("bf16", Class::Float, 16),
    ("f32", Class::Float, 32),
    ("tf32", Class::Float, 32),
    ("f64", Class::Float, 64),
    ("f16x2", Class::Float, 32),
    ("bf16x2", Class::Float, 32),
    ("f32x2", Class::Float, 64),
    ("e4m3", Class::Float, 8),
    ("e5m2", Class::Float, 8),
    ("e3m2", Class::Float, 8),
    ("e2m3", Class::Float, 8),
    ("e2m1", Class::Float, 4),
    ("ue8m0", Class::Float, 8),
    ("ue4m3", Class::Float, 8),
    ("e2m1x2", Class::Float, 8),
    ("e4m3x2", Class::Float, 16),
    ("e5m2x2", Class::Float, 16),
    ("e2m3x2", Class::Float, 16),
    ("e3m2x2", Class::Float, 16),
    ("ue8m0x2", Class::Float, 16),
    ("e2m1x4", Class::Float, 16),
    ("e4m3x4", Class::Float, 32),
    ("e5m2x4", Class::Float, 32),
    ("e2m3x4", Class::Float, 32),
    ("e3m2x4", Class::Float, 32),
    ("s2f6x2", Class::Float, 16),
    ("pred", Class::Predicate, 1),
    ("texref", Class::Opaque, 64),
    ("samplerref", Class::Opaque, 64),
    ("surfref", Class::Opaque, 64),
];

impl Type {
    /// The type with this name, with or without its dot.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.strip_prefix('.').unwrap_or(name);
        let found = TYPES.iter().find(|(known, ..)| *known == name);
        found.map(|&(name, class, bits)| Type { class, bits, name })
    }

    /// Whether a register of type `self` is valid for an instruction of type `wanted`: `.bN`
    /// matches every type of the size, signedness is ignored, float formats must match.
    pub fn fits(self, wanted: Type) -> bool {
        self.bits == wanted.bits && self.has_class_of(wanted)
    }

    /// Whether a register of type `self` can hold a value of a possibly narrower type `wanted`, as
    /// loads, stores and conversions permit.
    pub fn holds(self, wanted: Type) -> bool {
        if self.bits <= wanted.bits || self.class == Class::Predicate {
            return self.fits(wanted);
        }
        match wanted.class {
            Class::Bits => true,
            Class::Integer => {
                matches!(self.class, Class::Bits | Class::Integer) || self.name == "f16x2"
            }
            Class::Float => self.class == Class::Bits,
            Class::Predicate | Class::Opaque => false,
        }
    }

    /// For types of one size: only predicates have theirs, and no register is opaque.
    fn has_class_of(self, wanted: Type) -> bool {
        match (self.class, wanted.class) {
            // ptxas accepts a register of two halves as bits.
            (Class::Float, Class::Integer) if self.name == "f16x2" => true,
            (Class::Bits, _) | (_, Class::Bits) | (Class::Integer, Class::Integer) => true,
            _ => self.name == wanted.name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Type;

    fn ty(name: &str) -> Type {
        Type::named(name).expect("a type")
    }

    /// Pairs that ptxas 13.0 accepts and rejects.
    #[test]
    fn registers_fit_as_in_ptxas() {
        for (register, wanted, fits) in [
            (".b32", ".f32", true),
            (".f32", ".b32", true),
            (".u32", ".s32", true),
            (".f32", ".u32", false),
            (".u16", ".f16", false),
            (".b16", ".f16", true),
            (".u32", ".f16x2", false),
            (".b64", ".b32", false),
            (".pred", ".b32", false),
        ] {
            assert_eq!(
                ty(register).fits(ty(wanted)),
                fits,
                "{register} for {wanted}"
            );
        }
        for (register, wanted, holds) in [
            (".b64", ".u8", true),
            (".f32", ".u8", false),
            (".f32", ".b16", true),
            (".b64", ".f32", true),
            (".f64", ".f32", false),
            (".b16", ".b32", false),
            (".pred", ".b8", false),
        ] {
            assert_eq!(
                ty(register).holds(ty(wanted)),
                holds,
                "{register} for {wanted}"
            );
        }
    }
}
