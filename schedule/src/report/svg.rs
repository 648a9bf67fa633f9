//! The drawing as SVG, legible on light and dark backgrounds, with the data of each mark as its
//! title.

use std::fmt::Write;

use super::{LoopReport, ReportedOperation, ticks};

/// Width of the picture, in pixels.
const WIDTH: f64 = 960.0;
/// Start of the axes.
const LEFT: f64 = 150.0;
/// End of the axes.
const RIGHT: f64 = 936.0;
/// Height of a row of the reservation table and of the rings.
const ROW: f64 = 26.0;
/// Space between two drawings.
const GAP: f64 = 30.0;
/// Number of colours; further operations reuse them.
const COLOURS: usize = 8;
/// Maximum number of operations with a separate hover rule.
const POINTED: usize = 64;

/// Colours and fonts. Text and marks have a contrast of at least 4.5 to 1 on both backgrounds.
const STYLE: &str = "\
.schedule{--ground:#fff;--text:#1f2328;--faint:#59636e;--line:#d1d9e0;--band:#f6f8fa;--steady:#ddf4e4;\
--c0:#0969da;--c1:#bc4c00;--c2:#1a7f37;--c3:#8250df;--c4:#bf3989;--c5:#9a6700;--c6:#1b7c83;--c7:#cf222e;\
font:13px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}\
@media(prefers-color-scheme:dark){.schedule{--ground:#0d1117;--text:#e6edf3;--faint:#9198a1;--line:#3d444d;\
--band:#151b23;--steady:#12261e;--c0:#4493f8;--c1:#f0883e;--c2:#3fb950;--c3:#ab7df8;--c4:#db61a2;--c5:#d29922;\
--c6:#39c5cf;--c7:#f85149}}\
.schedule text,.schedule tspan{fill:var(--text);font-variant-numeric:tabular-nums}\
.schedule .faint{fill:var(--faint);font-size:11px;font-weight:400}\
.schedule .over{paint-order:stroke;stroke:var(--ground);stroke-width:5px;stroke-linejoin:round}\
.schedule .head{font-size:15px;font-weight:600}\
.schedule .title{font-size:19px;font-weight:650}\
.schedule .mark text{fill:var(--ground);font-weight:650;font-size:12px;text-anchor:middle;pointer-events:none}\
.schedule .grid{stroke:var(--line);stroke-width:1}\
.schedule .turn{stroke:var(--faint);stroke-width:1;stroke-dasharray:3 3}\
.schedule .mark{cursor:default;outline-offset:2px}\
.schedule .mark .wait{opacity:.32}\
.schedule .end{text-anchor:end}.schedule .middle{text-anchor:middle}";

/// A number without superfluous digits.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Text escaped for XML.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML permits no other control characters.
            control if control.is_control() && !matches!(control, '\n' | '\t') => {
                out.push('\u{fffd}');
            }
            other => out.push(other),
        }
    }
    out
}

/// A drawing that grows downwards.
struct Canvas<'r> {
    report: &'r LoopReport,
    body: String,
    y: f64,
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

/// The styles, for a page with several drawings.
pub(super) fn style() -> &'static str {
    STYLE
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
        body: String::new(),
        y: 34.0,
    };
    canvas.text(16.0, canvas.y, "title", &report.title);
    canvas.y += 21.0;
    let summary = summary(report);
    canvas.text(16.0, canvas.y, "faint", &summary);
    canvas.y += 16.0;
    canvas.legend();
    canvas.bounds();
    canvas.table();
    canvas.iterations();
    canvas.rings();
    (canvas.body, canvas.y + 8.0)
}

