//! Passes and their static definitions.

use std::fmt::Debug;

use super::{
    AnalysisKey, OptionDefinition, OptionError, PassContext, PassOptions, PassResult, Statistic,
};

/// A pass. `Self` is one instance with its options; it is cloned for each occurrence in a pipeline.
pub trait Pass: Clone + Debug + 'static {
    /// The typed options; `()` for none.
    type Options: PassOptions;

    /// Name, documentation and other properties; start from [`PassDefinition::new`].
    const DEFINITION: PassDefinition;

    /// Creates the pass with these options.
    fn create(options: Self::Options) -> Self;

    /// The options it was created with.
    fn options(&self) -> &Self::Options;

    /// Runs the pass on [`PassContext::op`] and its contents.
    ///
    /// # Errors
    /// If the IR cannot be compiled; the IR must still be valid.
    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult;
}

/// The operations that a pass or a pipeline runs on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Anchor {
    /// Every operation that is isolated from above.
    Any,
    /// Operations with this name.
    Op(&'static str),
}

/// A line of source code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourcePosition {
    /// Source file.
    pub file: &'static str,
    /// Line.
    pub line: u32,
}

/// The line of source code that contains the invocation.
#[macro_export]
macro_rules! source_position {
    () => {
        $crate::pass::SourcePosition {
            file: file!(),
            line: line!(),
        }
    };
}

/// Creates a pass from the values of options, as text.
pub type CreatePass = fn(&[(String, String)]) -> Result<Box<dyn ErasedPass>, OptionError>;

/// The static definition of a pass.
#[derive(Debug)]
pub struct PassDefinition {
    /// The name in pipelines, in kebab-case.
    pub name: &'static str,
    /// Documentation in Markdown; the first line is the summary.
    pub documentation: &'static str,
    /// The operations it runs on.
    pub anchor: Anchor,
    /// Options.
    pub options: &'static [OptionDefinition],
    /// The counters of the pass.
    pub statistics: &'static [Statistic],
    /// Analyses that must not be lost: if one was available and an earlier pass changed the IR
    /// without preserving it, this pass is refused.
    pub needs_preserved: &'static [AnalysisKey],
    /// The position of the declaration.
    pub position: SourcePosition,
    /// Creates the pass from the values of options, as text.
    pub create: CreatePass,
}

impl PassDefinition {
    /// The definition of a pass on any operation, without statistics.
    pub const fn new<P: Pass>(
        name: &'static str,
        documentation: &'static str,
        position: SourcePosition,
    ) -> Self {
        PassDefinition {
            name,
            documentation,
            anchor: Anchor::Any,
            options: P::Options::DEFINITIONS,
            statistics: &[],
            needs_preserved: &[],
            position,
            create: create::<P>,
        }
    }

    /// Restricts the pass to operations of one name.
    #[must_use]
    pub const fn on(mut self, name: &'static str) -> Self {
        self.anchor = Anchor::Op(name);
        self
    }

    /// Sets the statistics.
    #[must_use]
    pub const fn with_statistics(mut self, statistics: &'static [Statistic]) -> Self {
        self.statistics = statistics;
        self
    }

    /// Sets the analyses that earlier passes must preserve.
    #[must_use]
    pub const fn needing_preserved(mut self, analyses: &'static [AnalysisKey]) -> Self {
        self.needs_preserved = analyses;
        self
    }

    /// The first line of the documentation.
    pub fn summary(&self) -> &'static str {
        self.documentation.trim().lines().next().unwrap_or_default()
    }
}

fn create<P: Pass>(values: &[(String, String)]) -> Result<Box<dyn ErasedPass>, OptionError> {
    Ok(Box::new(P::create(P::Options::of(values)?)))
}

/// A type-erased pass. Implemented for every [`Pass`].
pub trait ErasedPass: Debug {
    /// The static definition.
    fn definition(&self) -> &'static PassDefinition;
    /// The options as text, in definition order; unset options are left out.
    fn option_texts(&self) -> Vec<(&'static str, String)>;
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn ErasedPass>;
    /// Runs the pass.
    ///
    /// # Errors
    /// If the IR cannot be compiled.
    fn run_erased(&mut self, pass: &mut PassContext<'_>) -> PassResult;
}

impl<P: Pass> ErasedPass for P {
    fn definition(&self) -> &'static PassDefinition {
        &P::DEFINITION
    }

    fn option_texts(&self) -> Vec<(&'static str, String)> {
        let options = self.options();
        P::Options::DEFINITIONS
            .iter()
            .filter_map(|definition| Some((definition.name, options.get(definition.name)?)))
            .collect()
    }

    fn boxed_clone(&self) -> Box<dyn ErasedPass> {
        Box::new(self.clone())
    }

    fn run_erased(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        self.run(pass)
    }
}

impl Clone for Box<dyn ErasedPass> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}
