//! Induction variables, exits, and iteration distances of memory accesses.

use orison_ir::analyses::{ControlFlowGraph, LoopForest};
use orison_ir::pass::PassContext;
use orison_ir::printer::attribute_to_string;
use orison_ir::{Context, Keyword, Operation, Value};
use orison_ori::analyses::induction::{
    Affine, CountedExit, Distance, Loop, LoopInductions, TripCount, distance,
};
use orison_ori::analyses::linear::{LinearForm, Root};
use orison_ori::analyses::{Inductions, memory};

use super::{Lines, WINDOW, name};
use crate::ori::functions::Function;

/// The lines for the loops of a function.
pub(super) fn show(pass: &mut PassContext<'_>, function: Function) -> Lines {
    let flow = pass.analysis_of::<ControlFlowGraph>(function.op);
    let forest = pass.analysis_of::<LoopForest>(function.op);
    let inductions = pass.analysis_of::<Inductions>(function.op);
    let context = &*pass.context;
    let mut lines = Lines::new();
    for (number, natural) in forest.loops().iter().enumerate() {
        let around = Loop {
            context,
            flow: &flow,
            natural,
        };
        let own = inductions.at(number);
        let mut tell = |op, line| lines.push((op, format!("loop {number}: {line}")));
        tell(function.op, summary(own));
        for variable in &own.variables {
            let start = variable.start.as_ref();
            let start = start.map_or("?".to_owned(), |start| text(&around, start));
            let root = root(&around, variable.variable);
            let step = text(&around, &variable.step);
            tell(function.op, format!("{root} = {start} + k * ({step})"));
        }
        for exit in &own.exits {
            if let Some(counted) = &exit.counted {
                tell(exit.branch, stays(&around, counted));
            }
        }
        for (op, line) in distances(&around, own, |block| {
            forest.innermost(block) == Some(number)
        }) {
            tell(op, line);
        }
    }
    lines
}

fn summary(own: &LoopInductions) -> String {
    let mut line = match own.trip_count {
        TripCount::Constant(count) => format!("trip count {count}"),
        TripCount::AtMost(count) => format!("trip count at most {count}"),
        TripCount::Symbolic => "symbolic trip count".to_owned(),
        TripCount::Unknown => "unknown trip count".to_owned(),
    };
    if own.is_convergent {
        line.push_str("; convergent");
    }
    if own.may_end {
        line.push_str("; threads may end");
    }
    line
}

fn stays(around: &Loop<'_>, exit: &CountedExit) -> String {
    let sign = if exit.stays.is_signed { 's' } else { 'u' };
    let Affine { start, step } = &exit.counter;
    let taken = exit.iteration.map_or(String::new(), |iteration| {
        format!("; is left in iteration {iteration}")
    });
    format!(
        "runs while {} + k * ({}) {}.{sign}{} {}{taken}",
        text(around, start),
        text(around, step),
        exit.stays.compare.keyword(),
        exit.stays.bits,
        text(around, &exit.bound),
    )
}

fn value(around: &Loop<'_>, value: Value) -> String {
    name(around.context, around.flow, value)
}

fn root(around: &Loop<'_>, root: Root) -> String {
    let context: &Context = around.context;
    match root {
        Root::Value(one) => value(around, one),
        Root::Pair(low, high) => format!("{}:{}", value(around, high), value(around, low)),
        Root::Signed(word) => format!("signed {}", value(around, word)),
        Root::Unsigned(word) => format!("unsigned {}", value(around, word)),
        Root::Bank(bank, offset) => format!("c[{bank}][{offset}]"),
        Root::Symbol(name) | Root::Slot(name) => attribute_to_string(context, name),
    }
}

fn text(around: &Loop<'_>, sum: &LinearForm) -> String {
    let terms = sum.terms().iter().map(|(one, factor)| match factor {
        1 => root(around, *one),
        _ => format!("{factor} * {}", root(around, *one)),
    });
    let mut terms: Vec<String> = terms.collect();
    if sum.offset() != 0 || terms.is_empty() {
        terms.push(sum.offset().to_string());
    }
    terms.join(" + ")
}

/// The distances between accesses of the loop itself, of which one writes.
fn distances(
    around: &Loop<'_>,
    own: &LoopInductions,
    is_own: impl Fn(u32) -> bool,
) -> Vec<(Operation, String)> {
    let context = around.context;
    let blocks = around
        .natural
        .blocks
        .iter()
        .copied()
        .filter(|block| is_own(*block));
    let operations = blocks.flat_map(|block| around.flow.block(block).operations(context));
    let accesses = operations.flat_map(|op| {
        let found = memory::accesses(context, op).into_iter();
        found.map(move |access| (op, access))
    });
    let accesses: Vec<_> = accesses.collect();
    let mut lines = Vec::new();
    for (number, (op, access)) in accesses.iter().enumerate() {
        for (before, first) in &accesses[number.saturating_sub(WINDOW)..=number] {
            if !first.writes && !access.writes {
                continue;
            }
            let apart = match distance(around, own, first, access) {
                Distance::Never => "never".to_owned(),
                Distance::Between(least, most) => format!("{least} to {most}"),
                Distance::Any => "any".to_owned(),
            };
            let before = before.name_text(context);
            lines.push((*op, format!("distance from '{before}': {apart}")));
        }
    }
    lines
}
