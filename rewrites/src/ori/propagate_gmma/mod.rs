//! The pass `ori-propagate-gmma`: phase 85 of ptxas (OriPropagateGmma).
//!
//! The results are the analysis [`MatrixGroups`], which stays cached, and attributes:
//!
//! | attribute | on | meaning |
//! |---|---|---|
//! | `ori.gmma.source` | product | the accumulator set it reads (tag 0x9… of the page); absent if none |
//! | `ori.gmma.destination` | product | the accumulator set it writes (tag 0x1… of the page) |
//! | `ori.gmma.group` | product, commit | the commit that closes the group, counted from 0; absent if none in the block does |
//! | `ori.gmma` | function | `depth`: groups in flight at most; `sets`: accumulator sets |

mod live_ranges;

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{Attribute, Context, Identifier, Operation};
use orison_ori::analyses::MatrixGroups;
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::operations::matrix::WgmmaMma;

use super::fixup_gmma_sequence::metadata::SUMMARY;
use super::form_accumulators::{has_products, operations};
use super::functions::{Function, machine_of, on_each};

orison_ir::pass_options! {
    /// Options of `ori-propagate-gmma`.
    pub struct PropagateGmmaOptions {
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const PRODUCTS: &str = "products";
const SETS: &str = "accumulator-sets";
const DEPTH: &str = "depth";

/// The first architecture with products of warp groups.
const FIRST_ARCHITECTURE: u16 = 90;

/// The attribute with the accumulator set that a product reads.
pub const SOURCE: &str = "ori.gmma.source";
/// The attribute with the accumulator set that a product writes.
pub const DESTINATION: &str = "ori.gmma.destination";
/// The attribute with the group of a product or commit.
pub const GROUP: &str = "ori.gmma.group";

/// The pass `ori-propagate-gmma`.
#[derive(Clone, Debug)]
pub struct PropagateGmma(PropagateGmmaOptions);

impl Pass for PropagateGmma {
    type Options = PropagateGmmaOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<PropagateGmma>(
        "ori-propagate-gmma",
        "Determines which products of warp groups are in flight where: phase 85 of ptxas \
         (OriPropagateGmma).\n\
         \n\
         Products get the accumulator sets that they read and write, and the group that they are \
         in; the function gets the depth of its pipeline. Warning 7407 is given for each direction \
         in which more sets are in flight than `GmmaMaxActiveLiveRanges` allows. Functions for \
         architectures before sm_90, and with `GmmaMode=0`, are left alone. See docs/gmma.md.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: PRODUCTS,
            summary: "Number of products",
        },
        Statistic {
            name: SETS,
            summary: "Number of accumulator sets",
        },
        Statistic {
            name: DEPTH,
            summary: "Sum over the functions of the number of groups in flight at most",
        },
    ]);

    fn create(options: PropagateGmmaOptions) -> Self {
        PropagateGmma(options)
    }

    fn options(&self) -> &PropagateGmmaOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        on_each(pass, &self.0.knobs, |pass, function, knobs| {
            let applies = knobs.integer("GmmaMode") > 0
                && has_target(pass.context, function.op)
                && has_products(pass.context, function);
            if !applies {
                return Ok(IRStatus::Unchanged);
            }
            let flow = pass.analysis_of::<ControlFlowGraph>(function.op);
            let groups = pass.analysis_of::<MatrixGroups>(function.op);
            live_ranges::check(
                pass.context,
                &flow,
                &groups,
                knobs.budget("GmmaMaxActiveLiveRanges"),
            );
            let depth = publish(pass.context, function, &flow, &groups);
            pass.count(PRODUCTS, groups.products().len() as u64);
            pass.count(SETS, groups.sets.count() as u64);
            pass.count(DEPTH, depth.into());
            // Attributes are no input of an analysis.
            pass.preserve_all();
            Ok(IRStatus::Changed)
        })
    }
}

fn has_target(context: &Context, function: Operation) -> bool {
    machine_of(context, function).is_some_and(|number| number >= FIRST_ARCHITECTURE)
}

/// Writes the attributes; returns the depth.
fn publish(
    context: &mut Context,
    function: Function,
    flow: &ControlFlowGraph,
    groups: &MatrixGroups,
) -> u32 {
    let mut depth = 0;
    for block in 0..u32::try_from(flow.block_count()).unwrap_or(u32::MAX) {
        groups.walk(context, flow, block, |_, flights| {
            depth = depth.max(flights.depth());
        });
    }
    for op in operations(context, function) {
        let Some(product) = WgmmaMma::of(context, op) else {
            continue;
        };
        let source = product
            .accumulator(context)
            .and_then(|v| groups.sets.get(v));
        let destination = groups.sets.get(product.result(context));
        for (key, set) in [(SOURCE, source), (DESTINATION, destination)] {
            match set.and_then(|set| i32::try_from(set.0).ok()) {
                Some(number) => {
                    let number = Attribute::i32(context, number);
                    op.set_attribute(context, key, number);
                }
                None => op.remove_attribute(context, key),
            }
        }
    }
    number_groups(context, function);
    let number = |context: &mut Context, number: u32| {
        Attribute::i32(context, i32::try_from(number).unwrap_or(i32::MAX))
    };
    let sets = u32::try_from(groups.sets.count()).unwrap_or(u32::MAX);
    let entries = [
        (Identifier::new(context, "depth"), number(context, depth)),
        (Identifier::new(context, "sets"), number(context, sets)),
    ];
    let summary = Attribute::dictionary(context, &entries);
    function.op.set_attribute(context, SUMMARY, summary);
    depth
}

/// Gives each commit a number, and the products of its group in the same block that number.
fn number_groups(context: &mut Context, function: Function) {
    let mut commits = 0;
    let blocks: Vec<_> = function.body.blocks(context).collect();
    for block in blocks {
        let mut open = Vec::new();
        for op in block.body(context) {
            match role(context, op) {
                Some(Role::Product) => {
                    op.remove_attribute(context, GROUP);
                    open.push(op);
                }
                Some(Role::Commit) => {
                    let number = Attribute::i32(context, commits);
                    commits += 1;
                    for member in open.drain(..).chain([op]) {
                        member.set_attribute(context, GROUP, number);
                    }
                }
                _ => {}
            }
        }
    }
}
