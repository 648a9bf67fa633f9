//! Selection of the forms of an instruction by its modifiers.

use super::table::{Form, Slot, is_choice};
use super::target::{Target, Version};
use super::types::Type;

/// A form of the table, bound to the modifiers of an instruction.
#[derive(Clone, Debug)]
pub(super) struct Choice<'a> {
    /// The form.
    pub form: &'static Form,
    /// The types bound to letters.
    pub letters: Vec<(char, Type)>,
    /// The modifiers after the name.
    pub modifiers: &'a [&'a str],
    /// A message stating what the target or version lacks.
    pub missing: Option<String>,
}

/// Whether a modifier is a state space.
fn is_space(modifier: &str) -> bool {
    let space = modifier.split("::").next().unwrap_or_default();
    matches!(
        space,
        ".global" | ".shared" | ".local" | ".param" | ".const"
    )
}

/// Whether a modifier must not be repeated.
fn is_single(modifier: &str) -> bool {
    let is_order = matches!(
        modifier,
        ".acquire" | ".release" | ".acq_rel" | ".relaxed" | ".volatile"
    );
    is_order || is_space(modifier)
}

/// Whether a modifier is a type.
fn is_type(modifier: &str) -> bool {
    Type::named(modifier).is_some()
}

/// Why no form matches the modifiers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    /// No form has this modifier.
    Foreign(String),
    /// No form has these types.
    Types,
    /// The form that matches best requires one of these.
    Missing(Vec<String>),
    /// This modifier conflicts with the others.
    Conflict(String),
}

impl<'a> Choice<'a> {
    /// Binds the form to the modifiers, if they match.
    pub fn of(
        form: &'static Form,
        modifiers: &'a [&'a str],
        target: Target,
        version: Version,
    ) -> Result<Self, Reason> {
        let mut choice = Choice {
            form,
            letters: Vec::new(),
            modifiers,
            missing: None,
        };
        if !form.is_open {
            let slots = choice.types(target, version)?;
            debug_assert!(slots <= form.types.len());
            choice.others(target, version)?;
        }
        if let Some(need) = &form.need {
            choice.missing = choice.missing.or_else(|| need.missing(target, version));
        }
        Ok(choice)
    }

    /// The type modifiers, in order; returns the number of slots they fill.
    fn types(&mut self, target: Target, version: Version) -> Result<usize, Reason> {
        let mut slots = self.form.types.iter();
        let mut filled = 0;
        for modifier in self.modifiers.iter().filter(|modifier| is_type(modifier)) {
            let slot = loop {
                let slot: &Slot = slots.next().ok_or(Reason::Types)?;
                let found = slot.choices.iter().find(|(name, _)| name == modifier);
                match found {
                    Some((_, need)) => break (slot.letter, need),
                    None if slot.is_optional => {}
                    None => return Err(Reason::Types),
                }
            };
            filled += 1;
            let ty = Type::named(modifier).ok_or(Reason::Types)?;
            self.letters.extend(slot.0.map(|letter| (letter, ty)));
            let missing = slot
                .1
                .as_ref()
                .and_then(|need| need.missing(target, version));
            self.miss(modifier, missing);
        }
        match slots.all(|slot| slot.is_optional) {
            true => Ok(filled),
            false => Err(Reason::Types),
        }
    }

    /// The other modifiers, in any order. A repeated one counts once.
    fn others(&mut self, target: Target, version: Version) -> Result<(), Reason> {
        let slots = &self.form.slots;
        let mut filled: Vec<Option<&str>> = vec![None; slots.len()];
        for modifier in self.modifiers.iter().filter(|modifier| !is_type(modifier)) {
            let mut is_known = false;
            let mut found = None;
            for (number, slot) in slots.iter().enumerate() {
                let choice = slot
                    .choices
                    .iter()
                    .find(|(name, _)| is_choice(name, modifier));
                let Some((_, need)) = choice else { continue };
                is_known = true;
                if filled[number].is_none() {
                    found = Some((number, need));
                    break;
                }
            }
            match found {
                Some((number, need)) => {
                    filled[number] = Some(modifier);
                    let missing = need.as_ref().and_then(|need| need.missing(target, version));
                    self.miss(modifier, missing);
                }
                None if filled.contains(&Some(modifier)) && !is_single(modifier) => {}
                None if is_known => return Err(Reason::Conflict((*modifier).to_owned())),
                None => return Err(Reason::Foreign((*modifier).to_owned())),
            }
        }
        let mut empty = slots.iter().zip(&filled);
        match empty.find(|(slot, filled)| filled.is_none() && !slot.is_optional) {
            Some((slot, _)) => Err(Reason::Missing(
                slot.choices.iter().map(|(name, _)| name.clone()).collect(),
            )),
            None => Ok(()),
        }
    }

    fn miss(&mut self, modifier: &str, missing: Option<String>) {
        if self.missing.is_none() {
            self.missing = missing.map(|missing| format!("'{modifier}' {missing}"));
        }
    }

    /// The type bound to a letter.
    pub fn letter(&self, letter: char) -> Option<Type> {
        let found = self.letters.iter().find(|(known, _)| *known == letter);
        found.map(|(_, ty)| *ty)
    }

    /// Whether a modifier is present.
    pub fn has(&self, modifier: &str) -> bool {
        self.modifiers.contains(&modifier)
    }

    /// The number in a modifier like `.v4` or `.x2`.
    pub fn number(&self, prefix: &str) -> Option<usize> {
        let numbers = self.modifiers.iter().filter_map(|modifier| {
            let digits = modifier.strip_prefix(prefix)?;
            digits.parse().ok()
        });
        numbers.into_iter().next()
    }

    /// The columns in `.m64n16k8`.
    pub fn columns(&self) -> Option<usize> {
        let shapes = self.modifiers.iter().filter_map(|modifier| {
            let (_, rest) = modifier.strip_prefix(".m")?.split_once('n')?;
            let (columns, _) = rest.split_once('k')?;
            columns.parse().ok()
        });
        shapes.into_iter().next()
    }

    /// The state space in the modifiers, with its dot and without the part after `::`.
    pub fn space(&self) -> Option<&'a str> {
        let found = self.modifiers.iter().find(|modifier| is_space(modifier));
        found.and_then(|space| space.split("::").next())
    }
}
