//! `--mlir-print-ir-before` and related options.

use rustc_hash::FxHashMap;

use super::{Event, Instrumentation, IrTree, PassEnd};
use crate::{Context, Operation, PrintFlags, print_to_string};

/// A selection of passes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum PassSelection {
    /// No passes.
    #[default]
    None,
    /// All passes.
    All,
    /// The passes with these names.
    Named(Vec<String>),
}

impl PassSelection {
    fn contains(&self, name: &str) -> bool {
        match self {
            PassSelection::None => false,
            PassSelection::All => true,
            PassSelection::Named(names) => names.iter().any(|wanted| wanted == name),
        }
    }
}

/// Prints the IR before and after passes.
#[derive(Clone, Debug, Default)]
pub struct IrPrinting {
    /// The passes before which the IR is printed.
    pub before: PassSelection,
    /// The passes after which the IR is printed.
    pub after: PassSelection,
    /// Print after a pass only if it changed the IR.
    pub only_after_change: bool,
    /// Print after a pass only if it failed.
    pub only_after_failure: bool,
    /// Always print the outermost operation.
    pub module_scope: bool,
    /// Printing flags.
    pub flags: PrintFlags,
    /// The directory for files; `None` to write to the log.
    pub tree: Option<IrTree>,
    /// The text before a pass, to detect changes.
    texts: FxHashMap<Operation, String>,
}

/// The header of the IR after a failed pass.
const FAILED: &str = "After Failed";

impl IrPrinting {
    /// Prints before and after these passes.
    pub fn new(before: PassSelection, after: PassSelection) -> Self {
        IrPrinting {
            before,
            after,
            ..IrPrinting::default()
        }
    }

    /// Whether anything is printed.
    pub fn is_on(&self) -> bool {
        self.before != PassSelection::None || self.after != PassSelection::None
    }

    fn show(&mut self, event: &mut Event<'_>, when: &str) {
        let context = &*event.context;
        let name = event.pass.definition().name;
        let mut text = format!("// -----// IR Dump {when} {name}");
        let mut shown = event.op;
        if self.module_scope {
            shown = outermost(context, event.op);
            if shown != event.op {
                text.push_str(&description(context, event.op));
            }
        }
        text.push_str(" //----- //\n");
        let mut flags = self.flags.clone();
        // Invalid IR left by a failed pass is printed in generic form.
        flags.generic |= when == FAILED && crate::verifier::verify(context, shown).is_err();
        text.push_str(&print_to_string(context, shown, &flags));
        text.push('\n');
        if shown.parent_op(context).is_none() && !flags.local_scope {
            // As in MLIR, which prints an empty line after output that may contain aliases.
            text.push('\n');
        }
        match &mut self.tree {
            Some(tree) => tree.write(event, &text),
            None => event.log.write(event.context, &text),
        }
    }
}

fn outermost(context: &Context, op: Operation) -> Operation {
    op.ancestors(context).last().unwrap_or(op)
}

/// ` ('func.func' operation: @name)`.
fn description(context: &Context, op: Operation) -> String {
    let name = op.name_text(context);
    match op.symbol_name(context) {
        Some(symbol) => format!(" ('{name}' operation: @{symbol})"),
        None => format!(" ('{name}' operation)"),
    }
}

impl Instrumentation for IrPrinting {
    fn before_pass(&mut self, event: &mut Event<'_>) {
        let name = event.pass.definition().name;
        if self.before.contains(name) {
            self.show(event, "Before");
        }
        if self.only_after_change && self.after.contains(name) {
            let text = print_to_string(event.context, event.op, &PrintFlags::generic());
            self.texts.insert(event.op, text);
        }
    }

    fn after_pass(&mut self, event: &mut Event<'_>, end: PassEnd) {
        let before = self.texts.remove(&event.op);
        if !self.after.contains(event.pass.definition().name) {
            return;
        }
        let failed = end == PassEnd::Failed;
        if self.only_after_failure && !failed {
            return;
        }
        if self.only_after_change && !failed {
            let text = print_to_string(event.context, event.op, &PrintFlags::generic());
            if before == Some(text) {
                return;
            }
        }
        self.show(event, if failed { FAILED } else { "After" });
    }
}
