//! Helpers shared by the tests: a context, parsing with errors as text, a small rewrite driver.

#![allow(dead_code)]

use orison_ir::declare::{Effects, Trait};
use orison_ir::walk::{collect, collect_post_order};
use orison_ir::{
    Builder, Context, Diagnostic, Operation, PrintFlags, Rewriter, Source, parse_source,
    print_to_string,
};
use orison_tileas::NV_TILEAS_RULES;

/// A context with host and tile dialects.
pub fn context() -> Context {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_tileas::register(&mut context);
    context
}

/// Parses and verifies; errors are in the diagnostics of the context.
pub fn load(context: &mut Context, text: &str, first_line: u32) -> Option<Operation> {
    let source = Source {
        name: "test.mlir",
        text,
        first_line,
    };
    let module = parse_source(context, source).ok()?;
    context.verify(module).ok().map(|()| module)
}

/// All reported diagnostics, as text.
pub fn messages(context: &mut Context) -> String {
    let all: Vec<Diagnostic> = context.diagnostics.take();
    all.iter().map(|one| one.render(context)).collect()
}

/// Parses, verifies and prints.
pub fn print(text: &str, flags: &PrintFlags) -> String {
    let mut context = context();
    let module = load(&mut context, text, 1);
    let messages = messages(&mut context);
    assert!(messages.is_empty(), "{messages}\nin\n{text}");
    print_to_string(&context, module.expect("no errors"), flags)
}

/// Applies all rules and erases dead operations up to a fixed point.
pub fn canonicalize(context: &mut Context, module: Operation, disabled: &[&str]) {
    for _ in 0..100 {
        let mut changed = false;
        for op in collect(context, module) {
            changed |= op.is_live(context) && apply_rules(context, op, disabled);
        }
        for op in collect_post_order(context, module) {
            changed |= op != module && op.is_live(context) && erase_dead(context, op);
        }
        if !changed {
            return;
        }
    }
    panic!("the rules do not come to an end");
}

fn apply_rules(context: &mut Context, op: Operation, disabled: &[&str]) -> bool {
    let name = op.name_text(context).to_owned();
    let declared = op.definition(context).map_or(&[][..], |d| d.rules);
    let rules: Vec<_> = declared.iter().chain(NV_TILEAS_RULES).collect();
    for rule in rules {
        let fits = rule.root == name && !disabled.contains(&rule.name);
        if !fits || !op.is_live(context) {
            continue;
        }
        let before = print_to_string(context, op, &PrintFlags::generic());
        let mut rewriter = Rewriter::new(Builder::new(context));
        match (rule.apply)(&mut rewriter, op) {
            Ok(()) => return true,
            Err(declined) => {
                assert!(!declined.0.is_empty(), "{} gives no reason", rule.name);
                let after = print_to_string(context, op, &PrintFlags::generic());
                assert_eq!(before, after, "{} declined but changed", rule.name);
            }
        }
    }
    false
}

fn erase_dead(context: &mut Context, op: Operation) -> bool {
    let effects = op
        .definition(context)
        .map_or(Effects::Unknown, |d| d.effects);
    let pure = matches!(effects, Effects::None | Effects::Allocate);
    let dead = pure && op.is_unused(context) && !op.has_trait(context, Trait::Terminator);
    if dead {
        op.erase(context);
    }
    dead
}
