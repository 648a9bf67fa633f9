//! The scf dialect: loops and conditionals with regions.

use orison_ir::declare::constraints::{
    ANY_TYPE, BOOL, INDEX, RANKED_TENSOR, SIGNLESS_INTEGER_OR_INDEX,
};
use orison_ir::declare::{
    Assembly, DialectDefinition, Effects, I64ArrayAttr, RegionConstraint, Trait, UnitAttr,
};

use orison_ir::{Attribute, AttributeKind, attribute_form};

mod assembly;
mod build;
mod flow;
mod parallel;
mod rules;
mod verify;

pub use build::{Body, build_for, build_if};

/// The dialect definition.
pub static DIALECT: DialectDefinition = DialectDefinition {
    name: "scf",
    documentation: "Loops and conditionals with regions.",
    operations: &[
        Condition::DEFINITION,
        ExecuteRegion::DEFINITION,
        For::DEFINITION,
        Forall::DEFINITION,
        If::DEFINITION,
        InParallel::DEFINITION,
        IndexSwitch::DEFINITION,
        Parallel::DEFINITION,
        Reduce::DEFINITION,
        ReduceReturn::DEFINITION,
        While::DEFINITION,
        Yield::DEFINITION,
    ],
    upstream: true,
    ..DialectDefinition::DEFAULT
};

attribute_form!(
    /// `[#gpu.block<x>]`: the hardware mapping of each induction variable of a loop nest, as
    /// attributes of the hardware's dialect.
    DeviceMappingAttr, "Device Mapping array attribute", Vec<Attribute>,
    |context, attribute| {
        let is_of_dialect = |element: &Attribute| matches!(
            element.kind(context),
            AttributeKind::Dialect { .. } | AttributeKind::Opaque { .. }
        );
        let elements = attribute.as_array(context)?;
        elements.iter().all(is_of_dialect).then(|| elements.to_vec())
    },
    |context, value| Attribute::array(context, &value)
);

