//! The drawings as a self-contained page: no network access, no scripts.

use std::fmt::Write;

use super::LoopReport;
use super::executed::{Table, TimedRun};
use super::svg::{self, escape};

const PAGE: &str = "\
:root{color-scheme:light dark}\
body{margin:0;background:#fff;color:#1f2328;font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}\
main{max-width:1000px;margin:0 auto;padding:24px 16px 64px}\
h1{font-size:24px;margin:0 0 4px}p{margin:0 0 20px}\
figure{margin:0 0 36px;border:1px solid #d1d9e0;border-radius:10px;overflow-x:auto}\
svg{display:block;min-width:720px;width:100%;height:auto}\
details{margin:-20px 0 36px}summary{cursor:pointer;padding:4px 0}\
table{border-collapse:collapse;margin:8px 0 16px;font-variant-numeric:tabular-nums}\
th,td{padding:3px 14px 3px 0;text-align:right;border-bottom:1px solid #d1d9e0}\
th:first-child,td:first-child{text-align:left}caption{text-align:left;font-weight:600;padding:6px 0}\
@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}figure,th,td{border-color:#3d444d}}\
@media print{figure{border:0;break-inside:avoid}}";

/// A page with the drawings of all loops, and their data as tables; then a timed run.
pub fn render(reports: &[LoopReport], run: Option<&TimedRun>) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>Schedules</title>\n<style>{PAGE}{}</style>\n</head>\n<body>\n<main>\n\
         <h1>Schedules</h1>\n<p>{}. Hover over a mark for its values.</p>\n",
        svg::style(),
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
    out.push_str("</main>\n</body>\n</html>\n");
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

fn table(out: &mut String, caption: &str, heads: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let caption = escape(caption);
    let _ = write!(out, "<table>\n<caption>{caption}</caption>\n<thead><tr>");
    for head in heads {
        let _ = write!(out, "<th scope=\"col\">{head}</th>");
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for cell in row {
            let _ = write!(out, "<td>{}</td>", escape(&cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n");
}
