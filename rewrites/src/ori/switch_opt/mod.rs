//! The pass `ori-switch-opt`: phases 14 and 30 of ptxas (reference 9.3).

mod emit;
mod recognize;

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::declare::Trait;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{Block, Context, Operation};
use orison_ori::analyses::properties;
use orison_ori::knobs::Knobs;
use orison_ori::operations::control::Brx;
use rustc_hash::FxHashSet;

use self::recognize::{Form, Pattern, Switch};
use super::functions::{Function, applied, on_each};
use crate::blocks::merge_identical_where;

orison_ir::pass_options! {
    /// Options of `ori-switch-opt`.
    pub struct SwitchOptOptions {
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

/// The pass `ori-switch-opt`.
#[derive(Clone, Debug)]
pub struct SwitchOpt(SwitchOptOptions);

const RULES: [Statistic; 4] = [
    Statistic {
        name: "tables",
        summary: "Number of comparison chains converted to jump tables",
    },
    Statistic {
        name: "trees",
        summary: "Number of switches converted to comparison trees",
    },
    Statistic {
        name: "chains",
        summary: "Number of switches converted to comparison chains",
    },
    Statistic {
        name: "merged",
        summary: "Number of times identical cases were merged",
    },
];

impl Pass for SwitchOpt {
    type Options = SwitchOptOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<SwitchOpt>(
        "ori-switch-opt",
        "Lowers switches to jump tables, comparison trees or comparison chains: phases 14 and 30 \
         of ptxas.\n\
         \n\
         A chain of comparisons of one 32-bit value with constants, each in a block without other \
         predecessors, is a switch, and so is an indexed branch. Identical cases are merged; \
         cases with the same target as the default are not tested. At most `SwitchOptChainLimit` \
         cases become a comparison chain (for an indexed branch, at most half as many); dense \
         cases become a jump table after a range check; others become a binary comparison tree. \
         `SwitchOptExtendedPatternMatch` also accepts chains with up to two other operations \
         between comparisons, which are moved before the switch. At most `SwitchOptBudget` \
         switches are rewritten.",
        source_position!(),
    )
    .with_statistics(&RULES);

    fn create(options: SwitchOptOptions) -> Self {
        SwitchOpt(options)
    }

    fn options(&self) -> &SwitchOptOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        on_each(pass, &self.0.knobs, |pass, function, knobs| {
            let mut status = IRStatus::Unchanged;
            if knobs.flag("SwitchOptMergeCases") {
                status |= merge_cases(pass, function);
            }
            if knobs.flag("SwitchOptRewriteBranches") {
                status |= rewrite(pass, function, knobs);
            }
            Ok(status)
        })
    }
}

/// Merges equivalent targets of indexed branches. Operations that interact with other threads
/// prevent merging of their blocks.
fn merge_cases(pass: &mut PassContext<'_>, function: Function) -> IRStatus {
    let context = &mut *pass.context;
    let mut targets: FxHashSet<Block> = FxHashSet::default();
    for block in function.body.blocks(context) {
        let branch = block.terminator(context);
        let table = branch.filter(|branch| Brx::of(context, *branch).is_some());
        targets.extend(table.iter().flat_map(|branch| branch.successors(context)));
    }
    let may_merge = |context: &Context, block: Block| {
        targets.contains(&block)
            && block.operations(context).all(|op| {
                let moves = op.has_trait(context, Trait::Terminator);
                moves || (!properties::is_convergent(context, op) && is_alone(context, op))
            })
    };
    let status = merge_identical_where(context, function.body, may_merge);
    if status.is_changed() {
        pass.count("merged", 1);
    }
    status
}

/// Whether an operation is modelled, and does not interact with other threads.
fn is_alone(context: &Context, op: Operation) -> bool {
    !properties::is_unmodelled(context, op)
        && !orison_ori::analyses::memory::orders_memory(context, op)
}

/// Visits each block once, from the entry: the first test of a chain precedes the others.
fn rewrite(pass: &mut PassContext<'_>, function: Function, knobs: &Knobs) -> IRStatus {
    let flow = ControlFlowGraph::of(pass.context, function.body);
    let pattern = Pattern {
        extended: knobs.flag("SwitchOptExtendedPatternMatch"),
    };
    let mut budget = knobs.budget("SwitchOptBudget");
    let mut status = IRStatus::Unchanged;
    let mut done: FxHashSet<Block> = FxHashSet::default();
    for &number in flow.reverse_post_order() {
        let block = flow.block(number);
        if done.contains(&block) {
            continue;
        }
        let context = &*pass.context;
        let found = recognize::chain(context, block, pattern);
        let Some(mut switch) = found.or_else(|| recognize::table(context, block)) else {
            continue;
        };
        done.extend(switch.tests.iter().copied());
        let tested = switch.cases.len();
        let default = switch.default.clone();
        switch.cases.retain(|(_, edge)| *edge != default);
        let form = pick(&switch, knobs);
        if form == switch.form && (form != Form::Chain || switch.cases.len() == tested) {
            continue;
        }
        let Some(branch) = block.terminator(context) else {
            continue;
        };
        if budget == Some(0) {
            let help = "a larger SwitchOptBudget";
            pass.declined(branch, "switch", "the budget is exhausted", help);
            continue;
        }
        budget = budget.map(|left| left - 1);
        applied(pass, branch, "switch", form.describe());
        pass.count(form.statistic(), 1);
        replace(pass.context, function, block, branch, &switch, form);
        status = IRStatus::Changed;
    }
    status
}

impl Form {
    const fn describe(self) -> &'static str {
        match self {
            Form::Chain => "few cases: comparison chain",
            Form::Tree => "sparse cases: comparison tree",
            Form::Table => "dense cases: jump table",
        }
    }

    const fn statistic(self) -> &'static str {
        match self {
            Form::Chain => "chains",
            Form::Tree => "trees",
            Form::Table => "tables",
        }
    }
}

