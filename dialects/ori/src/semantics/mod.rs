//! Bit-level semantics of pure operations.
//!
//! [`evaluate`] computes the results of an operation from the bits of its operands. A program that
//! executes an operation many times first creates a [`Computation`], which reads the attributes
//! once.
//!
//! What an instruction computes on integers is in [`orison_machine::words`], on floats in
//! [`arithmetic`]; here, operations take their attributes and modifiers into account.
//!
//! Every float result is computed exactly and rounded once, with the canonical NaN of the format;
//! denormals are flushed to zero with `ftz`. The functions of `ori.mufu`, which the machine
//! approximates, are computed in doubles and rounded to the nearest float: `transcendental.rs`
//! states the bounds.
//!
//! ```
//! use orison_ir::{Context, Source, parse_source};
//! let mut context = Context::new();
//! orison_host::register(&mut context);
//! orison_ori::register(&mut context);
//! let text = r#"
//!   ori.func @f(%a: !ori.r, %b: !ori.r) -> !ori.r target "sm_80" {
//!     %d = ori.shf <left, u32> %a, %b, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
//!     ori.ret %d : !ori.r
//!   }"#;
//! let module = parse_source(&mut context, Source { name: "a.mlir", text, first_line: 1 });
//! let module = module.expect("well-formed");
//! let function = module.body_block(&context, 0).and_then(|block| block.first_op(&context));
//! let shift = function.and_then(|function| function.body_block(&context, 0)?.first_op(&context));
//! let shift = shift.expect("a body");
//! assert_eq!(orison_ori::semantics::evaluate(&context, shift, &[3, 4, 3]), Some(vec![48]));
//! ```

pub mod arithmetic;
mod bits;
mod call;
mod compare;
mod convert;
mod float;
mod half;
mod integer;
mod table;
mod transcendental;

#[cfg(test)]
mod tests;

pub use call::{direction_of, float_kind};
pub use compare::{float_relations_of, relations_of};

use orison_ir::{Attribute, Context, Operation};

use crate::keywords::Combine;
use crate::modifiers::{MODIFIERS, ModifierSet, ModifiersAttr};
use crate::operations::OPERATIONS;
use crate::types::Register;
use call::{Call, Parameters};
use orison_ir::declare::AttributeForm;

/// The bits of a register, lowest first; a predicate is 0 or 1. Bits above the width of the
/// register are zero.
pub type Bits = u128;

/// Maximum number of results of a pure operation: `ori.r2p` writes seven predicates.
pub const MAX_RESULTS: usize = 8;

/// The evaluation function of a family of operations: reads operands and parameters, writes
/// results.
type Function = fn(&Call<'_>, &mut [Bits]) -> Option<()>;

/// How a pure operation is evaluated: an interface of the operations of this dialect.
#[derive(Clone, Copy)]
struct Evaluation {
    function: Function,
    /// Whether its last operands are a guard, and the values where that does not hold.
    guarded: bool,
}

impl Evaluation {
    /// The evaluation of the operation with a full name; `None` if it is not pure.
    fn of_name(name: &str) -> Option<Self> {
        Some(Evaluation {
            function: table::function_of(name)?,
            guarded: table::has_guard(name),
        })
    }

    /// The computation of an operation with these attributes and registers.
    fn of_described(self, context: &Context, description: &Description<'_>) -> Option<Computation> {
        let registers = description.operands.iter().chain(description.results);
        let narrow = |register: &Register| register.words().is_none_or(|words| words <= 4);
        if description.results.len() > MAX_RESULTS || !registers.copied().all(|r| narrow(&r)) {
            return None;
        }
        let parameters = Parameters::read(context, description);
        let groups = description.groups;
        // The last operands of a machine operation are the guard and the values where it does not
        // hold.
        let guarded = self.guarded && groups.len() >= 2;
        let (mut guard, mut otherwise) = (None, None);
        if guarded && groups[groups.len() - 2] == 1 {
            let before = groups[..groups.len() - 2].iter().sum();
            guard = Some(before);
            otherwise = (groups[groups.len() - 1] > 0).then_some(before + 1);
        }
        Some(Computation {
            function: self.function,
            parameters,
            modifiers: description.modifiers.to_vec(),
            guard,
            otherwise,
            results: description.results.len(),
        })
    }
}

/// Attaches how they are evaluated to the pure operations.
pub(crate) fn attach(context: &mut Context) {
    for definition in OPERATIONS {
        if let Some(evaluation) = Evaluation::of_name(definition.name) {
            context.attach(definition, evaluation);
        }
    }
}

/// A pure operation whose attributes have been read.
#[derive(Clone, Debug)]
pub struct Computation {
    function: Function,
    parameters: Parameters,
    modifiers: Vec<ModifierSet>,
    /// Index of the guard operand, if any.
    guard: Option<usize>,
    /// Index of the first operand that gives a result where the guard does not hold.
    otherwise: Option<usize>,
    results: usize,
}

/// The value of an attribute of a described operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given<'a> {
    /// An attribute of an operation.
    Attribute(Attribute),
    /// A keyword of the set that the attribute has.
    Keyword(&'a str),
    /// A number.
    Number(i64),
    /// A flag that is set.
    Flag,
}

/// A description of an operation that need not exist, for [`Computation::describe`].
pub struct Description<'a> {
    /// The full name, `ori.iadd3`.
    pub name: &'a str,
    /// The value of an inherent attribute.
    pub attribute: &'a dyn Fn(&str) -> Option<Given<'a>>,
    /// Number of operands in each declared group, in declaration order.
    pub groups: &'a [usize],
    /// The modifiers of each operand; operands beyond the end have none.
    pub modifiers: &'a [ModifierSet],
    /// The register types of the operands.
    pub operands: &'a [Register],
    /// The register types of the results.
    pub results: &'a [Register],
}

