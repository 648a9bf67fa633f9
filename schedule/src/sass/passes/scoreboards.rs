//! `sass-strip-control-words`, `sass-advanced-scoreboards` and `sass-process-o0-waits`.

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Remark, RemarkKind, Statistic,
};
use orison_ir::{source_position, walk};
use orison_sass::dialect::{Edits, Func};
use orison_sass::scheduled::Scheduled;

use super::functions::{Kept, edit, function_ops};
use super::target::TargetChoice;
use crate::sass::scoreboards::{Knobs, SerialScheme, Summary, assign, assign_serial, reset, strip};

/// The pass.
#[derive(Clone, Debug)]
pub struct StripControlWords;

impl Pass for StripControlWords {
    type Options = ();

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "sass-strip-control-words",
        "Reset the control words of machine code.\n\n\
         Every instruction stalls for one cycle, arms no scoreboard, waits for none, and sets no \
         reuse flag. The result is correct only after `sass-advanced-scoreboards` or \
         `sass-process-o0-waits`.\n\n\
         Source: docs/sass-scoreboards.md.",
        source_position!(),
    );

    fn create((): ()) -> Self {
        StripControlWords
    }

    fn options(&self) -> &() {
        &()
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let mut edits = Edits::default();
        let mut kept = Kept::default();
        for function in function_ops(pass.context, pass.op()) {
            let context = &*pass.context;
            let code = walk::collect(context, function);
            let instructions = || {
                code.iter()
                    .filter_map(|op| Some((*op, Scheduled::find(context, *op)?)))
            };
            let mut opaque = instructions().map(|(_, found)| found);
            if kept.has(context, opaque.find(|found| found.is_opaque()).as_ref()) {
                continue;
            }
            for (op, mut found) in instructions() {
                reset(&mut found);
                edits.change(context, op, &found);
            }
        }
        kept.warn(pass.context);
        Ok(IRStatus::changed_if(edits.apply(pass.context)))
    }
}

orison_ir::pass_options! {
    /// Options of `sass-advanced-scoreboards`.
    pub struct AdvancedScoreboardsOptions {
        /// Latency model.
        target = "target": TargetChoice = TargetChoice::Auto,
        /// Scoreboards used, 1 to 6 (the page: 6 on all targets).
        barriers = "barriers": u32 = 6,
        /// Longest stall in cycles, 1 to 15 (knobs 805 and 806, capped by the encoding).
        longest_stall = "longest-stall": u32 = 15,
        /// Shortest stall in cycles. The page reads knob 741 as 3; real code has no minimum.
        stall_floor = "stall-floor": u32 = 1,
        /// Stalls of at least this many cycles yield to another warp.
        yield_threshold = "yield-threshold": u32 = 3,
        /// Cycles after which a scoreboard is evicted before younger ones. It releases nothing.
        eviction_age = "eviction-age": u32 = 56,
        /// Prefer the free scoreboard last used by the same class.
        class_affinity = "class-affinity": bool = true,
        /// Let operations share a scoreboard.
        sharing = "sharing": bool = true,
        /// Wait for operations that have a register in common with one that arms a scoreboard: the
        /// page's conflict correction, which is unnecessary because scoreboards count.
        conflict_avoidance = "conflict-avoidance": bool = false,
        /// Let operations be in flight across blocks (knobs 738 and 739).
        across_blocks = "across-blocks": bool = true,
        /// Allocation strategies tried if scoreboards are scarce, 1 to 5.
        strategies = "strategies": u32 = 2,
        /// Partial allocations that are kept at once where the best strategy is improved; 0 leaves it.
        beam = "beam": u32 = 8,
        /// Typical latencies in the estimates of waits, in percent (knob 747). Stalls are not
        /// scaled.
        latency_scale = "latency-scale": u32 = 100,
        /// One yield per this many textures of a block; 0 follows the stall.
        texture_batch = "texture-batch": u32 = 0,
        /// Set reuse flags of registers for the next instruction.
        reuse = "reuse": bool = true,
    }
}

/// The pass.
#[derive(Clone, Debug)]
pub struct AdvancedScoreboards {
    options: AdvancedScoreboardsOptions,
}

const ARMED: &str = "num-armed";
const SHARED: &str = "num-shared";
const EVICTED: &str = "num-evicted";
const WAITS: &str = "num-waits";
const INSERTED: &str = "num-inserted";

