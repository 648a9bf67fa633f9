//! Dialect conversion: replacing operations until only legal ones are left, or nothing at all.
//!
//! A [`ConversionTarget`] says which operations are legal. [`ConversionPattern`]s replace those that
//! are not; what a pattern makes has to become legal, too, or the pattern is undone and the next one
//! is tried. When an operation cannot become legal, everything is undone and the error names it.
//! [`TypeConverter`]s give patterns their operands in converted types, and casts
//! (`builtin.unrealized_conversion_cast`) stand between what is converted and what is not yet.
//!
//! `docs/rewriting.md` shows a conversion; `convert-scf-to-cf` is one.

mod casts;
mod legalizer;
mod log;
mod rewriter;
mod target;
mod types;

pub use casts::ReconcileUnrealizedCasts;
pub use legalizer::CONVERSION;
pub use rewriter::ConversionRewriter;
pub use target::{ConversionTarget, Decide};
pub use types::{ConvertType, Materialize, SignatureConversion, TypeConverter};

use std::fmt;
use std::rc::Rc;

use orison_ir::pass::{
    IRStatus, ListedPattern, PassContext, PassFailure, PassResult, SourcePosition,
};
use orison_ir::{Declined, Diagnostic, Operation, Value};

use legalizer::{Legalizer, Outside};

/// Replaces an operation, given for each operand the values that it was converted to.
pub type Convert =
    Box<dyn Fn(&mut ConversionRewriter<'_>, Operation, &[Vec<Value>]) -> Result<(), Declined>>;

/// Replaces operations with a name.
pub struct ConversionPattern {
    /// Unique name in kebab-case.
    pub name: &'static str,
    /// The name of the operations it replaces.
    pub root: &'static str,
    /// One line: what becomes what.
    pub summary: &'static str,
    /// Patterns that need fewer rewrites until all is legal are tried first, then those with a
    /// higher benefit, then by name.
    pub benefit: u16,
    /// The names of the operations that it creates.
    pub generates: &'static [&'static str],
    /// Whether it may be applied to what it creates, because that ends by itself.
    pub has_bounded_recursion: bool,
    /// What becomes of types; none where operands are taken as they are.
    pub converter: Option<Rc<TypeConverter>>,
    /// Where it is declared.
    pub position: SourcePosition,
    /// Applies it. What it has changed when it declines is undone.
    pub apply: Convert,
}

impl ConversionPattern {
    /// A pattern with a name and a root, of which nothing else is said.
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

    /// What lists of patterns show of it.
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

/// What has to become legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConversionMode {
    /// Everything.
    Full,
    /// What the target says is illegal.
    Partial,
}

/// Converts everything inside the operation the pass runs on.
///
/// # Errors
/// When something that has to become legal does not; the IR is what it was then.
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
    casts::resolve(rewriter)?;
    if let Some(op) = rewriter.used_although_gone() {
        let message = "was erased, but its results are used after conversion";
        return Err(op.op_error(rewriter.ir(), message));
    }
    Ok(())
}

/// The operations inside an operation that could become legal, as numbers in the order of a walk
/// that visits operations before what is in them. Nothing is changed.
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
        // What is in an operation that was replaced went with it, and did not have to be legal.
        if !rewriter.is_gone(op) && legalizer.legalize(&mut rewriter, &mut outside, op) {
            legal.push(op);
        }
    }
    rewriter.roll_back(0);
    legal
}