/// Computes the results of an operation from the bits of all its operands, guard included. `None`
/// if the operation is not a pure function of them, has registers wider than 128 bits, or its guard
/// does not hold and it has no `else` values.
pub fn evaluate(context: &Context, op: Operation, operands: &[Bits]) -> Option<Vec<Bits>> {
    let computation = Computation::of(context, op)?;
    let mut results = [0; MAX_RESULTS];
    computation.apply(operands, &mut results)?;
    Some(results[..computation.results].to_vec())
}

/// Whether operations of a name compute their results from their operands alone.
pub fn is_pure(name: &str) -> bool {
    table::function_of(name).is_some()
}

impl Computation {
    /// The computation of an operation; `None` if it is not a pure function of its operands.
    pub fn of(context: &Context, op: Operation) -> Option<Self> {
        let evaluation = *op.interface::<Evaluation>(context)?;
        let definition = op.definition(context)?;
        let groups = 0..definition.operands.len();
        let groups: Vec<_> = groups
            .map(|group| definition.operand_range(context, op, group).len())
            .collect();
        let modifiers = op.attribute(context, MODIFIERS);
        let modifiers = modifiers.and_then(|set| ModifiersAttr::read(context, set));
        let register = |value: orison_ir::Value| Register::of(context, value.ty(context));
        let operands: Option<Vec<_>> = op.operands(context).map(register).collect();
        let results: Option<Vec<_>> = op.results(context).map(register).collect();
        let description = Description {
            name: definition.name,
            attribute: &|key| op.attribute(context, key).map(Given::Attribute),
            groups: &groups,
            modifiers: modifiers.as_deref().unwrap_or_default(),
            operands: &operands?,
            results: &results?,
        };
        evaluation.of_described(context, &description)
    }

    /// The computation of a described operation.
    pub fn describe(context: &Context, description: &Description<'_>) -> Option<Self> {
        Evaluation::of_name(description.name)?.of_described(context, description)
    }

    /// The number of results.
    pub const fn result_count(&self) -> usize {
        self.results
    }

    /// Whether a comparison has the same results for all sources, given the value of the predicate
    /// that its outcome is combined with.
    pub const fn decided_by(&self, holds: bool) -> bool {
        match self.parameters.combine {
            None | Some(Combine::And) => !holds,
            Some(Combine::Or) => holds,
            Some(Combine::Xor) => false,
        }
    }

    /// Computes the results from the bits of all operands. `None`, with unspecified results, if the
    /// guard does not hold and there are no `else` values, if there are too few operands, or if the
    /// operation has attributes that no machine supports.
    pub fn apply(&self, operands: &[Bits], results: &mut [Bits; MAX_RESULTS]) -> Option<()> {
        if let Some(guard) = self.guard {
            let inverted = self
                .modifiers_of(guard)
                .contains(crate::modifiers::Modifier::Invert);
            let holds = (*operands.get(guard)? & 1 == 1) != inverted;
            if !holds {
                let first = self.otherwise?;
                let kept = operands.get(first..first + self.results)?;
                results[..self.results].copy_from_slice(kept);
                return Some(());
            }
        }
        let call = Call {
            parameters: &self.parameters,
            operands,
            modifiers: &self.modifiers,
        };
        (self.function)(&call, &mut results[..self.results])
    }

    fn modifiers_of(&self, operand: usize) -> ModifierSet {
        self.modifiers.get(operand).copied().unwrap_or_default()
    }
}
