//! The registers that products of warp groups need: the contract with register allocation.
//!
//! An accumulator is a tuple of consecutive registers (class 6 of the page, `!ori.acc<n>`). Register
//! allocation keeps a tuple in one place from the first arrive before a product that uses it to the
//! wait that completes the last one ([`LiveRange`]). [`MatrixRegisters`] tells what it must be able to
//! give at each product and in each stage, and whether the registers suffice. If they do not, phase 87
//! serializes the products ([`Shortage`]), which shortens these live ranges to one product each; the
//! analysis of the result is what remains to be given. Seed 002, "Interaction with Register
//! Allocation"; the figures are measured.

pub(super) mod kinds;
mod limit;
mod live_ranges;
mod overlaps;
mod peak;
mod stages;
pub(super) mod variables;

use std::collections::BTreeSet;

use orison_ir::analyses::{ControlFlowGraph, Liveness};
use orison_ir::pass::{Analysis, AnalysisManager};
use orison_ir::{Context, Operation};
use orison_ori::analyses::MatrixGroups;
use orison_ori::operations::matrix::WgmmaMma;
use rustc_hash::FxHashSet;

pub use limit::{MOST, RegisterLimit, threads};
pub use live_ranges::LiveRange;
pub use stages::StageRegisters;

use super::functions::Function;
use kinds::Kinds;
use variables::{Variable, Variables};

/// The number of the lowest register that an accumulator gets.
pub const FIRST: u32 = 24;
/// The registers kept free besides accumulators and factors.
pub const KEPT_FREE: u32 = 2;

/// The registers around one product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProductRegisters {
    /// The product.
    pub op: Operation,
    /// Those of its accumulator and left factor.
    pub own: u32,
    /// Those of all accumulators and left factors that live where it starts: what is used later, what
    /// is in flight, and its own. Where it is more than a thread can have, it is not told by how much.
    pub live: u32,
}

impl ProductRegisters {
    /// The least limit with which the product can be compiled, alone.
    pub fn least_limit(&self) -> u32 {
        self.own + FIRST + KEPT_FREE
    }
}

/// Why the registers do not suffice for the products as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shortage {
    /// Accumulators share registers such that one must be copied.
    Overlap,
    /// The accumulators and factors of a stage do not fit.
    Stage(Operation),
    /// Those that live at a product do not fit.
    Function(Operation),
}

impl Shortage {
    /// ptxas's number of the warning: 7511 for the pipeline, 7512 for the function.
    pub fn code(self) -> u32 {
        match self {
            Shortage::Overlap | Shortage::Stage(_) => 7511,
            Shortage::Function(_) => 7512,
        }
    }
}

/// The registers that the products of a function need.
#[derive(Clone, Debug, Default)]
pub struct MatrixRegisters {
    products: Vec<ProductRegisters>,
    stages: Vec<StageRegisters>,
    live_ranges: Vec<LiveRange>,
    overlap: bool,
    all: u32,
}

impl MatrixRegisters {
    /// Computes them for a function. Close to linear.
    pub fn of(
        context: &Context,
        function: Operation,
        (flow, liveness, groups): (&ControlFlowGraph, &Liveness, &MatrixGroups),
    ) -> Self {
        let body = function.regions(context).next();
        let Some(body) = body.filter(|_| !groups.products().is_empty()) else {
            return MatrixRegisters::default();
        };
        let function = Function { op: function, body };
        let mut variables = Variables::of(context, function);
        let kinds = Kinds::of(context, flow, groups, &variables);
        let live = peak::at_products(context, (flow, liveness), &kinds, &mut variables);
        let mut tuples: BTreeSet<Vec<Variable>> = BTreeSet::new();
        let mut factors: FxHashSet<Vec<Variable>> = FxHashSet::default();
        let mut registers = MatrixRegisters::default();
        for op in groups.products().iter().copied() {
            let Some(product) = WgmmaMma::of(context, op) else {
                continue;
            };
            let tuple = variables.tuple(op).to_vec();
            let factor = variables.factor(op);
            let own = size(&tuple) + size(&factor);
            let live = live.get(&op).copied().unwrap_or(own);
            registers.products.push(ProductRegisters { op, own, live });
            if !factor.is_empty() {
                factors.insert(factor);
            }
            tuples.insert(overlaps::renamed(context, product, tuple, &mut variables));
        }
        registers.overlap =
            overlaps::needs_copies(&tuples) || overlaps::multiplies_sums(context, groups);
        registers.stages = stages::stages(context, flow, &kinds);
        registers.live_ranges = live_ranges::live_ranges(context, flow, groups);
        // A tuple that another begins with is a part of it, and next to it in order.
        let next = tuples.iter().skip(1).map(Some).chain([None]);
        let wholes = tuples.iter().zip(next);
        let wholes = wholes.filter(|(one, next)| !next.is_some_and(|next| next.starts_with(one)));
        let accumulators: u32 = wholes.map(|(tuple, _)| size(tuple)).sum();
        registers.all = accumulators + factors.iter().map(|f| size(f)).sum::<u32>();
        registers
    }

