//! `--verify-roundtrip-each`: printed IR is parsed as itself after each pass.

use super::{Event, Instrumentation, PassEnd};
use crate::parser::parse_single_operation;
use crate::{Context, Operation, PrintFlags, Source, print_to_string};

/// Checks after each pass that the printed IR, parsed and printed again, is the same text: in the
/// custom form, and in the generic form with locations.
#[derive(Clone, Debug)]
pub struct RoundTrip {
    /// Registers the dialects of the context that parses the text.
    register: fn(&mut Context),
    /// The violations: the pass and the first difference.
    pub problems: Vec<String>,
}

impl RoundTrip {
    /// A check that parses with these dialects.
    pub fn new(register: fn(&mut Context)) -> Self {
        RoundTrip {
            register,
            problems: Vec::new(),
        }
    }

    /// Prints an operation, parses the text, and prints it again.
    ///
    /// # Errors
    /// The first difference, or the errors of the parser.
    pub fn check(&self, context: &Context, op: Operation) -> Result<(), String> {
        let exact = PrintFlags {
            debug_info: true,
            ..PrintFlags::generic()
        };
        let mut other = Context::new();
        other.allow_unregistered_dialects(context.allows_unregistered_dialects());
        (self.register)(&mut other);
        for flags in [PrintFlags::default(), exact] {
            let printed = print_to_string(context, op, &flags);
            let again = reprint(&mut other, &printed, &flags)?;
            let mut lines = printed.lines().zip(again.lines());
            if let Some((first, second)) = lines.find(|(first, second)| first != second) {
                return Err(format!("'{first}' is printed again as '{second}'"));
            }
            if printed != again {
                return Err("the text is printed again with a different length".to_owned());
            }
        }
        Ok(())
    }
}

/// Parses a text and prints it again.
fn reprint(context: &mut Context, text: &str, flags: &PrintFlags) -> Result<String, String> {
    let source = Source {
        name: "printed.mlir",
        text,
        first_line: 1,
    };
    let parsed = parse_single_operation(context, source).and_then(|op| {
        context.verify(op)?;
        Ok(op)
    });
    match parsed {
        Ok(op) => Ok(print_to_string(context, op, flags)),
        Err(_) => {
            let errors = context.diagnostics.take();
            let errors = errors.iter().map(|error| error.render(context));
            Err(errors.collect())
        }
    }
}

impl Instrumentation for RoundTrip {
    fn after_pass(&mut self, event: &mut Event<'_>, end: PassEnd) {
        // Unchanged IR is that after the pass before.
        if end == PassEnd::Failed || end == PassEnd::Unchanged && event.number > 0 {
            return;
        }
        let mut root = event.op;
        while let Some(parent) = root.parent_op(event.context) {
            root = parent;
        }
        // Custom forms are defined only for valid IR.
        let valid = crate::verifier::verify(event.context, root).is_ok();
        if valid && let Err(problem) = self.check(event.context, root) {
            let name = event.pass.definition().name;
            self.problems.push(format!("after '{name}': {problem}"));
        }
    }
}
