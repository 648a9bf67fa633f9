//! The drawing as SVG, with the data of each mark as its title.

use std::fmt::Write;

use super::drawing::{Drawing, STYLE, escape, number};
use super::{LoopReport, ReportedOperation, ticks};

/// Width of the picture, in pixels.
const WIDTH: f64 = 960.0;
/// Start of the axes.
const LEFT: f64 = 150.0;
/// End of the axes.
const RIGHT: f64 = 936.0;
/// Height of a row of the reservation table and of the rings.
const ROW: f64 = 26.0;
/// Number of colours; further operations reuse them.
const COLOURS: usize = 8;
/// Maximum number of operations with a separate hover rule.
const POINTED: usize = 64;

/// The drawing of a loop.
struct Canvas<'r> {
    report: &'r LoopReport,
    drawing: Drawing,
}

/// A horizontal axis in cycles.
#[derive(Clone, Copy)]
struct Axis {
    cycles: f64,
}

impl Axis {
    fn x(self, cycle: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * (cycle / self.cycles).clamp(0.0, 1.0)
    }
}

/// The drawing of a loop as a separate document.
pub fn render(report: &LoopReport) -> String {
    let (body, height) = draw(report);
    let mut out = String::new();
    let title = escape(&report.title);
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"schedule\" viewBox=\"0 0 {WIDTH} {0}\" \
         width=\"{WIDTH}\" height=\"{0}\" role=\"img\" aria-labelledby=\"t d\">\n\
         <title id=\"t\">Schedule of {title}</title>\n<desc id=\"d\">{1}</desc>\n<style>{STYLE}{2}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"var(--ground)\"/>\n",
        number(height),
        escape(&summary(report)),
        pointing(report),
    );
    out.push_str(&body);
    out.push_str("</svg>\n");
    out
}

/// A one-sentence summary of the drawing.
pub(super) fn summary(report: &LoopReport) -> String {
    let certainty = if report.proven {
        "proven minimal"
    } else {
        "not proven minimal"
    };
    let executed = match report.executed.as_str() {
        "" => String::new(),
        executed => format!("; executed: {executed}"),
    };
    format!(
        "initiation interval {} ({certainty}), {} {}, {} {}, by the {} generator{executed}",
        report.interval,
        report.stages,
        if report.stages == 1 {
            "stage"
        } else {
            "stages"
        },
        report.operations.len(),
        if report.operations.len() == 1 {
            "operation"
        } else {
            "operations"
        },
        report.generator
    )
}

/// Style rules that dim the marks of all other operations on hover.
pub(super) fn pointing(report: &LoopReport) -> String {
    let mut rules = String::new();
    for at in 0..report.operations.len().min(POINTED) {
        let _ = write!(
            rules,
            ".schedule:has(.o{at}:hover) .mark:not(.o{at}),.schedule:has(.o{at}:focus) .mark:not(.o{at}){{opacity:.18}}"
        );
    }
    rules
}

/// The marks of a loop and their total height.
pub(super) fn draw(report: &LoopReport) -> (String, f64) {
    let mut canvas = Canvas {
        report,
        drawing: Drawing::new(34.0),
    };
    canvas
        .drawing
        .text(16.0, canvas.drawing.y, "title", &report.title);
    canvas.drawing.y += 21.0;
    let summary = summary(report);
    canvas
        .drawing
        .text(16.0, canvas.drawing.y, "faint", &summary);
    canvas.drawing.y += 16.0;
    canvas.legend();
    canvas.bounds();
    canvas.table();
    canvas.iterations();
    canvas.rings();
    (canvas.drawing.body, canvas.drawing.y + 8.0)
}

