//! The pass `ori-general-optimize`: equality saturation over the pure expressions of blocks.
//!
//! `docs/general-optimize.md` describes the algorithm. From the bottom up: [`term`] is the term
//! language and [`evaluate`] its semantics, [`facts`] the known facts about values, [`rules`] the
//! patterns with their [`conditions`], which `matching` finds where there are `changes`, [`linear`],
//! [`tables`] and [`bytes`] the rules that are code, and [`saturate`] applies them; [`read`] makes
//! terms of operations, [`extract`] chooses terms by [`cost`] with what [`machine`] offers, [`emit`]
//! creates operations, with the `locations` of those they replace, and [`region`] does all this for a
//! block.

pub mod bytes;
mod changes;
pub mod conditions;
pub mod cost;
pub mod emit;
mod emit_floats;
mod emit_pairs;
pub mod evaluate;
pub mod extract;
pub mod facts;
mod leaf_facts;
pub mod linear;
mod locations;
pub mod machine;
mod matching;
pub mod read;
mod read_floats;
mod readings;
pub mod region;
pub mod rule_text;
pub mod rules;
pub mod saturate;
pub mod tables;
pub mod term;
mod uniform;
pub mod work_budget;

use std::cell::RefCell;
use std::sync::OnceLock;

use orison_ir::dominance::DominatorTree;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, RewriteControl, RuleCounts, Statistic,
    source_position,
};
use orison_ir::rewrite::{Declined, Rule};
use orison_ir::{Context, Operation};
use orison_ori::operations::structure::Func;

use super::functions::machine_of;
use machine::Prices;
use region::{Job, Report, optimize};
use rules::{PREFIX, PatternRule, RuleText};
use saturate::{CODE_RULES, Limits};
use term::WORD;
use work_budget::Budget;

orison_ir::pass_options! {
    /// Options of `ori-general-optimize`.
    pub struct GeneralOptimizeOptions {
        /// Maximum number of terms in a graph.
        max_nodes = "max-nodes": u64 = 2500,
        /// Maximum number of iterations in which all rules are matched.
        max_iterations = "max-iterations": u64 = 8,
        /// Maximum number of matches of a rule applied per iteration.
        max_matches = "max-matches": u64 = 100,
        /// Maximum number of operations per graph; a longer block is split into several.
        window = "window": u64 = 64,
        /// Units of work per operation of a function; unused work is available to later operations.
        work = "work": u64 = 330,
        /// Units of work that each function has besides, so that short functions are searched thoroughly.
        start = "start": u64 = 0,
    }
}

/// The pass `ori-general-optimize`.
#[derive(Clone, Debug)]
pub struct GeneralOptimize(GeneralOptimizeOptions);

const BEFORE: &str = "cost-before";
const AFTER: &str = "cost-after";
const CHANGED: &str = "num-blocks-changed";
const GRAPHS: &str = "num-graphs";
const AT_ITERATIONS: &str = "num-graphs-at-iterations";
const AT_TERMS: &str = "num-graphs-at-terms";
const AT_WORK: &str = "num-graphs-at-work";
const WORK: &str = "work";
/// The debug counter of replaced windows.
const REPLACE: &str = "ori-general-replace";

/// Key of the function attribute that allows products and sums of floats to be contracted.
const CONTRACTS: &str = "ori.contract";

impl Pass for GeneralOptimize {
    type Options = GeneralOptimizeOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<GeneralOptimize>(
        "ori-general-optimize",
        "Rewrites pure expressions in blocks to the cheapest equivalent ones.\n\
         \n\
         Equality saturation with limits on terms, iterations, matches and work, but not on time: \
         the result is deterministic. A block is changed only if the cost of its operations \
         decreases. The definitions of values that dominate a block are visible to the rules, but \
         operations are not moved between blocks. Operations with side effects or guards are \
         kept. See docs/general-optimize.md.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: BEFORE,
            summary: "Cost of all blocks before the pass",
        },
        Statistic {
            name: AFTER,
            summary: "Cost of all blocks after the pass",
        },
        Statistic {
            name: CHANGED,
            summary: "Number of blocks changed",
        },
        Statistic {
            name: GRAPHS,
            summary: "Number of graphs saturated",
        },
        Statistic {
            name: AT_ITERATIONS,
            summary: "Number of graphs that reached the iteration limit",
        },
        Statistic {
            name: AT_TERMS,
            summary: "Number of graphs that reached the term limit",
        },
        Statistic {
            name: AT_WORK,
            summary: "Number of graphs that reached the work limit",
        },
        Statistic {
            name: WORK,
            summary: "Units of work spent",
        },
    ]);

    fn create(options: GeneralOptimizeOptions) -> Self {
        GeneralOptimize(options)
    }

    fn options(&self) -> &GeneralOptimizeOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        readings::attach(pass.context);
        let root = pass.op();
        let all = orison_ir::walk::collect(pass.context, root);
        let functions: Vec<Operation> = all
            .into_iter()
            .filter(|op| Func::of(pass.context, *op).is_some())
            .collect();
        let mut status = IRStatus::Unchanged;
        let budget = Budget::new(self.0.work);
        for function in functions {
            let mut changed = false;
            let mut cut_short = 0;
            let mut cost = cost_of(pass.context, function);
            pass.count(BEFORE, cost);
            for report in self.function(pass, function, &budget) {
                changed |= report.changed;
                cut_short += report.at_work;
                note(pass, &report);
            }
            if cut_short > 0 {
                let reason = format!("the work limit ended the search in {cut_short} graphs");
                pass.declined(function, "work", &reason, "a larger 'work'");
            }
            if changed {
                sweep(pass.context, function);
                status |= IRStatus::Changed;
                cost = cost_of(pass.context, function);
            }
            pass.count(AFTER, cost);
        }
        Ok(status)
    }
}

