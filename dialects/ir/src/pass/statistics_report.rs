//! `--mlir-pass-statistics`: the report of the counters of passes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Element, PassDefinition, Pipeline, RewriteControl, Statistics};

/// The display form of statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StatisticsDisplay {
    /// One entry per pass, sorted by name.
    List,
    /// Nested like the pipeline.
    #[default]
    Pipeline,
}

const RULE: &str =
    "===-------------------------------------------------------------------------===";

impl Statistics {
    /// The report, with the counts of rewrite rules at the end.
    pub fn report(
        &self,
        pipeline: &Pipeline,
        control: &RewriteControl,
        display: StatisticsDisplay,
    ) -> String {
        let mut text = format!("{RULE}\n{:25}... Pass statistics report ...\n{RULE}\n", "");
        match display {
            StatisticsDisplay::Pipeline => self.nested(&mut text, pipeline, 0, &mut 0),
            StatisticsDisplay::List => self.list(&mut text, pipeline),
        }
        if !control.counts().is_empty() {
            text.push_str("Rewrite rules: applied of tried\n");
        }
        for (rule, counts) in control.counts() {
            // Writing to a string cannot fail.
            let _ = write!(text, "  {:5} of {:5} {rule}", counts.applied, counts.tried);
            let _ = match control.saved(rule) {
                Some(saved) => writeln!(text, ", saving {saved}"),
                None => writeln!(text),
            };
        }
        text
    }

    fn nested(&self, text: &mut String, pipeline: &Pipeline, depth: usize, number: &mut usize) {
        let indent = "  ".repeat(depth);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{indent}'{}' Pipeline", pipeline.anchor_text());
        for element in &pipeline.elements {
            match element {
                Element::Nested(nested) => self.nested(text, nested, depth + 1, number),
                Element::Pass(pass) => {
                    let _ = writeln!(text, "{indent}  {}", pass.definition().name);
                    self.lines(text, pass.definition(), &[*number], depth + 1);
                    *number += 1;
                }
            }
        }
    }

    fn list(&self, text: &mut String, pipeline: &Pipeline) {
        let mut passes = Vec::new();
        collect(pipeline, &mut passes);
        let mut by_name: BTreeMap<&str, (&PassDefinition, Vec<usize>)> = BTreeMap::new();
        for (number, definition) in passes.into_iter().enumerate() {
            let entry = by_name.entry(definition.name);
            entry.or_insert((definition, Vec::new())).1.push(number);
        }
        for (name, (definition, numbers)) in by_name {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name}");
            self.lines(text, definition, &numbers, 0);
        }
    }

    fn lines(&self, text: &mut String, pass: &PassDefinition, numbers: &[usize], depth: usize) {
        let indent = "  ".repeat(depth + 1);
        for statistic in pass.statistics {
            let count: u64 = numbers
                .iter()
                .map(|&number| self.get(number, statistic.name))
                .sum();
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{indent}(S) {count} {} - {}",
                statistic.name, statistic.summary
            );
        }
    }
}

fn collect(pipeline: &Pipeline, passes: &mut Vec<&'static PassDefinition>) {
    for element in &pipeline.elements {
        match element {
            Element::Pass(pass) => passes.push(pass.definition()),
            Element::Nested(nested) => collect(nested, passes),
        }
    }
}
