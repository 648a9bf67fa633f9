//! `tileas-assign-buffers`: assigns storage and barriers to the pipelines of each function.
//!
//! `requests.rs` derives requests from the IR and `planned_requests.rs` from plans; [`crate::buffers`]
//! computes the assignment; `assignment_attributes.rs` writes it as attributes.

pub mod assignment_attributes;
pub mod function_buffers;
pub mod planned_requests;
pub mod requests;

use std::cmp::Ordering;

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Remark, RemarkKind,
};
use orison_ir::{Context, Diagnostic, source_position};

use super::analysis::ScheduleAnalysis;
use super::binding_attribute::BUFFERS;
use super::machine_choice::MachineChoice;
use super::materialize::Dual;
use super::solve::MAX_RING_DEPTH;
use crate::buffers::{AssignError, Assignment, Budget, Place, RequestKind, Sharing, TensorMemory};
use crate::machine::MachineModel;
use function_buffers::FunctionBuffers;
use requests::{FunctionRequests, Subject, functions};

orison_ir::option_enum! {
    /// The number of named barriers of a block, including the reserved barrier 0.
    pub enum NamedBarriers {
        /// NVIDIA hardware (`bar.sync` takes 0 to 15).
        Sixteen = "16",
        /// As in the pages.
        ThirtyTwo = "32",
    }
}

orison_ir::option_enum! {
    /// Whether rings with disjoint lifetimes overlap in memory.
    pub enum ShareChoice {
        /// Never: agents run at their own pace.
        Never = "never",
        /// Where the schedule's cycles separate them.
        Schedule = "schedule",
    }
}

orison_ir::pass_options! {
    /// Options of `tileas-assign-buffers`.
    pub struct AssignBuffersOptions {
        /// Machine model.
        machine = "machine": MachineChoice = MachineChoice::Auto,
        /// Slots of each planned ring, as far as memory permits; at least what the schedule needs.
        depth = "depth": u32[1..=MAX_RING_DEPTH] = 2,
        /// Named barriers of the target, including barrier 0, which is never assigned.
        named_barriers = "named-barriers": NamedBarriers = NamedBarriers::Sixteen,
        /// Payload of more bytes than this is placed in tensor memory where possible.
        tmem_threshold = "tmem-threshold": u64[0..=MAX_BYTES] = 0,
        /// Bytes of shared memory; by default those of the machine model.
        smem_bytes = "smem-bytes": Option<u64>[0..=MAX_BYTES] = None,
        /// Whether rings that are never in use at the same time overlap in memory.
        share = "share": ShareChoice = ShareChoice::Never,
        /// Slots for iterations that overlap inside agents; as for `tileas-materialize-schedule`.
        rotate = "rotate": bool = true,
        /// Only check existing attributes; a function without them is not checked.
        check = "check": bool = false,
    }
}

/// The largest number of bytes that options accept.
const MAX_BYTES: u64 = u32::MAX as u64;

impl AssignBuffersOptions {
    /// The budget of a machine under these options.
    pub fn budget(&self, machine: &MachineModel) -> Budget {
        let tensor_bytes = machine.budget("tmem").filter(|bytes| *bytes > 0);
        let default = Budget::default();
        Budget {
            shared_memory: self
                .smem_bytes
                .or_else(|| machine.budget("smem"))
                .unwrap_or(default.shared_memory),
            tensor_memory: tensor_bytes.map(|bytes| TensorMemory {
                bytes,
                threshold: self.tmem_threshold,
            }),
            named_barriers: match self.named_barriers {
                NamedBarriers::Sixteen => 16,
                NamedBarriers::ThirtyTwo => 32,
            },
            sharing: match self.share {
                ShareChoice::Never => Sharing::Never,
                ShareChoice::Schedule => Sharing::BySchedule,
            },
        }
    }
}

/// The pass.
#[derive(Clone, Debug)]
pub struct AssignBuffers {
    options: AssignBuffersOptions,
}