    /// The products, in the order of the text.
    pub fn products(&self) -> &[ProductRegisters] {
        &self.products
    }

    /// The stages, in the order of the text of their fences and waits.
    pub fn stages(&self) -> &[StageRegisters] {
        &self.stages
    }

    /// The live ranges of accumulators, by the number of the accumulator.
    pub fn live_ranges(&self) -> &[LiveRange] {
        &self.live_ranges
    }

    /// The first of the products that need the most registers alone. If it does not fit, the function
    /// cannot be compiled, and serialization does not help (error 7602).
    pub fn largest(&self) -> Option<&ProductRegisters> {
        let rest = self.products.iter();
        rest.rev().max_by_key(|product| product.own)
    }

    /// The registers of the accumulators and left factors that must be given at one time: the most that
    /// live at a product. Where a number of registers is asked for, ptxas spreads values over the
    /// registers that there are, and all of them count.
    pub fn together(&self, limit: RegisterLimit) -> u32 {
        let live = self.products.iter().map(|product| product.live).max();
        match limit.is_asked {
            true => self.all,
            false => self.all.min(live.unwrap_or(0)),
        }
    }

    /// Whether every accumulator can stay where it is.
    ///
    /// # Errors
    /// [`Shortage::Overlap`] if not.
    pub fn check_overlap(&self) -> Result<(), Shortage> {
        match self.overlap {
            true => Err(Shortage::Overlap),
            false => Ok(()),
        }
    }

    /// Whether each stage fits.
    ///
    /// # Errors
    /// [`Shortage::Stage`] with the first that does not.
    pub fn check_stages(&self, limit: RegisterLimit) -> Result<(), Shortage> {
        let mut stages = self.stages.iter();
        let large = stages.find(|stage| !stage.fits(limit));
        large.map_or(Ok(()), |stage| Err(Shortage::Stage(stage.op)))
    }

    /// Whether all that lives at one time fits.
    ///
    /// # Errors
    /// [`Shortage::Function`] with the first product where the most live.
    pub fn check_function(&self, limit: RegisterLimit) -> Result<(), Shortage> {
        let products = self.products.iter().rev();
        match products.max_by_key(|product| product.live) {
            Some(most) if self.together(limit) + FIRST + KEPT_FREE > limit.registers => {
                Err(Shortage::Function(most.op))
            }
            _ => Ok(()),
        }
    }

    /// The first shortage, in the order in which phase 87 looks for them.
    ///
    /// # Errors
    /// If there is one.
    pub fn check(&self, limit: RegisterLimit) -> Result<(), Shortage> {
        self.check_overlap()?;
        self.check_stages(limit)?;
        self.check_function(limit)
    }
}

/// The products of a function.
impl Analysis for MatrixRegisters {
    const NAME: &'static str = "ori-matrix-registers";

    fn compute(context: &mut Context, op: Operation, analyses: &mut AnalysisManager) -> Self {
        let flow = analyses.get::<ControlFlowGraph>(context, op);
        let liveness = analyses.get::<Liveness>(context, op);
        let groups = analyses.get::<MatrixGroups>(context, op);
        MatrixRegisters::of(context, op, (&flow, &liveness, &groups))
    }
}

fn size(tuple: &[Variable]) -> u32 {
    u32::try_from(tuple.len()).unwrap_or(u32::MAX)
}
