//! The drawings as a self-contained page: no network access, no scripts.

use std::fmt::Write;

use super::LoopReport;
use super::drawing::escape;
use super::executed::{Table, TimedRun};
use super::page::{self, table};
use super::svg;

/// A page with the drawings of all loops, and their data as tables; then a timed run.
pub fn render(reports: &[LoopReport], run: Option<&TimedRun>) -> String {
    let mut out = page::begin("Schedules", "");
    let _ = writeln!(
        out,
        "<p>{}. Hover over a mark for its values.</p>",
        match reports.len() {
            0 => "No loop has a schedule".to_owned(),
            1 => "One loop has a schedule".to_owned(),
            count => format!("{count} loops have schedules"),
        }
    );
    for (number, report) in reports.iter().enumerate() {
        let (body, height) = svg::draw(report);
        let _ = write!(
            out,
            "<figure>\n<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"schedule\" viewBox=\"0 0 960 {height:.0}\" \
             role=\"img\" aria-labelledby=\"t{number}\" aria-describedby=\"d{number}\">\n\
             <title id=\"t{number}\">Schedule of {}</title>\n<desc id=\"d{number}\">{}</desc>\n\
             <style>{}</style>\n{body}</svg>\n</figure>\n",
            escape(&report.title),
            escape(&svg::summary(report)),
            svg::pointing(report)
        );
        tables(&mut out, report);
    }
    for Table { title, heads, rows } in run.into_iter().flat_map(|run| run.tables(reports)) {
        table(&mut out, &title, &heads, rows.into_iter());
    }
    page::end(&mut out);
    out
}

fn tables(out: &mut String, report: &LoopReport) {
    out.push_str("<details>\n<summary>The numbers</summary>\n");
    let heads = [
        "operation",
        "stage",
        "order",
        "start",
        "latency",
        "slots held",
    ];
    let rows = report.operations.iter().enumerate().map(|(at, op)| {
        let holds = op
            .holds
            .iter()
            .map(|hold| format!("{} {}", report.slots[hold.slot], hold.duration));
        vec![
            format!("{} {}", LoopReport::letter(at), op.name),
            op.stage.to_string(),
            op.order.to_string(),
            op.start.to_string(),
            op.latency.to_string(),
            holds.collect::<Vec<_>>().join(", "),
        ]
    });
    table(out, "Operations", &heads, rows);
    let bounds = report.bounds.iter().map(|bound| {
        let cycles = bound.cycles.to_string();
        vec![bound.name.clone(), cycles, bound.meaning.clone()]
    });
    table(
        out,
        "Bounds of the interval",
        &["bound", "cycles", "of"],
        bounds,
    );
    let rings = report.rings.iter().map(|ring| {
        vec![
            ring.name.clone(),
            ring.slots.to_string(),
            ring.slot_bytes.to_string(),
            ring.place.clone(),
            format!("{} to {}", ring.busy.0, ring.busy.1),
        ]
    });
    if !report.rings.is_empty() {
        let heads = ["ring", "slots", "bytes per slot", "at", "busy, in cycles"];
        table(out, "Rings", &heads, rings);
    }
    out.push_str("</details>\n");
}
