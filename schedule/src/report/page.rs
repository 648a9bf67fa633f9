//! What pages are made of: self-contained, in the reader's light or dark theme.

use std::fmt::Write;

use super::drawing::{STYLE, escape};

/// Colours, fonts and tables.
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

/// The start of a page: up to its first heading. `head` are further elements of the head.
pub(crate) fn begin(title: &str, head: &str) -> String {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>{title}</title>\n<style>{PAGE}{STYLE}</style>\n{head}</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n"
    )
}

/// The end of a page.
pub(crate) fn end(out: &mut String) {
    out.push_str("</main>\n</body>\n</html>\n");
}

/// A table, with a caption unless that is empty; the texts are escaped.
pub(crate) fn table(
    out: &mut String,
    caption: &str,
    heads: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
) {
    out.push_str("<table>\n");
    if !caption.is_empty() {
        let _ = writeln!(out, "<caption>{}</caption>", escape(caption));
    }
    out.push_str("<thead><tr>");
    for head in heads {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escape(head));
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