orison_ir::operations! {
    /// Decides whether an `scf.while` continues.
    ///
    /// If it continues, the values are passed to its second region, otherwise to its results.
    op Condition = "scf.condition" {
        operands {
            /// Whether to continue.
            condition: one(BOOL),
            /// The values to pass.
            args: variadic(ANY_TYPE),
        }
        with {
            traits: &[
                Trait::HasParent(&[While::NAME]),
                Trait::Terminator,
                Trait::AlwaysSpeculatable,
            ],
            effects: Effects::None,
            assembly: Assembly::Format(
                "`(` $condition `)` attr-dict ($args^ `:` type($args))?"
            ),
        }
    }

    /// Executes a region with any number of blocks once.
    op ExecuteRegion = "scf.execute_region" {
        results {
            /// The values yielded by the region.
            outputs: variadic(ANY_TYPE),
        }
        attributes {
            /// The region is not inlined.
            no_inline = "no_inline": optional(UnitAttr),
        }
        regions {
            /// The region.
            region: one(RegionConstraint::Any),
        }
        with {
            effects: Effects::Recursive,
            region_flow: Some(flow::EXECUTE_REGION),
            assembly: Assembly::Custom {
                parse: assembly::parse_execute_region,
                print: assembly::print_execute_region,
            },
            verify: Some(verify::execute_region),
            verify_regions: Some(verify::execute_region_edges),
            rules: &[
                &rules::EXECUTE_ONE_BLOCK,
                &rules::EXECUTE_BLOCKS,
            ],
        }
    }

    /// A counted loop with loop-carried values.
    ///
    /// The induction variable runs from the lower bound, in steps, while it is less than the upper
    /// bound. The other arguments of the body are the carried values: the initial values in the
    /// first iteration, then those that the previous one yielded. The last yield gives the results.
    op For = "scf.for" {
        operands {
            /// The first value of the induction variable.
            lower_bound: one(SIGNLESS_INTEGER_OR_INDEX),
            /// One past the last value.
            upper_bound: one(SIGNLESS_INTEGER_OR_INDEX),
            /// The increment of the induction variable; positive.
            step: one(SIGNLESS_INTEGER_OR_INDEX),
            /// The initial carried values.
            init_args: variadic(ANY_TYPE),
        }
        results {
            /// The final carried values.
            outputs: variadic(ANY_TYPE),
        }
        attributes {
            /// Bounds are compared as unsigned integers.
            unsigned_cmp = "unsignedCmp": optional(UnitAttr),
        }
        regions {
            /// The loop body.
            region: one(RegionConstraint::OneBlock),
        }
        with {
            traits: &[
                Trait::SingleBlock,
                Trait::ImplicitTerminator(Yield::NAME),
                Trait::Loop,
            ],
            effects: Effects::Recursive,
            region_flow: Some(flow::FOR),
            speculatable: Some(flow::terminates),
            assembly: Assembly::Custom {
                parse: assembly::parse_for,
                print: assembly::print_for,
            },
            verify_types: Some(verify::for_bounds),
            verify: Some(verify::for_loop),
            verify_regions: Some(verify::for_edges),
            rules: &[
                &rules::FOR_FEW_TRIPS,
                &rules::FOR_NOTHING_DONE,
                &rules::FOR_CARRIED,
            ],
        }
    }

    /// A loop nest whose iterations run in any order or in parallel.
    ///
    /// Bounds and steps are integers in attributes; the least integer marks a dynamic operand.
    op Forall = "scf.forall" {
        operands {
            /// Dynamic lower bounds.
            dynamic_lower_bound: variadic(INDEX),
            /// Dynamic upper bounds.
            dynamic_upper_bound: variadic(INDEX),
            /// Dynamic steps.
            dynamic_step: variadic(INDEX),
            /// Tensors into which the iterations insert.
            outputs: variadic(RANKED_TENSOR),
        }
        results {
            /// The tensors after all insertions.
            shared_outputs: variadic(ANY_TYPE),
        }
        attributes {
            /// Static lower bounds.
            static_lower_bound = "staticLowerBound": required(I64ArrayAttr),
            /// Static upper bounds.
            static_upper_bound = "staticUpperBound": required(I64ArrayAttr),
            /// Static steps.
            static_step = "staticStep": required(I64ArrayAttr),
            /// The hardware mapping of each induction variable.
            mapping = "mapping": optional(DeviceMappingAttr),
        }
        regions {
            /// The loop body.
            region: one(RegionConstraint::OneBlock),
        }
        with {
            traits: &[
                Trait::AttrSizedOperandSegments,
                Trait::SingleBlock,
                Trait::ImplicitTerminator(InParallel::NAME),
                Trait::Loop,
            ],
            effects: Effects::Recursive,
            assembly: Assembly::Custom {
                parse: parallel::parse_forall,
                print: parallel::print_forall,
            },
            verify: Some(parallel::verify_forall),
            verify_regions: Some(parallel::verify_forall_edges),
            rules: &[
                &rules::FORALL_CONSTANT,
                &rules::FORALL_FEW_TRIPS,
            ],
        }
    }

    /// Executes one of two regions.
    op If = "scf.if" {
        operands {
            /// The condition; true selects the first region.
            condition: one(BOOL),
        }
        results {
            /// The values yielded by the region.
            outputs: variadic(ANY_TYPE),
        }
        regions {
            /// The region if the condition is true.
            then_region: one(RegionConstraint::OneBlock),
            /// The region if the condition is false; may be empty if there are no results.
            else_region: one(RegionConstraint::MaxOneBlock),
        }
        with {
            traits: &[
                Trait::SingleBlock,
                Trait::ImplicitTerminator(Yield::NAME),
                Trait::RecursivelySpeculatable,
            ],
            effects: Effects::Recursive,
            region_flow: Some(flow::IF),
            speculatable: Some(flow::decides),
            assembly: Assembly::Custom {
                parse: assembly::parse_if,
                print: assembly::print_if,
            },
            verify: Some(verify::conditional),
            verify_regions: Some(verify::conditional_edges),
            rules: &[
                &rules::IF_CONSTANT,
                &rules::IF_EMPTY_ELSE,
                &rules::IF_NOT,
                &rules::IF_UNUSED_RESULTS,
                &rules::IF_TO_SELECT,
                &rules::IF_YIELD_CONDITION,
                &rules::IF_KNOWN_CONDITION,
                &rules::IF_COMBINE,
                &rules::IF_NESTED,
            ],
        }
    }

    /// Terminates an `scf.forall` with the operations that write to the shared tensors.
    op InParallel = "scf.forall.in_parallel" {
        regions {
            /// The writes.
            region: one(RegionConstraint::OneBlock),
        }
        with {
            traits: &[
                Trait::HasParent(&[Forall::NAME]),
                Trait::Terminator,
                Trait::SingleBlock,
                Trait::NoTerminator,
            ],
            effects: Effects::Recursive,
            assembly: Assembly::Custom {
                parse: parallel::parse_in_parallel,
                print: parallel::print_in_parallel,
            },
            verify: Some(parallel::verify_in_parallel),
        }
    }

    /// Executes the region of the case that equals an index.
    op IndexSwitch = "scf.index_switch" {
        operands {
            /// The index that selects the region.
            arg: one(INDEX),
        }
        results {
            /// The values yielded by the region.
            outputs: variadic(ANY_TYPE),
        }
        attributes {
            /// The case values.
            cases = "cases": required(I64ArrayAttr),
        }
        regions {
            /// The default region.
            default_region: one(RegionConstraint::OneBlock),
            /// The case regions.
            case_regions: variadic(RegionConstraint::OneBlock),
        }
        with {
            traits: &[
                Trait::SingleBlock,
                Trait::ImplicitTerminator(Yield::NAME),
                Trait::RecursivelySpeculatable,
            ],
            effects: Effects::Recursive,
            region_flow: Some(flow::INDEX_SWITCH),
            speculatable: Some(flow::decides),
            assembly: Assembly::Custom {
                parse: assembly::parse_index_switch,
                print: assembly::print_index_switch,
            },
            verify: Some(verify::index_switch),
            rules: &[
                &rules::INDEX_SWITCH_CONSTANT,
                &rules::INDEX_SWITCH_UNUSED,
            ],
        }
    }

    /// A loop nest whose iterations run in any order and reduce values.
    op Parallel = "scf.parallel" {
        operands {
            /// The first value of each induction variable.
            lower_bound: variadic(INDEX),
            /// One past the last value of each induction variable.
            upper_bound: variadic(INDEX),
            /// The step of each induction variable.
            step: variadic(INDEX),
            /// The initial values of the reductions.
            init_vals: variadic(ANY_TYPE),
        }
        results {
            /// The final reduced values.
            outputs: variadic(ANY_TYPE),
        }
        regions {
            /// The loop body.
            region: one(RegionConstraint::OneBlock),
        }
        with {
            traits: &[
                Trait::AttrSizedOperandSegments,
                Trait::SingleBlock,
                Trait::ImplicitTerminator(Reduce::NAME),
                Trait::Loop,
            ],
            effects: Effects::Recursive,
            assembly: Assembly::Custom {
                parse: parallel::parse_parallel,
                print: parallel::print_parallel,
            },
            verify: Some(parallel::verify_parallel),
            rules: &[
                &rules::PARALLEL_FEW_TRIPS,
                &rules::PARALLEL_MERGE,
            ],
        }
    }

    /// Terminates an `scf.parallel` and reduces values of iterations, with a region for each.
    op Reduce = "scf.reduce" {
        operands {
            /// The values of this iteration.
            arguments: variadic(ANY_TYPE),
        }
        regions {
            /// The reductions, each of which combines two values.
            reductions: variadic(RegionConstraint::OneBlock),
        }
        with {
            traits: &[Trait::HasParent(&[Parallel::NAME]), Trait::Terminator],
            effects: Effects::Recursive,
            assembly: Assembly::Custom {
                parse: parallel::parse_reduce,
                print: parallel::print_reduce,
            },
            verify_regions: Some(parallel::verify_reduce),
        }
    }

    /// Terminates a region of `scf.reduce` and yields the combined value.
    op ReduceReturn = "scf.reduce.return" {
        operands {
            /// The combined value.
            result: one(ANY_TYPE),
        }
        with {
            traits: &[
                Trait::HasParent(&[Reduce::NAME]),
                Trait::Terminator,
                Trait::AlwaysSpeculatable,
            ],
            effects: Effects::None,
            assembly: Assembly::Format("$result attr-dict `:` type($result)"),
            verify: Some(parallel::verify_reduce_return),
        }
    }

    /// A loop that repeats while a condition holds.
    ///
    /// The first region computes the condition, the second one is the loop body.
    op While = "scf.while" {
        operands {
            /// The initial arguments of the first region.
            inits: variadic(ANY_TYPE),
        }
        results {
            /// The values passed by the condition when the loop ends.
            outputs: variadic(ANY_TYPE),
        }
        regions {
            /// The region that computes the condition.
            before: one(RegionConstraint::OneBlock),
            /// The loop body.
            after: one(RegionConstraint::OneBlock),
        }
        with {
            traits: &[Trait::SingleBlock, Trait::Loop],
            effects: Effects::Recursive,
            region_flow: Some(flow::WHILE),
            assembly: Assembly::Custom {
                parse: assembly::parse_while,
                print: assembly::print_while,
            },
            verify: Some(verify::while_loop),
            verify_regions: Some(verify::while_edges),
            rules: &[
                &rules::WHILE_CONDITION_HOLDS,
                &rules::WHILE_COMPARISON_HOLDS,
                &rules::WHILE_UNUSED_RESULT,
                &rules::WHILE_SAME_RESULT,
                &rules::WHILE_RESULT_FROM_OUTSIDE,
                &rules::WHILE_UNUSED_ARGUMENT,
                &rules::WHILE_INVARIANT_ARGUMENT,
                &rules::WHILE_ALIGN,
            ],
        }
    }

    /// Terminates a region and passes values to the parent operation.
    op Yield = "scf.yield" {
        operands {
            /// The values.
            results: variadic(ANY_TYPE),
        }
        with {
            traits: &[
                Trait::HasParent(&[
                    ExecuteRegion::NAME,
                    For::NAME,
                    If::NAME,
                    IndexSwitch::NAME,
                    While::NAME,
                ]),
                Trait::Terminator,
                Trait::ReturnLike,
                Trait::AlwaysSpeculatable,
            ],
            effects: Effects::None,
            assembly: Assembly::Format("attr-dict ($results^ `:` type($results))?"),
        }
    }
}
