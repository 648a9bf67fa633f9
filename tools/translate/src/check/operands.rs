//! Checks operands against a form of an instruction.

use super::modifiers::Choice;
use super::names::{Entity, Names, Variable};
use super::table::{Count, Pattern, Presence, Role, Shape, Wanted};
use super::target::{Target, Version};
use super::types::{Class, Type};
use crate::ptx::ast::{Expression, names};

/// The error in the operands, and how far they match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mismatch {
    /// The first mismatched operand; `None` if their number is wrong.
    pub operand: Option<usize>,
    /// The message.
    pub message: String,
}

/// The kind of a constant expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Constant {
    Integer,
    Single,
    Double,
}

fn constant(expression: &Expression<'_>) -> Option<Constant> {
    match expression {
        Expression::Integer(..) | Expression::Name("WARP_SZ") => Some(Constant::Integer),
        Expression::Single(_) => Some(Constant::Single),
        Expression::Double(_) => Some(Constant::Double),
        Expression::Unary(_, inner) => constant(inner),
        Expression::Cast(_, inner) => constant(inner).map(|_| Constant::Integer),
        Expression::Binary(_, a, b) => {
            let (a, b) = (constant(a)?, constant(b)?);
            (a == b).then_some(a)
        }
        Expression::Conditional(parts) => constant(&parts[1]),
        Expression::Parentheses(items) => match items.as_slice() {
            [one] => constant(one),
            _ => None,
        },
        _ => None,
    }
}

impl Constant {
    /// Whether a constant is valid for an instruction type.
    fn fits(self, wanted: Type) -> bool {
        match (self, wanted.class) {
            (Constant::Integer, class) => {
                matches!(class, Class::Bits | Class::Integer | Class::Predicate)
            }
            (_, Class::Float) => matches!(wanted.name, "f32" | "f64"),
            (Constant::Single, Class::Bits) => wanted.bits == 32,
            (Constant::Double, Class::Bits) => wanted.bits == 64,
            _ => false,
        }
    }
}

/// The context in which operands are checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operands<'c, 'a> {
    /// The form.
    pub choice: &'c Choice<'a>,
    /// The names in scope.
    pub names: &'c Names<'a>,
    /// The target of the module.
    pub target: Target,
    /// Its version.
    pub version: Version,
}

type Result = std::result::Result<(), String>;