impl GeneralOptimize {
    /// The blocks of a function in dominance order.
    fn function(
        &self,
        pass: &mut PassContext<'_>,
        function: Operation,
        budget: &Budget,
    ) -> Vec<Report> {
        let context = &mut *pass.context;
        let control = RefCell::new(&mut *pass.control);
        let Some(body) = function
            .regions(context)
            .next()
            .filter(|body| !body.is_empty(context))
        else {
            return Vec::new();
        };
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let names = names();
        let target = machine_of(context, function).map_or(0, u32::from);
        let job = Job {
            rules: pattern_rules(),
            limits: Limits {
                nodes: size(self.0.max_nodes),
                iterations: size(self.0.max_iterations),
                matches: size(self.0.max_matches),
            },
            window: size(self.0.window).max(1),
            budget,
            target,
            prices: Prices::new(target),
            contracts: function.attribute(context, CONTRACTS).is_some(),
            allowed: &|context, op, number| control.borrow().allows(context, names[number], op),
            admits: &|number| admits(*control.borrow_mut(), names[number]),
            replaces: &|| {
                let mut control = control.borrow_mut();
                let replaces = !control.is_exhausted() && admits(*control, REPLACE);
                if replaces {
                    control.spend();
                }
                replaces
            },
        };
        let blocks = DominatorTree::of(context, body)
            .reverse_post_order()
            .to_vec();
        budget.grant(self.0.start);
        let reports = blocks
            .into_iter()
            .map(|block| optimize(context, block, &job));
        reports.collect()
    }
}

/// Whether a debug counter admits an attempt.
fn admits(control: &mut RewriteControl, name: &str) -> bool {
    !control.counters.is_on() || control.counters.admit(name)
}

/// The cost of all blocks of a function.
fn cost_of(context: &Context, function: Operation) -> u64 {
    let blocks = function
        .regions(context)
        .flat_map(|body| body.blocks(context));
    blocks.map(|block| cost::of_block(context, block)).sum()
}

/// Erases unused pure operations, users first.
fn sweep(context: &mut Context, function: Operation) {
    let all = orison_ir::walk::collect_post_order(context, function);
    for op in all.into_iter().rev() {
        if read::Reader::is_candidate(context, op) && op.is_unused(context) {
            op.erase(context);
        }
    }
}

/// Adds a report to the statistics.
fn note(pass: &mut PassContext<'_>, report: &Report) {
    pass.count(CHANGED, u64::from(report.changed));
    pass.count(GRAPHS, report.graphs);
    pass.count(AT_ITERATIONS, report.at_iterations);
    pass.count(AT_TERMS, report.at_terms);
    pass.count(AT_WORK, report.at_work);
    pass.count(WORK, report.work);
    for (name, [tried, applied, saved]) in names().iter().zip(&report.rules) {
        if *tried > 0 {
            let (tried, applied) = (*tried, if report.changed { *applied } else { 0 });
            pass.control.add_counts(name, RuleCounts { tried, applied });
            let saved = if report.changed { *saved } else { 0 };
            pass.control.add_saved(name, saved);
        }
    }
}

/// The texts of the pattern rules.
pub fn rule_texts() -> &'static [RuleText] {
    static TEXTS: OnceLock<Vec<RuleText>> = OnceLock::new();
    TEXTS.get_or_init(rules::texts)
}

/// The pattern rules for 32-bit words, each read on first use.
pub fn pattern_rules() -> &'static [PatternRule] {
    static RULES: OnceLock<Vec<PatternRule>> = OnceLock::new();
    RULES.get_or_init(|| {
        let rules = rule_texts().iter();
        rules
            .filter_map(|text| PatternRule::unread(text, WORD))
            .collect()
    })
}

/// The texts of [`pattern_rules`], in the same order. They are enough to name and list the rules when the
/// pass is registered; compiling their patterns takes several times as long as all other registrations.
fn word_texts() -> impl Iterator<Item = &'static RuleText> {
    rule_texts().iter().filter(|text| text.holds_for(WORD))
}

/// The rules for `--list-rules`. Only this pass applies them, to graphs.
pub fn listed_rules() -> Vec<&'static Rule> {
    static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
    let rules = RULES.get_or_init(|| {
        let patterns = word_texts().map(|text| {
            let conditions: String = text.when.iter().map(|when| format!(", {when}")).collect();
            format!("{} equals {}{conditions}", text.lhs, text.rhs)
        });
        let code = CODE_RULES.iter().map(|rule| rule.summary.to_owned());
        let summaries = patterns.chain(code);
        let listed = names().iter().zip(summaries).map(|(name, summary)| Rule {
            name,
            summary: Box::leak(summary.into()),
            root: Func::NAME,
            benefit: 1,
            apply: |_, _| {
                Declined::because(
                    "the rule applies to graphs of ori-general-optimize \
                                             only",
                )
            },
            pattern: None,
            file: file!(),
            line: line!(),
        });
        listed.collect()
    });
    rules.iter().collect()
}

/// The names of all rules, by index: patterns, then those that are code.
pub fn names() -> &'static [&'static str] {
    static NAMES: OnceLock<Vec<&'static str>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let patterns = word_texts().map(|text| text.name.as_str());
        let code = CODE_RULES.iter().map(|rule| rule.name);
        let named = |name: &str| -> &'static str { Box::leak(format!("{PREFIX}{name}").into()) };
        patterns.chain(code).map(named).collect()
    })
}
