//! The pass `ori-peephole`.

use orison_ir::Rule;
use orison_ir::pass::{Pass, PassContext, PassDefinition, PassResult, source_position};
use orison_ori::patterns;

use crate::greedy::{GreedyOptions, apply_greedily};
use crate::regions::RegionSimplification;

orison_ir::pass_options! {
    /// Options of `ori-peephole`.
    pub struct PeepholeOptions {
        /// Visit operations from first to last.
        top_down = "top-down": bool = true,
        /// Also select instructions: for example, products by powers of two become shifts.
        select = "select": bool = true,
        /// Maximum number of iterations; -1 for no limit.
        max_iterations = "max-iterations": i64 = 10,
        /// Maximum number of rewrites per iteration; -1 for no limit.
        max_rewrites = "max-num-rewrites": i64 = -1,
        /// Rules that are disabled.
        disable_patterns = "disable-patterns": Vec<String> = Vec::new(),
        /// The only rules that are used; all if empty.
        enable_patterns = "enable-patterns": Vec<String> = Vec::new(),
    }
}

/// The pass `ori-peephole`.
#[derive(Clone, Debug)]
pub struct Peephole(PeepholeOptions);

/// The rules of the pass, including those that select instructions.
pub fn rules() -> Vec<&'static Rule> {
    let mut rules = patterns::simplifications();
    rules.extend(patterns::selections());
    rules
}

impl Pass for Peephole {
    type Options = PeepholeOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Peephole>(
        "ori-peephole",
        "Applies peephole patterns to machine operations.\n\
         \n\
         Folds operations on constants and applies the peephole patterns of `ori` until nothing \
         changes. Control flow is not changed. `--list-patterns` lists the patterns.",
        source_position!(),
    );

    fn create(options: PeepholeOptions) -> Self {
        Peephole(options)
    }

    fn options(&self) -> &PeepholeOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let options = GreedyOptions {
            top_down: self.0.top_down,
            regions: RegionSimplification::Disabled,
            max_iterations: u64::try_from(self.0.max_iterations).ok(),
            max_rewrites: u64::try_from(self.0.max_rewrites).ok(),
            declared_rules: false,
            extra_rules: if self.0.select {
                rules()
            } else {
                patterns::simplifications()
            },
            disabled: self.0.disable_patterns.clone(),
            enabled: self.0.enable_patterns.clone(),
            ..GreedyOptions::default()
        };
        Ok(apply_greedily(pass, &options).status)
    }
}
