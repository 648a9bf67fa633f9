//! The roles of instructions regarding scoreboards besides their class, from `roles.toml`.

use std::sync::LazyLock;

use orison_sass::instruction::Mnemonic;
use rustc_hash::FxHashMap;
use serde::Deserialize;

/// A role; `roles.toml` documents each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::sass) enum Role {
    KeepsRegisters,
    Texture,
    OrdersMemory,
    OrdersMemoryWhenRead,
    StrongLoad,
    StrongLoadWithResult,
    Acquires,
    Drains,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    roles: Vec<RawRole>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRole {
    role: Role,
    mnemonics: Vec<String>,
    #[serde(default)]
    without: Vec<String>,
    #[serde(default)]
    machines: Vec<String>,
    /// For readers of the file.
    #[serde(rename = "source")]
    _source: String,
}

/// Modifiers that give a role, and those that remove it.
struct Rule {
    role: Role,
    with: Vec<String>,
    without: Vec<String>,
    /// Empty for all.
    machines: Vec<String>,
}

/// By the text before the first dot.
type Rules = FxHashMap<String, Vec<Rule>>;

fn parse(text: &str) -> Result<Rules, toml::de::Error> {
    let file: RawFile = toml::from_str(text)?;
    let mut rules = Rules::default();
    for raw in file.roles {
        for mnemonic in &raw.mnemonics {
            let mut parts = mnemonic.split('.').map(str::to_owned);
            let base = parts.next().unwrap_or_default();
            rules.entry(base).or_default().push(Rule {
                role: raw.role,
                with: parts.collect(),
                without: raw.without.clone(),
                machines: raw.machines.clone(),
            });
        }
    }
    Ok(rules)
}

/// The roles of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::sass) struct Roles(u8);

impl Roles {
    /// Those on a machine.
    pub(in crate::sass) fn of(mnemonic: &Mnemonic, machine: &str) -> Roles {
        static RULES: LazyLock<Result<Rules, toml::de::Error>> =
            LazyLock::new(|| parse(include_str!("roles.toml")));
        let rules = RULES.as_ref().ok();
        let found = rules.and_then(|rules| rules.get(mnemonic.base()));
        let mut roles = Roles::default();
        for rule in found.into_iter().flatten() {
            let given = |modifier: &String| mnemonic.has(modifier);
            let here = rule.machines.is_empty() || rule.machines.iter().any(|name| name == machine);
            if here && rule.with.iter().all(given) && !rule.without.iter().any(given) {
                roles.0 |= 1 << rule.role as u8;
            }
        }
        roles
    }

    pub(in crate::sass) const fn has(self, role: Role) -> bool {
        self.0 >> role as u8 & 1 == 1
    }
}

/// Whether an instruction has a role on all machines.
pub(in crate::sass) fn has(mnemonic: &Mnemonic, role: Role) -> bool {
    Roles::of(mnemonic, "").has(role)
}

#[cfg(test)]
mod tests {
    use super::*;
    use orison_sass::instruction::Instruction;

    #[test]
    fn the_file_is_right_and_modifiers_decide() {
        assert_eq!(parse(include_str!("roles.toml")).err(), None);
        let has = |name: &str, role| has(&Instruction::new(name).mnemonic, role);
        assert!(has("IMAD.MOV.U32", Role::KeepsRegisters));
        assert!(!has("IMAD.WIDE.U32", Role::KeepsRegisters));
        assert!(!has("HFMA2.MMA", Role::KeepsRegisters));
        assert!(has("TEX.B.LL", Role::Texture));
        assert!(has("FENCE.VIEW.ASYNC.S", Role::OrdersMemory));
        assert!(has("CCTL.E.C.LDCU.IV.DEEP", Role::OrdersMemory));
        assert!(!has("CCTL.IVALL", Role::OrdersMemory));
        let orders = |name: &str, machine| {
            let roles = Roles::of(&Instruction::new(name).mnemonic, machine);
            roles.has(Role::OrdersMemoryWhenRead)
        };
        assert!(orders("MEMBAR.ALL.CTA", "sm_90") && orders("MEMBAR.SC.CTA", "sm_110"));
        assert!(!orders("MEMBAR.SC.GPU", "sm_90") && !orders("MEMBAR.ALL.CTA", "sm_120"));
        assert!(orders("UTMACCTL.IV", "sm_120"));
        assert!(has("LD.E.STRONG.SYS", Role::StrongLoad));
        assert!(!has("LD.E", Role::StrongLoad));
        assert!(has("CCTL.IVALL", Role::Acquires));
        assert!(has("USETMAXREG.DEALLOC.CTAPOOL", Role::Drains));
        assert!(!has("USETMAXREG.TRY_ALLOC.CTAPOOL", Role::Drains));
        assert!(!has("USETMAXREG.TRY_ALLOC.CTAPOOL", Role::Texture));
    }

    #[test]
    fn broken_files_are_refused() {
        for text in [
            "roles = [{ role = \"fast\", mnemonics = [], source = \"\" }]",
            "roles = [{ role = \"drains\", source = \"\" }]",
            "roles = [{ role = \"drains\", mnemonics = [], source = \"\", speed = 1 }]",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
