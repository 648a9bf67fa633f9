//! `tileas-split-m`: divides the tiles of a kernel along their rows, so that compute agents can take
//! one part each.

mod apply;
mod axes;

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Remark, RemarkKind,
};
use orison_ir::{Context, Operation, source_position};

use super::attributes::SUMMARY;
use super::loop_body::LoopBody;
pub use axes::Refusal;

/// The name of the transformation, in remarks.
pub(super) const RULE: &str = "split-m";

orison_ir::pass_options! {
    /// Options of `tileas-split-m`.
    pub struct SplitOptions {
        /// Parts of each tile.
        parts = "parts": u32[2..=4] = 2,
    }
}

/// The pass.
#[derive(Clone, Debug)]
pub struct SplitM {
    options: SplitOptions,
}

impl Pass for SplitM {
    type Options = SplitOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "tileas-split-m",
        "Divide tiles along their rows.\n\n\
         The products of an innermost loop, and everything that is computed from or for their rows, \
         are replaced by an operation for each part of the rows: operations on elements, reductions \
         along other axes, broadcasts, what the loop carries, loads of the left factors, and the \
         stores. Tiles without these rows, such as the right factors, are shared by all parts. A loop \
         that cannot be divided is left unchanged, with a remark. Afterwards, compute agents can \
         execute one part each: `tileas-generate-schedule=strategy=joint` divides loops itself where \
         that is better.\n\n\
         Source: FlashAttention-3 (two consumers that take turns), CUTLASS cooperative kernels.",
        source_position!(),
    );

    fn create(options: SplitOptions) -> Self {
        SplitM { options }
    }

    fn options(&self) -> &SplitOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let bodies = LoopBody::targets(pass.context, pass.op());
        if bodies.is_empty() {
            let reason = "no innermost 'scf.for' has tile operations";
            pass.nothing_to_do(reason, "only loops with tile operations are divided");
        }
        let mut changed = false;
        for body in bodies {
            match split_rows(pass.context, &body, self.options.parts) {
                Ok(divided) => {
                    changed = true;
                    report(pass, divided, self.options.parts);
                }
                Err(refusal) => report_refusal(pass, &refusal),
            }
        }
        Ok(IRStatus::changed_if(changed))
    }
}

/// Reports a loop that was divided.
pub(super) fn report(pass: &mut PassContext<'_>, divided: Operation, parts: u32) {
    if pass.wants_remarks() {
        let remark = Remark::new(
            RemarkKind::Passed,
            RULE,
            "divided the rows of the loop's tiles",
        );
        pass.remark(divided, &remark.with_value("parts", parts));
    }
}

/// Reports a loop that was not divided.
pub(super) fn report_refusal(pass: &mut PassContext<'_>, refusal: &Refusal) {
    let name = refusal.op.name_text(pass.context);
    let reason = format!("the rows are not divided: '{name}' {}", refusal.reason);
    let help = "products, operations on each row, loads and stores by tile can be divided";
    pass.declined(refusal.op, RULE, &reason, help);
}

/// Divides the rows of the products of a loop, and all that depends on them, into parts; returns the
/// new loop. Without it, the IR is unchanged.
///
/// # Errors
/// The first operation that cannot be divided.
pub fn split_rows(
    context: &mut Context,
    body: &LoopBody,
    parts: u32,
) -> Result<Operation, Refusal> {
    let op = body.op;
    if op.attribute(context, SUMMARY).is_some() {
        let reason = "is already scheduled; run tileas-split-m before tileas-generate-schedule";
        return Err(Refusal {
            op,
            reason: reason.to_owned(),
        });
    }
    let parts = i64::from(parts);
    let axes = axes::axes(context, body, parts)?;
    Ok(apply::apply(context, body, &axes, parts))
}
