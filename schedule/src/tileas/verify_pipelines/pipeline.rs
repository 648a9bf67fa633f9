//! The rules of one pipeline and its users.

use std::collections::{BTreeMap, BTreeSet};

use orison_ir::printer::type_to_string;
use orison_ir::walk::collect;
use orison_ir::{Context, Diagnostic, Operation, Type};
use orison_tileas::nv_tileas;
use orison_tileas::nv_tileas::CreatePipeline;
use orison_tileas::views::ShapedView;

use super::super::attributes::{ORDER, STAGE};
use super::super::binding_attribute::BUFFER;
use super::super::classify::is_tma_load;
use super::super::materialize::TRIVIAL;
use super::super::solve::Flavour;

const PREFIX: &str = "nv_tileas.async.pipeline.";
type Checked = Result<(), Box<Diagnostic>>;

/// A pipeline with all its users.
struct Pipeline<'c> {
    context: &'c Context,
    create: CreatePipeline,
    users: Vec<Operation>,
}

/// Checks one pipeline.
pub(super) fn check(context: &Context, create: CreatePipeline, require_buffers: bool) -> Checked {
    let users: BTreeSet<Operation> = create.pipeline(context).users(context).collect();
    let pipeline = Pipeline {
        context,
        create,
        users: users.into_iter().collect(),
    };
    pipeline.type_match()?;
    pipeline.depth(require_buffers)?;
    pipeline.attributes()?;
    pipeline.backing()?;
    pipeline.ends()?;
    pipeline.last_written()?;
    pipeline.instructions()?;
    pipeline.stages_agree()
}

/// The owner of each named barrier and each ring.
#[derive(Default)]
pub(super) struct Barriers {
    barriers: BTreeMap<(Option<Operation>, i32), Operation>,
    rings: BTreeMap<orison_ir::Value, Operation>,
}

impl Barriers {
    /// Checks that locks of a function have distinct barriers, and pipelines distinct rings.
    pub(super) fn claim(&mut self, context: &Context, create: CreatePipeline) -> Checked {
        let op = create.operation();
        let isolated =
            |op: &Operation| op.has_trait(context, orison_ir::declare::Trait::IsolatedFromAbove);
        let function = op.ancestors(context).find(isolated);
        if let Some(barrier) = create.barrier(context)
            && let Some(other) = self.barriers.insert((function, barrier), op)
        {
            let message = format!("has named barrier {barrier}, which another mutex uses");
            let error = op.op_error(context, message);
            return Err(Box::new(
                error.with_note(other.location(context), "the other one is here"),
            ));
        }
        if let Some(ring) = create.buffer(context)
            && let Some(other) = self.rings.insert(ring, op)
        {
            let error = op.op_error(context, "Alias is not expected here.");
            return Err(Box::new(error.with_note(
                other.location(context),
                "its storage is used here too",
            )));
        }
        Ok(())
    }
}

