//! The roles of operands.

use crate::kinds::{Destinations, OperandKind};

/// A place among the operands of an instruction.
#[derive(Debug)]
pub struct Role {
    pub kinds: Vec<OperandKind>,
    pub optional: bool,
}

/// The operands that are written, and the others.
#[derive(Debug)]
pub struct Roles {
    pub results: Vec<Role>,
    pub sources: Vec<Role>,
}

impl Roles {
    /// Reads `R P? = R R|UR|constant|number`.
    pub fn parse(text: &str) -> Result<Roles, String> {
        let sides = text.split_once('=');
        let (results, sources) =
            sides.ok_or_else(|| format!("has operands '{text}' without '='"))?;
        let roles = |text: &str| -> Result<Vec<Role>, String> {
            text.split_whitespace().map(Role::parse).collect()
        };
        Ok(Roles {
            results: roles(results)?,
            sources: roles(sources)?,
        })
    }
}

impl Role {
    fn parse(text: &str) -> Result<Role, String> {
        let kinds = text.trim_end_matches('?');
        let kind = |word| {
            let unknown = || format!("has an operand '{text}' of an unknown kind");
            OperandKind::parse(word).ok_or_else(unknown)
        };
        Ok(Role {
            kinds: kinds.split('|').map(kind).collect::<Result<_, _>>()?,
            optional: kinds.len() < text.len(),
        })
    }
}

/// Whether the operands and the rule for those that are written agree.
pub fn agree(roles: Option<&Roles>, rule: Option<Destinations>) -> Result<(), String> {
    let (roles, rule) = match (roles, rule) {
        (None, _) => return Ok(()),
        (Some(roles), Some(rule)) => (roles, rule),
        (Some(_), None) => return Err("has operands, but not what it writes: 'results'".to_owned()),
    };
    let most = roles.results.len();
    let least = roles.results.iter().filter(|role| !role.optional).count();
    let agrees = match rule {
        Destinations::None => most == 0,
        Destinations::One => (least, most) == (1, 1),
        Destinations::Two | Destinations::Texels => most >= 2,
        Destinations::AllButLast => roles.sources.len() == 1,
        Destinations::Leading | Destinations::BeforeAddress => true,
    };
    match agrees {
        true => Ok(()),
        false => Err(format!(
            "has operands that do not agree with the rule {rule:?} for results"
        )),
    }
}
