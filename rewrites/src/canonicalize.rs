//! The pass `canonicalize`.

use orison_ir::Rule;
use orison_ir::pass::{Pass, PassContext, PassDefinition, PassResult, source_position};

use crate::greedy::{GreedyOptions, apply_greedily};
use crate::regions::RegionSimplification;

orison_ir::pass_options! {
    /// Options of `canonicalize`.
    pub struct CanonicalizeOptions {
        /// Visit operations from first to last.
        top_down = "top-down": bool = true,
        /// How blocks are simplified between iterations.
        region_simplify = "region-simplify": RegionSimplification = RegionSimplification::Normal,
        /// Maximum number of iterations; -1 for no limit.
        max_iterations = "max-iterations": i64 = 10,
        /// Maximum number of rewrites per iteration; -1 for no limit.
        max_rewrites = "max-num-rewrites": i64 = -1,
        /// Fail if the result has not converged.
        test_convergence = "test-convergence": bool = false,
        /// Rules that are disabled.
        disable_patterns = "disable-patterns": Vec<String> = Vec::new(),
        /// The only rules that are used; all if empty.
        enable_patterns = "enable-patterns": Vec<String> = Vec::new(),
    }
}

/// The pass `canonicalize`.
#[derive(Clone, Debug)]
pub struct Canonicalize {
    options: CanonicalizeOptions,
    /// Rules in addition to those of declarations.
    extra_rules: Vec<&'static Rule>,
}

impl Canonicalize {
    /// The pass with rules in addition to those that operations declare.
    pub fn with_rules(options: CanonicalizeOptions, extra_rules: Vec<&'static Rule>) -> Self {
        Canonicalize {
            options,
            extra_rules,
        }
    }
}

/// The canonicalization rules that no operation declares: those rooted at operations of another
/// dialect, and the peepholes of machine operations.
pub fn cross_dialect_rules() -> impl Iterator<Item = &'static Rule> {
    let tiles = orison_tileas::NV_TILEAS_RULES.iter().copied();
    tiles.chain(orison_ori::patterns::simplifications())
}

fn limit(option: i64) -> Option<u64> {
    u64::try_from(option).ok()
}

impl Pass for Canonicalize {
    type Options = CanonicalizeOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Canonicalize>(
        "canonicalize",
        "Canonicalizes operations.\n\
         \n\
         Folds operations, applies the canonicalization patterns of their definitions, erases \
         dead operations, and moves constants to the entry block and uniques them, until nothing \
         changes.",
        source_position!(),
    );

    fn create(options: CanonicalizeOptions) -> Self {
        Canonicalize::with_rules(options, cross_dialect_rules().collect())
    }

    fn options(&self) -> &CanonicalizeOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let options = GreedyOptions {
            top_down: self.options.top_down,
            regions: self.options.region_simplify,
            max_iterations: limit(self.options.max_iterations),
            max_rewrites: limit(self.options.max_rewrites),
            extra_rules: self.extra_rules.clone(),
            disabled: self.options.disable_patterns.clone(),
            enabled: self.options.enable_patterns.clone(),
            ..GreedyOptions::default()
        };
        let outcome = apply_greedily(pass, &options);
        if self.options.test_convergence && !outcome.converged {
            let error = pass.op().op_error(pass.context, "did not converge");
            return Err(error.into());
        }
        Ok(outcome.status)
    }
}