impl Pipeline<'_> {
    fn op(&self) -> Operation {
        self.create.operation()
    }

    fn named(&self, names: &[&str]) -> Vec<Operation> {
        let named = |op: &Operation| {
            let name = op.name_text(self.context).strip_prefix(PREFIX);
            name.is_some_and(|name| names.contains(&name))
        };
        self.users.iter().copied().filter(named).collect()
    }

    fn is_mutex(&self) -> bool {
        self.create.kind(self.context) == Some("mutex")
    }

    fn error(&self, message: impl Into<String>) -> Checked {
        Err(self.op().op_error(self.context, message.into()))
    }

    fn payload_of(&self, op: Operation) -> Option<Vec<Type>> {
        let types = op
            .attribute(self.context, "producer_types")
            .or_else(|| op.attribute(self.context, "consumer_types"))?;
        types.as_type_array(self.context)
    }

    /// Checks that both ends have the same types.
    fn type_match(&self) -> Checked {
        let fills = self.named(&["producer_write", "produce_one", "produce_one_async"]);
        let reads = self.named(&["consumer_read", "consume_one", "consume_one_async"]);
        let first = fills.first().and_then(|op| self.payload_of(*op));
        let Some(wanted) = first else { return Ok(()) };
        for op in fills.into_iter().chain(reads) {
            let found = self.payload_of(op).unwrap_or_default();
            if found != wanted {
                let text = |types: &[Type]| {
                    let texts = types.iter().map(|ty| type_to_string(self.context, *ty));
                    texts.collect::<Vec<_>>().join(", ")
                };
                let message = format!(
                    "expects values of types [{}], but the pipeline is filled with [{}]",
                    text(&found),
                    text(&wanted)
                );
                return Err(op.op_error(self.context, message));
            }
        }
        Ok(())
    }

    fn flavour(&self) -> Flavour {
        let payload = self.create.payload(self.context).unwrap_or_default();
        if self.is_mutex() {
            Flavour::Mutex
        } else if payload.iter().any(|ty| ty.is_shaped(self.context)) {
            Flavour::Tile
        } else {
            Flavour::Scalar
        }
    }

    /// Checks that the depth is within the limits of flavour and storage.
    fn depth(&self, require_buffers: bool) -> Checked {
        let stages = self.create.num_stages(self.context).unwrap_or(1);
        let limit = self.flavour().depth_limit();
        if u32::try_from(stages).is_ok_and(|stages| stages > limit) {
            return self.error(format!(
                "has {stages} stages, but a pipeline of its flavour has at most {limit}"
            ));
        }
        let storage = self.create.buffer(self.context);
        let storage = storage.and_then(|ring| ShapedView::of(self.context, ring.ty(self.context)));
        let slots = storage.and_then(|view| view.shape.first().copied());
        if let Some(slots) = slots.filter(|slots| *slots != i64::from(stages)) {
            return self.error(format!(
                "has {stages} stages, but its storage has {slots} slots"
            ));
        }
        let Some(record) = self.op().attribute(self.context, BUFFER) else {
            let empty = self.create.buffer(self.context).is_none();
            if require_buffers && !empty {
                return self.error(format!("has storage but no '{BUFFER}'"));
            }
            return Ok(());
        };
        let slots = record.get(self.context, "slots");
        let slots = slots.and_then(|slots| slots.as_i32(self.context));
        if slots.is_some_and(|slots| stages > slots) {
            return self.error("Pipe_ depth exceeds allocated slots");
        }
        Ok(())
    }

    fn pair(&self, op: Operation) -> (Option<i32>, Option<i32>) {
        let number = |key: &str| op.attribute(self.context, key)?.as_i32(self.context);
        (number(STAGE), number(ORDER))
    }

    /// Checks that a mutex has stage and order; those of a pipe are those of its first producer,
    /// and may be missing if no producer has them.
    fn attributes(&self) -> Checked {
        let own = self.pair(self.op());
        if self.is_mutex() {
            for (key, value) in [(STAGE, own.0), (ORDER, own.1)] {
                if value.is_none() {
                    return self.error(format!("is a mutex without i32 attribute '{key}'"));
                }
            }
            return Ok(());
        }
        let fills = self.named(&["producer_write", "produce_one", "produce_one_async"]);
        let inside = fills.iter().flat_map(|op| collect(self.context, *op));
        let pairs = inside.filter_map(|op| {
            let (stage, order) = self.pair(op);
            stage.zip(order)
        });
        let Some(first) = pairs.min() else {
            return Ok(());
        };
        match own {
            (Some(stage), Some(order)) if (stage, order) == first => Ok(()),
            (Some(stage), Some(order)) => self.error(format!(
                "has stage {stage} and order {order}, but the operation that fills it has {} and \
                 {}",
                first.0, first.1
            )),
            _ => self.error(format!(
                "requires i32 attributes '{STAGE}' and '{ORDER}', because the operation that fills \
                 it is scheduled"
            )),
        }
    }

    /// Checks that values have storage, and that barriers that count bytes have a transfer.
    fn backing(&self) -> Checked {
        let payload = self.create.payload(self.context).unwrap_or_default();
        let record = self.op().attribute(self.context, BUFFER);
        let class = record.and_then(|record| record.get(self.context, "class"));
        let class = class.and_then(|class| class.as_str(self.context));
        if !payload.is_empty() && class == Some("barrier") {
            return self.error(
                "the producer_tail implemented with named barrier does not yet support user payload",
            );
        }
        let counts = self.named(&["producer_commit"]).into_iter().find(|op| {
            let bytes = op.attribute(self.context, "transaction_bytes");
            bytes.is_some_and(|bytes| bytes.as_i32(self.context).is_some_and(|n| n > 0))
        });
        let brings_nothing = self.is_mutex()
            || self
                .create
                .payload(self.context)
                .is_some_and(|payload| payload.is_empty());
        match counts.filter(|_| brings_nothing) {
            Some(commit) => {
                Err(commit.op_error(self.context, "using transaction mbarrier is not supported"))
            }
            None => Ok(()),
        }
    }

    /// Checks that a waiting side has a filling side, and a filling side a draining one.
    fn ends(&self) -> Checked {
        let waits = self.named(&["consumer_wait", "consume_one", "consume_one_async"]);
        let commits = self.named(&["producer_commit", "produce_one", "produce_one_async"]);
        let releases = self.named(&["consumer_release", "consume_one", "consume_one_async"]);
        let acquires = self.named(&["producer_acquire", "produce_one", "produce_one_async"]);
        let trivial = self.op().attribute(self.context, TRIVIAL).is_some();
        if let Some(wait) = waits.first()
            && (commits.is_empty() || trivial)
        {
            return Err(wait.op_error(self.context, "consumer has no producer for raw value"));
        }
        if let Some(acquire) = acquires.first()
            && releases.is_empty()
        {
            let message = "waits for a stage that is never released";
            return Err(acquire.op_error(self.context, message));
        }
        Ok(())
    }

    /// Checks that every part of a stage that a reader uses is written.
    fn last_written(&self) -> Checked {
        let fills = self.named(&["producer_write", "produce_one", "produce_one_async"]);
        let reads = self.named(&["consumer_read", "consume_one", "consume_one_async"]);
        let Some(first) = fills.first() else {
            return Ok(());
        };
        let is_used = |op: Operation, number: usize| {
            let body = op.body_block(self.context, 0);
            let argument = body.and_then(|body| body.arguments(self.context).nth(number));
            argument.is_some_and(|argument| !argument.is_unused(self.context))
        };
        let yields = |op: &Operation| {
            let end = op.body_block(self.context, 0);
            let end = end.and_then(|body| body.terminator(self.context));
            end.is_some_and(|end| end.operand_count(self.context) > 0)
        };
        let is_written = |number: usize| fills.iter().any(|op| yields(op) || is_used(*op, number));
        for read in reads {
            let count = self.payload_of(read).map_or(0, |types| types.len());
            if let Some(number) = (0..count).find(|n| is_used(read, *n) && !is_written(*n)) {
                let error = read.op_error(self.context, "Cannot find last written SSA.");
                let message = format!("value {number} of the stage is not written here");
                let place = first.location(self.context);
                return Err(Box::new(error.with_note(place, message)));
            }
        }
        Ok(())
    }

    /// Checks that one kind of instruction fills a pipeline.
    fn instructions(&self) -> Checked {
        let fills = self.named(&["producer_write", "produce_one", "produce_one_async"]);
        let mut kinds: BTreeMap<bool, Operation> = BTreeMap::new();
        for fill in fills {
            for op in collect(self.context, fill) {
                if is_tma_load(self.context, op) {
                    kinds.insert(true, fill);
                } else if nv_tileas::Copy::matches(self.context, op) {
                    kinds.insert(false, fill);
                }
            }
        }
        if kinds.len() < 2 {
            return Ok(());
        }
        self.error(
            "there are two `produce-one-like` operations using different instructions to generate \
             data into the same pipeline. It's a bug of MaterializeAsync Pass.",
        )
    }

    /// Checks that operations with an explicit pipeline stage agree.
    fn stages_agree(&self) -> Checked {
        let stage = |op: &Operation| {
            let stage = op.attribute(self.context, "pipeline_stage");
            stage.and_then(|stage| stage.as_i32(self.context))
        };
        let mut said = self.users.iter().filter_map(|op| Some((*op, stage(op)?)));
        let Some((first, wanted)) = said.next() else {
            return Ok(());
        };
        let other = said.find(|(_, found)| *found != wanted);
        let Some((op, found)) = other else {
            return Ok(());
        };
        let message = format!("has pipeline_stage {found}, but the other end has {wanted}");
        let error = op.op_error(self.context, message);
        let place = first.location(self.context);
        Err(Box::new(error.with_note(place, "the other one is here")))
    }
}
