//! Passes on `ori`, one module per pass, named like the pass.

pub mod branch_opt;
pub mod copy_propagation;
pub mod fixup_gmma_sequence;
pub mod form_accumulators;
mod functions;
pub mod general_optimize;
pub mod global_value_numbering;
pub mod gmma;
mod guards;
pub mod hoist_invariants;
mod known_bits;
pub mod live_dead;
pub mod loop_fusion;
pub mod loop_simplification;
pub mod loop_unrolling;
mod loops;
pub mod matrix_registers;
pub mod optimize;
pub mod optimize_uniform_atomic;
pub mod peephole;
pub mod predication;
pub mod print_analysis;
pub mod propagate_gmma;
pub mod reassociate;
pub mod replace_uniforms_with_imm;
mod rules;
pub mod store_elimination;
pub mod strength_reduce;
pub mod surgery;
pub mod switch_opt;

pub use branch_opt::{BranchOpt, BranchOptOptions};
pub use copy_propagation::{CopyPropagation, CopyPropagationOptions};
pub use fixup_gmma_sequence::{FixupGmmaSequence, FixupGmmaSequenceOptions};
pub use form_accumulators::{FormAccumulators, FormAccumulatorsOptions};
pub use general_optimize::{GeneralOptimize, GeneralOptimizeOptions};
pub use global_value_numbering::{GlobalValueNumbering, GlobalValueNumberingOptions};
pub use hoist_invariants::{HoistInvariants, HoistInvariantsOptions};
pub use live_dead::{LiveDead, LiveDeadOptions};
pub use loop_fusion::{LoopFusion, LoopFusionOptions};
pub use loop_simplification::{LoopSimplification, LoopSimplificationOptions};
pub use loop_unrolling::{LoopUnrolling, LoopUnrollingOptions};
pub use matrix_registers::MatrixRegisters;
pub use optimize_uniform_atomic::{OptimizeUniformAtomic, OptimizeUniformAtomicOptions};
pub use peephole::{Peephole, PeepholeOptions};
pub use predication::{Predication, PredicationOptions};
pub use print_analysis::{PrintAnalysis, PrintAnalysisOptions};
pub use propagate_gmma::{PropagateGmma, PropagateGmmaOptions};
pub use reassociate::{Reassociate, ReassociateOptions};
pub use replace_uniforms_with_imm::{ReplaceUniformsWithImm, ReplaceUniformsWithImmOptions};
pub use rules::Rules;
pub use store_elimination::{StoreElimination, StoreEliminationOptions};
pub use strength_reduce::{StrengthReduce, StrengthReduceOptions};
pub use switch_opt::{SwitchOpt, SwitchOptOptions};

use orison_ir::pass::PassRegistry;

/// Registers the passes on `ori`.
pub fn passes(registry: &mut PassRegistry) {
    registry.register::<BranchOpt>();
    registry.register::<CopyPropagation>();
    registry.register::<FixupGmmaSequence>();
    registry.register::<FormAccumulators>();
    registry.register::<GeneralOptimize>();
    registry.register::<GlobalValueNumbering>();
    registry.register::<HoistInvariants>();
    registry.register::<LiveDead>();
    registry.register::<LoopFusion>();
    registry.register::<LoopSimplification>();
    registry.register::<LoopUnrolling>();
    registry.register::<OptimizeUniformAtomic>();
    registry.register::<Peephole>();
    registry.register::<Predication>();
    registry.register::<PrintAnalysis>();
    registry.register::<PropagateGmma>();
    registry.register::<Reassociate>();
    registry.register::<ReplaceUniformsWithImm>();
    registry.register::<StoreElimination>();
    registry.register::<StrengthReduce>();
    registry.register::<SwitchOpt>();
    registry.register_pipeline(&gmma::GMMA);
    registry.register_pipeline(&optimize::OPTIMIZE);
    let general = general_optimize::listed_rules();
    registry.register_rules("ori-general-optimize", &general);
    registry.register_rules("ori-peephole", &peephole::rules());
}
