//! Targets and versions of PTX, and the requirements of instructions.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

/// The targets of PTX 9.0, each with the version that added it.
static TARGETS: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| toml::from_str(include_str!("targets.toml")).unwrap_or_default());

/// The newest version covered by the tables; the same as that of ptxas 13.0. Additions of newer
/// versions are not checked.
pub(super) const NEWEST: Version = Version(9, 0);

/// The last minor version of each major one, from 1 on.
const MINORS: [u32; 9] = [5, 3, 2, 3, 1, 5, 8, 8, 0];

/// A version of PTX.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Version(pub u32, pub u32);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

impl Version {
    /// A message stating why there is no such version; `None` if it exists.
    pub fn unknown(self) -> Option<String> {
        if self > NEWEST {
            return None;
        }
        let found = MINORS.get(self.0.saturating_sub(1) as usize);
        let is_known = self.0 > 0 && found.is_some_and(|most| self.1 <= *most);
        (!is_known).then(|| format!("unknown PTX version {self}"))
    }

    fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.split_once('.')?;
        Some(Version(major.parse().ok()?, minor.parse().ok()?))
    }
}

/// A target like `sm_100a`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Target {
    /// 100.
    pub number: u32,
    /// `a` for this architecture alone, `f` for its family.
    pub suffix: Option<char>,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}", self.number)?;
        self.suffix.map_or(Ok(()), |suffix| write!(f, "{suffix}"))
    }
}

impl Target {
    /// Parses `100a`.
    fn parse(text: &str) -> Option<Self> {
        let digits = text.trim_end_matches(['a', 'f']);
        let suffix = text[digits.len()..].chars().next();
        (text.len() - digits.len() <= 1).then_some(())?;
        let number = digits.parse().ok()?;
        Some(Target { number, suffix })
    }

    /// The target of a `.target` directive and the version that added it; `None` if unknown.
    pub fn named(name: &str) -> Option<(Self, Version)> {
        let since = TARGETS.get(&name.replacen("compute_", "sm_", 1))?;
        Some((
            Self::parse(name.split_once('_')?.1)?,
            Version::parse(since)?,
        ))
    }

    /// Whether code for the target `self` may use features of `wanted`: on any later target without
    /// a suffix, on the same one with `a`, on a later one of the same family with `f`.
    fn has(self, wanted: Target) -> bool {
        match wanted.suffix {
            None => self.number >= wanted.number,
            Some('a') => self == wanted,
            Some(_) => {
                self.suffix.is_some()
                    && self.number / 10 == wanted.number / 10
                    && self.number >= wanted.number
            }
        }
    }
}

/// Whether PTX for a target can be compiled for a machine; `None` if one of them is unknown.
pub fn can_compile_for(target: &str, machine: &str) -> Option<bool> {
    let [(target, _), (machine, _)] = [Target::named(target)?, Target::named(machine)?];
    Some(machine.has(target))
}

/// The requirements of an instruction or modifier.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Need {
    /// One of these; any if empty.
    targets: Vec<Target>,
    version: Option<Version>,
}

impl Need {
    /// Parses `90a,100f/8.6`: targets, and after the slash the version.
    ///
    /// # Errors
    /// The error in the notation.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (targets, version) = match text.split_once('/') {
            Some((targets, version)) => (targets, Some(version)),
            None => (text, None),
        };
        let targets = targets.split(',').filter(|target| !target.is_empty());
        let targets: Option<_> = targets.map(Target::parse).collect();
        let version = version.map(|version| Version::parse(version).ok_or(text));
        Ok(Need {
            targets: targets.ok_or_else(|| format!("'{text}' is not a target"))?,
            version: version.transpose()?,
        })
    }

    /// A message stating what is missing; `None` if satisfied.
    pub fn missing(&self, target: Target, version: Version) -> Option<String> {
        let has_target = self.targets.iter().any(|wanted| target.has(*wanted));
        if !has_target && !self.targets.is_empty() {
            let names = self.targets.iter().map(|wanted| match wanted.suffix {
                None => format!("sm_{} or later", wanted.number),
                Some(_) => wanted.to_string(),
            });
            let names: Vec<_> = names.collect();
            return Some(format!(
                "requires {}, but the target is {target}",
                names.join(" or ")
            ));
        }
        let needed = self.version.filter(|needed| version < *needed)?;
        Some(format!(
            "requires PTX {needed}, but the version is {version}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::{Need, Target, Version};

    /// Features of a plain target are those of later ones, features of `a` those of the same target,
    /// and features of `f` those of later targets of the family.
    #[test]
    fn features_are_inherited_within_their_family() {
        let cases = [
            ("90", "100", true),
            ("100", "90", false),
            ("90a", "90a", true),
            ("90a", "90", false),
            ("90a", "100a", false),
            ("100f", "103a", true),
            ("100f", "103f", true),
            ("100f", "103", false),
            ("100f", "120a", false),
            ("103f", "100f", false),
        ];
        for (wanted, target, has) in cases {
            let need = Need::parse(wanted).expect("a need");
            let target = Target::parse(target).expect("a target");
            let missing = need.missing(target, Version(9, 0));
            assert_eq!(missing.is_none(), has, "{wanted} on {target}");
        }
        let need = Need::parse("90/8.6").expect("a need");
        let target = Target::parse("90").expect("a target");
        assert!(need.missing(target, Version(8, 5)).is_some());
        assert!(need.missing(target, Version(8, 6)).is_none());
    }
}