impl<'a> Operands<'_, 'a> {
    /// Checks all operands of an instruction.
    pub fn check(&self, operands: &'a [Expression<'a>]) -> std::result::Result<(), Mismatch> {
        let patterns = &self.choice.form.operands;
        let is_open = patterns.iter().any(|pattern| pattern.shape == Shape::Rest);
        let needed = patterns
            .iter()
            .filter(|pattern| self.is_needed(pattern))
            .count();
        let optional = patterns
            .iter()
            .filter(|pattern| pattern.presence == Presence::Optional);
        let most = needed + optional.count();
        if !is_open && !(needed..=most).contains(&operands.len()) {
            let expected = match most - needed {
                0 => needed.to_string(),
                _ => format!("{needed} to {most}"),
            };
            let plural = if expected == "1" { "" } else { "s" };
            let found = operands.len();
            return Err(Mismatch {
                operand: None,
                message: format!("expects {expected} operand{plural}, found {found}"),
            });
        }
        let mut spare = operands.len().saturating_sub(needed);
        let mut rest = operands.iter().enumerate();
        for pattern in patterns {
            if pattern.shape == Shape::Rest {
                return self.all_declared(rest);
            }
            if pattern.presence == Presence::Optional {
                if spare == 0 {
                    continue;
                }
                spare -= 1;
            } else if !self.is_needed(pattern) {
                continue;
            }
            let Some((number, operand)) = rest.next() else {
                break;
            };
            self.operand(pattern, operand).map_err(|message| Mismatch {
                operand: Some(number),
                message,
            })?;
        }
        Ok(())
    }

    fn is_needed(&self, pattern: &Pattern) -> bool {
        match &pattern.presence {
            Presence::Always => pattern.shape != Shape::Rest,
            Presence::Optional => false,
            Presence::With(modifier) => self.choice.has(modifier),
        }
    }

    /// Checks that the names in operands that are not checked otherwise are declared.
    fn all_declared(
        &self,
        operands: impl Iterator<Item = (usize, &'a Expression<'a>)>,
    ) -> std::result::Result<(), Mismatch> {
        for (number, operand) in operands {
            self.declared(operand).map_err(|message| Mismatch {
                operand: Some(number),
                message,
            })?;
        }
        Ok(())
    }

    /// Checks that every name in an expression is declared.
    fn declared(&self, expression: &Expression<'_>) -> Result {
        let mut unknown = None;
        names(expression, &mut |name| {
            if name != "_" && self.names.find(name).is_none() {
                unknown.get_or_insert_with(|| undeclared(name));
            }
        });
        unknown.map_or(Ok(()), Err)
    }

    fn operand(&self, pattern: &Pattern, operand: &'a Expression<'a>) -> Result {
        match &pattern.shape {
            Shape::Any | Shape::Rest => self.declared(operand),
            Shape::Part => self.part(pattern.role, operand),
            Shape::Label => self.label(operand, "a label", |entity| {
                matches!(entity, Entity::Label(super::names::Label::Code))
            }),
            Shape::Targets => self.label(operand, "the label of '.branchtargets'", |entity| {
                matches!(entity, Entity::Label(super::names::Label::Branches))
            }),
            Shape::Numbers(numbers) => match operand.as_integer() {
                Some(value) if numbers.iter().any(|number| i128::from(*number) == value) => Ok(()),
                _ => {
                    let numbers: Vec<_> = numbers.iter().map(i64::to_string).collect();
                    Err(format!("must be {}", numbers.join(" or ")))
                }
            },
            Shape::Address(space, items) => self.address(*space, items, operand),
            Shape::Vector(element, count) => self.vector(element, count, operand),
            Shape::Pair(first, second) => match operand {
                Expression::Binary("|", a, b) => {
                    self.operand(first, a)?;
                    self.operand(second, b)
                }
                _ => self.operand(first, operand),
            },
            Shape::Scalar(wanted, bound) => {
                let types = self.types(wanted);
                self.scalar(pattern.role, types, *bound, operand)
            }
        }
    }

    /// The types that an operand may have.
    fn types<'w>(&self, wanted: &'w Wanted) -> std::borrow::Cow<'w, [Type]> {
        match wanted {
            Wanted::Letter(letter) => self
                .choice
                .letter(*letter)
                .into_iter()
                .collect::<Vec<_>>()
                .into(),
            Wanted::Types(types) => types.as_slice().into(),
        }
    }

    fn label(
        &self,
        operand: &Expression<'_>,
        what: &str,
        is_right: impl FnOnce(&Entity<'_>) -> bool,
    ) -> Result {
        let Expression::Name(name) = operand else {
            return Err(format!("must be {what}"));
        };
        match self.names.find(name) {
            Some(entity) if is_right(&entity) => Ok(()),
            Some(_) => Err(format!("must be {what}, found '{name}'")),
            None => Err(undeclared(name)),
        }
    }

    /// An operand of a video instruction.
    fn part(&self, role: Role, operand: &Expression<'_>) -> Result {
        match operand {
            Expression::Name(name) => match self.names.find(name) {
                Some(Entity::Register(ty, 1)) if ty.bits == 32 && ty.class != Class::Float => {
                    Ok(())
                }
                Some(_) => Err(format!("must be a 32-bit integer register, found '{name}'")),
                None => Err(undeclared(name)),
            },
            Expression::Member(of, part) if (part.starts_with(".b") || part.starts_with(".h")) => {
                self.part(role, of)
            }
            Expression::Unary('-', inner) => self.part(role, inner),
            other if !role.is_result && constant(other) == Some(Constant::Integer) => Ok(()),
            _ => Err("must be a register or a part of one".to_owned()),
        }
    }

    fn vector(&self, element: &Pattern, count: &Count, operand: &'a Expression<'a>) -> Result {
        let wanted: &[usize] = match count {
            Count::Numbers(numbers) => numbers,
            Count::Modifier => &[self.choice.number(".v").unwrap_or(1)],
            Count::Repeated(each) => &[each.saturating_mul(self.choice.number(".x").unwrap_or(1))],
            Count::Columns(each) => &[self.choice.columns().unwrap_or(0) / each],
        };
        let is_scalar = *count == Count::Modifier && wanted == [1];
        match operand {
            Expression::Vector(items) => {
                if !wanted.contains(&items.len()) {
                    let expected: Vec<_> = wanted.iter().map(usize::to_string).collect();
                    let expected = expected.join(" or ");
                    let found = items.len();
                    let plural = if expected == "1" { "" } else { "s" };
                    return Err(format!(
                        "must have {expected} element{plural}, found {found}"
                    ));
                }
                self.elements(element, items)
            }
            // A register declared as a vector.
            Expression::Name(name) if !is_scalar => match self.names.find(name) {
                Some(Entity::Register(ty, elements))
                    if wanted.contains(&elements) && elements > 1 =>
                {
                    let Shape::Scalar(types, _) = &element.shape else {
                        return Ok(());
                    };
                    self.register(element.role, &self.types(types), ty, name)
                }
                Some(_) => Err(format!("must be a vector, found '{name}'")),
                None => Err(undeclared(name)),
            },
            _ if is_scalar => self.operand(element, operand),
            _ => Err("must be a vector".to_owned()),
        }
    }

    /// The elements of a vector: the type of the first is compared with that of the instruction,
    /// those of the others with it and each other.
    fn elements(&self, element: &Pattern, items: &'a [Expression<'a>]) -> Result {
        if element.shape == Shape::Any {
            return items.iter().try_for_each(|item| self.declared(item));
        }
        let mut joined: Option<Type> = None;
        for item in items {
            if *item == Expression::Name("_") && element.role.is_result {
                continue;
            }
            let register = match item {
                Expression::Name(name) => match self.names.find(name) {
                    Some(Entity::Register(ty, 1)) => Some((ty, *name)),
                    _ => None,
                },
                _ => None,
            };
            let (Some((ty, name)), Some(before)) = (register, joined) else {
                self.operand(element, item)?;
                joined = joined.or(register.map(|(ty, _)| ty));
                continue;
            };
            if !ty.fits(before) {
                return Err(format!(
                    "has registers of different types: '{name}' is .{}, others are .{}",
                    ty.name, before.name
                ));
            }
            if before.class == Class::Bits {
                joined = Some(ty);
            }
        }
        Ok(())
    }

    fn address(
        &self,
        space: Option<&'static str>,
        items: &[Pattern],
        operand: &'a Expression<'a>,
    ) -> Result {
        let Expression::Address(parts) = operand else {
            return Err("must be an address in brackets".to_owned());
        };
        let [base, rest @ ..] = parts.as_slice() else {
            return Err("must be an address in brackets".to_owned());
        };
        if rest.len() != items.len() {
            let expected = items.len() + 1;
            let plural = if expected == 1 { "" } else { "s" };
            return Err(format!("must have {expected} part{plural} in the brackets"));
        }
        self.base(space, base)?;
        items
            .iter()
            .zip(rest)
            .try_for_each(|(item, part)| self.operand(item, part))
    }

    /// The base of an address: a register or a variable, optionally with an offset.
    fn base(&self, space: Option<&'static str>, base: &Expression<'_>) -> Result {
        match base {
            Expression::Binary("+" | "-", inner, distance) => {
                if constant(distance) != Some(Constant::Integer) {
                    self.declared(distance)?;
                    return Err("has an offset that is not an integer".to_owned());
                }
                self.base(space, inner)
            }
            Expression::Parentheses(items) if items.len() == 1 => self.base(space, &items[0]),
            Expression::Name(name) => match self.names.find(name) {
                Some(Entity::Register(ty, 1)) => match ty.class {
                    Class::Bits | Class::Integer if ty.bits >= 16 => Ok(()),
                    _ => Err(format!(
                        "has address '{name}', which is a register of type .{}",
                        ty.name
                    )),
                },
                Some(Entity::Variable(variable)) => self.space(space, name, &variable),
                Some(_) => Err(format!(
                    "has address '{name}', which is not a register or variable"
                )),
                None => Err(undeclared(name)),
            },
            Expression::Integer(..) | Expression::Unary(..) => Ok(()),
            Expression::Member(inner, _) => self.declared(inner),
            other => self.declared(other),
        }
    }

    /// Checks that a variable is in the space that an instruction accesses.
    fn space(&self, space: Option<&'static str>, name: &str, variable: &Variable<'_>) -> Result {
        let found = variable.space;
        let wanted = match space {
            Some("generic" | "any" | "tensor") => return Ok(()),
            Some(space) => Some(space),
            None => self.choice.space().map(|space| &space[1..]),
        };
        match wanted {
            None if matches!(found, ".const" | ".param") => Err(format!(
                "has variable '{name}' in {found}, but the address is generic"
            )),
            Some(wanted) if found.strip_prefix('.') != Some(wanted) => Err(format!(
                "has variable '{name}' in {found}, but the access is to .{wanted}"
            )),
            _ => Ok(()),
        }
    }

    fn scalar(
        &self,
        role: Role,
        types: std::borrow::Cow<'_, [Type]>,
        bound: Option<u64>,
        operand: &'a Expression<'a>,
    ) -> Result {
        if let Some(constant) = constant(operand) {
            if role.is_result || role.is_register {
                return Err("must be a register".to_owned());
            }
            if !types.iter().any(|ty| constant.fits(*ty)) {
                return Err(format!(
                    "must be {}, found a constant of a different type",
                    expected(&types)
                ));
            }
            let value = operand.as_integer();
            return match bound.zip(value) {
                Some((bound, value)) if !(0..i128::from(bound)).contains(&value) => Err(format!(
                    "must be at least 0 and less than {bound}, found {value}"
                )),
                _ => Ok(()),
            };
        }
        if role.is_immediate {
            self.declared(operand)?;
            return Err("must be an integer constant".to_owned());
        }
        match operand {
            Expression::Name("_") if role.takes_discard => Ok(()),
            Expression::Name("_") => Err("cannot be '_'".to_owned()),
            Expression::Name(name) => self.named(role, &types, name),
            Expression::Member(of, part) => self.member(role, &types, of, part),
            Expression::Unary('!', inner) if role.takes_negation => {
                let is_predicate = |ty: &Type| ty.class == Class::Predicate;
                if !types.iter().any(is_predicate) {
                    return Err("cannot be negated".to_owned());
                }
                self.scalar(role, types, bound, inner)
            }
            Expression::Unary(_, inner) => {
                self.declared(inner)?;
                Err("cannot be negated".to_owned())
            }
            Expression::Binary(_, a, b) if role.takes_symbols => {
                self.declared(b)?;
                self.scalar(role, types, bound, a)
            }
            Expression::Vector(items) if items.len() == 1 => {
                self.scalar(role, types, bound, &items[0])
            }
            other => {
                self.declared(other)?;
                Err(format!("must be {}", named(&types)))
            }
        }
    }

    fn named(&self, role: Role, types: &[Type], name: &str) -> Result {
        match self.names.find(name) {
            Some(Entity::Register(ty, 1)) => self.register(role, types, ty, name),
            Some(Entity::Register(..)) => Err(format!("must not be a vector, found '{name}'")),
            Some(Entity::Special(special)) => {
                if role.is_result {
                    return Err(format!("cannot be '{name}', which is read only"));
                }
                if !role.takes_special {
                    return Err(format!("cannot be the special register '{name}'"));
                }
                if special.elements > 1 {
                    return Err(format!(
                        "must be an element of '{name}', such as '{name}.x'"
                    ));
                }
                self.special(types, special, name)
            }
            Some(Entity::Variable(_) | Entity::Function(_))
                if role.takes_symbols && !role.is_result =>
            {
                let is_word =
                    |ty: &Type| ty.bits >= 32 && matches!(ty.class, Class::Bits | Class::Integer);
                match types.iter().any(is_word) {
                    true => Ok(()),
                    false => Err(format!(
                        "must be {}, found the address of '{name}'",
                        expected(types)
                    )),
                }
            }
            Some(_) => Err(format!("must be a register, found '{name}'")),
            None => Err(undeclared(name)),
        }
    }

    fn special(&self, types: &[Type], special: &super::names::Special, name: &str) -> Result {
        let missing = special.need.as_ref();
        if let Some(missing) = missing.and_then(|need| need.missing(self.target, self.version)) {
            return Err(format!("is '{name}', which {missing}"));
        }
        let fits =
            |ty: &Type| ty.class != Class::Float && special.types.iter().any(|own| own.fits(*ty));
        match types.iter().any(fits) {
            true => Ok(()),
            false => Err(format!(
                "must be {}, but '{name}' has type {}",
                expected(types),
                expected(&special.types)
            )),
        }
    }

    /// A part of a vector, `%tid.x`.
    fn member(&self, role: Role, types: &[Type], of: &Expression<'_>, part: &str) -> Result {
        let Expression::Name(name) = of else {
            return Err(format!("must be {}", named(types)));
        };
        let names = [[".x", ".r"], [".y", ".g"], [".z", ".b"], [".w", ".a"]];
        let place = names.iter().position(|names| names.contains(&part));
        let is_part_of = |elements| elements > 1 && place.is_some_and(|place| place < elements);
        match self.names.find(name) {
            Some(Entity::Special(special)) if is_part_of(special.elements) => {
                if role.is_result {
                    return Err(format!("cannot be '{name}', which is read only"));
                }
                if !role.takes_special {
                    return Err(format!("cannot be the special register '{name}{part}'"));
                }
                self.special(types, special, name)
            }
            Some(Entity::Register(ty, elements)) if is_part_of(elements) => {
                self.register(role, types, ty, name)
            }
            Some(_) => Err(format!(
                "is '{name}{part}', but '{name}' has no element '{part}'"
            )),
            None => Err(undeclared(name)),
        }
    }

    fn register(&self, role: Role, types: &[Type], ty: Type, name: &str) -> Result {
        let fits = |wanted: &Type| match role.is_wide {
            true => ty.holds(*wanted),
            false => ty.fits(*wanted),
        };
        if !role.is_immediate && types.iter().any(fits) {
            return Ok(());
        }
        Err(format!(
            "must be {}, but register '{name}' has type .{}",
            expected(types),
            ty.name
        ))
    }
}

fn undeclared(name: &str) -> String {
    format!("is '{name}', which is not declared")
}

/// `.u32 or .s32`.
fn expected(types: &[Type]) -> String {
    let names: Vec<_> = types.iter().map(|ty| format!(".{}", ty.name)).collect();
    names.join(" or ")
}

fn named(types: &[Type]) -> String {
    format!("a register or constant of type {}", expected(types))
}