impl Pass for AdvancedScoreboards {
    type Options = AdvancedScoreboardsOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "sass-advanced-scoreboards",
        "Recompute the control words of machine code without reordering it.\n\n\
         Phase 115. Stalls cover results of fixed latency, on every path into a block; results of \
         variable latency, and operands that are read late, get one of six scoreboards: one that \
         the same instruction waits for anyway, else a free one, preferably of the same class, \
         else the one where sharing or waiting now costs least. Yields and reuse flags follow. \
         `NOP`s are inserted only where a latency exceeds the stalls that can precede it.\n\n\
         Source: seed 003, reference sections 10.2 to 10.5; docs/sass-scoreboards.md.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: ARMED,
            summary: "Number of scoreboards armed",
        },
        Statistic {
            name: SHARED,
            summary: "Number of armed scoreboards that were shared",
        },
        Statistic {
            name: EVICTED,
            summary: "Number of waits that free a scoreboard",
        },
        Statistic {
            name: WAITS,
            summary: "Number of wait bits",
        },
        Statistic {
            name: INSERTED,
            summary: "Number of instructions inserted",
        },
    ]);

    fn create(options: AdvancedScoreboardsOptions) -> Self {
        AdvancedScoreboards { options }
    }

    fn options(&self) -> &AdvancedScoreboardsOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let options = self.options.clone();
        for (name, value, least, most) in [
            ("barriers", options.barriers, 1, 6),
            ("longest-stall", options.longest_stall, 1, 15),
            ("strategies", options.strategies, 1, 5),
            ("beam", options.beam, 0, 64),
        ] {
            if !(least..=most).contains(&value) {
                let message =
                    format!("option '{name}' must be from {least} to {most}, but is {value}");
                return Err(pass.op().op_error(pass.context, message).into());
            }
        }
        let knobs = Knobs {
            barriers: options.barriers as usize,
            longest_stall: options.longest_stall,
            conflict_avoidance: options.conflict_avoidance,
            across_blocks: options.across_blocks,
            strategies: options.strategies as usize,
            beam: options.beam as usize,
            latency_scale: options.latency_scale,
            texture_batch: options.texture_batch,
            stall_floor: options.stall_floor,
            yield_threshold: options.yield_threshold,
            eviction_age: options.eviction_age,
            class_affinity: options.class_affinity,
            sharing: options.sharing,
            reuse: options.reuse,
        };
        let mut all = Summary::default();
        let (results, status) = edit(pass, &options.target, |source| {
            strip(&mut source.function);
            let function = &mut source.function;
            assign(function, source.model, &source.frequencies, &knobs)
        })?;
        for (op, made) in results {
            all.add(&made);
            if pass.wants_remarks() {
                let reason = format!(
                    "'{}': {} scoreboards armed, {} of them shared, {} evicted, {} wait bits, {} \
                     instructions inserted",
                    Func(op).sym_name(pass.context).unwrap_or_default(),
                    made.armed,
                    made.shared,
                    made.evicted,
                    made.waits,
                    made.inserted
                );
                let remark = Remark::new(RemarkKind::Passed, "scoreboards", reason);
                pass.remark(op, &remark);
            }
        }
        pass.count(ARMED, all.armed);
        pass.count(SHARED, all.shared);
        pass.count(EVICTED, all.evicted);
        pass.count(WAITS, all.waits);
        pass.count(INSERTED, all.inserted);
        Ok(status)
    }
}

orison_ir::pass_options! {
    /// Options of `sass-process-o0-waits`.
    pub struct ProcessO0WaitsOptions {
        /// Latency model.
        target = "target": TargetChoice = TargetChoice::Auto,
        /// What protects the code: `safe` is what ptxas -O0 emits, `page` follows the page, which
        /// arms nothing.
        scheme = "scheme": SerialScheme = SerialScheme::Safe,
    }
}

/// The pass.
#[derive(Clone, Debug)]
pub struct ProcessO0Waits {
    options: ProcessO0WaitsOptions,
}

impl Pass for ProcessO0Waits {
    type Options = ProcessO0WaitsOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "sass-process-o0-waits",
        "Compute control words without analysis: every instruction waits for all earlier ones.\n\n\
         Phase 116. Every instruction stalls for 15 cycles, yields, and waits for scoreboards 0 \
         and 1, which operations of variable latency arm for results and operands. The page's \
         scheme, which waits for all six and arms none, demonstrates that it is unsafe (C04).\n\n\
         Source: seed 003, \"Phase 116\"; measured; contradiction register C04.",
        source_position!(),
    );

    fn create(options: ProcessO0WaitsOptions) -> Self {
        ProcessO0Waits { options }
    }

    fn options(&self) -> &ProcessO0WaitsOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let (_, status) = edit(pass, &self.options.target, |source| {
            assign_serial(&mut source.function, source.model, self.options.scheme);
        })?;
        Ok(status)
    }
}