impl Pass for AssignBuffers {
    type Options = AssignBuffersOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "tileas-assign-buffers",
        "Assign storage and named barriers to pipelines.\n\n\
         Runs between schedule generation and materialization, on the existing pipelines of each \
         function and on those that its scheduled loops will have. Computes lifetimes, named \
         barriers, storage classes, depths and offsets, in this order; a failure changes nothing. \
         The result is attributes: `tileas.buffer` on pipelines, `tileas.buffers` on scheduled \
         loops and on the function. With `check`, existing attributes are verified instead, by \
         independent code.\n\n\
         Source: TileAS reference section 7.",
        source_position!(),
    );

    fn create(options: AssignBuffersOptions) -> Self {
        AssignBuffers { options }
    }

    fn options(&self) -> &AssignBuffersOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let root = pass.op();
        let mut assigned = Vec::new();
        let mut found = false;
        for function in functions(pass.context, root) {
            let machine = self.options.machine.model(pass.context, function);
            let mut regions = planned_requests::plans(pass.context, function, machine)?;
            let (context, options) = (&*pass.context, &self.options);
            if !self.options.check {
                let buffers =
                    FunctionBuffers::assigned(context, function, &mut regions, machine, options);
                assigned.push(buffers?);
                found = true;
            } else if function.attribute(context, BUFFERS).is_some() {
                let options = (options, Dual::NEVER);
                FunctionBuffers::of(context, function, &mut regions, machine, options)?;
                found = true;
            }
        }
        if !found && self.options.check {
            let help = "run tileas-assign-buffers without 'check' first";
            pass.nothing_to_do("no function has assigned buffers", help);
        } else if !found {
            let help = "run tileas-generate-schedule first";
            pass.nothing_to_do("there are neither pipelines nor scheduled loops", help);
        }
        let mut changed = false;
        for buffers in &assigned {
            changed |= buffers.write(pass, &self.options);
        }
        // Only attributes that no schedule depends on were written.
        pass.preserve::<ScheduleAnalysis>();
        Ok(IRStatus::changed_if(changed))
    }
}

/// The error at the pipeline that could not be satisfied, with the occupancy.
pub fn located(
    context: &Context,
    asked: &FunctionRequests,
    error: &AssignError,
) -> Box<Diagnostic> {
    let at = asked
        .requests
        .iter()
        .position(|request| request.id == error.id);
    let op = at.map_or(asked.function, |at| asked.subjects[at].operation());
    let place = op.location(context);
    let mut diagnostic = *op.op_error(context, error.to_string());
    for note in &error.notes {
        diagnostic = diagnostic.with_note(place, note.clone());
    }
    Box::new(diagnostic)
}

/// Remarks about planned rings whose number of slots differs from the requested one or from that of
/// the schedule, and about mutexes without a named barrier.
pub fn explain_depths(
    pass: &mut PassContext<'_>,
    asked: &FunctionRequests,
    assignment: &Assignment,
    depth: u32,
) {
    let named = asked.requests.iter().zip(&asked.subjects);
    for ((request, subject), binding) in named.zip(&assignment.bindings) {
        let Subject::Planned { .. } = subject else {
            continue;
        };
        let (name, op) = (&request.name, subject.operation());
        let (wanted, slots) = match (&request.kind, binding.place) {
            (RequestKind::Ring(ring), _) => (ring.wanted, binding.depth),
            (_, Place::Barrier { .. }) => continue,
            _ => {
                let reason = format!("{name} is on mbarriers in shared memory");
                pass.declined(op, "barrier", &reason, "all named barriers are taken");
                continue;
            }
        };
        if wanted > slots {
            let reason = format!("{name} has {slots} slots instead of {wanted}");
            let help = "a ring has at most this many; its producer waits for free slots";
            pass.declined(op, "depth", &reason, help);
            continue;
        }
        let help = match slots.cmp(&depth) {
            Ordering::Equal => continue,
            Ordering::Less => "shared memory is too small for more",
            Ordering::Greater => "the schedule requires this many",
        };
        let reason = format!("{name} has {slots} slots instead of {depth}");
        pass.declined(op, "depth", &reason, help);
    }
}

/// Remarks: the binding of each pipeline, which share storage, and why others do not.
fn explain(
    pass: &mut PassContext<'_>,
    asked: &FunctionRequests,
    assignment: &Assignment,
    share: ShareChoice,
) {
    if !pass.wants_remarks() {
        return;
    }
    let named = asked.requests.iter().zip(&asked.subjects);
    for ((request, subject), binding) in named.zip(&assignment.bindings) {
        let reason = format!("{} is in {}", request.name, binding.place.class());
        let remark = Remark::new(RemarkKind::Passed, "bind", reason)
            .with_value("slots", binding.depth)
            .with_value("bytes", binding.bytes());
        pass.remark(subject.operation(), &remark);
        if share == ShareChoice::Schedule && request.has_waits {
            let reason = "mbarrier has wait-like users, cannot share pipeline buffer.";
            let help = "assign buffers before materialization";
            pass.declined(subject.operation(), "share", reason, help);
        }
    }
    for (a, b) in &assignment.shared {
        let position = |id: &u32| asked.requests.iter().position(|request| request.id == *id);
        let (Some(a), Some(b)) = (position(a), position(b)) else {
            continue;
        };
        let remark = Remark::new(RemarkKind::Passed, "share", "share pipeline buffer")
            .with_value("with", &asked.requests[a].name);
        pass.remark(asked.subjects[b].operation(), &remark);
    }
}
