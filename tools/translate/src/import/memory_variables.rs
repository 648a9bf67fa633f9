//! Variables as `ori.memory`, with initializers.

use orison_ir::declare::AttributeForm;
use orison_ir::{Attribute, Context, Operation, OperationName, OperationState, Type};
use orison_ori::keywords::{Keyword, Linkage, Space};
use orison_ori::operations::structure::Memory;

use super::locations::Source;
use super::symbols::{Symbols, bytes_of, lanes_of, size_of};
use crate::ptx::ast::{Declaration, Declarator, Expression, Initializer};

/// An address in an initializer.
struct Pointer<'a> {
    /// Its offset, in bytes.
    offset: usize,
    /// Its size in bytes.
    bytes: usize,
    symbol: &'a str,
    addend: i64,
    /// Whether it is a generic address.
    is_generic: bool,
    /// The mask of the address bits kept, which are shifted down to bit zero; all if absent.
    mask: Option<i64>,
}

/// The initial bytes of a variable.
struct Initial<'a> {
    bytes: Vec<u8>,
    pointers: Vec<Pointer<'a>>,
    /// Size of an element in bytes.
    width: usize,
    ty: &'a str,
}

/// The `ori.memory` of a declared name, `[name, symbol]`.
pub(super) fn memory<'a>(
    context: &mut Context,
    source: &Source<'_>,
    symbols: &Symbols<'a>,
    declaration: &'a Declaration<'a>,
    [name, symbol]: [&str; 2],
) -> Operation {
    let location = source.place(context, declaration.place);
    let op = OperationName::new(context, Memory::NAME);
    let mut state = OperationState::new(op, location);
    let declarator = declaration.names.iter().find(|known| known.name == name);
    let initial = declarator.and_then(|known| known.initializer.as_ref());
    let first = match (declarator, initial) {
        (Some(declarator), Some(initial)) => {
            Some(Initial::of(symbols, declaration, declarator, initial))
        }
        _ => None,
    };
    let given = match &first {
        Some(Some(first)) => first.bytes.len(),
        _ => 0,
    };
    let size = declarator.and_then(|known| size_of(declaration, &known.extents));
    let size = size.and_then(|size| i64::try_from(size).ok()).unwrap_or(0);
    // The size of an open extent follows from the initializer.
    let size = size.max(i64::try_from(given).unwrap_or(0));
    let alignment = declaration
        .alignment
        .unwrap_or(bytes_of(declaration.ty) * lanes_of(declaration));
    let space = match declaration.space {
        ".const" => "constant",
        other => other.trim_start_matches('.'),
    };
    let alignment = i32::try_from(alignment).unwrap_or(1);
    let properties = [
        ("sym_name", Attribute::string(context, symbol)),
        ("size", Attribute::i64(context, size)),
        ("alignment", Attribute::i32(context, alignment)),
    ];
    for (key, value) in properties {
        state.set_property(context, key, value);
    }
    if let Some(space) = Space::from_keyword(space) {
        let space = Space::write(context, space);
        state.set_property(context, "space", space);
    }
    let linkage = declaration.linkage.unwrap_or_default();
    if let Some(linkage) = Linkage::from_keyword(linkage.trim_start_matches('.')) {
        let linkage = Linkage::write(context, linkage);
        state.set_property(context, "linkage", linkage);
    }
    match first {
        None => {}
        Some(Some(first)) => first.set(context, &mut state),
        Some(None) => {
            let text = initial.map(ToString::to_string).unwrap_or_default();
            let text = Attribute::string(context, &text);
            state.set_property(context, "initial_text", text);
            let message = format!("the initial value of '{name}' is not modelled; kept as text");
            context.remark(location, message);
        }
    }
    Operation::create(context, &state)
}

impl<'a> Initial<'a> {
    fn of(
        symbols: &Symbols<'a>,
        declaration: &'a Declaration<'a>,
        declarator: &Declarator<'a>,
        initial: &'a Initializer<'a>,
    ) -> Option<Self> {
        let mut made = Initial {
            bytes: Vec::new(),
            pointers: Vec::new(),
            width: usize::try_from(bytes_of(declaration.ty)).ok()?,
            ty: declaration.ty,
        };
        let mut extents = Vec::new();
        for extent in &declarator.extents {
            extents.push(match extent {
                Some(extent) => Some(usize::try_from(extent.as_integer()?).ok()?),
                None => None,
            });
        }
        if declaration.vector.is_some() {
            extents.push(Some(usize::try_from(lanes_of(declaration)).ok()?));
        }
        made.fill(symbols, &extents, initial)?;
        let size = size_of(declaration, &declarator.extents)?;
        let is_open = extents.contains(&None);
        let fits = u64::try_from(made.bytes.len()).is_ok_and(|given| given <= size);
        (is_open || fits).then_some(made)
    }

