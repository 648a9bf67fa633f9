//! What entries say of each other: which ones compute the same, on which datapath.

use super::{Entry, Model, Row, UNKNOWN};
use crate::kinds::{Category, Flag, Pipe};

/// The first machine with a uniform datapath.
const FIRST_UNIFORM: u16 = 75;

impl Model {
    /// Pairs the entries of operations that compute the same on both datapaths. Those of the uniform
    /// one compute what the others say.
    pub(super) fn pair_datapaths(&mut self) -> Result<(), String> {
        for place in 0..self.rows.len() {
            let row = &self.rows[place];
            let name = row.name.clone();
            self.check_uniform(row)
                .map_err(|message| format!("'{name}' {message}"))?;
            for general in row.uniform_of.clone() {
                let of = self.rows.iter().position(|row| row.name == general);
                let of =
                    of.ok_or_else(|| format!("'{name}' is of '{general}', which has no row"))?;
                self.pair(place, of)?;
            }
        }
        Ok(())
    }

    /// Whether an instruction says all that it has to, if it is of the uniform datapath.
    fn check_uniform(&self, row: &Row) -> Result<(), String> {
        let entries = || row.entries.iter().map(|entry| &self.entries[*entry]);
        let is_uniform = entries().all(|entry| entry.shared.pipe == Some(Pipe::Uniform));
        if !is_uniform {
            return match row.uniform_of.is_empty() {
                true => Ok(()),
                false => Err("has 'uniform-of', but another pipe".to_owned()),
            };
        }
        if entries().any(|entry| entry.shared.since < Some(FIRST_UNIFORM)) {
            return Err(format!(
                "is uniform, but since a machine before {FIRST_UNIFORM}"
            ));
        }
        let general = row.name.strip_prefix('U').unwrap_or_default();
        let has_general = self.rows.iter().any(|other| other.name == general);
        let computes = entries().all(|entry| !entry.touches_memory());
        match has_general && computes && row.uniform_of.is_empty() {
            true => Err(format!("has no 'uniform-of', but there is '{general}'")),
            false => Ok(()),
        }
    }

    /// Pairs the entries of a uniform instruction with those of a general one, by modifiers.
    fn pair(&mut self, uniform: usize, general: usize) -> Result<(), String> {
        for own in self.rows[uniform].entries.clone() {
            let entry = &self.entries[own];
            let (name, form) = (entry.name.clone(), entry.form().to_owned());
            if entry.operation.is_none() {
                continue;
            }
            let same = |other: &&usize| {
                let other = &self.entries[**other];
                other.operation.is_some() && other.form() == form
            };
            let other = self.rows[general].entries.iter().find(same).copied();
            let other = other.ok_or_else(|| {
                let general = &self.rows[general].name;
                format!("'{name}' has an operation, but that form of '{general}' has none")
            })?;
            if let Some(known) = self.entries[other].uniform {
                let (known, other) = (&self.entries[known].name, &self.entries[other].name);
                return Err(format!("'{name}' and '{known}' are the uniform '{other}'"));
            }
            self.entries[other].uniform = Some(own);
            if self.entries[own].general.is_none() {
                if self.entries[own].computes.is_some() {
                    return Err(format!(
                        "'{name}' has 'computes', which is that of the general one"
                    ));
                }
                self.entries[own].general = Some(other);
                self.entries[own].computes = self.entries[other].computes.clone();
            }
        }
        Ok(())
    }

    /// Every operation that is a function of its operands names the function, the same in all entries.
    pub(super) fn check_computations(&self) -> Result<(), String> {
        let known = self.computations();
        for entry in &self.entries {
            let Some(operation) = &entry.operation else {
                continue;
            };
            let computes = entry.computes.as_deref();
            if computes.is_none() && entry.is_function() {
                let name = &entry.name;
                return Err(format!("'{name}' does not say what '{operation}' computes"));
            }
            let said = computes.filter(|function| *function != UNKNOWN);
            if known.get(operation.as_str()).copied() != said {
                return Err(format!(
                    "entries of '{operation}' compute different functions"
                ));
            }
        }
        Ok(())
    }
}

impl Entry {
    /// The modifiers.
    fn form(&self) -> &str {
        self.mnemonic.split_once('.').map_or("", |(_, form)| form)
    }

    fn touches_memory(&self) -> bool {
        let spaces = [&self.shared.reads, &self.shared.writes];
        spaces
            .into_iter()
            .flatten()
            .any(|spaces| !spaces.is_empty())
    }

    /// Whether the results depend on the operands alone, as far as memory and flags tell. Products of
    /// matrices are of a warp.
    fn is_function(&self) -> bool {
        let flags = self.shared.flags.iter().flatten();
        let mut others = flags.filter(|flag| !matches!(flag, Flag::Predicate | Flag::Uniform));
        let of_lanes = matches!(self.category, Category::Pseudo | Category::Matrix);
        !self.touches_memory() && self.lanes.is_none() && !of_lanes && others.next().is_none()
    }
}