impl Canvas<'_> {
    /// Labels of cycles at the top, and lines down to `bottom`.
    fn axis(&mut self, axis: Axis, bottom: f64) {
        let cycles = axis.cycles as i64;
        self.drawing.y += 12.0;
        for cycle in ticks(cycles, self.report.interval, 12) {
            let x = axis.x(cycle as f64);
            let turn = cycle % i64::from(self.report.interval.max(1)) == 0;
            self.drawing
                .text(x, self.drawing.y, "faint middle", &cycle.to_string());
            let class = if turn { "turn" } else { "grid" };
            self.drawing.line(
                class,
                (x, self.drawing.y + 4.0),
                (x, self.drawing.y + 8.0 + bottom),
            );
        }
        self.drawing.y += 8.0;
    }

    /// A bar of an operation: solid while slots are held, faint for the rest of its latency.
    fn bar(&mut self, operation: usize, place: [f64; 4], solid: f64, title: &str) {
        let [x, y, width, height] = place;
        let colour = format!("var(--c{})", operation % COLOURS);
        let _ = writeln!(
            self.drawing.body,
            "<g class=\"mark o{operation}\" tabindex=\"-1\"><title>{}</title>",
            escape(title)
        );
        let radius = (height / 6.0).min(3.0);
        let width = (width - 1.0).max(0.5);
        if solid < width {
            self.drawing
                .rect(&colour, "wait", [x, y, width, height], radius);
        }
        self.drawing
            .rect(&colour, "", [x, y, solid.min(width), height], radius);
        let letter = LoopReport::letter(operation);
        if solid.min(width) >= 9.0 * letter.len() as f64 && height >= 12.0 {
            let _ = writeln!(
                self.drawing.body,
                "<text x=\"{}\" y=\"{}\">{letter}</text>",
                number(x + solid.min(width) / 2.0),
                number(y + height / 2.0 + 4.2)
            );
        }
        self.drawing.body.push_str("</g>\n");
    }

    fn legend(&mut self) {
        let mut x = 16.0;
        self.drawing.y += 8.0;
        for (at, op) in self.report.operations.iter().enumerate() {
            let width = 32.0 + 7.6 * op.name.chars().count() as f64;
            if x + width > RIGHT && x > 16.0 {
                x = 16.0;
                self.drawing.y += 22.0;
            }
            self.bar(at, [x, self.drawing.y, 19.0, 16.0], 18.0, &describe(op, at));
            self.drawing
                .text(x + 24.0, self.drawing.y + 12.5, "", &op.name);
            x += width + 10.0;
        }
        self.drawing.y += 16.0;
    }

    fn bounds(&mut self) {
        let report = self.report;
        self.drawing
            .head("What bounds the interval", "lower bounds, in cycles");
        let most = report.bounds.iter().map(|bound| bound.cycles).max();
        let most = f64::from(most.unwrap_or(1).max(report.interval));
        let end = RIGHT - 260.0;
        let x = |cycles: u32| LEFT + (end - LEFT) * f64::from(cycles) / most;
        let top = self.drawing.y;
        for bound in &report.bounds {
            let tight = bound.cycles == report.interval;
            let colour = if tight { "var(--text)" } else { "var(--faint)" };
            self.drawing
                .text(LEFT - 10.0, self.drawing.y + 14.0, "end", &bound.name);
            let width = (x(bound.cycles) - LEFT).max(1.5);
            let _ = writeln!(
                self.drawing.body,
                "<g><title>{}: {} cycles, {}</title>",
                escape(&bound.name),
                bound.cycles,
                escape(&bound.meaning)
            );
            self.drawing
                .rect(colour, "", [LEFT, self.drawing.y + 3.0, width, 14.0], 3.0);
            self.drawing.body.push_str("</g>\n");
            let text = bound.cycles.to_string();
            self.drawing
                .text(LEFT + width + 7.0, self.drawing.y + 14.5, "over", &text);
            self.drawing
                .text(end + 40.0, self.drawing.y + 14.5, "faint", &bound.meaning);
            self.drawing.y += 21.0;
        }
        let at = x(report.interval);
        self.drawing
            .line("turn", (at, top), (at, self.drawing.y + 2.0));
        let label = format!("interval {}", report.interval);
        self.drawing
            .text(at, self.drawing.y + 14.0, "faint middle", &label);
        self.drawing.y += 14.0;
    }

    fn table(&mut self) {
        let report = self.report;
        let remark = "slot by cycle modulo the interval: slots held in every iteration";
        self.drawing.head("Reservation table", remark);
        let axis = Axis {
            cycles: f64::from(report.interval.max(1)),
        };
        let height = ROW * report.slots.len() as f64;
        self.axis(axis, height);
        for (row, slot) in report.slots.iter().enumerate() {
            let y = self.drawing.y + ROW * row as f64;
            if row % 2 == 0 {
                self.drawing
                    .rect("var(--band)", "", [LEFT, y, RIGHT - LEFT, ROW], 0.0);
            }
            self.drawing.text(LEFT - 10.0, y + 17.5, "end", slot);
        }
        for piece in report.reservations() {
            let op = &report.operations[piece.operation];
            let (from, to) = (axis.x(f64::from(piece.from)), axis.x(f64::from(piece.to)));
            let y = self.drawing.y + ROW * piece.slot as f64 + 3.0;
            let title = format!(
                "{}\nholds {} in cycles {} to {} of every interval",
                describe(op, piece.operation),
                report.slots[piece.slot],
                piece.from,
                piece.to - 1
            );
            let place = [from + 0.5, y, to - from, ROW - 6.0];
            self.bar(piece.operation, place, to - from, &title);
        }
        self.drawing.y += height;
    }

    fn iterations(&mut self) {
        let report = self.report;
        let count = report.iterations_drawn();
        let remark = "one row per iteration; solid while slots are held, faint until the result is \
            available";
        self.drawing.head("Iterations overlap", remark);
        let interval = i64::from(report.interval);
        let cycles = report.cycles_drawn(count);
        let axis = Axis {
            cycles: cycles as f64,
        };
        let lanes = lanes(&report.operations);
        let depth = lanes.iter().max().map_or(1, |last| last + 1);
        let lane = (60.0 / depth as f64).clamp(3.0, 20.0);
        let row = lane * depth as f64 + 8.0;
        let (fill, drain) = report.phases(count);
        self.drawing.y += 6.0;
        let phases = [
            ("prologue", 0, fill, "var(--band)"),
            ("steady state", fill, drain, "var(--steady)"),
            ("epilogue", drain, cycles, "var(--band)"),
        ];
        let height = row * f64::from(count);
        for (name, from, to, fill) in phases {
            if from >= to {
                continue;
            }
            let (from, to) = (axis.x(from as f64), axis.x(to as f64));
            self.drawing.rect(
                fill,
                "",
                [from, self.drawing.y, to - from, height + 40.0],
                0.0,
            );
            self.drawing.text(
                f64::midpoint(from, to),
                self.drawing.y + 13.0,
                "faint middle",
                name,
            );
        }
        self.drawing.y += 14.0;
        self.axis(axis, height);
        for iteration in 0..count {
            let y = self.drawing.y + row * f64::from(iteration) + 4.0;
            let label = format!("iteration {iteration}");
            self.drawing
                .text(LEFT - 10.0, y + (row - 8.0) / 2.0 + 4.5, "end", &label);
            for (at, op) in report.operations.iter().enumerate() {
                let start = op.start + i64::from(iteration) * interval;
                let held = op.holds.iter().map(|hold| hold.duration).max();
                let x = axis.x(start as f64);
                let end = axis.x((start + i64::from(op.length())) as f64);
                let solid = axis.x((start + i64::from(held.unwrap_or(0))) as f64) - x;
                let title = format!(
                    "{}\niteration {iteration}: cycles {start} to {}",
                    describe(op, at),
                    start + i64::from(op.length())
                );
                let place = [x, y + lane * lanes[at] as f64, end - x, lane - 1.0];
                self.bar(at, place, solid, &title);
            }
        }
        self.drawing.y += height;
    }

    fn rings(&mut self) {
        let report = self.report;
        if report.rings.is_empty() {
            return;
        }
        let remark = match report.memory {
            Some((used, there)) => {
                format!("the iteration each slot holds; {used} of {there} bytes of shared memory")
            }
            None => "the iteration each slot holds".to_owned(),
        };
        self.drawing.head("Ring slots", &remark);
        let count = report.iterations_of_rings();
        let axis = Axis {
            cycles: report.cycles_drawn(count) as f64,
        };
        let shown = |slots: u32| slots.min(count);
        let rows: u32 = report.rings.iter().map(|ring| shown(ring.slots) + 1).sum();
        self.axis(axis, ROW * f64::from(rows) - 8.0);
        for ring in &report.rings {
            let label = format!(
                "{} slots of {} bytes at {}",
                ring.slots, ring.slot_bytes, ring.place
            );
            self.drawing
                .text(LEFT + 5.0, self.drawing.y + 14.0, "faint over", &label);
            self.drawing
                .text(LEFT - 10.0, self.drawing.y + 15.0, "end", &ring.name);
            self.drawing.y += ROW - 4.0;
            for slot in 0..shown(ring.slots) {
                self.ring_slot(axis, ring, slot, count);
                self.drawing.y += ROW;
            }
        }
    }

    fn ring_slot(&mut self, axis: Axis, ring: &super::ReportedRing, slot: u32, count: u32) {
        self.drawing.text(
            LEFT - 10.0,
            self.drawing.y + 16.0,
            "faint end",
            &format!("slot {slot}"),
        );
        let place = [LEFT, self.drawing.y + 2.0, RIGHT - LEFT, ROW - 4.0];
        self.drawing.rect("var(--band)", "", place, 3.0);
        for iteration in (slot..count).step_by(ring.slots.max(1) as usize) {
            let shift = i64::from(iteration) * i64::from(self.report.interval);
            let (from, to) = (ring.busy.0 + shift, ring.busy.1 + shift);
            let (x, end) = (axis.x(from as f64), axis.x(to as f64));
            let _ = writeln!(
                self.drawing.body,
                "<g class=\"mark\"><title>{} slot {slot} holds iteration {iteration}, cycles {from} to {to}</title>",
                escape(&ring.name)
            );
            let colour = if (iteration / ring.slots.max(1)).is_multiple_of(2) {
                "var(--c6)"
            } else {
                "var(--c3)"
            };
            let place = [x, self.drawing.y + 2.0, (end - x - 1.0).max(0.5), ROW - 4.0];
            self.drawing.rect(colour, "", place, 3.0);
            if end - x > 16.0 {
                let (middle, y) = (number(f64::midpoint(x, end)), number(self.drawing.y + 17.0));
                let _ = writeln!(
                    self.drawing.body,
                    "<text x=\"{middle}\" y=\"{y}\">{iteration}</text>"
                );
            }
            self.drawing.body.push_str("</g>\n");
        }
    }
}

/// Describes an operation and its timing.
pub(super) fn describe(op: &ReportedOperation, at: usize) -> String {
    format!(
        "{} {}: stage {}, order {}, start {}, latency {}",
        LoopReport::letter(at),
        op.name,
        op.stage,
        op.order,
        op.start,
        op.latency
    )
}

/// The lane of each operation, such that no two overlap in one iteration.
pub(super) fn lanes(operations: &[ReportedOperation]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..operations.len()).collect();
    order.sort_by_key(|at| (operations[*at].start, *at));
    let mut ends: Vec<i64> = Vec::new();
    let mut lanes = vec![0; operations.len()];
    for at in order {
        let op = &operations[at];
        let lane = ends.iter().position(|end| *end <= op.start);
        let lane = lane.unwrap_or_else(|| {
            ends.push(i64::MIN);
            ends.len() - 1
        });
        ends[lane] = op.start.saturating_add(i64::from(op.length()));
        lanes[at] = lane;
    }
    lanes
}
