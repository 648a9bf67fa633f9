//! `tileas-verify-pipelines`: checks the rules of pipelines and agents, whatever produced them.
//!
//! | check | file |
//! |---|---|
//! | type match, depth, attributes, hand-over (the verifiers and invariants of a pipe or mutex) | `pipeline.rs` |
//! | list schedule: stage and order name one operation of a loop | `orders.rs` |
//! | warps of agents | `warps.rs` |
//!
//! The loop schedule is checked by `tileas-verify-schedule`, before the loop is rewritten.
//!
//! Source: TileAS reference 6.4 (verifiers), 6.5 (invariants), 10 (wording).

mod orders;
mod pipeline;
mod warps;

use std::collections::BTreeMap;

use orison_host::scf;
use orison_ir::declare::Trait;
use orison_ir::pass::{IRStatus, Pass, PassContext, PassDefinition, PassFailure, PassResult};
use orison_ir::walk::collect;
use orison_ir::{Context, Diagnostic, Operation, source_position};
use orison_tileas::nv_tileas::{AgentSwitch, CreatePipeline};

use super::attributes::STAGE;
use super::tensor_memory;
use crate::buffers::TMEM_COLUMNS;

orison_ir::pass_options! {
    /// Options of `tileas-verify-pipelines`.
    pub struct VerifyPipelinesOptions {
        /// Every pipeline that has tiles needs a record of `tileas-assign-buffers`.
        require_buffers = "require-buffers": bool = false,
    }
}

/// The pass.
#[derive(Clone, Debug)]
pub struct VerifyPipelines {
    options: VerifyPipelinesOptions,
}

impl Pass for VerifyPipelines {
    type Options = VerifyPipelinesOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "tileas-verify-pipelines",
        "Check pipelines, mutexes and agents.\n\n\
         Both ends of a pipeline have the same types; its depth does not exceed the limits of its \
         storage and its flavour; allocations fit in tensor memory; stage and order are present and equal those of the operation \
         that fills it; every producer has a consumer and vice versa; no two mutexes share a named \
         barrier; agents have distinct warps of the kernel. Only the first error of each pipeline is reported.\n\n\
         Source: TileAS reference 6.4 and 6.5.",
        source_position!(),
    );

    fn create(options: VerifyPipelinesOptions) -> Self {
        VerifyPipelines { options }
    }

    fn options(&self) -> &VerifyPipelinesOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let context = &*pass.context;
        let mut all = collect(context, pass.op()).into_iter();
        let has_rules = |op: Operation| {
            CreatePipeline::of(context, op).is_some()
                || AgentSwitch::of(context, op).is_some()
                || op.attribute(context, STAGE).is_some()
        };
        if !all.any(has_rules) {
            let help = "run tileas-materialize-schedule first";
            pass.nothing_to_do("there are no pipelines and no agents", help);
        }
        let errors = check(pass.context, pass.op(), self.options.require_buffers);
        if errors.is_empty() {
            Ok(IRStatus::Unchanged)
        } else {
            Err(PassFailure::new(errors))
        }
    }
}

/// The error of an allocation that exceeds the tensor memory of its function.
fn tensor_columns(context: &Context, root: Operation) -> Option<Diagnostic> {
    let mut used: BTreeMap<Option<Operation>, u64> = BTreeMap::new();
    for (op, columns) in tensor_memory::allocations(context, root) {
        let mut around = op.ancestors(context).skip(1);
        let function = around.find(|op| op.has_trait(context, Trait::IsolatedFromAbove));
        let used = used.entry(function).or_insert(0);
        *used = used.saturating_add(columns);
        if *used > TMEM_COLUMNS {
            let message = format!(
                "allocates {columns} columns of tensor memory, {used} with those before it, but there \
                 are {TMEM_COLUMNS}"
            );
            return Some(*op.op_error(context, message));
        }
    }
    None
}

/// One error for each pipeline, loop or switch in an operation that violates a rule.
pub fn check(context: &Context, root: Operation, require_buffers: bool) -> Vec<Diagnostic> {
    let mut errors: Vec<Box<Diagnostic>> = Vec::new();
    let mut barriers = pipeline::Barriers::default();
    errors.extend(tensor_columns(context, root).map(Box::new));
    for op in collect(context, root) {
        let checked = if let Some(create) = CreatePipeline::of(context, op) {
            pipeline::check(context, create, require_buffers)
                .and_then(|()| barriers.claim(context, create))
        } else if scf::For::matches(context, op) {
            orders::check(context, op)
        } else if AgentSwitch::of(context, op).is_some() {
            warps::check_distinct(context, AgentSwitch(op))
                .and_then(|()| warps::check(context, AgentSwitch(op)))
        } else {
            Ok(())
        };
        errors.extend(checked.err());
    }
    errors.into_iter().map(|error| *error).collect()
}