impl Canvas<'_> {
    fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        let _ = writeln!(
            self.body,
            "<text x=\"{}\" y=\"{}\" class=\"{class}\">{}</text>",
            number(x),
            number(y),
            escape(text)
        );
    }

    fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let _ = writeln!(
            self.body,
            "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
            number(from.0),
            number(from.1),
            number(to.0),
            number(to.1)
        );
    }

    fn rect(&mut self, fill: &str, class: &str, place: [f64; 4], radius: f64) {
        let [x, y, width, height] = place.map(number);
        let class = if class.is_empty() {
            String::new()
        } else {
            format!(" class=\"{class}\"")
        };
        let _ = writeln!(
            self.body,
            "<rect{class} x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{}\" fill=\"{fill}\"/>",
            number(radius)
        );
    }

    fn head(&mut self, text: &str, remark: &str) {
        self.y += GAP;
        let _ = writeln!(
            self.body,
            "<text x=\"16\" y=\"{}\" class=\"head\">{}<tspan class=\"faint\" dx=\"10\">{}</tspan></text>",
            number(self.y),
            escape(text),
            escape(remark)
        );
        self.y += 14.0;
    }

    /// Labels of cycles at the top, and lines down to `bottom`.
    fn axis(&mut self, axis: Axis, bottom: f64) {
        let cycles = axis.cycles as i64;
        self.y += 12.0;
        for cycle in ticks(cycles, self.report.interval, 12) {
            let x = axis.x(cycle as f64);
            let turn = cycle % i64::from(self.report.interval.max(1)) == 0;
            self.text(x, self.y, "faint middle", &cycle.to_string());
            let class = if turn { "turn" } else { "grid" };
            self.line(class, (x, self.y + 4.0), (x, self.y + 8.0 + bottom));
        }
        self.y += 8.0;
    }

    /// A bar of an operation: solid while slots are held, faint for the rest of its latency.
    fn bar(&mut self, operation: usize, place: [f64; 4], solid: f64, title: &str) {
        let [x, y, width, height] = place;
        let colour = format!("var(--c{})", operation % COLOURS);
        let _ = writeln!(
            self.body,
            "<g class=\"mark o{operation}\" tabindex=\"-1\"><title>{}</title>",
            escape(title)
        );
        let radius = (height / 6.0).min(3.0);
        let width = (width - 1.0).max(0.5);
        if solid < width {
            self.rect(&colour, "wait", [x, y, width, height], radius);
        }
        self.rect(&colour, "", [x, y, solid.min(width), height], radius);
        let letter = LoopReport::letter(operation);
        if solid.min(width) >= 9.0 * letter.len() as f64 && height >= 12.0 {
            let _ = writeln!(
                self.body,
                "<text x=\"{}\" y=\"{}\">{letter}</text>",
                number(x + solid.min(width) / 2.0),
                number(y + height / 2.0 + 4.2)
            );
        }
        self.body.push_str("</g>\n");
    }

    fn legend(&mut self) {
        let mut x = 16.0;
        self.y += 8.0;
        for (at, op) in self.report.operations.iter().enumerate() {
            let width = 32.0 + 7.6 * op.name.chars().count() as f64;
            if x + width > RIGHT && x > 16.0 {
                x = 16.0;
                self.y += 22.0;
            }
            self.bar(at, [x, self.y, 19.0, 16.0], 18.0, &describe(op, at));
            self.text(x + 24.0, self.y + 12.5, "", &op.name);
            x += width + 10.0;
        }
        self.y += 16.0;
    }

    fn bounds(&mut self) {
        let report = self.report;
        self.head("What bounds the interval", "lower bounds, in cycles");
        let most = report.bounds.iter().map(|bound| bound.cycles).max();
        let most = f64::from(most.unwrap_or(1).max(report.interval));
        let end = RIGHT - 260.0;
        let x = |cycles: u32| LEFT + (end - LEFT) * f64::from(cycles) / most;
        let top = self.y;
        for bound in &report.bounds {
            let tight = bound.cycles == report.interval;
            let colour = if tight { "var(--text)" } else { "var(--faint)" };
            self.text(LEFT - 10.0, self.y + 14.0, "end", &bound.name);
            let width = (x(bound.cycles) - LEFT).max(1.5);
            let _ = writeln!(
                self.body,
                "<g><title>{}: {} cycles, {}</title>",
                escape(&bound.name),
                bound.cycles,
                escape(&bound.meaning)
            );
            self.rect(colour, "", [LEFT, self.y + 3.0, width, 14.0], 3.0);
            self.body.push_str("</g>\n");
            let text = bound.cycles.to_string();
            self.text(LEFT + width + 7.0, self.y + 14.5, "over", &text);
            self.text(end + 40.0, self.y + 14.5, "faint", &bound.meaning);
            self.y += 21.0;
        }
        let at = x(report.interval);
        self.line("turn", (at, top), (at, self.y + 2.0));
        let label = format!("interval {}", report.interval);
        self.text(at, self.y + 14.0, "faint middle", &label);
        self.y += 14.0;
    }

    fn table(&mut self) {
        let report = self.report;
        let remark = "slot by cycle modulo the interval: slots held in every iteration";
        self.head("Reservation table", remark);
        let axis = Axis {
            cycles: f64::from(report.interval.max(1)),
        };
        let height = ROW * report.slots.len() as f64;
        self.axis(axis, height);
        for (row, slot) in report.slots.iter().enumerate() {
            let y = self.y + ROW * row as f64;
            if row % 2 == 0 {
                self.rect("var(--band)", "", [LEFT, y, RIGHT - LEFT, ROW], 0.0);
            }
            self.text(LEFT - 10.0, y + 17.5, "end", slot);
        }
        for piece in report.reservations() {
            let op = &report.operations[piece.operation];
            let (from, to) = (axis.x(f64::from(piece.from)), axis.x(f64::from(piece.to)));
            let y = self.y + ROW * piece.slot as f64 + 3.0;
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
        self.y += height;
    }

    fn iterations(&mut self) {
        let report = self.report;
        let count = report.iterations_drawn();
        let remark = "one row per iteration; solid while slots are held, faint until the result is \
            available";
        self.head("Iterations overlap", remark);
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
        self.y += 6.0;
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
            self.rect(fill, "", [from, self.y, to - from, height + 40.0], 0.0);
            self.text(f64::midpoint(from, to), self.y + 13.0, "faint middle", name);
        }
        self.y += 14.0;
        self.axis(axis, height);
        for iteration in 0..count {
            let y = self.y + row * f64::from(iteration) + 4.0;
            let label = format!("iteration {iteration}");
            self.text(LEFT - 10.0, y + (row - 8.0) / 2.0 + 4.5, "end", &label);
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
        self.y += height;
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
        self.head("Ring slots", &remark);
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
            self.text(LEFT + 5.0, self.y + 14.0, "faint over", &label);
            self.text(LEFT - 10.0, self.y + 15.0, "end", &ring.name);
            self.y += ROW - 4.0;
            for slot in 0..shown(ring.slots) {
                self.ring_slot(axis, ring, slot, count);
                self.y += ROW;
            }
        }
    }

    fn ring_slot(&mut self, axis: Axis, ring: &super::ReportedRing, slot: u32, count: u32) {
        self.text(
            LEFT - 10.0,
            self.y + 16.0,
            "faint end",
            &format!("slot {slot}"),
        );
        let place = [LEFT, self.y + 2.0, RIGHT - LEFT, ROW - 4.0];
        self.rect("var(--band)", "", place, 3.0);
        for iteration in (slot..count).step_by(ring.slots.max(1) as usize) {
            let shift = i64::from(iteration) * i64::from(self.report.interval);
            let (from, to) = (ring.busy.0 + shift, ring.busy.1 + shift);
            let (x, end) = (axis.x(from as f64), axis.x(to as f64));
            let _ = writeln!(
                self.body,
                "<g class=\"mark\"><title>{} slot {slot} holds iteration {iteration}, cycles {from} to {to}</title>",
                escape(&ring.name)
            );
            let colour = if (iteration / ring.slots.max(1)).is_multiple_of(2) {
                "var(--c6)"
            } else {
                "var(--c3)"
            };
            let place = [x, self.y + 2.0, (end - x - 1.0).max(0.5), ROW - 4.0];
            self.rect(colour, "", place, 3.0);
            if end - x > 16.0 {
                let (middle, y) = (number(f64::midpoint(x, end)), number(self.y + 17.0));
                let _ = writeln!(
                    self.body,
                    "<text x=\"{middle}\" y=\"{y}\">{iteration}</text>"
                );
            }
            self.body.push_str("</g>\n");
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