    /// Adds a value of a multi-dimensional array; missing elements of inner arrays are zero.
    fn fill(
        &mut self,
        symbols: &Symbols<'a>,
        extents: &[Option<usize>],
        initial: &'a Initializer<'a>,
    ) -> Option<()> {
        match (initial, extents) {
            (Initializer::Value(value), _) => self.value(symbols, value),
            (Initializer::List(list), [_, inner @ ..]) => {
                for each in list {
                    let begin = self.bytes.len();
                    self.fill(symbols, inner, each)?;
                    // A row other than the last starts where the previous one ends.
                    if matches!(each, Initializer::List(_)) && list.len() > 1 {
                        let row = inner
                            .iter()
                            .try_fold(self.width, |size, extent| size.checked_mul((*extent)?));
                        let end = begin.checked_add(row?)?;
                        if self.bytes.len() > end || end > MAX_BYTES {
                            return None;
                        }
                        self.bytes.resize(end, 0);
                    }
                }
                Some(())
            }
            (Initializer::List(list), []) => match list.as_slice() {
                [one] => self.fill(symbols, &[], one),
                _ => None,
            },
            (Initializer::Field(..), _) => None,
        }
    }

    fn value(&mut self, symbols: &Symbols<'a>, value: &'a Expression<'a>) -> Option<()> {
        let bits = match (value, self.width) {
            (Expression::Single(bits), 4) => i128::from(*bits),
            (Expression::Double(bits), 8) => i128::from(*bits),
            #[allow(clippy::cast_possible_truncation)]
            (Expression::Double(bits), 4) if self.ty == ".f32" => {
                // A decimal number in place of a float, with the host's rounding.
                i128::from((f64::from_bits(*bits) as f32).to_bits())
            }
            (value, _) => match constant(value) {
                Some(number) => i128::from(number),
                None => {
                    self.pointer(symbols, value)?;
                    0
                }
            },
        };
        let bits = bits.to_le_bytes();
        self.bytes.extend_from_slice(bits.get(..self.width)?);
        Some(())
    }

    /// Records an address: `a`, `a+4`, `generic(a)+4`, `0xFF00(a)`.
    fn pointer(&mut self, symbols: &Symbols<'a>, value: &'a Expression<'a>) -> Option<()> {
        let mut pointer = Pointer {
            offset: self.bytes.len(),
            bytes: self.width,
            symbol: "",
            addend: 0,
            is_generic: false,
            mask: None,
        };
        if self.width > 8 {
            return None;
        }
        pointer.read(value)?;
        symbols.is_narrow(pointer.symbol)?;
        if let Some(function) = symbols.alias(pointer.symbol) {
            pointer.symbol = function;
        }
        self.pointers.push(pointer);
        Some(())
    }

    fn set(self, context: &mut Context, state: &mut OperationState) {
        let bytes: Vec<_> = self
            .bytes
            .iter()
            .map(|byte| i64::from(byte.cast_signed()))
            .collect();
        let bytes = Attribute::dense_array(context, Type::I8, &bytes);
        state.set_property(context, "initial", bytes);
        if self.pointers.is_empty() {
            return;
        }
        let mut all = Vec::new();
        for pointer in &self.pointers {
            let mut attribute = Attribute::EMPTY_DICTIONARY;
            let number = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
            let numbers = [
                ("offset", Some(number(pointer.offset))),
                ("bytes", Some(number(pointer.bytes))),
                ("addend", Some(pointer.addend).filter(|addend| *addend != 0)),
                ("mask", pointer.mask),
            ];
            for (key, value) in numbers {
                if let Some(value) = value {
                    let value = Attribute::i64(context, value);
                    attribute = attribute.with(context, key, value);
                }
            }
            let symbol = Attribute::symbol(context, pointer.symbol);
            attribute = attribute.with(context, "symbol", symbol);
            if pointer.is_generic {
                attribute = attribute.with(context, "generic", Attribute::UNIT);
            }
            all.push(attribute);
        }
        let all = Attribute::array(context, &all);
        state.set_property(context, "addresses", all);
    }
}

