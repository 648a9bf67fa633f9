//! Dialect conversion: replacing operations until only legal ones remain. A failed conversion
//! changes nothing.
//!
//! A [`ConversionTarget`] defines which operations are legal. [`ConversionPattern`]s replace
//! illegal ones; the result of a pattern has to become legal as well, or the pattern is rolled back
//! and the next one is tried. If an operation cannot become legal, everything is rolled back and
//! the error names it. [`TypeConverter`]s give patterns their operands in converted types. Casts
//! (`builtin.unrealized_conversion_cast`) connect converted and unconverted values.
//!
//! `docs/rewriting.md` shows a conversion; `convert-scf-to-cf` is one.

mod casts;
mod legalizer;
mod log;
mod rewriter;
mod signature;
mod target;
mod types;

pub use casts::ReconcileUnrealizedCasts;
pub use legalizer::CONVERSION;
pub use rewriter::ConversionRewriter;
pub use signature::SignatureConversion;
pub use target::{ConversionTarget, Decide};
pub use types::{ConvertType, Materialize, TypeConverter};

use std::fmt;
use std::rc::Rc;

use orison_ir::pass::{
    IRStatus, ListedPattern, PassContext, PassFailure, PassResult, SourcePosition,
};
use orison_ir::{Declined, Diagnostic, Operation, Value};

use legalizer::{Legalizer, Outside};

/// Replaces an operation, given the converted values of each operand.
pub type Convert =
    Box<dyn Fn(&mut ConversionRewriter<'_>, Operation, &[Vec<Value>]) -> Result<(), Declined>>;

/// A pattern that replaces operations with a given name.
pub struct ConversionPattern {
    /// Unique name in kebab-case.
    pub name: &'static str,
    /// The name of the operations that it replaces.
    pub root: &'static str,
    /// A one-line description of the replacement.
    pub summary: &'static str,
    /// Patterns that need fewer rewrites until everything is legal are tried first, then those with
    /// a higher benefit, then by name.
    pub benefit: u16,
    /// The names of the operations that it creates.
    pub generates: &'static [&'static str],
    /// Whether it may be applied to what it creates, because its recursion terminates.
    pub has_bounded_recursion: bool,
    /// The type converter; `None` if operands are taken unconverted.
    pub converter: Option<Rc<TypeConverter>>,
    /// The source location of the declaration.
    pub position: SourcePosition,
    /// Applies the pattern. If it declines, its changes are rolled back.
    pub apply: Convert,
}

impl ConversionPattern {
    /// A pattern with a name and a root, and defaults otherwise.
    pub fn new(
        (name, root): (&'static str, &'static str),
        position: SourcePosition,
        apply: Convert,
    ) -> Self {
        ConversionPattern {
            name,
            root,
            summary: "",
            benefit: 1,
            generates: &[],
            has_bounded_recursion: false,
            converter: None,
            position,
            apply,
        }
    }

    /// The entry in lists of patterns.
    pub fn listed(&self) -> ListedPattern {
        ListedPattern {
            name: self.name,
            root: self.root,
            summary: self.summary,
            benefit: self.benefit,
            position: self.position,
        }
    }
}

impl fmt::Debug for ConversionPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConversionPattern")
            .field("name", &self.name)
            .field("root", &self.root)
            .field("benefit", &self.benefit)
            .finish_non_exhaustive()
    }
}

/// Which operations have to become legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConversionMode {
    /// All operations.
    Full,
    /// Operations that the target declares illegal.
    Partial,
}

/// Converts everything nested in the root operation of the pass.
///
/// # Errors
/// Fails if a required operation does not become legal; the IR is then unchanged.
pub fn convert(
    pass: &mut PassContext<'_>,
    mode: ConversionMode,
    target: &ConversionTarget,
    patterns: &[ConversionPattern],
) -> PassResult {
    let root = pass.op();
    let mut legalizer = Legalizer::new(target, patterns);
    std::mem::swap(&mut legalizer.trace, &mut pass.control.trace);
    let mut outside = Outside {
        control: &mut *pass.control,
        declined: Vec::new(),
    };
    let mut rewriter = ConversionRewriter::new(&mut *pass.context);
    rewriter.journal = legalizer.trace.is_on().then(String::new);
    let result = convert_all(
        &mut rewriter,
        &mut legalizer,
        &mut outside,
        mode,
        target,
        root,
    );
    let changed = rewriter.mark() > 0;
    match &result {
        Ok(()) => rewriter.commit(),
        Err(_) => rewriter.roll_back(0),
    }
    let declined = outside.declined;
    std::mem::swap(&mut legalizer.trace, &mut pass.control.trace);
    legalizer.report(pass);
    for (op, pattern, reason) in declined {
        if op.is_live(pass.context) {
            pass.declined(op, pattern, &reason, "");
        }
    }
    match result {
        Ok(()) => Ok(IRStatus::changed_if(changed)),
        Err(error) => Err(PassFailure::from(error)),
    }
}

fn convert_all(
    rewriter: &mut ConversionRewriter<'_>,
    legalizer: &mut Legalizer<'_>,
    outside: &mut Outside<'_>,
    mode: ConversionMode,
    target: &ConversionTarget,
    root: Operation,
) -> Result<(), Box<Diagnostic>> {
    for op in legalizer.collect(rewriter.ir(), root) {
        if rewriter.is_gone(op) || legalizer.legalize(rewriter, outside, op) {
            continue;
        }
        if let Some(pattern) = legalizer.forbidden_rollback {
            let message = format!("pattern '{pattern}' rollback of IR modifications requested");
            return Err(op.error(rewriter.ir(), message));
        }
        let name = op.name_text(rewriter.ir());
        let illegal = target.is_illegal(rewriter.ir(), op);
        let message = match mode {
            ConversionMode::Full => format!("failed to legalize operation '{name}'"),
            ConversionMode::Partial if illegal => {
                format!("failed to legalize operation '{name}' that was explicitly marked illegal")
            }
            ConversionMode::Partial => continue,
        };
        return Err(op.error(rewriter.ir(), message));
    }
    casts::resolve(rewriter, legalizer.patterns)?;
    if let Some(op) = rewriter.used_although_gone() {
        let message = "was erased, but its results are used after conversion";
        return Err(op.op_error(rewriter.ir(), message));
    }
    Ok(())
}

/// The operations nested in an operation that could become legal, as indices in a pre-order walk.
/// Nothing is changed.
pub fn analyze(
    pass: &mut PassContext<'_>,
    target: &ConversionTarget,
    patterns: &[ConversionPattern],
) -> Vec<Operation> {
    let root = pass.op();
    let mut legalizer = Legalizer::new(target, patterns);
    let mut outside = Outside {
        control: &mut *pass.control,
        declined: Vec::new(),
    };
    let mut rewriter = ConversionRewriter::new(&mut *pass.context);
    let mut legal = Vec::new();
    for op in legalizer.collect(rewriter.ir(), root) {
        // Operations nested in a replaced operation were erased with it, and need not be legal.
        if !rewriter.is_gone(op) && legalizer.legalize(&mut rewriter, &mut outside, op) {
            legal.push(op);
        }
    }
    rewriter.roll_back(0);
    legal
}
