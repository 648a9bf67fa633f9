//! Reports as a self-contained page: readable without its script, which adds the keyboard and the marks of
//! producers. The page permits no network access.

use std::fmt::Write;

use super::svg::{self, timeline};
use super::{
    BLOCK_HEADS, Blocks, FunctionReport, LISTED, MeasuredBlock, VERSION_HEADS, heaviest, left_out,
    text,
};
use crate::report::drawing::escape;
use crate::report::page::{self, table};

/// Instructions of each version that are drawn in a page: those of the blocks that take most cycles.
pub const DRAWN: usize = 3_000;

const SCRIPT: &str = include_str!("page.js");
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'";
const PAGE: &str = "\
main{max-width:1180px;padding-bottom:150px}h2{font-size:19px;margin:28px 0 4px}h3{font-size:16px;margin:0 0 2px}\
section{margin:0 0 30px;scroll-margin-top:48px;content-visibility:auto;contain-intrinsic-size:auto 400px}\
figure{margin:6px 0 10px;padding:4px 0}figure:focus-within{border-color:#0969da}\
figcaption{padding:2px 12px;font-weight:600}details{margin:0 0 10px}td,th{white-space:nowrap}\
.wide{overflow-x:auto}pre{overflow-x:auto;margin:4px 0;font:12px/1.45 ui-monospace,SFMono-Regular,Menlo,monospace}\
fieldset{position:sticky;top:0;z-index:1;background:inherit;border:0;border-bottom:1px solid #d1d9e0;margin:0;\
padding:8px 0;display:flex;flex-wrap:wrap;gap:4px 16px;background:#fff}\
label{cursor:pointer}a{color:#0969da}.key{display:flex;flex-wrap:wrap;gap:2px 16px;margin:0 0 8px;padding:0;list-style:none}\
.key svg{display:inline-block;width:14px;min-width:0;height:12px;margin-right:6px}\
output{position:fixed;bottom:0;left:0;right:0;background:#f6f8fa;border-top:1px solid #d1d9e0;padding:8px 16px;\
white-space:pre-wrap;font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,monospace;max-height:128px;overflow:auto}\
output:empty{display:none}kbd{border:1px solid #d1d9e0;border-radius:4px;padding:0 5px;font-size:12px}\
.schedule .mark:focus{outline:none}.schedule.block:focus{outline:2px solid #0969da;outline-offset:-2px}\
@media(prefers-color-scheme:dark){fieldset{background:#0d1117;border-color:#3d444d}kbd{border-color:#3d444d}\
a{color:#4493f8}output{background:#151b23;border-color:#3d444d}.schedule.block:focus{outline-color:#4493f8}\
figure:focus-within{border-color:#4493f8}}@media print{fieldset,output{display:none}}";

/// The blocks that are drawn and listed.
struct Shown {
    drawn: Blocks,
    listed: Blocks,
}

/// The colours that the page explains.
const KEY: [(&str, &str); 8] = [
    ("f-issue", "issue"),
    ("f-stalls", "stall"),
    ("f-results", "waits for results"),
    ("f-operands", "waits for operands"),
    ("f-groups", "waits for groups"),
    ("f-unit", "unit occupied"),
    ("f-flight", "in flight"),
    ("f-armed", "scoreboard armed"),
];

/// A page with the reports of functions.
///
/// Timelines are drawn for the blocks that take most cycles, up to [`DRAWN`] instructions of each version;
/// other blocks are listed as text, up to [`LISTED`]; behind that, a block has its figures alone.
pub fn render(reports: &[FunctionReport]) -> String {
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<style>{PAGE}{}{}</style>\n",
        svg::STYLE,
        switch(reports)
    );
    let mut out = page::begin("Instruction schedules", &head);
    let _ = writeln!(
        out,
        "<p>{}. Cycles are static: stalls, and waits of typical length.</p>",
        match reports.len() {
            0 => "There is no function".to_owned(),
            1 => "One function".to_owned(),
            count => format!("{count} functions"),
        }
    );
    versions(&mut out, reports);
    key(&mut out);
    let shown = Shown {
        drawn: heaviest(reports, DRAWN),
        listed: heaviest(reports, LISTED),
    };
    if let Some(text) = left_out(reports, &shown.listed) {
        let _ = writeln!(out, "<p>{text}</p>");
    }
    for (number, report) in reports.iter().enumerate() {
        function(&mut out, report, number, &shown);
    }
    let _ = write!(
        out,
        "<output id=\"panel\" aria-live=\"polite\"></output>\n<script>\n{SCRIPT}</script>\n"
    );
    page::end(&mut out);
    out
}

/// The names of the versions, over all functions.
fn names(reports: &[FunctionReport]) -> Vec<&str> {
    let longest = reports.iter().max_by_key(|report| report.versions.len());
    let versions = longest.into_iter().flat_map(|report| &report.versions);
    versions.map(|version| version.name.as_str()).collect()
}

