//! Pipelines: nested lists of passes with the operations they run on.

use std::fmt;

use super::{Anchor, ErasedPass, Pass};

/// A part of a pipeline.
#[derive(Clone, Debug)]
pub enum Element {
    /// A pass.
    Pass(Box<dyn ErasedPass>),
    /// A pipeline that runs on operations nested directly inside.
    Nested(Pipeline),
}

/// A list of passes and nested pipelines.
///
/// Its text parses to the same pipeline, with every option that has a value.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// The name of the operations it runs on; `None` for every isolated operation.
    pub anchor: Option<String>,
    /// The elements, in order.
    pub elements: Vec<Element>,
}

impl Pipeline {
    /// An empty pipeline on operations with this name.
    pub fn on(anchor: &str) -> Self {
        Pipeline {
            anchor: Some(anchor.to_owned()),
            elements: Vec::new(),
        }
    }

    /// An empty pipeline on every isolated operation.
    pub fn on_any() -> Self {
        Pipeline {
            anchor: None,
            elements: Vec::new(),
        }
    }

    /// The anchor as written.
    pub fn anchor_text(&self) -> &str {
        self.anchor.as_deref().unwrap_or("any")
    }

    /// Adds a pass. A pass on operations of another name is nested.
    pub fn add<P: Pass>(&mut self, pass: P) {
        self.add_nested(Box::new(pass));
    }

    /// Adds a type-erased pass. A pass on operations of another name is nested: in the last
    /// element, if that is a pipeline on such operations.
    pub fn add_nested(&mut self, pass: Box<dyn ErasedPass>) {
        if self.accepts(&*pass) {
            self.elements.push(Element::Pass(pass));
            return;
        }
        let Anchor::Op(wanted) = pass.definition().anchor else {
            return;
        };
        if let Some(Element::Nested(last)) = self.elements.last_mut()
            && last.anchor.as_deref() == Some(wanted)
        {
            last.elements.push(Element::Pass(pass));
            return;
        }
        let mut nested = Pipeline::on(wanted);
        nested.elements.push(Element::Pass(pass));
        self.elements.push(Element::Nested(nested));
    }

    /// Whether a pass can run on the operations of this pipeline.
    pub(super) fn accepts(&self, pass: &dyn ErasedPass) -> bool {
        match pass.definition().anchor {
            Anchor::Any => true,
            Anchor::Op(wanted) => self.anchor.as_deref() == Some(wanted),
        }
    }

    /// Number of passes, nested ones included.
    pub fn pass_count(&self) -> usize {
        self.elements
            .iter()
            .map(|element| match element {
                Element::Pass(_) => 1,
                Element::Nested(nested) => nested.pass_count(),
            })
            .sum()
    }

    /// The text on several lines, with one pass per line.
    pub fn to_indented_text(&self) -> String {
        let mut text = String::new();
        self.write_indented(&mut text, 0);
        text
    }

    fn write_indented(&self, text: &mut String, depth: usize) {
        let indent = "  ".repeat(depth);
        text.push_str(&format!("{indent}{}(\n", self.anchor_text()));
        for (number, element) in self.elements.iter().enumerate() {
            if number > 0 {
                text.push_str(",\n");
            }
            match element {
                Element::Pass(pass) => text.push_str(&format!("{indent}  {}", pass_text(&**pass))),
                Element::Nested(nested) => nested.write_indented(text, depth + 1),
            }
        }
        text.push_str(&format!("\n{indent})"));
    }
}

impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.anchor_text())?;
        for (number, element) in self.elements.iter().enumerate() {
            if number > 0 {
                f.write_str(",")?;
            }
            match element {
                Element::Pass(pass) => f.write_str(&pass_text(&**pass))?,
                Element::Nested(nested) => nested.fmt(f)?,
            }
        }
        f.write_str(")")
    }
}

/// A pass with its options, sorted by name.
pub(super) fn pass_text(pass: &dyn ErasedPass) -> String {
    let name = pass.definition().name;
    let mut options = pass.option_texts();
    if options.is_empty() {
        return name.to_owned();
    }
    options.sort_unstable();
    let options: Vec<_> = options
        .iter()
        .map(|(name, value)| format!("{name}={}", value_text(value)))
        .collect();
    format!("{name}{{{}}}", options.join(" "))
}

/// A value, in braces if it would not parse back as one value otherwise.
fn value_text(value: &str) -> String {
    let plain = |c: char| !c.is_whitespace() && !matches!(c, '{' | '}' | '"' | '\'');
    if !value.is_empty() && value.chars().all(plain) {
        value.to_owned()
    } else {
        format!("{{{value}}}")
    }
}
