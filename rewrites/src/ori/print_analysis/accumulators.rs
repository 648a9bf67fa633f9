//! The registers of products of warp groups.

use orison_ir::pass::PassContext;

use super::Lines;
use crate::ori::functions::Function;
use crate::ori::matrix_registers::{FIRST, KEPT_FREE, MatrixRegisters, RegisterLimit, Shortage};

/// The lines for a function: whether the registers suffice, then what each product, stage and
/// accumulator needs.
pub(super) fn show(pass: &mut PassContext<'_>, function: Function) -> Lines {
    let registers = pass.analysis_of::<MatrixRegisters>(function.op);
    let limit = RegisterLimit::of(pass.context, function.op, None);
    let Some(largest) = registers.largest() else {
        return Lines::new();
    };
    let verdict = match registers.check(limit) {
        Ok(()) => "they fit".to_owned(),
        Err(shortage) => {
            let what = match shortage {
                Shortage::Overlap => "an accumulator must be copied",
                Shortage::Stage(_) => "a stage does not fit",
                Shortage::Function(_) => "those that live together do not fit",
            };
            format!("{}: {what}", shortage.code())
        }
    };
    let summary = format!(
        "accumulators and factors: {} registers together, at least {} for one product, of {}; the \
         first is R{FIRST}, {KEPT_FREE} are kept free; {verdict}",
        registers.together(limit),
        largest.least_limit(),
        limit.registers,
    );
    let mut lines = vec![(function.op, summary)];
    for product in registers.products() {
        let fits = match product.least_limit() <= limit.registers {
            true => "fits",
            false => "7602: does not fit",
        };
        let (own, live) = (product.own, product.live);
        let line = format!("product of {own} registers, {live} live; alone it {fits}");
        lines.push((product.op, line));
    }
    for stage in registers.stages() {
        let fits = match stage.fits(limit) {
            true => "fits",
            false => "does not fit",
        };
        let line = format!("stage of {} registers: {fits}", stage.registers);
        lines.push((stage.op, line));
    }
    for range in registers.live_ranges() {
        let (number, words) = (range.accumulator.0, range.words);
        let line = |verb: &str| format!("accumulator {number} of {words} registers {verb}");
        lines.extend(range.starts.iter().map(|op| (*op, line("starts"))));
        lines.extend(range.ends.iter().map(|op| (*op, line("may end"))));
    }
    lines
}
