//! The roles of operands.

use crate::kinds::{Destinations, OperandKind};

/// The rules, those that hold for the most operands first: real code may have more operands than the
/// roles say.
const RULES: [Destinations; 7] = [
    Destinations::None,
    Destinations::BeforeAddress,
    Destinations::Leading,
    Destinations::Texels,
    Destinations::AllButLast,
    Destinations::One,
    Destinations::Two,
];

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

    /// The first rule that tells the operands that are written from the others, whichever kinds they
    /// have.
    pub fn rule(&self) -> Result<Destinations, String> {
        let (results, sources) = (choices(&self.results), choices(&self.sources));
        let counts = |rule: &Destinations| {
            results.iter().all(|written| {
                sources.iter().all(|read| {
                    let kinds = [written.as_slice(), read.as_slice()].concat();
                    rule.count(kinds.len(), |place| kinds[place]) == written.len()
                })
            })
        };
        let rule = RULES.into_iter().find(counts);
        rule.ok_or_else(|| "has operands of which no rule tells what is written".to_owned())
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

/// The kinds of all lists of operands that have these roles.
fn choices(roles: &[Role]) -> Vec<Vec<OperandKind>> {
    let mut lists = vec![Vec::new()];
    for role in roles {
        let absent = if role.optional {
            lists.clone()
        } else {
            Vec::new()
        };
        let present = lists.iter().flat_map(|list| {
            let with = |kind: &OperandKind| [list.as_slice(), &[*kind]].concat();
            role.kinds.iter().map(with)
        });
        lists = absent.into_iter().chain(present).collect();
    }
    lists
}
