//! `.pragma`: hints to the compiler.
//!
//! Hints about loops and block frequencies are kept as the discardable attribute `ori.pragmas`, on
//! the function or on the operation that ends their block; in PTX that is the header of the loop.

use orison_ir::{Attribute, Context, OperationState};

use super::locations::Source;
use crate::ptx::Place;
use crate::ptx::ast::{FunctionDirective, Item, Module, Statement, StatementKind};

/// The hints that are kept.
const KEPT: [&str; 3] = ["nounroll", "unroll", "frequency"];

/// Hints about one load or about spills, which do not affect the import.
const DROPPED: [&str; 2] = ["used_bytes_mask", "enable_smem_spilling"];

/// The keyword of a hint.
fn name(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// Adds hints as an attribute of an operation.
pub(super) fn keep(context: &mut Context, state: &mut OperationState, texts: &[&str]) {
    let kept = texts.iter().filter(|text| KEPT.contains(&name(text)));
    let kept: Vec<_> = kept.map(|text| Attribute::string(context, text)).collect();
    if !kept.is_empty() {
        let kept = Attribute::array(context, &kept);
        state.attributes = state.attributes.with(context, "ori.pragmas", kept);
    }
}

/// Warns of unknown hints, and of hints where they are not kept.
pub(super) fn warn(context: &mut Context, source: &Source<'_>, module: &Module<'_>) {
    for (item, place) in module.items.iter().zip(&module.places) {
        match item {
            Item::Pragma(texts) => {
                for text in texts {
                    let message = format!("ignoring module pragma '{text}'");
                    let location = source.place(context, *place);
                    context.warning(location, message);
                }
            }
            Item::Function(function) => {
                for directive in &function.directives {
                    if let FunctionDirective::Pragma(texts) = directive {
                        unknown(context, source, function.place, texts);
                    }
                }
                statements(
                    context,
                    source,
                    function.body.as_deref().unwrap_or_default(),
                );
            }
            _ => {}
        }
    }
}

fn statements(context: &mut Context, source: &Source<'_>, all: &[Statement<'_>]) {
    for statement in all {
        match &statement.kind {
            StatementKind::Pragma(texts) => unknown(context, source, statement.place, texts),
            StatementKind::Block(inner) => statements(context, source, inner),
            _ => {}
        }
    }
}

fn unknown(context: &mut Context, source: &Source<'_>, place: Place, texts: &[&str]) {
    for text in texts {
        let name = name(text);
        if !KEPT.contains(&name) && !DROPPED.contains(&name) {
            let location = source.place(context, place);
            context.warning(location, format!("ignoring unknown pragma '{text}'"));
        }
    }
}
