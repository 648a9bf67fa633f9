//! Reproducers: IR files that contain the pipeline to run on them.
//!
//! The pipeline is in the file metadata, as in MLIR:
//!
//! ```text
//! {-#
//!   external_resources: {
//!     mlir_reproducer: {
//!       pipeline: "builtin.module(cse)",
//!       verify_each: true
//!     }
//!   }
//! #-}
//! ```

use super::pipeline::pass_text;
use super::{Event, Instrumentation, PassEnd};
use crate::resources::{EXTERNAL_RESOURCES, Resource};
use crate::{Context, Operation, PrintFlags, print_to_string};

const SECTION: &str = EXTERNAL_RESOURCES;
const GROUP: &str = "mlir_reproducer";

/// The contents of a reproducer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reproducer {
    /// The text of the pipeline.
    pub pipeline: String,
    /// Whether to verify after each pass.
    pub verify_each: bool,
}

impl Reproducer {
    /// The text of a file that reproduces this run on `op`.
    pub fn file(&self, context: &mut Context, op: Operation) -> String {
        let before = context.resources.clone();
        let mut entry = |key: &str, value: String| {
            context.resources.insert(Resource {
                section: SECTION.to_owned(),
                group: GROUP.to_owned(),
                key: key.to_owned(),
                value,
            });
        };
        let escaped = self.pipeline.replace('\\', "\\\\").replace('"', "\\22");
        entry("pipeline", format!("\"{escaped}\""));
        entry("verify_each", self.verify_each.to_string());
        // MLIR's reader requires this entry.
        entry("disable_threading", "true".to_owned());
        let text = print_to_string(context, op, &PrintFlags::generic());
        context.resources = before;
        text
    }

    /// The reproducer in the metadata of the parsed file.
    pub fn of(context: &Context) -> Option<Reproducer> {
        let entry = |key: &str| context.resources.get(SECTION, GROUP, key);
        let pipeline = unescape(entry("pipeline")?)?;
        let verify_each = entry("verify_each").is_none_or(|value| value != "false");
        Some(Reproducer {
            pipeline,
            verify_each,
        })
    }

    /// Removes the reproducer from the metadata, so that it is not printed again.
    pub fn remove(context: &mut Context) {
        context.resources.remove_group(SECTION, GROUP);
    }
}

/// Observes a run to produce a reproducer for the pass that fails or crashes: the whole IR before
/// that pass, with a pipeline of that pass alone. The IR is printed before every pass.
///
/// The pipeline runs on all operations with the name of the one that failed, as in MLIR.
#[derive(Clone, Debug)]
pub struct LocalReproduction {
    verify_each: bool,
    file: Option<String>,
}

impl LocalReproduction {
    /// An observer for a run with or without verification after each pass.
    pub fn new(verify_each: bool) -> Self {
        LocalReproduction {
            verify_each,
            file: None,
        }
    }

    /// The text of a file that reproduces the failed pass; `None` if all passes succeeded.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }
}

impl Instrumentation for LocalReproduction {
    fn before_pass(&mut self, event: &mut Event<'_>) {
        let mut outermost = event.op;
        let mut pipeline = pass_text(event.pass);
        for op in std::iter::once(event.op).chain(event.op.ancestors(event.context)) {
            pipeline = format!("{}({pipeline})", op.name_text(event.context));
            outermost = op;
        }
        let reproducer = Reproducer {
            pipeline,
            verify_each: self.verify_each,
        };
        self.file = Some(reproducer.file(event.context, outermost));
    }

    fn after_pass(&mut self, _: &mut Event<'_>, end: PassEnd) {
        if end != PassEnd::Failed {
            self.file = None;
        }
    }
}

/// The text of a string literal; `None` if it is not a string.
fn unescape(literal: &str) -> Option<String> {
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        if first != b'\\' {
            bytes.push(first);
            continue;
        }
        let (byte, length) = match *rest {
            [b'n', ..] => (b'\n', 1),
            [b't', ..] => (b'\t', 1),
            [quoted @ (b'"' | b'\\'), ..] => (quoted, 1),
            [high, low, ..] => {
                let digits = [high, low];
                let digits = std::str::from_utf8(&digits).ok()?;
                (u8::from_str_radix(digits, 16).ok()?, 2)
            }
            _ => return None,
        };
        bytes.push(byte);
        rest = &rest[length..];
    }
    String::from_utf8(bytes).ok()
}
