//! `sass-fixup-tex-depbar-and-sync`, `sass-generate-opex` and `sass-insert-war-hazards`.

use orison_ir::pass::{Pass, PassContext, PassDefinition, PassResult, Statistic};
use orison_ir::source_position;

use super::functions::edit;
use super::target::TargetChoice;
use crate::sass::scoreboards::{Repair, RepairKnobs, repair};

const ARMED: Statistic = Statistic {
    name: "num-armed",
    summary: "Number of scoreboards added",
};
const WAITS: Statistic = Statistic {
    name: "num-waits",
    summary: "Number of wait bits added",
};
const STALLS: Statistic = Statistic {
    name: "num-stalls",
    summary: "Number of stalls lengthened",
};
const INSERTED: Statistic = Statistic {
    name: "num-inserted",
    summary: "Number of instructions inserted",
};

fn run(
    pass: &mut PassContext<'_>,
    target: &TargetChoice,
    what: Repair,
    knobs: &RepairKnobs,
) -> PassResult {
    let (results, status) = edit(pass, target, |source| {
        repair(&mut source.function, source.model, what, knobs)
    })?;
    for (_, mended) in results {
        pass.count(ARMED.name, mended.armed);
        pass.count(WAITS.name, mended.waits);
        pass.count(STALLS.name, mended.stalls);
        pass.count(INSERTED.name, mended.inserted);
    }
    Ok(status)
}

orison_ir::pass_options! {
    /// Options of `sass-fixup-tex-depbar-and-sync`.
    pub struct FixupTexDepbarAndSyncOptions {
        /// Latency model.
        target = "target": TargetChoice = TargetChoice::Auto,
        /// Readers at most this many instructions after a texture yield; 56 on the page.
        yield_distance = "yield-distance": u32 = 0,
    }
}

/// The pass.
#[derive(Clone, Debug)]
pub struct FixupTexDepbarAndSync {
    options: FixupTexDepbarAndSyncOptions,
}

impl Pass for FixupTexDepbarAndSync {
    type Options = FixupTexDepbarAndSyncOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "sass-fixup-tex-depbar-and-sync",
        "Add scoreboards to texture operations, and waits to the readers of their results.\n\n\
         Phase 114. Only adds waits, scoreboards and stall cycles; control words of other \
         instructions are unchanged.\n\n\
         Source: seed 003, \"Phase 114\"; reference section 7.4.",
        source_position!(),
    )
    .with_statistics(&[ARMED, WAITS, STALLS, INSERTED]);

    fn create(options: FixupTexDepbarAndSyncOptions) -> Self {
        FixupTexDepbarAndSync { options }
    }

    fn options(&self) -> &FixupTexDepbarAndSyncOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let knobs = RepairKnobs {
            yield_distance: self.options.yield_distance,
            ..RepairKnobs::default()
        };
        run(pass, &self.options.target, Repair::Textures, &knobs)
    }
}

orison_ir::pass_options! {
    /// Options of `sass-generate-opex`.
    pub struct GenerateOpexOptions {
        /// Latency model.
        target = "target": TargetChoice = TargetChoice::Auto,
    }
}

/// The pass.
#[derive(Clone, Debug)]
pub struct GenerateOpex {
    options: GenerateOpexOptions,
}

impl Pass for GenerateOpex {
    type Options = GenerateOpexOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "sass-generate-opex",
        "Protect the results of instructions inserted after scoreboard assignment.\n\n\
         Phase 120. Adds stalls, scoreboards and waits where a result would be read or overwritten \
         too early, and nothing else; code without hazards is unchanged.\n\n\
         Source: seed 003, \"Mercury Opex Path\"; reference section 8.1.",
        source_position!(),
    )
    .with_statistics(&[ARMED, WAITS, STALLS, INSERTED]);

    fn create(options: GenerateOpexOptions) -> Self {
        GenerateOpex { options }
    }

    fn options(&self) -> &GenerateOpexOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let knobs = RepairKnobs::default();
        run(pass, &self.options.target, Repair::Results, &knobs)
    }
}

orison_ir::pass_options! {
    /// Options of `sass-insert-war-hazards`.
    pub struct InsertWarHazardsOptions {
        /// Latency model.
        target = "target": TargetChoice = TargetChoice::Auto,
        /// Extra cycles for a stall which protects an operand, at most 15.
        operand_penalty = "operand-penalty": u32 = 0,
    }
}

/// The pass.
#[derive(Clone, Debug)]
pub struct InsertWarHazards {
    options: InsertWarHazardsOptions,
}

impl Pass for InsertWarHazards {
    type Options = InsertWarHazardsOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "sass-insert-war-hazards",
        "Protect operands that would be overwritten before they are read.\n\n\
         Phases 119 and 121: once before `sass-generate-opex`, once after it. Adds missing \
         scoreboards for operands, waits and stalls, and nothing else.\n\n\
         Source: seed 003, \"Mercury Opex Path\"; reference section 8.2.",
        source_position!(),
    )
    .with_statistics(&[ARMED, WAITS, STALLS, INSERTED]);

    fn create(options: InsertWarHazardsOptions) -> Self {
        InsertWarHazards { options }
    }

    fn options(&self) -> &InsertWarHazardsOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let knobs = RepairKnobs {
            operand_penalty: self.options.operand_penalty,
            ..RepairKnobs::default()
        };
        run(pass, &self.options.target, Repair::Operands, &knobs)
    }
}