/// The maximum number of initial bytes of a variable: far above the size of constant banks and
/// shared memory.
const MAX_BYTES: usize = 1 << 26;

impl<'a> Pointer<'a> {
    fn read(&mut self, value: &'a Expression<'a>) -> Option<()> {
        match value {
            Expression::Name(name) => {
                self.symbol = name;
                Some(())
            }
            Expression::Parentheses(items) => match items.as_slice() {
                [one] => self.read(one),
                _ => None,
            },
            Expression::Binary("+", a, b) => {
                // The number may be either operand.
                let (address, number) = match constant(b) {
                    Some(number) => (a, number),
                    None => (b, constant(a)?),
                };
                self.read(address)?;
                self.addend = self.addend.checked_add(number)?;
                Some(())
            }
            Expression::Binary("-", address, number) => {
                let number = constant(number)?;
                self.read(address)?;
                self.addend = self.addend.checked_sub(number)?;
                Some(())
            }
            Expression::Apply(of, list) => {
                let [inner] = list.as_slice() else {
                    return None;
                };
                match of.as_ref() {
                    Expression::Name("generic") if !self.is_generic => self.is_generic = true,
                    mask if self.mask.is_none() => self.mask = Some(constant(mask)?),
                    _ => return None,
                }
                self.read(inner)
            }
            _ => None,
        }
    }
}

/// The value of a constant expression, computed in 64 bits; `None` for anything else.
fn constant(value: &Expression<'_>) -> Option<i64> {
    let truth = i64::from;
    Some(match value {
        Expression::Integer(value, _) => value.cast_signed(),
        Expression::Name("WARP_SZ") => 32,
        Expression::Parentheses(items) => match items.as_slice() {
            [one] => constant(one)?,
            _ => return None,
        },
        Expression::Cast(_, inner) => constant(inner)?,
        Expression::Unary(sign, inner) => {
            let value = constant(inner)?;
            match sign {
                '+' => value,
                '-' => value.wrapping_neg(),
                '~' => !value,
                '!' => truth(value == 0),
                _ => return None,
            }
        }
        Expression::Conditional(parts) => {
            let [condition, then, otherwise] = parts.as_ref();
            if constant(condition)? != 0 {
                constant(then)?
            } else {
                constant(otherwise)?
            }
        }
        Expression::Binary(sign, a, b) => {
            let unsigned = is_unsigned(a) || is_unsigned(b);
            let (a, b) = (constant(a)?, constant(b)?);
            binary(sign, a, b, unsigned)?
        }
        _ => return None,
    })
}

/// Whether a constant is of type `.u64`: it has a `U`, is too large for `.s64`, or is cast.
fn is_unsigned(value: &Expression<'_>) -> bool {
    match value {
        Expression::Integer(value, unsigned) => *unsigned || i64::try_from(*value).is_err(),
        Expression::Cast(ty, _) => *ty == ".u64",
        Expression::Unary('-' | '+' | '~', inner) => is_unsigned(inner),
        Expression::Parentheses(items) => matches!(items.as_slice(), [one] if is_unsigned(one)),
        Expression::Binary("<<" | ">>", a, _) => is_unsigned(a),
        Expression::Binary("+" | "-" | "*" | "/" | "%" | "&" | "|" | "^", a, b) => {
            is_unsigned(a) || is_unsigned(b)
        }
        Expression::Conditional(parts) => is_unsigned(&parts[1]) || is_unsigned(&parts[2]),
        _ => false,
    }
}

fn binary(sign: &str, a: i64, b: i64, unsigned: bool) -> Option<i64> {
    let (high, low) = (a.cast_unsigned(), b.cast_unsigned());
    let order = if unsigned { high.cmp(&low) } else { a.cmp(&b) };
    let shift = u32::try_from(b).ok();
    Some(match sign {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" if unsigned => high.checked_div(low)?.cast_signed(),
        "/" => a.checked_div(b)?,
        "%" if unsigned => high.checked_rem(low)?.cast_signed(),
        "%" => a.checked_rem(b)?,
        "<<" => a.checked_shl(shift?)?,
        ">>" if unsigned => high.checked_shr(shift?)?.cast_signed(),
        ">>" => a.checked_shr(shift?)?,
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "&&" => i64::from(a != 0 && b != 0),
        "||" => i64::from(a != 0 || b != 0),
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<" => i64::from(order.is_lt()),
        "<=" => i64::from(order.is_le()),
        ">" => i64::from(order.is_gt()),
        ">=" => i64::from(order.is_ge()),
        _ => return None,
    })
}
