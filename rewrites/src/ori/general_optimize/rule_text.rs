//! The text of a pattern rule, as in `rules.toml`. The build script includes this file: it writes the rules of the pass
//! as a static table, as reading TOML takes longer than a small kernel.

use serde::Deserialize;

/// A rule as written in `rules.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleText {
    /// Its name, without the prefix `ori-general-`.
    pub name: String,
    /// The pattern to match.
    pub lhs: String,
    /// The equal expression.
    pub rhs: String,
    /// The conditions on facts.
    #[serde(default)]
    pub when: Vec<String>,
    /// Replacements for `{x}` and `{y}`.
    #[serde(default)]
    pub each: Vec<String>,
    /// The word widths for which it holds; all if empty.
    #[serde(default)]
    pub words: Vec<u32>,
    /// It changes float rounding; allowed if the function permits contraction of products and sums.
    #[serde(default)]
    pub contracts: bool,
}

impl RuleText {
    /// Whether it holds for words of `word` bits.
    pub fn holds_for(&self, word: u32) -> bool {
        self.words.is_empty() || self.words.contains(&word)
    }

    /// Whether both sides consist of the same tokens.
    pub fn only_moves(&self) -> bool {
        tokens(&self.lhs) == tokens(&self.rhs)
    }
}

/// The tokens of a term, sorted. Terms with the same operators also have the same number of empty
/// ones, between parentheses and blanks.
fn tokens(term: &str) -> Vec<&str> {
    let mut tokens: Vec<_> = term.split(['(', ')', ' ']).collect();
    tokens.sort_unstable();
    tokens
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rules: Vec<RuleText>,
}

/// Parses a file of rules and expands those with `each`.
///
/// # Errors
/// The message of the TOML parser.
pub fn parse(text: &str) -> Result<Vec<RuleText>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    Ok(file.rules.iter().flat_map(written_out).collect())
}

fn written_out(rule: &RuleText) -> Vec<RuleText> {
    if rule.each.is_empty() {
        return vec![rule.clone()];
    }
    let with = |words: &String| {
        let (x, y) = words.split_once(' ').unwrap_or((words, ""));
        let fill = |text: &String| text.replace("{x}", x).replace("{y}", y);
        RuleText {
            name: fill(&rule.name),
            lhs: fill(&rule.lhs),
            rhs: fill(&rule.rhs),
            each: Vec::new(),
            ..rule.clone()
        }
    };
    rule.each.iter().map(with).collect()
}
