//! The registry of passes, named pipelines and rewrite rules of a tool.

use std::collections::BTreeMap;

use super::{
    OptionDefinition, OptionError, OptionTexts, Pass, PassDefinition, Pipeline, SourcePosition,
};
use crate::rewrite::Rule;

/// A named sequence of passes.
#[derive(Debug)]
pub struct PipelineDefinition {
    /// The name.
    pub name: &'static str,
    /// Its purpose.
    pub documentation: &'static str,
    /// Options.
    pub options: &'static [OptionDefinition],
    /// Adds the passes to a pipeline.
    pub build: fn(&PassRegistry, &mut Pipeline, &OptionTexts) -> Result<(), OptionError>,
    /// The position of the declaration.
    pub position: SourcePosition,
}

/// A rewrite rule or a conversion pattern, as shown in lists.
#[derive(Clone, Copy, Debug)]
pub struct ListedPattern {
    /// Unique name.
    pub name: &'static str,
    /// The name of the root operation.
    pub root: &'static str,
    /// A one-line description of the rewrite.
    pub summary: &'static str,
    /// Patterns with a higher benefit are tried first.
    pub benefit: u16,
    /// The position of the declaration.
    pub position: SourcePosition,
}

impl From<&Rule> for ListedPattern {
    fn from(rule: &Rule) -> Self {
        ListedPattern {
            name: rule.name,
            root: rule.root,
            summary: rule.summary,
            benefit: rule.benefit,
            position: SourcePosition {
                file: rule.file,
                line: rule.line,
            },
        }
    }
}

/// A set of rules: those of a pass, or those that a dialect offers to passes.
#[derive(Debug)]
pub struct PatternSet {
    /// The name: that of the pass, or `dialect-subject`.
    pub name: &'static str,
    /// The rules and patterns.
    pub patterns: Vec<ListedPattern>,
}

/// The passes, named pipelines and rewrite rules of a tool, by name.
#[derive(Debug, Default)]
pub struct PassRegistry {
    passes: BTreeMap<&'static str, &'static PassDefinition>,
    pipelines: BTreeMap<&'static str, &'static PipelineDefinition>,
    rules: BTreeMap<&'static str, &'static Rule>,
    sets: Vec<PatternSet>,
}

impl PassRegistry {
    /// Registers a pass. Registering it twice has no effect.
    ///
    /// # Panics
    /// If another pass or pipeline has the name, which is a bug in the tool.
    pub fn register<P: Pass>(&mut self) {
        let definition = &P::DEFINITION;
        let known = self.passes.get(definition.name);
        if known.is_some_and(|known| known.position == definition.position) {
            return;
        }
        self.check_new(definition.name);
        self.passes.insert(definition.name, definition);
    }

    /// Registers a named pipeline.
    ///
    /// # Panics
    /// If another pass or pipeline has the name, which is a bug in the tool.
    pub fn register_pipeline(&mut self, definition: &'static PipelineDefinition) {
        self.check_new(definition.name);
        self.pipelines.insert(definition.name, definition);
    }

    fn check_new(&self, name: &str) {
        let known = self.passes.contains_key(name) || self.pipelines.contains_key(name);
        assert!(!known, "duplicate pass or pipeline '{name}'");
    }

    /// Registers rewrite rules that no operation declaration lists, under the name of a set. A rule
    /// may be in several sets.
    ///
    /// # Panics
    /// If another rule has the name, which is a bug in the tool.
    pub fn register_rules(&mut self, set: &'static str, rules: &[&'static Rule]) {
        let listed = rules.iter().map(|rule| ListedPattern::from(*rule));
        self.register_patterns(set, listed.collect());
        for rule in rules {
            let before = self.rules.insert(rule.name, rule);
            let same = before.is_none_or(|before| std::ptr::eq(before, *rule));
            assert!(same, "duplicate rewrite rule '{}'", rule.name);
        }
    }

    /// Registers patterns that are not rules, such as conversion patterns, under the name of a set.
    pub fn register_patterns(&mut self, set: &'static str, patterns: Vec<ListedPattern>) {
        self.sets.push(PatternSet {
            name: set,
            patterns,
        });
    }

    /// The pass with this name.
    pub fn pass(&self, name: &str) -> Option<&'static PassDefinition> {
        self.passes.get(name).copied()
    }

    /// The named pipeline with this name.
    pub fn pipeline(&self, name: &str) -> Option<&'static PipelineDefinition> {
        self.pipelines.get(name).copied()
    }

    /// The passes by name.
    pub fn passes(&self) -> impl Iterator<Item = &'static PassDefinition> + '_ {
        self.passes.values().copied()
    }

    /// The named pipelines by name.
    pub fn pipelines(&self) -> impl Iterator<Item = &'static PipelineDefinition> + '_ {
        self.pipelines.values().copied()
    }

    /// The registered sets of rules, in registration order.
    pub fn pattern_sets(&self) -> &[PatternSet] {
        &self.sets
    }

    /// The registered rules, by name. Rules of operations are in the operations' declarations.
    pub fn rules(&self) -> impl Iterator<Item = &'static Rule> + '_ {
        self.rules.values().copied()
    }
}