/// The best form of a switch (the page: at most four cases a chain, dense ones a table, else a
/// tree). An existing dense table is kept unless it has at most half as many cases as a chain may
/// have: it has no range check to save, and a switch converted to a table is not converted back.
fn pick(switch: &Switch, knobs: &Knobs) -> Form {
    let count = i64::try_from(switch.cases.len()).unwrap_or(i64::MAX);
    let constants = || switch.cases.iter().map(|(constant, _)| *constant);
    let span = match (constants().min(), constants().max()) {
        (Some(least), Some(most)) => most - least + 1,
        _ => return Form::Chain,
    };
    let dense = count.saturating_mul(100) >= span.saturating_mul(knobs.integer("SwitchOptDensity"))
        && span <= knobs.integer("SwitchOptTableLimit");
    let limit = knobs.integer("SwitchOptChainLimit");
    let limit = match switch.form {
        Form::Table if dense => limit / 2,
        _ => limit,
    };
    match (count <= limit, dense) {
        (true, _) => Form::Chain,
        (false, true) => Form::Table,
        (false, false) => Form::Tree,
    }
}

/// Replaces the branch at the end of a block with a switch.
fn replace(
    context: &mut Context,
    function: Function,
    home: Block,
    branch: Operation,
    switch: &Switch,
    form: Form,
) {
    // Values defined between the tests are now available before them; the tests themselves may have
    // other uses.
    for block in &switch.tests {
        for op in block.body(context) {
            op.move_before(context, branch);
        }
    }
    for (argument, value) in &switch.arguments {
        argument.replace_all_uses_with(context, *value);
    }
    let location = branch.location(context);
    branch.erase(context);
    emit::emit(context, home, function.body, location, switch, form);
    for block in switch.tests.iter().rev() {
        if let Some(last) = block.terminator(context) {
            last.erase(context);
        }
    }
    for block in &switch.tests {
        block.erase(context);
    }
}