/// Rules that show the chosen version alone.
fn switch(reports: &[FunctionReport]) -> String {
    let rules = (0..names(reports).len()).map(|version| {
        format!("body:has(#v{version}:checked) .version:not(.v{version}){{display:none}}")
    });
    rules.collect()
}

/// The choice of versions, which needs no script.
fn versions(out: &mut String, reports: &[FunctionReport]) {
    out.push_str("<fieldset><legend hidden>Versions</legend>\n");
    let names = names(reports);
    if names.len() > 1 {
        out.push_str(
            "<label><input type=\"radio\" name=\"version\" id=\"all\" checked> side by side</label>\n",
        );
        for (version, name) in names.iter().enumerate() {
            let name = escape(name);
            let _ = writeln!(
                out,
                "<label><input type=\"radio\" name=\"version\" id=\"v{version}\"> {name}</label>"
            );
        }
        out.push_str("<span><kbd>b</kbd> next version</span>\n");
    }
    out.push_str(
        "<span><kbd>←</kbd> <kbd>→</kbd> instruction</span>\n\
         <span><kbd>[</kbd> <kbd>]</kbd> or <kbd>Tab</kbd> block</span>\n\
         <span><kbd>p</kbd> producer</span>\n</fieldset>\n",
    );
}

fn key(out: &mut String) {
    out.push_str("<ul class=\"key\">\n");
    for (class, meaning) in KEY {
        let _ = writeln!(
            out,
            "<li><svg class=\"schedule\" viewBox=\"0 0 14 12\" aria-hidden=\"true\">\
             <rect class=\"{class}\" width=\"14\" height=\"12\"/></svg>{meaning}</li>"
        );
    }
    out.push_str("<li>outlined and connected: the critical path</li>\n</ul>\n");
}

/// Links to the blocks that take most cycles.
fn links(out: &mut String, report: &FunctionReport, function: usize) {
    const MOST: usize = 12;
    let mut blocks: Vec<(u64, usize)> = (0..report.blocks())
        .map(|number| (report.weight(number), number))
        .collect();
    blocks.sort_by_key(|(weight, number)| (std::cmp::Reverse(*weight), *number));
    let total: u64 = blocks.iter().map(|(weight, _)| weight).sum();
    let links = blocks.iter().take(MOST).map(|(weight, number)| {
        let title = escape(&report.block_title(*number));
        let share = u128::from(*weight) * 100 / u128::from(total.max(1));
        format!("<a href=\"#b{function}.{number}\">{title}</a> {share}%")
    });
    let links: Vec<String> = links.collect();
    let _ = writeln!(out, "<p>Most cycles: {}</p>", links.join("; "));
}

fn function(out: &mut String, report: &FunctionReport, number: usize, shown: &Shown) {
    let FunctionReport { name, target, .. } = report;
    let _ = writeln!(out, "<h2>@{} for {}</h2>", escape(name), escape(target));
    if let Some(caution) = report.caution() {
        let _ = writeln!(out, "<p>{}</p>", escape(&caution));
    }
    out.push_str("<div class=\"wide\">\n");
    let rows = report.version_rows().into_iter();
    table(out, "Static cycles", report.heads(&VERSION_HEADS), rows);
    let loops = report.loop_rows();
    if !loops.is_empty() {
        let caption = "Innermost loops: cycles of an iteration in the steady state";
        table(out, caption, &report.loop_heads(), loops.into_iter());
    }
    out.push_str("</div>\n");
    links(out, report, number);
    let live = report.versions.iter().map(super::Measured::most_live);
    let most = live.max().unwrap_or(0);
    for block in 0..report.blocks() {
        let _ = writeln!(
            out,
            "<section id=\"b{number}.{block}\">\n<h3>{}</h3>",
            escape(&report.block_title(block))
        );
        figures(out, report, block);
        let place = (number, block);
        let mut spans = report.with_block(block).map(|(_, _, found)| found.span());
        let span = spans.by_ref().max().unwrap_or(0);
        for (version, measured, found) in report.with_block(block) {
            if shown.drawn.contains(&place) {
                let _ = writeln!(
                    out,
                    "<figure class=\"version v{version}\"><figcaption>{}</figcaption>",
                    escape(&measured.name)
                );
                let drawing = timeline(report, (number, version, block), found, (span, most));
                out.push_str(&drawing);
                out.push_str("</figure>\n");
            }
            if shown.listed.contains(&place) {
                listing(out, &measured.name, version, found);
            }
        }
        out.push_str("</section>\n");
    }
}

fn figures(out: &mut String, report: &FunctionReport, number: usize) {
    let rows = report.block_rows(number).into_iter();
    out.push_str("<div class=\"wide\">\n");
    table(out, "", report.heads(&BLOCK_HEADS), rows);
    out.push_str("</div>\n");
}

fn listing(out: &mut String, name: &str, version: usize, block: &MeasuredBlock) {
    let mut lines = String::new();
    text::listing(&mut lines, block);
    let _ = writeln!(
        out,
        "<details class=\"version v{version}\"><summary>Instructions, {}</summary><pre>{}</pre></details>",
        escape(name),
        escape(&lines)
    );
}
