//! What drawings are made of: texts, lines and rectangles of SVG, legible on light and dark backgrounds.

use std::fmt::Write;

/// Space between two drawings.
const GAP: f64 = 30.0;

/// Colours and fonts. Text and marks have a contrast of at least 4.5 to 1 on both backgrounds.
pub(crate) const STYLE: &str = "\
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
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Text escaped for XML.
pub(crate) fn escape(text: &str) -> String {
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
#[derive(Clone, Debug)]
pub(crate) struct Drawing {
    /// The elements.
    pub(crate) body: String,
    /// Where the next one starts.
    pub(crate) y: f64,
}

impl Drawing {
    /// A drawing without elements that starts at a height.
    pub(crate) fn new(y: f64) -> Drawing {
        Drawing {
            body: String::new(),
            y,
        }
    }

    /// A text that starts, ends or is centred at a place, by its class.
    pub(crate) fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        let _ = writeln!(
            self.body,
            "<text x=\"{}\" y=\"{}\" class=\"{class}\">{}</text>",
            number(x),
            number(y),
            escape(text)
        );
    }

    /// A line.
    pub(crate) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let _ = writeln!(
            self.body,
            "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
            number(from.0),
            number(from.1),
            number(to.0),
            number(to.1)
        );
    }

    /// A rectangle, by x, y, width and height, with round corners.
    pub(crate) fn rect(&mut self, fill: &str, class: &str, place: [f64; 4], radius: f64) {
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

    /// The heading of a part, with a remark behind it.
    pub(crate) fn head(&mut self, text: &str, remark: &str) {
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
}
