//! Rewrite rules: functions, and peepholes written as text.
//!
//! A rule belongs to the dialect of its root operation and is listed in the declaration of that
//! operation; the driver that applies rules is in `orison-rewrites`.

use crate::Operation;
use crate::pattern::Pattern;
pub use crate::rewriter::{Declined, Rewriter, RuleResult};

/// A rewrite rule.
#[derive(Debug)]
pub struct Rule {
    /// Unique name in kebab-case, `dialect-what-it-does`.
    pub name: &'static str,
    /// A one-line description of the rewrite.
    pub summary: &'static str,
    /// The name of the root operation.
    pub root: &'static str,
    /// Rules with a higher benefit are tried first, then in order of name.
    pub benefit: u16,
    /// Applies the rule to an operation named `root`. Must leave the IR unchanged if it declines.
    pub apply: fn(&mut Rewriter<'_>, Operation) -> RuleResult,
    /// The pattern the rule is made from, if it is a [`peephole!`](crate::peephole).
    pub pattern: Option<&'static Pattern>,
    /// Source file of the rule.
    pub file: &'static str,
    /// Line of the rule.
    pub line: u32,
}

/// Declares a rewrite rule as a static item.
///
/// `rule!(FOLD_ZERO, "arith-addi-zero", "x + 0 becomes x", "arith.addi", function)`.
#[macro_export]
macro_rules! rule {
    ($(#[$doc:meta])* $visibility:vis $ident:ident, $name:literal, $summary:literal, $root:expr, $apply:expr) => {
        $(#[$doc])*
        #[doc = $summary]
        $visibility static $ident: $crate::rewrite::Rule = $crate::rewrite::Rule {
            name: $name,
            summary: $summary,
            root: $root,
            benefit: 1,
            apply: $apply,
            pattern: None,
            file: file!(),
            line: line!(),
        };
    };
}

/// Declares a peephole rewrite rule as text, as a static list of one rule.
///
/// `peephole!(X, dialect &ORI, ["ori.", "ori-"], benefit 1, "iadd3-zeros", iadd3 "(x, 0, 0) => x")`,
/// with the prefixes of operations and of rules; a second pair of prefixes makes a second rule. A
/// condition may follow. Dialects wrap this in a shorter macro.
#[macro_export]
macro_rules! peephole {
    ($(#[$doc:meta])* $visibility:vis $ident:ident, dialect $dialect:expr,
     [$prefix:literal, $names:literal], benefit $benefit:literal, $name:literal,
     $root:ident $text:literal $(, $condition:expr)? $(,)?) => {
        $(#[$doc])*
        #[doc = concat!("`", stringify!($root), $text, "`")]
        $visibility static $ident: &[$crate::rewrite::Rule] = &[
            $crate::peephole!(@rule $dialect, $prefix, $names, $benefit, $name, $root $text $(, $condition)?),
        ];
    };
    ($(#[$doc:meta])* $visibility:vis $ident:ident, dialect $dialect:expr,
     [$prefix:literal, $names:literal] [$second:literal, $second_names:literal],
     benefit $benefit:literal, $name:literal,
     $root:ident $text:literal $(, $condition:expr)? $(,)?) => {
        $(#[$doc])*
        #[doc = concat!("`", stringify!($root), $text, "`")]
        $visibility static $ident: &[$crate::rewrite::Rule] = &[
            $crate::peephole!(@rule $dialect, $prefix, $names, $benefit, $name, $root $text $(, $condition)?),
            $crate::peephole!(@rule $dialect, $second, $second_names, $benefit, $name, $root $text $(, $condition)?),
        ];
    };
    (@rule $dialect:expr, $prefix:literal, $names:literal, $benefit:literal, $name:literal,
     $root:ident $text:literal $(, $condition:expr)?) => {{
        static PATTERN: $crate::pattern::Pattern = $crate::pattern::Pattern {
            dialect: $dialect,
            prefix: $prefix,
            text: (stringify!($root), $text),
            condition: $crate::peephole!(@condition $($condition)?),
            tree: std::sync::OnceLock::new(),
        };
        $crate::rewrite::Rule {
            name: concat!($names, $name),
            summary: concat!(stringify!($root), $text),
            root: concat!($prefix, stringify!($root)),
            benefit: $benefit,
            apply: |rewriter, op| PATTERN.apply(rewriter, op),
            pattern: Some(&PATTERN),
            file: file!(),
            line: line!(),
        }
    }};
    (@condition) => { None };
    (@condition $condition:expr) => { Some($condition) };
}
