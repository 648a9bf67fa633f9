//! The names of a module: memory, functions, the target.

use std::collections::HashMap;

use crate::ptx::ast::{Declaration, Expression, Item, Module, Statement, StatementKind};

/// What the names of a module stand for.
#[derive(Debug, Default)]
pub(super) struct Symbols<'a> {
    /// The target, `sm_90a`.
    pub target: &'a str,
    /// Its number, 90.
    pub sm: u16,
    /// Whether addresses of a symbol have 32 bits.
    narrow: HashMap<&'a str, bool>,
    /// Symbols that need an `ori.memory`, in order.
    pub memory: Vec<(&'a Declaration<'a>, &'a str)>,
}

impl<'a> Symbols<'a> {
    /// The names of a module, and of the bodies of its functions.
    pub fn of(module: &'a Module<'a>) -> Self {
        let mut symbols = Symbols::default();
        for item in &module.items {
            match item {
                Item::Target(names) => symbols.target = names.first().copied().unwrap_or_default(),
                Item::Variable(declaration) => symbols.declare(declaration),
                Item::Function(function) => {
                    symbols.narrow.insert(function.name, false);
                    symbols.declare_in(function.body.as_deref().unwrap_or_default());
                }
                _ => {}
            }
        }
        symbols.sm = orison_ori::operations::sm_number(symbols.target).unwrap_or(0);
        symbols
    }

    fn declare_in(&mut self, statements: &'a [Statement<'a>]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Declaration(declaration) => self.declare(declaration),
                StatementKind::Block(inner) => self.declare_in(inner),
                _ => {}
            }
        }
    }

    fn declare(&mut self, declaration: &'a Declaration<'a>) {
        let narrow = match declaration.space {
            ".shared" | ".local" => true,
            ".global" | ".const" => false,
            _ => return,
        };
        for name in &declaration.names {
            if self.narrow.insert(name.name, narrow).is_none() {
                self.memory.push((declaration, name.name));
            }
        }
    }

    /// Whether addresses of a symbol have 32 bits; none when there is no such symbol.
    pub fn is_narrow(&self, name: &str) -> Option<bool> {
        self.narrow.get(name).copied()
    }

    /// Where the parameters of kernels begin in constant bank 0 (seen in what ptxas 13.0 emits).
    pub fn parameter_place(&self) -> Option<i32> {
        match self.sm {
            70..=89 => Some(0x160),
            90..=99 => Some(0x210),
            100.. => Some(0x380),
            _ => None,
        }
    }

    /// Where the extents of CTA and grid begin in constant bank 0.
    pub fn launch_place(&self) -> Option<i32> {
        match self.sm {
            70..=99 => Some(0),
            100.. => Some(0x360),
            _ => None,
        }
    }
}

/// Bytes of an element of a PTX type.
pub(super) fn bytes_of(ty: &str) -> u64 {
    match ty {
        ".b8" | ".u8" | ".s8" => 1,
        ".b16" | ".u16" | ".s16" | ".f16" | ".bf16" => 2,
        ".b64" | ".u64" | ".s64" | ".f64" | ".f32x2" | ".texref" | ".samplerref" | ".surfref" => 8,
        ".b128" => 16,
        _ => 4,
    }
}

/// Bytes of a declared name, 0 for an open extent; none when an extent is no number.
pub(super) fn size_of(
    declaration: &Declaration<'_>,
    extents: &[Option<Expression<'_>>],
) -> Option<u64> {
    let lanes = match declaration.vector {
        Some(".v2") => 2,
        Some(".v4") => 4,
        Some(".v8") => 8,
        _ => 1,
    };
    let mut size = bytes_of(declaration.ty) * lanes;
    for extent in extents {
        let extent = match extent {
            Some(extent) => u64::try_from(extent.as_integer()?).ok()?,
            None => 0,
        };
        size = size.checked_mul(extent)?;
    }
    Some(size)
}
